# SPDX-License-Identifier: MIT
"""Fills the tables of figures in the documents from the baseline.

A table names its query in the line before it:

    <!-- figures: CELL suite=S columns=KERNEL/CONFIG,… [optimise=O2] [board=B] [with=NAME=V,…] -->

The first cell of a row names the scenario and, if it is not the scenario's only one, the span; the
columns after it are those of the query. Cells keep their text if the baseline has no record of the
scenario, or none of the suite under that kernel. cells.py has the kinds of cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ticklab import paths
from ticklab.documents import cells
from ticklab.documents.baseline import Figure, Records
from ticklab.errors import TicklabError

_QUERY = re.compile(r"^<!-- figures: (\w+) (.*) -->$")
_DEFAULTS = {"suite": "thread-metric", "optimise": "O2", "board": "mps2-an386", "with": ""}


@dataclass(frozen=True)
class Query:
    cell: str
    columns: tuple[str, ...]
    suite: str
    optimise: str
    board: str
    wanted: Mapping[str, str]  # parameters that do not have their usual values


def fill(records: Records) -> list[str]:
    """Fills all documents, and returns the names of those that changed."""
    changed = []
    for file in documents():
        before = file.read_text()
        after = filled(before, records)
        if after != before:
            file.write_text(after)
            changed.append(str(file.relative_to(paths.CHECKOUT)))
    return changed


def documents() -> list[Path]:
    return sorted((paths.CHECKOUT / "docs").rglob("*.md"))


def filled(text: str, records: Records) -> str:
    """Returns a document with the figures of the records in its tables."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if query := parse(line):
            table = _rows(lines, number + 1)
            for at in list(table)[2:]:
                lines[at] = _row(lines[at], query, records)
    return "\n".join(lines) + "\n"


def parse(line: str) -> Query | None:
    """Returns the query that a line holds, or None."""
    found = _QUERY.match(line)
    if not found:
        return None
    words = dict(word.split("=", 1) for word in found[2].split())
    if found[1] not in cells.KINDS or set(words) - {*_DEFAULTS, "columns"}:
        raise TicklabError(f"query of figures '{line}' has an unknown word", "see figures.py")
    values = {**_DEFAULTS, **words}
    wanted = dict(one.split("=") for one in values.pop("with").split(",") if one)
    return Query(found[1], tuple(values.pop("columns").split(",")), wanted=wanted, **values)


def _rows(lines: list[str], start: int) -> range:
    end = start
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return range(start, end)


def _row(line: str, query: Query, records: Records) -> str:
    first, *old = (cell.strip() for cell in line.strip("|").split("|"))
    names = first.replace("`", "").split()
    series = [_series(names, column, query, records) for column in query.columns]
    if not any(series):
        return line
    fill_cell = cells.KINDS[query.cell]
    new = [
        fill_cell(figures, series[0], cell) if _measured(column, query, records) else cell
        for column, figures, cell in zip(query.columns, series, old, strict=True)
    ]
    return f"| {' | '.join([first, *new])} |"


def _measured(column: str, query: Query, records: Records) -> bool:
    """Whether the baseline has the suite under this kernel; otherwise its cells stay."""
    return any(name.startswith(_start(column, query)) for name in records)


def _start(column: str, query: Query) -> str:
    return f"{column} {query.optimise} {query.board} {query.suite}/"


def _series(names: list[str], column: str, query: Query, records: Records) -> list[Figure]:
    """Returns the figures of one scenario under one kernel, for each value of a parameter that has
    several; the usual value comes first."""
    scenario = names[0].rstrip(",") if names else ""
    start = f"{_start(column, query)}{scenario} "
    found = {name[len(start) :]: one for name, one in records.items() if name.startswith(start)}
    spans = dict.fromkeys(rest.split(" ")[0] for rest in found)
    span = next((one for one in [*names[1:], scenario, *spans] if one in spans), None)
    own = {rest.partition(" ")[2]: one for rest, one in found.items() if rest.split(" ")[0] == span}
    return list(_chosen(own, query.wanted))


def _chosen(figures: Mapping[str, Figure], wanted: Mapping[str, str]) -> Iterator[Figure]:
    """Yields the figures with the wanted parameters; `*` asks for every value, in order."""
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
    """Returns the usual value of a parameter: the least number, or `unused`."""
    found = set(values)
    numbers = [value for value in found if re.fullmatch(r"[0-9]+(\.[0-9]+)?", value)]
    return min(numbers, key=float) if numbers else "unused" if "unused" in found else min(found)
