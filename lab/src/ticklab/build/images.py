# SPDX-License-Identifier: MIT
"""From cases to images, with everything that determined each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ticklab import digest, paths
from ticklab.build import layout, ninja, provenance
from ticklab.build.plan import Plan, plan
from ticklab.build.toolchain import Toolchain
from ticklab.errors import TicklabError
from ticklab.model import Case, Image

Progress = Callable[[int, int], None]


def build(
    cases: Sequence[Case],
    toolchain: Toolchain,
    progress: Progress = lambda done, total: None,
    jobs: int | None = None,
) -> list[Image | TicklabError]:
    """Builds what is not up to date; one result for each case, in their order.

    A case that does not build yields its error instead of raising it, so that one broken kernel
    does not lose the others.
    """
    plans = [plan(case, toolchain) for case in cases]
    text = ninja.manifest((edge for each in plans for edge in each.edges), toolchain)
    layout.write(case.layout for case in cases)
    failed = ninja.run(paths.builds(), text, toolchain, progress, jobs)
    return [
        _failure(case, each, failed) or _image(case, each, toolchain)
        for case, each in zip(cases, plans, strict=True)
    ]


def _failure(case: Case, made: Plan, failed: dict[str, str]) -> TicklabError | None:
    for edge in made.edges:
        if edge.output in failed:
            what = (
                f"{case.scenario.name} for {case.kernel.name}/{case.config.name} ({case.optimise})"
            )
            log = paths.builds() / "build.log"
            return TicklabError(f"{what} does not build: {failed[edge.output]}", f"see {log}")
    return None


def _image(case: Case, made: Plan, toolchain: Toolchain) -> Image:
    path = paths.builds() / made.image
    return Image(path, digest.of_file(path), provenance.of(case, made, toolchain))
