# SPDX-License-Identifier: MIT
"""Fills the figures in sentences of the documents from the baseline.

A comment directly after a figure names its query:

    a take that blocks costs 405<!-- = mean freertos/default services/semaphore-wait-block -->

    NUMBER<!-- = KIND COLUMN,… [SUITE/]SCENARIO [SPAN] [with=NAME=V,…] [optimise=O2] [board=B] -->

or, for the answer of a campaign (answers.py), `= answer NAME/QUERY ROW COLUMN`.

KIND, COLUMN and the options are those of queries of tables (figures.py). The figure is that of the
last column; the first column is the reference for kinds that compare. If the baseline has no
record, the text of the figure stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ticklab.documents import answers, cells, figures
from ticklab.documents.baseline import Records
from ticklab.errors import TicklabError

_FIGURE = re.compile(
    r"(?P<text>[~+\u2212]?\d[\d,.]*(?:–[\d,.]+)?)<!-- = (?P<query>[a-z_]+ [^>]+) -->"
)
_STATED = re.compile(r"\d[\d,.]*(?:–[\d,.]+)?(?:<!-- = [^>]+ -->)? (?:instructions?|cycles)\b")
_OUTSIDE = ("|", "<!--", "#", "    ", "!")  # beginnings of lines that are not sentences


def filled(text: str, records: Records) -> str:
    """Returns the text of a document with the figures of the records filled into its sentences."""
    return _FIGURE.sub(lambda found: _figure(found, records), text)


def unfilled(text: str) -> Iterator[str]:
    """Yields each number of instructions or cycles in a sentence that is not followed by a
    query."""
    for line in _sentences(text):
        yield from (found for found in _STATED.findall(line) if "<!-- =" not in found)


def missing(text: str, records: Records) -> list[str]:
    """Returns the queries in a document for which the baseline has no record."""
    queries = [found["query"] for found in _FIGURE.finditer(text)]
    return [query for query in queries if _value(query, "", records) is None]


def _figure(found: re.Match[str], records: Records) -> str:
    value = _value(found["query"], found["text"], records)
    return f"{value or found['text']}<!-- = {found['query']} -->"


def _value(query: str, old: str, records: Records) -> str | None:
    kind, columns, scenario, *rest = query.split()
    if kind == "answer":
        return answers.figure(query.removeprefix("answer "), answers.read())
    suite, _, name = scenario.rpartition("/")
    options = [word for word in rest if "=" in word]
    spans = [word for word in rest if "=" not in word]
    words = [f"columns={columns}", f"suite={suite or 'thread-metric'}", *options]
    parsed = figures.parse(f"<!-- figures: {kind} {' '.join(words)} -->")
    if parsed is None:
        raise TicklabError(f"'{query}' is not a query of a figure", "see sentences.py")
    found = [figures.series([name, *spans], one, parsed, records) for one in parsed.columns]
    if not all(found) or found[0] is None or found[-1] is None:
        return None
    return cells.KINDS[kind](found[-1], found[0], old)


def _sentences(text: str) -> Iterator[str]:
    is_code = False
    for line in text.splitlines():
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith(_OUTSIDE):
            yield line
