# SPDX-License-Identifier: MIT
"""How the kernels of one row stand: which of them is the fastest, and what isolation costs.

Both rest on `compare` alone, over every placement of both sides. A kernel is marked only where no
other beats it for certain, and isolation's price always says what it is a multiple of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from ticklab import placement
from ticklab.compare import Comparison, Verdict
from ticklab.model import Lane, Status
from ticklab.views.matrix import Column, Matrix, Row


@dataclass(frozen=True)
class Price:
    """What an isolating configuration costs, as a multiple of one that does not isolate."""

    isolating: Column
    reference: Column
    is_same_kernel: bool  # or else the fastest of those without isolation
    comparison: Comparison


def best(matrix: Matrix, row: Row, lanes: Sequence[Lane]) -> frozenset[Column]:
    """Those that no other beats; empty where nobody beats anybody."""
    columns = [column for column in matrix.columns if (row, column) in matrix.cells]
    beaten = {
        loser
        for loser, winner in permutations(columns, 2)
        if _verdict(matrix, row, loser, winner, lanes) is Verdict.SLOWER
    }
    return frozenset(columns) - _unranked(matrix, row, columns) - beaten if beaten else frozenset()


def _unranked(matrix: Matrix, row: Row, columns: Sequence[Column]) -> set[Column]:
    cells = {column: matrix.cells[row, column] for column in columns}
    return {c for c, one in cells.items() if one.status is not Status.PASS or one.cycles is None}


def _verdict(
    matrix: Matrix, row: Row, subject: Column, reference: Column, lanes: Sequence[Lane]
) -> Verdict | None:
    placements = matrix.placements
    found = placement.compare_all(placements[row, subject], placements[row, reference], lanes)
    return found.verdict if found else None


def prices(
    matrix: Matrix, row: Row, lanes: Sequence[Lane], without: Mapping[str, str]
) -> Iterator[Price]:
    """One for each isolating column that passed. `without` names the same kernel without isolation,
    for kernels that are another's isolating form."""
    for column in matrix.columns:
        if (row, column) not in matrix.cells or not isolates(matrix, column):
            continue
        for same, reference in _references(matrix, row, column, without):
            placements = matrix.placements
            found = placement.compare_all(
                placements[row, column], placements[row, reference], lanes
            )
            if found and found.cycles:
                yield Price(column, reference, same, found)


def isolates(matrix: Matrix, column: Column) -> bool:
    return any(record.features.get("isolation") for record in matrix.records(column))


def _references(
    matrix: Matrix, row: Row, column: Column, without: Mapping[str, str]
) -> Iterator[tuple[bool, Column]]:
    """The same kernel without isolation, or else the fastest that passed: one at most."""
    open_ones = [
        other
        for other in matrix.columns
        if (row, other) in matrix.cells
        and not isolates(matrix, other)
        and matrix.cells[row, other].status is Status.PASS
    ]
    family = (column.kernel, without.get(column.kernel))
    same = [other for other in open_ones if other.kernel in family]
    same.sort(key=lambda other: other.config != column.config)
    if same:
        yield True, same[0]
    elif open_ones:
        yield False, min(open_ones, key=lambda other: _high_cycles(matrix, row, other))


def _high_cycles(matrix: Matrix, row: Row, column: Column) -> float:
    record = matrix.cells[row, column]
    return record.bounds.high if record.bounds else float("inf")
