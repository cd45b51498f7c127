# SPDX-License-Identifier: MIT
"""Figures that others published (data/published.toml), for `compare RUN published:NAME`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

from ticklab import names
from ticklab.errors import UsageError

PREFIX = "published:"
SCORE = "score-30s"
INSTRUCTIONS = "instructions"
_SECONDS = 30


@dataclass(frozen=True)
class Published:
    name: str
    kernel: str
    source: str
    board: str
    compiler: str
    isolation: bool
    unit: str  # SCORE or INSTRUCTIONS
    figures: Mapping[str, float]  # by scenario of suite thread-metric
    clock_hz: int | None = None
    per_thread: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def cycles(self, scenario: str) -> float | None:
        """Returns the cycles of one iteration, computed from a published Thread-Metric score. They
        include the ticks, because the score does."""
        if self.clock_hz is None or scenario not in self.figures:
            return None
        return _SECONDS * self.clock_hz / self.figures[scenario]


def read_all() -> dict[str, Published]:
    text = resources.files("ticklab").joinpath("data/published.toml").read_text()
    rows = [Published(**row) for row in tomllib.loads(text)["published"]]
    return {row.name: row for row in rows}


def find(word: str) -> Published:
    """Returns the figures with the name of `published:NAME`."""
    rows, name = read_all(), word.removeprefix(PREFIX)
    if not name:
        raise UsageError(
            f"'{word}' does not name published figures", f"there is: {', '.join(sorted(rows))}"
        )
    return names.choose("published figures", name, rows)
