# SPDX-License-Identifier: MIT
"""Runs an image from reset, so that the whole run can be explained, for `profile`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ticklab import targets
from ticklab.analysis import checks
from ticklab.building import elf
from ticklab.description.model import Board, Expectation, Profile, SamplePlan, Scenario, Span, Watch
from ticklab.description.span import ENTRIES, ENTRY
from ticklab.errors import TicklabError
from ticklab.explain import second_run
from ticklab.explain.second_run import FirstRun
from ticklab.measurement import images, observation
from ticklab.targets import keeper
from ticklab.targets.eventlog import KIND_MARK, EventLog
from ticklab.targets.protocol import Cancel, Observation
from ticklab.targets.qemu import Qemu

RESET = "reset"
WHOLE = Span("whole", start=RESET, end=RESET, ticks="included")


@dataclass(frozen=True)
class Run:
    first: FirstRun
    observation: Observation

    @property
    def log(self) -> EventLog:
        assert self.observation.log
        return self.observation.log


@contextmanager
def taken(path: Path, board: Board, instructions: int, profile: Profile | None) -> Iterator[Run]:
    """Yields a run of so many instructions from reset. The span `WHOLE` of it lasts from reset to
    the last entry of an exception."""
    case = images.case(path, board, _scenario(path, board))
    image = images.describe(case)
    plan = replace(
        observation.plan_of(case, image, profile),
        until_marks=None,
        passes=0,
        instructions=instructions,
        stall_instructions=instructions,
    )
    target = targets.of(board, nodes=1)
    if not isinstance(target, Qemu):
        raise TicklabError(f"a run on board {board.name} cannot be followed", "choose --board virt")
    with keeper.keeping(target) as runs:
        seen = runs.observe(path, plan, Cancel())
        about = second_run.About(
            spans=(WHOLE,),
            external=None,
            warm_up=0,
            clock_hz=case.variant.clock_hz,
            kernel=None,
            pairs={WHOLE.name: [_whole(path, seen)]},
        )
        yield Run(second_run.of(runs, path, about), seen)


def _scenario(path: Path, board: Board) -> Scenario:
    reset = elf.read(path).reset(board.vectors)
    if reset is None:
        where = f"has no table of vectors at {board.vectors:#x}, where the board's is"
        raise TicklabError(f"image {path} {where}", "choose --board, or give --vectors")
    entries = {ENTRY + kind: "" for kind in ENTRIES}
    return Scenario(
        name="profile",
        suite="profile",
        file=path,
        services=frozenset(),
        spans=(WHOLE,),
        expect=Expectation(external=None, faults=None),
        plan=SamplePlan(0, samples=1, ticks=0),
        threads=(),
        score=False,
        watch=Watch({RESET: f"{reset:#x}", **entries}),
    )


def _whole(path: Path, seen: Observation) -> tuple[int, int]:
    """Returns the first and the last pass."""
    if seen.log is None:
        raise TicklabError(f"{path.name}: nothing was observed: {checks.end_reason(seen.ending)}")
    passes = int(np.sum(seen.log.records["kind"] == KIND_MARK))
    if passes < 2:
        raise TicklabError(
            f"{path.name} took no exception: {checks.end_reason(seen.ending)}",
            "raise --instructions, or use 'observe'",
        )
    return 0, passes - 1
