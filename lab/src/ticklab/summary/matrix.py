# SPDX-License-Identifier: MIT
"""Arranges the records of a run as a matrix: a row for each span, a column for each build of a
kernel.

One column is the reference, with which the others are compared. Unless the user names another, it
is FreeRTOS, which most readers know; if the run does not contain it, the kernel with the most rows.
If a scenario was linked at several layouts, a cell shows the first layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ticklab.comparison import compare, placement
from ticklab.comparison.compare import Comparison
from ticklab.comparison.placement import Placed
from ticklab.description.model import Record, Run, Status
from ticklab.errors import UsageError
from ticklab.summary import failures

REFERENCE = "freertos"


@dataclass(frozen=True)
class Column:
    kernel: str
    config: str
    optimise: str


@dataclass(frozen=True)
class Row:
    scenario: str
    span: str
    params: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Matrix:
    """The records of one suite on one board."""

    suite: str
    board: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    placements: Mapping[tuple[Row, Column], Placed]
    labels: Mapping[Column, str]
    # The comparisons made so far, by subject and reference (summary/answer.py).
    compared: dict[tuple[Column, Column], tuple[tuple[Row, Comparison], ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @cached_property
    def cells(self) -> Mapping[tuple[Row, Column], Record]:
        return {place: placed[0] for place, placed in self.placements.items()}

    @cached_property
    def layouts(self) -> int:
        """Returns the greatest number of code placements that any cell has."""
        return max(map(len, self.placements.values()))

    @cached_property
    def has_cycles(self) -> bool:
        return any(one.figures.cycles for one in self.cells.values())

    @cached_property
    def is_clocked(self) -> bool:
        """Returns whether the cycles of the board are clocked; they are all clocked or all
        modelled."""
        return any(one.figures.cycles and one.figures.cycles.exact for one in self.cells.values())

    def placed(self, record: Record) -> Placed:
        """Returns the records of all code placements of a cell."""
        return self.placements[row_of(record), column_of(record)]

    def records(self, column: Column) -> list[Record]:
        return [self.cells[row, column] for row in self.rows if (row, column) in self.cells]


def matrices(records: Sequence[Record]) -> tuple[Matrix, ...]:
    """Returns a matrix for each board and suite that some kernel of the run supports, in the order
    of the records."""
    return tuple(
        _matrix(suite, board, group)
        for (board, suite), group in failures.by_suite(records).items()
        if not failures.is_absent(group)
    )


def column_of(record: Record) -> Column:
    return Column(record.kernel, record.config, record.optimise)


def row_of(record: Record) -> Row:
    return Row(record.scenario, record.span, tuple(sorted(record.params.items())))


def row_label(row: Row, rows: Sequence[Row]) -> str:
    """Returns the label of a row: the scenario, with the span and the parameters in which rows of
    this scenario differ."""
    parts = [row.scenario]
    if len({other.span for other in rows if other.scenario == row.scenario}) > 1:
        parts.append(row.span)
    usual = usual_params(rows)
    parts += [f"{name}={value}" for name, value in row.params if value != usual[name]]
    return " ".join(parts)


def formulas(matrix: Matrix) -> dict[str, str]:
    """Returns the labels of the rows that are computed from other rows, each with its formula."""
    records = matrix.cells.values()
    return {record.scenario: record.formula for record in records if record.formula}


def usual_params(rows: Sequence[Row]) -> dict[str, str]:
    """Returns the values that labels of rows leave out: the first value of each parameter."""
    return usual_values(row.params for row in rows)


def usual_values(every: Iterable[Iterable[tuple[str, str]]]) -> dict[str, str]:
    usual: dict[str, str] = {}
    for params in every:
        for name, value in params:
            usual.setdefault(name, value)
    return usual


def usual_params_note(usual: Mapping[str, str]) -> str:
    values = (f"{name}={value}" for name, value in sorted(usual.items()))
    return f"unless a row says otherwise: {', '.join(values)}"


def check_reference(wanted: str | None, columns: Iterable[tuple[str, str]]) -> None:
    """Raises an error if none of the kernels and configurations is the wanted reference."""
    known = dict.fromkeys(columns)
    if wanted and not any(_is_named(wanted, *column) for column in known):
        names = ", ".join(map("/".join, known))
        raise UsageError(f"this run has no column {wanted!r}", f"it has {names}")


def reference(matrix: Matrix, wanted: str | None = None) -> Column:
    """Returns the column of the reference. `wanted` is KERNEL or KERNEL/CONFIG. If the kernel has
    several columns, returns the one with the most rows, and of equal ones the first."""
    named = [
        column
        for column in matrix.columns
        if _is_named(wanted or REFERENCE, column.kernel, column.config)
    ]
    return max(named or matrix.columns, key=lambda column: _passed(matrix, column))


def _is_named(wanted: str, kernel: str, config: str) -> bool:
    return wanted in (kernel, f"{kernel}/{config}")


def unlike(
    run: Run, matrix: Matrix, column: Column, base: Column
) -> tuple[compare.Difference, ...]:
    """Returns the differences between two columns because of which `compare` would not compare
    them."""
    found: dict[compare.Difference, None] = {}
    for row in matrix.rows:
        one, other = matrix.cells.get((row, column)), matrix.cells.get((row, base))
        if one and other and one.status is other.status is Status.PASS:
            found.update(dict.fromkeys(compare.differences(run, one, run, other)))
    return tuple(found)


def _matrix(suite: str, board: str, records: Sequence[Record]) -> Matrix:
    columns = tuple(dict.fromkeys(map(column_of, records)))
    rows = tuple(dict.fromkeys(map(row_of, records)))
    placements = {
        (row_of(placed[0]), column_of(placed[0])): placed for placed in placement.group(records)
    }
    return Matrix(suite, board, columns, rows, placements, _labels(columns))


def _labels(columns: Sequence[Column]) -> dict[Column, str]:
    """Returns the label of each column: the kernel, with its configuration and level if the columns
    of this kernel differ in them."""
    return {column: _label(column, columns) for column in columns}


def _label(column: Column, columns: Sequence[Column]) -> str:
    siblings = [other for other in columns if other.kernel == column.kernel]
    several_configs = len({other.config for other in siblings}) > 1
    name = column.kernel
    if several_configs or column.config != "default":
        name += f"/{column.config}"
    return name if len({other.optimise for other in columns}) == 1 else f"{name} {column.optimise}"


def _passed(matrix: Matrix, column: Column) -> int:
    return sum(record.status is Status.PASS for record in matrix.records(column))
