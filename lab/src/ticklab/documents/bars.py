# SPDX-License-Identifier: MIT
"""Draws bar charts for the documents. A chart has a group of bars for each row of a table and, in
each group, a bar for each column. The table is a query of figures (figures.py) or the answer of a
campaign (answers.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ticklab.documents import answers, figures, svg
from ticklab.documents.baseline import Records
from ticklab.errors import TicklabError

_BAR, _GAP, _LEFT, _WIDTH = 11, 8, 190, 300
_LEGEND = 18  # height of one line of the legend


@dataclass(frozen=True)
class Bars:
    file: str
    title: str  # ends in the unit of the values
    query: str  # the words of the query, except its kind
    labels: tuple[str, ...]  # names of the columns in the legend
    rows: tuple[tuple[str, str], ...]  # label of each row, and its scenario with the span


@dataclass(frozen=True)
class AnswerBars:
    file: str
    title: str  # with the unit
    answer: str  # CAMPAIGN/QUERY, whose first column labels the rows


Group = tuple[str, Sequence[float | None]]  # label, and the value of each bar


def draw(picture: Bars, records: Records) -> Iterator[str]:
    groups = [(label, _values(picture, names, records)) for label, names in picture.rows]
    return _draw(picture.title, picture.labels, groups)


def draw_answer(picture: AnswerBars) -> Iterator[str]:
    answer = answers.read()[picture.answer]
    groups = [(str(label), [_number(cell) for cell in cells]) for label, *cells in answer.rows]
    return _draw(picture.title, answer.columns[1:], groups)


def _number(cell: answers.Cell) -> float | None:
    return None if isinstance(cell, str) else cell


def _draw(title: str, labels: Sequence[str], groups: Sequence[Group]) -> Iterator[str]:
    greatest = max(value for _, group in groups for value in group if value is not None)
    top = _LEGEND * len(labels)
    group_height = len(labels) * _BAR + _GAP
    yield from svg.head(title, (-_LEFT, -24, 560, 32 + top + group_height * len(groups)))
    for number, label in enumerate(labels):
        y = _LEGEND * number
        yield f"<rect x='0' y='{y}' width='10' height='10' fill='{svg.COLOURS[number]}'/>"
        yield f"<text x='16' y='{y + 9}'>{label}</text>"
    for number, (label, values) in enumerate(groups):
        y = top + number * group_height
        middle = round(y + (group_height - _GAP) / 2 + 4)
        yield f"<text x='-8' y='{middle}' text-anchor='end'>{label}</text>"
        yield from _group(values, y, greatest)
    yield "</svg>"


def _group(values: Sequence[float | None], top: int, greatest: float) -> Iterator[str]:
    for number, value in enumerate(values):
        y = top + number * _BAR
        if value is None:
            yield f"<text x='4' y='{y + 9}'>–</text>"
            continue
        width = round(value / greatest * _WIDTH, 1)
        colour = svg.COLOURS[number]
        yield f"<rect x='0' y='{y}' width='{width}' height='{_BAR - 1}' fill='{colour}'/>"
        yield f"<text x='{width + 4}' y='{y + 9}'>{svg.count(value)}</text>"


def _values(picture: Bars, names: str, records: Records) -> list[float | None]:
    """Returns the figure of each column. It is None for a kernel without the service."""
    query = figures.parse(f"<!-- figures: mean {picture.query} -->")
    assert query
    found = [figures.series(names.split(), column, query, records) for column in query.columns]
    if None in found or len(found) != len(picture.labels):
        raise TicklabError(
            f"picture {picture.file} has no figures in the baseline",
            "see 'ticklab docs measure --help'",
        )
    return [series[0].mean if series else None for series in found]
