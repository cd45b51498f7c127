# SPDX-License-Identifier: MIT
"""Computes the chart of a figure over several runs: a step line for each build. Coordinates are in
percent, so that a chart takes the width of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ticklab.comparison.gate import identity
from ticklab.comparison.history import FigureHistory, HistoryPoint
from ticklab.views import figures
from ticklab.views.charts import Scale

# The path of the page of each claim. The key is the run and the identity of the record.
Pages = Mapping[tuple[str, tuple[object, ...]], str]

_MARGIN = 0.12  # share of the values' range that is free above and below


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    text: str
    page: str | None  # address of the page of the figure's claim


@dataclass(frozen=True)
class Line:
    label: str
    segments: tuple[tuple[float, float, float, float], ...]
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Chart:
    title: str
    runs: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    lines: tuple[Line, ...]


def draw(title: str, lines: Mapping[str, FigureHistory], pages: Pages) -> Chart | None:
    """Returns the chart of several builds; `lines` has the history of each build by its label.
    Returns None if fewer than two runs have figures."""
    points = {label: _measured(line) for label, line in lines.items()}
    runs = sorted({point.run for line in points.values() for point in line})
    values = [point.instructions or 0.0 for line in points.values() for point in line]
    if len(runs) < 2:
        return None
    low, high = min(values), max(values)
    margin = _MARGIN * (high - low) or max(high, 1) / 2
    y = Scale(low - margin, high + margin)
    ends = dict.fromkeys((high, low))
    ticks = tuple((round(100 - y.percent(value), 2), figures.count(value)) for value in ends)
    drawn = (_line(label, line, runs, y, pages) for label, line in points.items() if line)
    return Chart(title, tuple(runs), ticks, tuple(drawn))


def _measured(line: FigureHistory) -> list[HistoryPoint]:
    return [point for point in line.points if point.instructions is not None]


def _line(
    label: str,
    points: Sequence[HistoryPoint],
    runs: Sequence[str],
    y: Scale,
    pages: Pages,
) -> Line:
    dots = tuple(_dot(label, point, runs, y, pages) for point in points)
    steps = ((one, other) for one, other in pairwise(dots))
    segments = [part for one, other in steps for part in _step(one, other)]
    return Line(label, tuple(segments), dots)


def _step(one: Dot, other: Dot) -> list[tuple[float, float, float, float]]:
    across = (one.x, one.y, other.x, one.y)
    return [across] if one.y == other.y else [across, (other.x, one.y, other.x, other.y)]


def _dot(
    label: str,
    point: HistoryPoint,
    runs: Sequence[str],
    y: Scale,
    pages: Pages,
) -> Dot:
    x = round(100 * runs.index(point.run) / (len(runs) - 1), 2)
    value = point.instructions or 0.0
    text = f"{label}: {figures.count(value)} instructions in run {point.run}, {point.commit[:10]}"
    page = pages.get((point.run, identity(point.record)))
    return Dot(x, round(100 - y.percent(value), 2), text, page)
