# SPDX-License-Identifier: MIT
"""The result of a sweep: a figure for each position, and the cause of the worst one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class Interval:
    low: int | float
    high: int | float


@dataclass(frozen=True)
class Call:
    """A node of a call tree; parents come before children."""

    depth: int
    name: str
    own: int  # instructions of the function itself
    total: int  # … and of the functions that it called


class Bound(StrEnum):
    """The figure that chooses the worst position of a sweep, as named in JSON."""

    HIGH = "cycles.high"
    EXACT = "cycles.exact"
    COUNTED = "instructions"  # without a cycle model


@dataclass(frozen=True)
class Curve:
    """The samples of a sweep by position, and the code for which the worst one waited. Positions,
    as samples, count from 1."""

    instructions: tuple[int, ...]  # at positions 1, 2, …
    position: int  # the worst; of several, the first
    pended_before: str  # FUNCTION+0x… of the instruction at which it was pended
    held_until: str  # … and of the last instruction before it was taken
    functions: Mapping[str, int]  # instructions while the interrupt was pending, by function
    pended_at: str | None = None  # both places in the source, FILE:LINE
    held_at: str | None = None
    calls: tuple[Call, ...] = ()  # call tree of the worst position; empty if unknown
    chosen_by: Bound = Bound.COUNTED
    cycles: Interval | None = None  # of the worst position

    @property
    def least(self) -> int:
        return min(self.instructions)

    @property
    def most(self) -> int:
        """Returns the most instructions of any position, which may not be the worst."""
        return max(self.instructions)

    @property
    def worst(self) -> int:
        return self.instructions[self.position - 1]

    @property
    def held(self) -> float:
        """Returns the share of positions at which the interrupt had to wait."""
        return sum(value > self.least for value in self.instructions) / len(self.instructions)
