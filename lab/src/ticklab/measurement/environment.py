# SPDX-License-Identifier: MIT
"""The tools with which a campaign measures: the compilers of this machine, the targets with the
observer, and a store. Tests supply other tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ticklab import building, targets
from ticklab.building import Toolchain
from ticklab.description.model import Case, Profile, Scenario
from ticklab.measurement import cases, images
from ticklab.measurement.conformance import Unit
from ticklab.measurement.images import Built as Built
from ticklab.measurement.progress import Bar, Lines
from ticklab.storage.store import Store
from ticklab.targets.protocol import Target


@dataclass(frozen=True)
class Environment:
    """The tools of a campaign. `conformance` is empty if conformance is skipped."""

    build: Callable[[Sequence[Case]], Sequence[Built]]
    target: Callable[[Case], Target]
    store: Store
    profile: Callable[[Case], Profile | None]
    jobs: int
    conformance: tuple[Scenario, ...] = ()
    # Whether the store keeps the image of a case.
    keeps_image: Callable[[Case], bool] = lambda _: False
    # Whether a second run divides the instructions of a case by kind of work.
    finds_work: Callable[[Case], bool] = lambda _: False
    # Returns the case on the board that tests a case's conformance with the same image.
    proving: Callable[[Case], Case] = lambda case: case
    # Variants that have passed conformance with these tools and are not tested again.
    proven: set[Unit] = field(default_factory=set)


def equip(
    store: Store,
    profiles: Mapping[str, Profile | None],
    jobs: int,
    progress: Bar | Lines,
    keeps_image: Callable[[Case], bool],
    skip_conformance: bool = False,
    toolchain: Toolchain | None = None,
    finds_work: Callable[[Case], bool] = lambda _: False,
) -> Environment:
    """Returns the tools of this machine. `profiles` has the timing profile for each board name.
    `keeps_image` says whether the store keeps the image of a case, and `finds_work` says whether a
    second run divides the case's instructions by kind of work."""
    toolchain = toolchain or building.find_toolchain()
    return Environment(
        build=lambda wanted: images.build(
            wanted,
            lambda ours: building.build(ours, toolchain, progress.building, jobs, progress.say),
        ),
        target=lambda case: targets.of(case.variant.board, case.nodes),
        store=store,
        profile=lambda case: profiles.get(case.variant.board.name),
        jobs=jobs,
        conformance=() if skip_conformance else cases.conformance(),
        keeps_image=keeps_image,
        finds_work=finds_work,
        proving=cases.proving,
    )
