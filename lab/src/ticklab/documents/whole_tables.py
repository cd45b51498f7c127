# SPDX-License-Identifier: MIT
"""Replaces whole tables of the documents, whose rows a new measurement may change.

The line before a table names its content. `query` is the pattern of such a line; its first group is
the name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Tables = Mapping[str, Sequence[str]]  # the lines of each table, by name


def lines(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Returns a table as lines of Markdown."""
    return [_line(heads), "|---" * len(heads) + "|", *map(_line, rows)]


def filled(text: str, query: re.Pattern[str], tables: Tables) -> str:
    """Returns the text of a document in which each named table is replaced by the one in
    `tables`."""
    return "\n".join(_filled(text.splitlines(), query, tables)) + "\n"


def missing(text: str, query: re.Pattern[str], known: Collection[str]) -> list[str]:
    """Returns the names of tables in a document that are not in `known`."""
    named = [found[1] for line in text.splitlines() if (found := query.match(line))]
    return [name for name in named if name not in known]


def _filled(document: Sequence[str], query: re.Pattern[str], tables: Tables) -> Iterator[str]:
    is_replaced = False
    for line in document:
        is_replaced = is_replaced and line.startswith("|")
        if not is_replaced:
            yield line
        found = query.match(line)
        if found and found[1] in tables:
            is_replaced = True
            yield from tables[found[1]]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
