# SPDX-License-Identifier: MIT
"""The deepest stack of each task and handler of a kernel's image.

The image runs once, recorded; what each executed instruction did to SP adds up exactly
(observer/explain/src/depth.rs). It is what this run needed: a path that the scenario does not take
may need more. On top comes what the processor stacks for an exception, `frame_bytes`, and where a
kernel saves a task's registers on its stack, these.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ticklab import measure, measurement, paths
from ticklab.explain import recordings, replay
from ticklab.explain.answer import Stack
from ticklab.model import Case, Image
from ticklab.targets.protocol import Cancel
from ticklab.targets.qemu import Qemu


@dataclass(frozen=True)
class Stacks:
    """Those that ran, in the order in which they first did, handlers behind."""

    rows: Sequence[Stack]
    frame_bytes: int


def measure_image(case: Case, image: Image) -> Stacks:
    target = Qemu(paths.plugin())
    determinants = measurement.determined_by(case, image, None, target.identity())
    about = recordings.about(determinants, case.kernel)
    with (
        tempfile.TemporaryDirectory(prefix="ticklab-") as folder,
        measure.recorded(target) as (recorder, blocks),
    ):
        assert blocks
        measurement.take(case, image, None, recorder, Cancel())
        recordings.write(Path(folder), image.path, blocks, about)
        found = replay.explain(recordings.Recording(Path(folder), about), about.spans[:1])
    return Stacks(found.stacks, found.frame_bytes)
