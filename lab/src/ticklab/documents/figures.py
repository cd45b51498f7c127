# SPDX-License-Identifier: MIT
"""Fills the tables of figures in the documents from the baseline.

A table names its query in the line before it:

    <!-- figures: CELL columns=COLUMN,… [suite=S] [optimise=O2] [board=B] [with=NAME=V,…] -->

CELL is a kind of cells.py. A COLUMN is

    [KIND=]KERNEL/CONFIG[:LEVEL][@BOARD[/PROFILE]][#SPAN]

Each part that a COLUMN does not name is that of the query. A column `-` keeps its text. The first
cell of a row names the scenario and, if the scenario has several, the span. If the cell is prose, a
comment in the cell has the names: `| a free lock <!-- mutex-lock --> |`. The scenario `*` stands
for all scenarios of the suite. Cells keep their text if the baseline has no record of the scenario,
or no record of the suite under the column's kernel.

Tables of clocked cycles that depend on a parameter have another kind of query (by_parameter.py). If
the numbers of a table do not come from the baseline, the line before it gives the reason:

    <!-- figures elsewhere: REASON -->
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ticklab.documents import answers, by_parameter, cells, tuned
from ticklab.documents.baseline import Figure, Records
from ticklab.errors import TicklabError

_QUERY = re.compile(r"^<!-- figures: (\w+) (.*) -->$")
_ELSEWHERE = re.compile(r"^<!-- figures elsewhere: .{20,} -->$")
_COLUMN = re.compile(
    r"(?:(?P<kind>\w+)=)?(?P<variant>[\w./-]+)(?::(?P<level>[\w+]+))?(?:@(?P<board>[\w/-]+))?"
    r"(?:#(?P<span>[\w-]+))?"
)
_NAMES = re.compile(r"<!-- (.*?) -->")
_SEPARATOR = re.compile(r"^\|[-: |]+\|$")
_DIGIT = re.compile(r"\d")
_DEFAULTS = {"suite": "thread-metric", "optimise": "O2", "board": "mps2-an386", "with": ""}
_KEPT = "-"
_EVERY = "*"


@dataclass(frozen=True)
class ColumnQuery:
    kind: str
    variant: str  # kernel/configuration
    optimise: str
    board: str
    suite: str
    span: str | None  # None: the span that the row names

    @property
    def start(self) -> str:
        """Returns the beginning, up to the suite, of the names that this column's records have in
        the baseline."""
        return f"{self.variant} {self.optimise} {self.board} {self.suite}/"


@dataclass(frozen=True)
class Query:
    columns: tuple[ColumnQuery | None, ...]  # None: the column keeps its cells
    wanted: Mapping[str, str]  # parameters whose values are not the usual ones


def filled(text: str, records: Records) -> str:
    """Returns the text of a document with the figures of the records filled into its tables."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if query := parse(line):
            table = _rows(lines, number + 1)
            for at in list(table)[2:]:
                lines[at] = _row(lines[at], query, records)
        elif by := by_parameter.parse(line):
            head, _, *rows = _rows(lines, number + 1)
            for at in rows:
                lines[at] = by.row(lines[at], lines[head], records)
    return "\n".join(lines) + "\n"


def unfilled(text: str) -> Iterator[int]:
    """Yields the line number of each table that has numbers but neither a query nor a reason."""
    lines = text.splitlines()
    for at, line in enumerate(lines[1:], 1):
        before = lines[at - 2] if at > 1 else ""
        if _SEPARATOR.match(line) and not _is_explained(before):
            rows = (lines[row].split("|")[2:] for row in _rows(lines, at + 1))
            if any(_DIGIT.search(_NAMES.sub("", cell)) for row in rows for cell in row):
                yield at


def _is_explained(line: str) -> bool:
    whole = (pattern.match(line) for pattern in (tuned.QUERY, answers.QUERY, _ELSEWHERE))
    return bool(parse(line) or by_parameter.parse(line) or any(whole))


def missing(text: str, records: Records) -> list[str]:
    """Returns what the baseline lacks for a document: columns of queries without any record, and
    rows that show figures but have no record."""
    lines = text.splitlines()
    found: set[str] = set()
    for number, line in enumerate(lines):
        if query := parse(line):
            starts = {column.start for column in query.columns if column}
            found |= {start for start in starts if not _has(start, records)}
            rows = (lines[at] for at in list(_rows(lines, number + 1))[2:])
            found |= {row for row in rows if not _is_known(row, query, records)}
    return sorted(found)


def _is_known(row: str, query: Query, records: Records) -> bool:
    """Returns whether the baseline has figures for a row. Also returns True for a row that shows no
    figure."""
    first, *others = (cell.strip() for cell in row.strip("|").split("|"))
    found = (series(_names(first), column, query, records) for column in query.columns)
    return any(found) or not any(_DIGIT.search(cell) for cell in others)


def parse(line: str) -> Query | None:
    """Returns the query in a line, or None if the line has no query."""
    found = _QUERY.match(line)
    if not found:
        return None
    words = dict(word.split("=", 1) for word in found[2].split())
    _check(line, not set(words) - {*_DEFAULTS, "columns"} and "columns" in words)
    values = {**_DEFAULTS, **words}
    wanted = dict(one.split("=") for one in values["with"].split(",") if one)
    columns = [_column(line, word, found[1], values) for word in values["columns"].split(",")]
    return Query(tuple(columns), wanted)


def _column(line: str, word: str, kind: str, values: Mapping[str, str]) -> ColumnQuery | None:
    if word == _KEPT:
        return None
    found = _COLUMN.fullmatch(word)
    _check(line, found and (found["kind"] or kind) in cells.KINDS)
    assert found
    return ColumnQuery(
        kind=found["kind"] or kind,
        variant=found["variant"],
        optimise=found["level"] or values["optimise"],
        board=found["board"] or values["board"],
        suite=values["suite"],
        span=found["span"],
    )


def _check(line: str, good: object) -> None:
    if not good:
        raise TicklabError(f"query of figures '{line}' has an unknown word", "see figures.py")


def _rows(lines: list[str], start: int) -> range:
    end = start
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return range(start, end)


def _row(line: str, query: Query, records: Records) -> str:
    first, *old = (cell.strip() for cell in line.strip("|").split("|"))
    found = [series(_names(first), column, query, records) for column in query.columns]
    if not any(found):
        return line
    reference = next(one for one in found if one is not None)
    columns = zip(query.columns, found, old, strict=True)
    new = [_cell(column, one, reference, cell) for column, one, cell in columns]
    return f"| {' | '.join([first, *new])} |"


def _cell(
    column: ColumnQuery | None, found: list[Figure] | None, reference: list[Figure], old: str
) -> str:
    if column is None or found is None:
        return old
    return cells.KINDS[column.kind](found, reference, old)


def _names(first: str) -> Sequence[str]:
    """Returns the names in the first cell of a row: the scenario and, if there is one, the span."""
    hidden = _NAMES.search(first)
    return (hidden[1] if hidden else first.replace("`", "")).split()


def series(
    names: Sequence[str], column: ColumnQuery | None, query: Query, records: Records
) -> list[Figure] | None:
    """Returns the figures of one scenario under one kernel. If a parameter has several values in
    the baseline, there is a figure for each; the usual value comes first. Returns None if the
    baseline has no record of the suite under the kernel."""
    if column is None or not _has(column.start, records):
        return None
    scenario = names[0].rstrip(",") if names else ""
    if scenario == _EVERY:
        span = column.span or names[-1]
        return [one for name, one in records.items() if _is_of(name, column, span)]
    start = f"{column.start}{scenario} "
    found = {name[len(start) :]: one for name, one in records.items() if name.startswith(start)}
    spans = dict.fromkeys(rest.split(" ")[0] for rest in found)
    spans_wanted = [column.span] if column.span else names[1:] or [scenario, *spans]
    chosen = next((one for one in spans_wanted if one in spans), None)
    own = {
        rest.partition(" ")[2]: one for rest, one in found.items() if rest.split(" ")[0] == chosen
    }
    return list(_chosen(own, query.wanted))


def _has(start: str, records: Records) -> bool:
    return any(name.startswith(start) for name in records)


def _is_of(name: str, column: ColumnQuery, span: str) -> bool:
    return name.startswith(column.start) and span in name.split(" ")


def _chosen(figures: Mapping[str, Figure], wanted: Mapping[str, str]) -> Iterator[Figure]:
    """Yields the figures whose parameters match `wanted`; `*` stands for every value, in ascending
    order."""
    given = {name: dict(_pairs(name)) for name in figures}
    names = {name for one in given.values() for name in one}
    usual = {name: _usual(one[name] for one in given.values()) for name in names}
    fixed = {**usual, **{name: value for name, value in wanted.items() if name in names}}
    swept = [name for name, value in fixed.items() if value == "*"]
    matching = [
        text
        for text, one in given.items()
        if all(one[name] == value for name, value in fixed.items() if value != "*")
    ]
    for text in sorted(matching, key=lambda text: [float(given[text][name]) for name in swept]):
        yield figures[text]


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for one in text.split(",") if text else ():
        name, _, value = one.partition("=")
        yield name, value


def _usual(values: Iterator[str]) -> str:
    """Returns the usual value of a parameter: the smallest number, or the word `unused`."""
    found = set(values)
    numbers = [value for value in found if re.fullmatch(r"[0-9]+(\.[0-9]+)?", value)]
    return min(numbers, key=float) if numbers else "unused" if "unused" in found else min(found)
