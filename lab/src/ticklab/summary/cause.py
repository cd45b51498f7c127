# SPDX-License-Identifier: MIT
"""Computes the cause of a figure: by how many instructions each kind of work differs from the
reference. For the reference itself, the cause is its instructions of each kind of work.

Counts are exact, so the parts add up to the difference of the figures. For several tests, the cause
is the mean of the differences in per cent, so that each test has the same weight as in the
geometric mean. Exceptions are counted separately, because the hardware's work at an exception
executes no instruction. Instructions that no rule assigns to a kind are shown by function.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ticklab.description.model import Record

R = TypeVar("R")  # a row
C = TypeVar("C")  # a column
UNASSIGNED = "unassigned"  # as in explain/categories.py, which comes after this package
_NO_FUNCTIONS: Mapping[str, float] = {}


@dataclass(frozen=True)
class Part:
    """The share of one kind of work or, for instructions without a kind, of one function in a
    difference."""

    kind: str | None
    function: str
    instructions: float


@dataclass(frozen=True)
class Cause:
    """Differences from the reference, in instructions; for the mean of several tests, in per cent
    of the reference's instructions. `parts` are in descending order, without parts that are 0."""

    instructions: float
    exceptions: float
    parts: tuple[Part, ...]
    is_difference: bool = True


def in_cell(cells: Mapping[tuple[R, C], Record], row: R, column: C, base: C) -> Cause | None:
    """Returns the cause of the difference between a cell and the cell of column `base` in the same
    row. For column `base` itself, and if `base` has no figure in the row, returns the cell's own
    cost by kind of work."""
    record, other = cells.get((row, column)), cells.get((row, base))
    if record is None:
        return None
    if column == base or other is None or other.work is None:
        return of(record)
    return against(record, other)


def of(record: Record) -> Cause | None:
    """Returns a record's own cost by kind of work; None if that is not known."""
    if record.work is None:
        return None
    return _cause([(1.0, record)], is_difference=False)


def against(subject: Record, base: Record) -> Cause | None:
    """Returns the difference between two records by kind of work; None if it is not known for one
    of them."""
    if subject.work is None or base.work is None:
        return None
    return _cause([(1.0, subject), (-1.0, base)])


def mean(pairs: Iterable[tuple[Record, Record]]) -> Cause | None:
    """Returns the mean over pairs of records of their differences by kind of work, in per cent of
    the second record's instructions. Returns None if the kinds of work of any record are not
    known."""
    every = list(pairs)
    if not every or any(one.work is None for pair in every for one in pair):
        return None
    weights = [100 / len(every) / (_total(base) or 1) for _, base in every]
    weighted = zip(weights, every, strict=True)
    return _cause([each for w, (one, base) in weighted for each in ((w, one), (-w, base))])


def _total(record: Record) -> float:
    return sum(instructions for _, instructions in _parts(record))


def _cause(weighted: Sequence[tuple[float, Record]], is_difference: bool = True) -> Cause:
    found: dict[tuple[str | None, str], float] = {}
    for weight, record in weighted:
        for place, instructions in _parts(record):
            found[place] = found.get(place, 0.0) + weight * instructions
    parts = [Part(*place, round(value, 2)) for place, value in found.items() if round(value, 2)]
    parts.sort(key=lambda part: (-abs(part.instructions), part.kind or "", part.function))
    exceptions = statistics.fmean(
        math.copysign(record.figures.exceptions or 0, weight) for weight, record in weighted
    )
    total = round(sum(found.values()), 2)
    sides = 2 if is_difference else 1
    return Cause(total, round(sides * exceptions, 2), tuple(parts), is_difference)


def _parts(record: Record) -> Iterable[tuple[tuple[str | None, str], float]]:
    work = record.work or {}
    for kind, functions in work.items():
        if kind != UNASSIGNED:
            yield (kind, ""), sum(functions.values())
    for name, instructions in work.get(UNASSIGNED, _NO_FUNCTIONS).items():
        yield (None, name), instructions
