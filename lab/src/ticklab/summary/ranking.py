# SPDX-License-Identifier: MIT
"""Finds which kernels are unbeaten, in one row (scenario) or in a mean over rows, and how much
isolation costs in a row.

Every verdict comes from `compare`, over all code placements of both kernels. The words for a
standing are defined only here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations

from ticklab.comparison import placement
from ticklab.comparison.compare import Comparison, Verdict
from ticklab.description.model import Lane, Status
from ticklab.summary.matrix import Column, Matrix, Row


class Standing(StrEnum):
    """How an unbeaten kernel compares with the others, in a row in which at least one kernel beats
    another."""

    UNBEATEN = "unbeaten"
    TIED = "tied"
    UNDECIDED = "undecided"


DEFINITIONS: Mapping[Standing, str] = {
    Standing.UNBEATEN: "No other kernel of the row is faster for certain, and no other kernel is "
    "unbeaten. Tied and undecided kernels count as unbeaten too.",
    Standing.TIED: "Several kernels are unbeaten, and this one takes the same cycles as each of "
    "them in every corner of the model.",
    Standing.UNDECIDED: "Several kernels are unbeaten, and for at least one of them the corners of "
    "the model disagree whether it is faster than this one.",
}


@dataclass(frozen=True)
class Price:
    """The cost of isolation: the ratio of a kernel with isolation to the same kernel without it."""

    isolating: Column
    reference: Column
    comparison: Comparison


def standings(matrix: Matrix, row: Row, lanes: Sequence[Lane]) -> Mapping[Column, Standing]:
    """Returns the kernels that no other beats. Empty if no kernel beats another, or if the row does
    not exercise the kernel. Records with doubts are left out."""
    return standings_by(
        _ranked(matrix, row), lambda one, other: _verdict(matrix, row, one, other, lanes)
    )


def standings_by(
    columns: Sequence[Column], decide: Callable[[Column, Column], Verdict | None]
) -> Mapping[Column, Standing]:
    """Returns the columns that no other column beats. `decide` gives the verdict on each two
    columns."""
    verdicts = {(one, other): decide(one, other) for one, other in permutations(columns, 2)}
    beaten = {one for (one, _), verdict in verdicts.items() if verdict is Verdict.SLOWER}
    unbeaten = [column for column in columns if column not in beaten] if beaten else []
    return {
        one: _standing([verdicts[one, other] for other in unbeaten if other != one])
        for one in unbeaten
    }


def _ranked(matrix: Matrix, row: Row) -> list[Column]:
    cells = {column: matrix.cells.get((row, column)) for column in matrix.columns}
    return [
        column
        for column, one in cells.items()
        if one and one.status is Status.PASS and one.figures.cycles
        if one.exercises_kernel and not one.doubts
    ]


def _standing(verdicts: Sequence[Verdict | None]) -> Standing:
    """Returns the standing of an unbeaten kernel. `verdicts` are its comparisons with the other
    unbeaten kernels."""
    if not verdicts:
        return Standing.UNBEATEN
    is_tied = all(verdict is Verdict.EQUAL for verdict in verdicts)
    return Standing.TIED if is_tied else Standing.UNDECIDED


def _verdict(
    matrix: Matrix, row: Row, subject: Column, reference: Column, lanes: Sequence[Lane]
) -> Verdict | None:
    placements = matrix.placements
    found = placement.compare_all(placements[row, subject], placements[row, reference], lanes)
    return found.verdict if found else None


def prices(
    matrix: Matrix, row: Row, lanes: Sequence[Lane], without: Mapping[str, str]
) -> Iterator[Price]:
    """Yields the price of isolation (a ratio of cycles) for each kernel with isolation that passed,
    if the same kernel without isolation passed, too. The latter is another configuration of the
    kernel, or the kernel that `without` names. A ratio to any other kernel would compare two
    kernels, not isolation."""
    for column in matrix.columns:
        if (row, column) not in matrix.cells or not isolates(matrix, column):
            continue
        for reference in _without_isolation(matrix, row, column, without)[:1]:
            placements = matrix.placements
            found = placement.compare_all(
                placements[row, column], placements[row, reference], lanes
            )
            if found and found.cycles:
                yield Price(column, reference, found)


def isolates(matrix: Matrix, column: Column) -> bool:
    return any(record.features.get("isolation") for record in matrix.records(column))


def _without_isolation(
    matrix: Matrix, row: Row, column: Column, without: Mapping[str, str]
) -> list[Column]:
    """Returns the columns of the kernel without isolation that passed. The one with the same
    configuration comes first."""
    family = (column.kernel, without.get(column.kernel))
    same = [
        other
        for other in matrix.columns
        if other.kernel in family
        and (row, other) in matrix.cells
        and not isolates(matrix, other)
        and matrix.cells[row, other].status is Status.PASS
    ]
    return sorted(same, key=lambda other: other.config != column.config)
