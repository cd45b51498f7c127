# SPDX-License-Identifier: MIT
"""Line charts of a suite (suite.toml, `plot`): cycles of a scenario by a parameter, a line for each
kernel.

Also finds where lines cross: between which measured values of the parameter and, if the lines were
straight between them, at which value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from ticklab.description.fields import is_number
from ticklab.description.model import Record, Status
from ticklab.description.plot import Plot
from ticklab.summary.matrix import Column, Matrix, Row
from ticklab.views import charts, figures
from ticklab.views.charts import Scale

WIDTH, HEIGHT = 360, 180  # size of the drawing, in its units

Point = tuple[float, float]


@dataclass(frozen=True)
class Series:
    label: str
    points: tuple[Point, ...]  # by the parameter

    def at(self, x: Scale, y: Scale) -> list[Point]:
        """Returns the points of the line in the coordinates of the drawing, with y downwards."""
        return [
            (
                round(x.percent(of) * WIDTH / 100, 1),
                round(HEIGHT - y.percent(value) * HEIGHT / 100, 1),
            )
            for of, value in self.points
        ]


@dataclass(frozen=True)
class Drawing:
    plot: Plot
    x: Scale
    y: Scale
    lines: tuple[Series, ...]

    @property
    def unit(self) -> str:
        return "bytes in 1,000 cycles" if self.plot.bytes else "cycles"

    @property
    def constant(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.plot.where.items())

    @property
    def values(self) -> list[float]:
        """Returns the values of the parameter at which any line has a point."""
        return sorted({x for line in self.lines for x, _ in line.points})

    @property
    def crossings(self) -> list[str]:
        return [text for two in combinations(self.lines, 2) for text in crossings(*two)]


def drawings(matrix: Matrix, plots: Sequence[Plot]) -> tuple[Drawing, ...]:
    """Returns a drawing for each declared plot in which kernels have figures at two or more values
    of the parameter."""
    found = (_drawing(matrix, plot) for plot in plots)
    return tuple(drawing for drawing in found if len(drawing.values) > 1)


def by_parameter(matrix: Matrix, declared: Sequence[Plot]) -> tuple[Drawing, ...]:
    """Returns a chart for each scenario, span and parameter with several numeric values, with the
    other parameters constant. Leaves out charts that the suite declares itself."""
    wanted = dict.fromkeys(_key(plot) for row in matrix.rows for plot in _plots(row))
    shown = {(plot.scenario, plot.x, *sorted(plot.where.items())) for plot in declared}
    plots = (
        Plot(" ".join((scenario, span)), scenario, x, dict(where), span=span)
        for scenario, span, x, *where in wanted
        if (scenario, x, *where) not in shown
    )
    return drawings(matrix, tuple(plots))


def _plots(row: Row) -> Iterator[Plot]:
    for x, value in row.params:
        if is_number(value):
            where = {name: other for name, other in row.params if name != x}
            yield Plot(row.scenario, row.scenario, x, where, span=row.span)


def _key(plot: Plot) -> tuple[Any, ...]:
    return (plot.scenario, plot.span, plot.x, *sorted(plot.where.items()))


def crossings(first: Series, second: Series) -> Iterator[str]:
    """Yields a text for each crossing of the lines of two kernels."""
    theirs = dict(second.points)
    gaps = [(x, y - theirs[x]) for x, y in first.points if x in theirs]
    # At a value where both lines have the same figure, neither is below the other.
    apart = [(x, gap) for x, gap in gaps if gap != 0]
    for (x, gap), (next_x, next_gap) in pairwise(apart):
        if gap * next_gap < 0:
            equal = (at for at, _ in gaps if x < at < next_x)
            at = next(equal, x + (next_x - x) * gap / (gap - next_gap))
            lower, upper = (first, second) if gap < 0 else (second, first)
            yield (
                f"{lower.label} is below {upper.label} up to about {figures.count(round(at))}, "
                f"above it from there (measured at {figures.count(x)} and {figures.count(next_x)})"
            )


def _drawing(matrix: Matrix, plot: Plot) -> Drawing:
    lines = tuple(line for column in matrix.columns if (line := _line(matrix, column, plot)).points)
    points = [point for line in lines for point in line.points]
    x, y = (charts.scale_from_zero(point[axis] for point in points) for axis in (0, 1))
    return Drawing(plot, x, y, lines)


def _line(matrix: Matrix, column: Column, plot: Plot) -> Series:
    """Returns the line of one kernel. The points of modelled figures are at their high bounds."""
    records = [one for one in matrix.records(column) if _belongs(one, plot)]
    points = ((float(one.params[plot.x]), _value(one, plot)) for one in records)
    return Series(matrix.labels[column], tuple(sorted(points)))


def _belongs(record: Record, plot: Plot) -> bool:
    others = {name: value for name, value in record.params.items() if name != plot.x}
    passed = record.status is Status.PASS and record.figures.cycles is not None
    is_of_span = plot.span in (None, record.span)
    return passed and is_of_span and record.scenario == plot.scenario and others == plot.where


def _value(record: Record, plot: Plot) -> float:
    assert record.bounds  # otherwise, the record would not belong to the chart
    return plot.value(record.bounds.high)
