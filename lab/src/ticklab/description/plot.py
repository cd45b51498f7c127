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
    where: Mapping[str, str]  # all other parameters
    bytes: int = 0  # bytes in a sample: then the chart shows bytes in 1,000 cycles
    span: str | None = None  # None: that of the scenario, which has one

    def value(self, cycles: float) -> float:
        """Returns what the chart shows of a sample."""
        return 1000 * self.bytes / cycles if self.bytes else cycles
