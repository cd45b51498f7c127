# SPDX-License-Identifier: MIT
"""The result of a sweep: the latency at each position, and the cause of the worst latency."""

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
    """A function in the call tree of the code that delayed an interrupt. In a list of calls, a
    caller precedes its callees."""

    depth: int
    name: str
    own: int  # instructions of the function itself
    total: int  # instructions of the function and of the functions that it called


class Bound(StrEnum):
    """The kind of figure by which the worst position of a sweep is chosen. The values appear in
    JSON."""

    HIGH = "cycles.high"
    EXACT = "cycles.exact"
    COUNTED = "instructions"  # without a cycle model


@dataclass(frozen=True)
class Curve:
    """The latencies of a sweep by position, and the code that ran while the interrupt of the worst
    position waited. Positions count from 1."""

    instructions: tuple[int, ...]  # at positions 1, 2, …
    position: int  # the worst position; the first if there are several
    pended_before: str  # FUNCTION+0x… of the instruction before which the interrupt was pended
    held_until: str  # FUNCTION+0x… of the last instruction before the interrupt was taken
    functions: Mapping[str, int]  # instructions while the interrupt was pending, by function
    pended_at: str | None = None  # FILE:LINE of `pended_before` and of `held_until`
    held_at: str | None = None
    calls: tuple[Call, ...] = ()  # call tree of the worst position; empty if unknown
    chosen_by: Bound = Bound.COUNTED
    cycles: Interval | None = None  # bounds at the worst position

    @property
    def least(self) -> int:
        return min(self.instructions)

    @property
    def most(self) -> int:
        """Returns the greatest number of instructions at any position, which may not be the worst
        in cycles."""
        return max(self.instructions)

    @property
    def worst(self) -> int:
        return self.instructions[self.position - 1]

    @property
    def held(self) -> float:
        """Returns the share of positions at which the interrupt had to wait."""
        return sum(value > self.least for value in self.instructions) / len(self.instructions)
