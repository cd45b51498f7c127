# SPDX-License-Identifier: MIT
"""Measures the greatest stack depth of each task and handler of an image.

The image runs twice. In the second run, the observer adds up the effect of each executed
instruction on SP, which is exact (observer/explain/src/depth.rs). The result is valid for this run:
a path that the scenario does not take may need more stack. The depth includes neither the frame
that the processor stacks for an exception (`frame_bytes`) nor the registers that a kernel saves on
a task's stack.
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
    """The stacks of tasks, in the order in which they first ran, then those of handlers."""

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
