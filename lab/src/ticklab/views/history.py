# SPDX-License-Identifier: MIT
"""Prints the figures of a kernel over commits: on the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta
from rich.console import Console
from rich.text import Text

from ticklab.comparison import doubts
from ticklab.comparison.history import FigureHistory, HistoryPoint
from ticklab.description.result import Number
from ticklab.views import figures, gate
from ticklab.views.document import SCHEMA, FigureName, Part, Schema, name_of

_COMMIT = 10  # characters of a hash that are shown


def show(lines: Sequence[FigureHistory], out: Console) -> None:
    out.print(Text("COUNTED, exact: instructions a sample, and where they changed", style="bold"))
    for line in lines:
        out.print(Text(gate.label(line.points[0].record)), soft_wrap=True)
        for text in _steps(line):
            out.print(Text(f"    {text}"), soft_wrap=True)


def _steps(line: FigureHistory) -> Iterator[str]:
    before = line.points[0]
    yield f"{_where(before)}  {_figure(before)}{_doubts(before)}"
    for point in line.changes:
        yield f"{_where(point)}  {_figure(point)}{_percent(before, point)}{_doubts(point)}"
        before = point


def _where(point: HistoryPoint) -> str:
    dirty = "+" if point.commit.endswith("-dirty") else " "
    return f"{point.run}  {point.commit[:_COMMIT]}{dirty}"


def _figure(point: HistoryPoint) -> str:
    value = point.instructions
    if value is None:
        return point.record.status.value
    return f"{'?' if point.record.doubts else ''}{figures.count(value)}"


def _doubts(point: HistoryPoint) -> str:
    found = doubts.words(point.record)
    return f"  not ranked: {found}" if found else ""


def _percent(before: HistoryPoint, now: HistoryPoint) -> str:
    if not before.instructions or now.instructions is None:
        return ""
    return f"  {figures.exact_change(now.instructions / before.instructions)}"


# --- JSON -----------------------------------------------------------------------------------------


class PointFields(Part, frozen=True):
    """A figure at one commit."""

    run: Annotated[str, Meta(description="the id of the run")]
    commit: Annotated[
        str, Meta(description="the commit of the kernel, or of Ticklab if it has none of its own")
    ]
    instructions: Annotated[Number | None, Meta(description="the figure; null if the run has none")]
    doubts: Annotated[dict[str, str], Meta(description="doubts, by name, each with its reason")]


class LineFields(FigureName, frozen=True):
    """A figure over the commits, one point for each run."""

    points: Annotated[list[PointFields], Meta(description="one for each run, oldest first")]


class HistoryFields(Part, frozen=True):
    """The figures of a kernel over commits."""

    schema: Schema
    figures: Annotated[list[LineFields], Meta(description="one for each figure")]


def document(lines: Sequence[FigureHistory]) -> HistoryFields:
    return HistoryFields(SCHEMA, [_line(line) for line in lines])


def _line(line: FigureHistory) -> LineFields:
    points = [
        PointFields(point.run, point.commit, point.instructions, dict(point.record.doubts))
        for point in line.points
    ]
    return LineFields(**name_of(line.points[0].record), points=points)
