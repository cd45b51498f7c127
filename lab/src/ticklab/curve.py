# SPDX-License-Identifier: MIT
"""What a sweep finds: a figure at each position, and what the worst of them waited for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True)
class Call:
    """A node of a call tree, in its order: parents before children."""

    depth: int
    name: str
    own: int  # instructions of its own
    total: int  # … and of what it called


class Bound(StrEnum):
    """By which figure the worst position of a sweep is chosen, as JSON names it."""

    HIGH = "cycles.high"
    EXACT = "cycles.exact"
    COUNTED = "instructions"  # without a cycle model


@dataclass(frozen=True)
class Curve:
    """A sweep's samples by position, and where and in what the worst of them waited. Positions
    count from 1, as samples do."""

    instructions: tuple[int, ...]  # at positions 1, 2, …
    position: int  # of the worst; of several, the first
    pended_before: str  # FUNCTION+0x… of the instruction there
    held_until: str  # … and of the last one that the interrupt had to wait for
    functions: Mapping[str, int]  # instructions that it waited for, by function
    pended_at: str | None = None  # the same two places in the source, FILE:LINE
    held_at: str | None = None
    calls: tuple[Call, ...] = ()  # the call tree of the worst; empty if it is not known
    chosen_by: Bound = Bound.COUNTED
    cycles: Interval | None = None  # of the worst

    @property
    def least(self) -> int:
        return min(self.instructions)

    @property
    def most(self) -> int:
        """The most instructions of any position, which may be another than the worst."""
        return max(self.instructions)

    @property
    def worst(self) -> int:
        return self.instructions[self.position - 1]

    @property
    def held(self) -> float:
        """The share of positions at which the interrupt had to wait."""
        return sum(value > self.least for value in self.instructions) / len(self.instructions)
