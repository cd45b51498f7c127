# SPDX-License-Identifier: MIT
"""Measures the deepest stack of each task and handler of an image.

The image runs twice; in the second run, the effect of each executed instruction on SP adds up
exactly (observer/explain/src/depth.rs). The result holds for this run: a path that the scenario
does not take may need more. Not included are the frame that the processor stacks for an exception,
`frame_bytes`, and registers that a kernel saves on the stack of a task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ticklab import paths
from ticklab.description.model import Case, Image
from ticklab.explain import second_run
from ticklab.explain.answer import Stack
from ticklab.measurement import observation
from ticklab.targets import keeper
from ticklab.targets.protocol import Cancel
from ticklab.targets.qemu import Qemu


@dataclass(frozen=True)
class Stacks:
    """Tasks in the order in which they first ran, then handlers."""

    rows: Sequence[Stack]
    frame_bytes: int


def measure_image(case: Case, image: Image) -> Stacks:
    target = Qemu(paths.plugin())
    determinants = observation.determined_by(case, image, None, target.identity())
    about = second_run.about(determinants, case.variant.kernel)
    with keeper.keeping(target) as runs:
        observation.take(case, image, None, runs, Cancel())
        found = second_run.explain(second_run.of(runs, image.path, about), about.spans[:1])
    return Stacks(found.stacks, found.frame_bytes)
