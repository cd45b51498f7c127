# SPDX-License-Identifier: MIT
"""Prints several selections beside one reference, as changes in percent: for example the price of
each configuration of a kernel, in one table.

The reference is A, the others are B and on. Counted changes are exact; modelled changes are
intervals.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.comparison.compare import Comparison, Difference
from ticklab.comparison.selection import Pairing, Selection
from ticklab.summary.matrix import Row, row_label, row_of
from ticklab.views import comparison, figures
from ticklab.views.comparison import RecordPair
from ticklab.views.comparison_document import ComparisonsFields
from ticklab.views.document import SCHEMA

MOST = len(string.ascii_uppercase) - 1  # one letter each, and one for the reference
_GAP = 2  # blanks between columns
_TITLES = (
    "COUNTED, exact: instructions of A, and by how many percent others need more or less",
    "MODELLED, low–high: cycles of A, and by how many percent others need more or less",
)


@dataclass(frozen=True)
class ComparedSelection:
    """A selection of records that is compared with the reference."""

    selection: Selection
    pairing: Pairing
    unlike: tuple[Difference, ...]  # differences that the user asked to ignore


@dataclass(frozen=True)
class _Column:
    head: str
    cells: tuple[str, ...]

    @property
    def width(self) -> int:
        return _GAP + max(len(self.head), *map(len, self.cells))


def show(first: Selection, subjects: Sequence[ComparedSelection], out: Console) -> None:
    """Prints every selection, with the differences that forbid ranking it, before any figure."""
    out.print(Text(f"A  {first.title}"))
    for letter, subject in _lettered(subjects):
        out.print(Text(f"{letter}  {subject.selection.title}"))
        for difference in subject.unlike:
            out.print(Text(f"   not alike, ranked anyway: {difference}", style="bold yellow"))
    found = [_by_row(first, subject) for subject in subjects]
    references = {row_of(change.first): change.first for one in found for change in one.values()}
    rows = tuple(references)
    names = _Column("scenario", tuple(row_label(row, rows) for row in rows))
    for title, of_reference, of_change in zip(
        _TITLES, (figures.counted, figures.format_cycles), (_counted, _modelled), strict=True
    ):
        base = _Column("A", tuple(map(of_reference, references.values())))
        columns = [
            _Column(letter, tuple(of_change(_comparison(one.get(row))) for row in rows))
            for (letter, _), one in zip(_lettered(subjects), found, strict=True)
        ]
        if any(cell != figures.NOTHING for column in columns for cell in column.cells):
            out.print()
            out.print(Text(title, style="bold"))
            for part in _parts((names, base), columns, out.width):
                out.print(_table(part))


def document(first: Selection, subjects: Sequence[ComparedSelection]) -> ComparisonsFields:
    """Returns the document of `compare A B C …`: for each selection, its pairs with the reference,
    in the form of `compare A B`."""
    found = [
        comparison.document(first, each.selection, each.pairing, each.unlike) for each in subjects
    ]
    return ComparisonsFields(SCHEMA, found)


def _lettered(subjects: Sequence[ComparedSelection]) -> Iterator[tuple[str, ComparedSelection]]:
    return zip(string.ascii_uppercase[1:], subjects, strict=False)


def _by_row(first: Selection, subject: ComparedSelection) -> dict[Row, RecordPair]:
    changes = comparison.changes(first, subject.selection, subject.pairing)
    return {row_of(change.first): change for change in changes}


def _comparison(change: RecordPair | None) -> Comparison | None:
    return change.comparison if change else None


def _counted(found: Comparison | None) -> str:
    if found is None or found.instructions is None:
        return figures.NOTHING
    return figures.exact_percent(found.instructions, decimals=1)


def _modelled(found: Comparison | None) -> str:
    if found is None or found.cycles is None:
        return figures.NOTHING
    return figures.percent(found.cycles)


def _parts(
    fixed: tuple[_Column, ...], columns: Sequence[_Column], width: int
) -> Iterator[tuple[_Column, ...]]:
    """Splits the columns of a table into parts that fit the terminal. Each part begins with the
    columns `fixed`."""
    part: tuple[_Column, ...] = ()
    for column in columns:
        if part and sum(each.width for each in (*fixed, *part, column)) > width:
            yield (*fixed, *part)
            part = ()
        part = (*part, column)
    yield (*fixed, *part)


def _table(columns: Sequence[_Column]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, _GAP - 1))
    for index, column in enumerate(columns):
        table.add_column(column.head, no_wrap=True, justify="right" if index else "left")
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, row))
    return table
