# SPDX-License-Identifier: MIT
"""A deadline for interrupts, and which sweeps meet it.

A sweep (an interrupt is pended at every instruction of a service) meets a deadline if the high
bound of its cycles is within the deadline at every position. It misses the deadline if the low
bound at its worst position exceeds the deadline. Otherwise the cycle model does not decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ticklab.description.model import Record
from ticklab.summary.matrix import Column, Matrix


class Met(StrEnum):
    MET = "met"
    UNDECIDED = "undecided"
    MISSED = "missed"


@dataclass(frozen=True)
class Deadline:
    microseconds: float

    def cycles(self, clock_hz: int) -> float:
        return self.microseconds * clock_hz / 1e6

    def judge(self, record: Record, clock_hz: int | None) -> Met | None:
        """Returns whether a record meets the deadline; None if the record is no sweep or has no
        cycles."""
        cycles = record.curve.cycles if record.curve else None
        if cycles is None or clock_hz is None:
            return None
        limit = self.cycles(clock_hz)
        if cycles.high <= limit:
            return Met.MET
        return Met.MISSED if cycles.low > limit else Met.UNDECIDED


@dataclass(frozen=True)
class Tally:
    """How many sweeps of a kernel meet a deadline, and the slowest of them."""

    column: Column
    counts: dict[Met, int]
    slowest: Record


def tallies(matrix: Matrix, deadline: Deadline, clock_hz: int | None) -> Iterator[Tally]:
    """Yields the tally of each kernel that has sweeps, in the order of the columns."""
    for column in matrix.columns:
        judged = [(one, deadline.judge(one, clock_hz)) for one in matrix.records(column)]
        found = [(one, met) for one, met in judged if met]
        if found:
            counts = {each: sum(met is each for _, met in found) for each in Met}
            yield Tally(column, counts, max((one for one, _ in found), key=_high))


def _high(record: Record) -> float:
    assert record.curve
    assert record.curve.cycles
    return record.curve.cycles.high
