# SPDX-License-Identifier: MIT
"""A target for tests: returns prepared event logs and records the requests that it gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ticklab.targets.protocol import Cancel, CancelledError, Observation, ObservationPlan


@dataclass
class Fake:
    answer: Callable[[Path, ObservationPlan], Observation]
    asked: list[tuple[Path, ObservationPlan]] = field(default_factory=list)

    def identity(self) -> Mapping[str, str]:
        return {"name": "fake", "version": "1", "observer": "none"}

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation:
        if cancel.requested():
            raise CancelledError
        self.asked.append((image, plan))
        return self.answer(image, plan)
