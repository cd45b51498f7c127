# SPDX-License-Identifier: MIT
"""A target that delegates to another one and keeps the block stream of the last observation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ticklab.targets.protocol import Cancel, Observation, ObservationPlan, Target


@dataclass(frozen=True)
class Recorder:
    target: Target
    blocks: Path

    def identity(self) -> Mapping[str, str]:
        return self.target.identity()

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        return self.target.observe(image, replace(plan, record=self.blocks), cancel)
