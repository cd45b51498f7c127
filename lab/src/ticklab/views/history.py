# SPDX-License-Identifier: MIT
"""Prints the figures of a kernel over commits: on the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from ticklab.comparison import doubts
from ticklab.comparison.history import FigureHistory, HistoryPoint
from ticklab.views import figures, gate

SCHEMA = 1
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


def document(lines: Sequence[FigureHistory]) -> dict[str, Any]:
    return {"schema": SCHEMA, "figures": [_object(line) for line in lines]}


def _object(line: FigureHistory) -> dict[str, Any]:
    record = line.points[0].record
    names = ("kernel", "config", "optimise", "board", "suite", "scenario", "span", "layout")
    return {
        **{name: getattr(record, name) for name in names},
        "params": dict(record.params),
        "points": [_point(point) for point in line.points],
    }


def _point(point: HistoryPoint) -> dict[str, Any]:
    return {
        "run": point.run,
        "commit": point.commit,
        "instructions": point.instructions,
        "doubts": dict(point.record.doubts),
    }
