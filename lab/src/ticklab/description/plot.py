# SPDX-License-Identifier: MIT
"""Charts that a suite declares (suite.toml, `plot`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Plot:
    """A chart of the report: the cycles of a scenario by one of its parameters."""

    title: str
    scenario: str
    x: str
    where: Mapping[str, str]  # values of all other parameters
    bytes: int = 0  # bytes that one sample moves: the chart then shows bytes in 1,000 cycles
    span: str | None = None  # None: the scenario's only span

    def value(self, cycles: float) -> float:
        """Returns the height of the point for a sample of `cycles`: bytes in 1000 cycles if the
        samples transfer bytes, otherwise the cycles."""
        return 1000 * self.bytes / cycles if self.bytes else cycles
