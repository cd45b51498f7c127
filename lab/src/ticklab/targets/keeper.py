# SPDX-License-Identifier: MIT
"""A target that passes observations on to QEMU. It keeps the plan and the event log of the last
observation, so that a second run can explain it (explain/second_run.py)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ticklab.targets.protocol import Cancel, Observation, ObservationPlan
from ticklab.targets.qemu import Qemu


@dataclass
class Keeper:
    target: Qemu
    log: Path
    plan: ObservationPlan | None = None  # of the last observation

    def identity(self) -> Mapping[str, str]:
        return self.target.identity()

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        self.plan = plan
        return replace(self.target, log=self.log).observe(image, plan, cancel)


@contextmanager
def keeping(target: Qemu) -> Iterator[Keeper]:
    """Yields a keeper for a target. The event log exists until the end of the `with` block."""
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        yield Keeper(target, Path(scratch, "events.log"))
