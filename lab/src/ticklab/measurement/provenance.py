# SPDX-License-Identifier: MIT
"""Collects the provenance of a run: everything that determines its figures, without times, and
without paths of this machine except those that the user typed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ticklab import __version__, paths
from ticklab.description.model import Case, Profile
from ticklab.measurement import images
from ticklab.targets.protocol import Target

UNKNOWN = "unknown"


def describe(
    cases: Sequence[Case],
    profiles: Mapping[str, Profile | None],
    target: Callable[[Case], Target],
    builds: Mapping[str, Mapping[str, Any]],
    command: Sequence[str],
) -> dict[str, Any]:
    """Returns the provenance. `profiles` has the timing profile for each board name; `command` is
    the command line as words."""
    return {
        "command": list(command),
        "ticklab": {"version": __version__, "commit": commit()},
        "kernels": {case.variant.kernel.name: _kernel(case) for case in cases},
        "subjects": {case.variant.subject: _subject(case) for case in cases},
        "boards": {
            case.variant.board.name: _board(case, profiles[case.variant.board.name], target(case))
            for case in cases
        },
        "builds": {name: dict(build) for name, build in builds.items()},
    }


def _board(case: Case, profile: Profile | None, target: Target) -> dict[str, Any]:
    return {
        "core": case.variant.board.core.name,
        "clock_hz": case.variant.clock_hz,
        "tick_hz": case.variant.board.tick_hz,
        "profile": profile.name if profile else None,
        "target": dict(target.identity()),
    }


def _kernel(case: Case) -> dict[str, Any]:
    """Returns the version of the case's kernel, and its commit if its folder is in a checkout. For
    an image without a port, also returns its own origin."""
    kernel = case.variant.kernel
    found = {"version": kernel.version}
    if (known := commit(kernel.folder)) != UNKNOWN:
        found["commit"] = known
    return {**found, **images.origin(case)} if kernel.image else found


def _subject(case: Case) -> dict[str, str | None]:
    """Returns facts about a kernel that readers of a ranking need, such as conflicts of
    interest."""
    kernel = case.variant.kernel
    found = {"protection": case.variant.protection.value, "interest": kernel.interest}
    return {**found, "tasks": kernel.tasks} if kernel.tasks else found


@cache
def commit(folder: Path = paths.CHECKOUT) -> str:
    """Returns the commit of the checkout that contains `folder`, followed by `-dirty` if files
    changed since. An installed Ticklab returns the commit from which it was built."""
    if paths.IS_INSTALLED and folder.is_relative_to(paths.CHECKOUT):
        return (paths.CHECKOUT / "COMMIT").read_text()
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        answer = subprocess.run([*command, "--exclude", "*"], capture_output=True, text=True)
    except OSError:
        return UNKNOWN
    return answer.stdout.strip() or UNKNOWN
