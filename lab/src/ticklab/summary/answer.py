# SPDX-License-Identifier: MIT
"""Computes the answer of a suite: each kernel's mean ratio to the reference, by class of
protection, and the ratio of each test. The terminal, the report and the JSON all show an `Answer`.

The mean is geometric, over the tests that exercise the kernel and that both kernels passed. Each
test contributes its least and its greatest ratio over the corners of the cycle model. So the
interval is valid at every point of the model, and a reader can compute it from the ratios of the
tests. An undecided test contributes an interval that is widened to include 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from ticklab.comparison import placement
from ticklab.comparison.compare import Comparison, Interval, Verdict
from ticklab.description.features import Protection, protection
from ticklab.description.model import Lane, Record, Run, Status
from ticklab.summary import cause, ranking
from ticklab.summary.cause import Cause
from ticklab.summary.matrix import Column, Matrix, Row, matrices, reference
from ticklab.summary.ranking import Standing


class Unit(StrEnum):
    CYCLES = "cycles"
    INSTRUCTIONS = "instructions"
    MICROSECONDS = "us"  # of the board's clock


@dataclass(frozen=True)
class Mean:
    """A geometric mean of ratios to the reference. Below 1, the kernel is faster than the
    reference."""

    tests: int
    instructions: float | None
    cycles: Interval | None

    def ratio(self, unit: Unit) -> Interval | None:
        return ratio(self, unit)

    @property
    def verdict(self) -> Verdict | None:
        """Returns the verdict on the mean, from cycles alone."""
        if self.cycles is None:
            return None
        if self.cycles.low == self.cycles.high == 1:
            return Verdict.EQUAL
        if self.cycles.high < 1:
            return Verdict.FASTER
        return Verdict.SLOWER if self.cycles.low > 1 else Verdict.UNDECIDED


@dataclass(frozen=True)
class RankedKernel:
    """A kernel with its mean. `standing` compares it with the other kernels in its class of
    protection. It is None if another kernel beats this one, or if no kernel of the class beats
    another."""

    column: Column
    label: str
    mean: Mean
    standing: Standing | None
    cause: Cause | None = None  # cause of the mean, from all tests in it


@dataclass(frozen=True)
class Group:
    """The kernels of one class of protection: the reference first, the others sorted by their
    mean."""

    protection: Protection
    entries: tuple[RankedKernel, ...]

    @property
    def leaders(self) -> tuple[RankedKernel, ...]:
        return tuple(entry for entry in self.entries if entry.standing)


@dataclass(frozen=True)
class Answer:
    """The answer of one suite on one board."""

    matrix: Matrix
    clock_hz: int | None
    reference: Column
    tests: tuple[Row, ...]  # tests that exercise the kernel and that the reference passed
    cells: Mapping[tuple[Row, Column], Comparison]
    groups: tuple[Group, ...]
    interests: tuple[str, ...]
    tasks: tuple[str, ...] = ()  # statements about kernels whose tasks are not threads

    @cached_property
    def entries(self) -> tuple[RankedKernel, ...]:
        return tuple(entry for group in self.groups for entry in group.entries)

    @property
    def others(self) -> tuple[RankedKernel, ...]:
        return tuple(entry for entry in self.entries if entry.column != self.reference)

    @property
    def label(self) -> str:
        """Returns the name of the reference kernel."""
        return self.matrix.labels[self.reference]

    @property
    def has_cycles(self) -> bool:
        return any(entry.mean.cycles for entry in self.others)

    @property
    def contrast(self) -> tuple[int, float]:
        """Returns two numbers that say how well the suite distinguishes kernels: the number of
        compared kernels, and the greatest mean divided by the least."""
        means = [math.sqrt(_middle(entry.mean)) for entry in self.entries]
        return len(means), max(means) / min(means)

    def unit(self, wanted: Unit) -> Unit:
        """Returns the unit in which the answer is shown: `wanted` if possible; instructions if
        there are no cycles."""
        if not self.has_cycles or (wanted is Unit.MICROSECONDS and not self.clock_hz):
            return Unit.INSTRUCTIONS
        return wanted

    def record(self, row: Row, column: Column) -> Record | None:
        return self.matrix.cells.get((row, column))

    def cause(self, row: Row, column: Column) -> Cause | None:
        """Returns the cause of the difference between a cell (a kernel in a test) and the
        reference."""
        return cause.in_cell(self.matrix.cells, row, column, self.reference)


def answers(run: Run, wanted: str | None = None) -> tuple[Answer, ...]:
    """Returns the answer of each suite in which the reference and another kernel passed a test."""
    found = (answer(run, matrix, reference(matrix, wanted)) for matrix in matrices(run.records))
    return tuple(one for one in found if one.others)


def answer(run: Run, matrix: Matrix, base: Column) -> Answer:
    """Returns the answer of one suite with `base` as the reference."""
    lanes = run.lanes.get(matrix.board, ())
    tests = tuple(row for row in matrix.rows if _is_test(matrix.cells.get((row, base))))
    cells = {
        (row, column): found
        for column in matrix.columns
        for row, found in _against(matrix, column, base, lanes)
    }
    columns = tuple(dict.fromkeys(column for _, column in cells))
    clock = clock_of(run, matrix.board)
    groups = _groups(run, matrix, columns, base)
    interests = tuple(dict.fromkeys(each for _, each in _said(run, columns, "interest")))
    tasks = dict.fromkeys(f"{name}: {each}." for name, each in _said(run, columns, "tasks"))
    return Answer(matrix, clock, base, tests, cells, groups, interests, tuple(tasks))


def clock_of(run: Run, board: str) -> int | None:
    """Returns the clock of a board, if the run stored it."""
    clock: int | None = run.provenance.get("boards", {}).get(board, {}).get("clock_hz")
    return clock


def ratio(found: Mean | Comparison, unit: Unit) -> Interval | None:
    """Returns the ratio in a unit. At the same clock, the ratio of microseconds is that of
    cycles."""
    if unit is not Unit.INSTRUCTIONS:
        return found.cycles
    return Interval(found.instructions, found.instructions) if found.instructions else None


def mean(found: Iterable[Comparison]) -> Mean:
    """Returns the geometric mean of the comparisons that have ratios."""
    every = [one for one in found if one.instructions is not None]
    bounds = [_with_doubt(one) for one in every if one.cycles]
    cycles = None
    if bounds and len(bounds) == len(every):
        low, high = (_geometric(getattr(one, end) for one in bounds) for end in ("low", "high"))
        cycles = Interval(low, high)
    instructions = _geometric(one.instructions for one in every if one.instructions)
    return Mean(len(every), instructions if every else None, cycles)


def _with_doubt(found: Comparison) -> Interval:
    """Widens the ratio of an undecided test to include 1, because its samples may not resolve the
    difference."""
    assert found.cycles
    if found.verdict is not Verdict.UNDECIDED:
        return found.cycles
    return Interval(min(found.cycles.low, 1.0), max(found.cycles.high, 1.0))


def _geometric(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(math.fsum(logarithms) / len(logarithms)) if logarithms else 1.0


def _is_test(record: Record | None) -> bool:
    """Returns whether a record counts as a test of the kernel. Computed figures do not, because
    they repeat other figures."""
    if record is None or record.status is not Status.PASS or record.counted is None:
        return False
    return record.exercises_kernel and not (record.formula or record.doubts)


def _against(
    matrix: Matrix, subject: Column, base: Column, lanes: Sequence[Lane]
) -> Sequence[tuple[Row, Comparison]]:
    """Returns the comparison of each test that both kernels passed. Results are kept in the matrix,
    because a report asks for each pair of columns once for every reference that its reader may
    choose."""
    if (subject, base) not in matrix.compared:
        matrix.compared[subject, base] = tuple(_compared(matrix, subject, base, lanes))
    return matrix.compared[subject, base]


def _compared(
    matrix: Matrix, subject: Column, base: Column, lanes: Sequence[Lane]
) -> Iterator[tuple[Row, Comparison]]:
    for row in matrix.rows:
        cells = matrix.cells.get((row, subject)), matrix.cells.get((row, base))
        if all(map(_is_test, cells)):
            both = matrix.placements[row, subject], matrix.placements[row, base]
            if found := placement.compare_all(*both, lanes):
                yield row, found


def _groups(run: Run, matrix: Matrix, columns: Sequence[Column], base: Column) -> tuple[Group, ...]:
    def between(one: Column, other: Column) -> Mean:
        lanes = run.lanes.get(matrix.board, ())
        return mean(found for _, found in _against(matrix, one, other, lanes))

    means = {column: between(column, base) for column in columns}
    ordered = sorted(columns, key=lambda column: (column != base, _middle(means[column])))
    groups = []
    for each in Protection:
        members = [column for column in ordered if _protection(run, matrix, column) is each]
        standings = ranking.standings_by(members, lambda *both: between(*both).verdict)
        entries = (
            RankedKernel(
                c, matrix.labels[c], means[c], standings.get(c), _cause(run, matrix, c, base)
            )
            for c in members
        )
        groups.append(Group(each, tuple(entries)))
    return tuple(group for group in groups if group.entries)


def _cause(run: Run, matrix: Matrix, column: Column, base: Column) -> Cause | None:
    """Returns the cause of a kernel's mean; None for the reference itself."""
    if column == base:
        return None
    lanes = run.lanes.get(matrix.board, ())
    rows = [row for row, _ in _against(matrix, column, base, lanes)]
    return cause.mean((matrix.cells[row, column], matrix.cells[row, base]) for row in rows)


def _middle(found: Mean) -> float:
    if found.cycles:
        return found.cycles.low * found.cycles.high
    return (found.instructions or 1.0) ** 2


def _protection(run: Run, matrix: Matrix, column: Column) -> Protection:
    """Returns the class of protection that the run's provenance has; if it has none, the class that
    the features imply."""
    stored = _subject(run, column).get("protection")
    return Protection(stored) if stored else protection(matrix.records(column)[0].features, None)


def _said(run: Run, columns: Sequence[Column], key: str) -> Iterator[tuple[str, str]]:
    """Yields (kernel, text) for each kernel whose provenance has a text with this key."""
    for column in columns:
        if text := _subject(run, column).get(key):
            yield column.kernel, text


def _subject(run: Run, column: Column) -> Mapping[str, str | None]:
    subjects: Mapping[str, Mapping[str, str | None]] = run.provenance.get("subjects", {})
    return subjects.get(f"{column.kernel}/{column.config}", {})
