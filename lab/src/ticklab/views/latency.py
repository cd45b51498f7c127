# SPDX-License-Identifier: MIT
"""Overlays the latency curves of several kernels in one row of the table: how long an interrupt
takes, by the position at which it is pended, and why the worst case takes so long.

Curves show the high bound of the cycles at each position if the samples are in the store, otherwise
instructions. Coordinates are in percent of the drawing. If several positions share a column of the
drawing, the column shows the longest latency, because a peak may be one position wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ticklab.description.model import Curve, Lane, Record, Status
from ticklab.summary.deadline import Deadline, Met
from ticklab.summary.matrix import Column, Matrix, Row, row_label
from ticklab.views import charts, curves
from ticklab.views.charts import Scale

# Returns the high bound of the cycles at each position of a sweep, or None if the store does not
# have the samples.
Cycles = Callable[[Record, Sequence[Lane]], Sequence[float] | None]


@dataclass(frozen=True)
class LatencyLine:
    label: str
    record: Record
    values: tuple[float, ...]
    points: str  # `x,y` in percent, y downwards
    x: float  # horizontal coordinate of the worst position
    y: float
    met: Met | None
    late: int  # number of positions with a latency above the deadline

    @property
    def curve(self) -> Curve:
        assert self.record.curve
        return self.record.curve


@dataclass(frozen=True)
class Latency:
    """The chart of one row of the table: the latency curves of all kernels over each other. `limit`
    is the height of the deadline, in percent from the top, or None."""

    title: str
    unit: str
    positions: Scale
    scale: Scale
    lines: tuple[LatencyLine, ...]
    limit: float | None


def overlays(
    matrix: Matrix,
    lanes: Sequence[Lane],
    clock_hz: int | None,
    cycles: Cycles,
    deadline: Deadline | None,
) -> tuple[Latency, ...]:
    """Returns a chart for each row with sweeps."""
    found = (overlay(matrix, row, lanes, clock_hz, cycles, deadline) for row in matrix.rows)
    return tuple(one for one in found if one)


def overlay(
    matrix: Matrix,
    row: Row,
    lanes: Sequence[Lane],
    clock_hz: int | None,
    cycles: Cycles,
    deadline: Deadline | None,
) -> Latency | None:
    """Returns the chart of one row; None if it has no sweeps."""
    swept = list(_swept(matrix, row))
    if not swept:
        return None
    modelled = {column: cycles(record, lanes) for column, record in swept}
    in_cycles = all(values is not None for values in modelled.values())
    series = {c: tuple((in_cycles and modelled[c]) or _counted(r)) for c, r in swept}
    limit = deadline.cycles(clock_hz) if deadline and clock_hz and in_cycles else None
    tops = [max(values) for values in series.values()]
    scale = charts.scale_from_zero([*tops, *([limit] if limit else [])])
    positions = Scale(0, max(map(len, series.values())))
    lines = (
        _line(matrix.labels[column], record, series[column], positions, scale, limit,
              deadline.judge(record, clock_hz) if deadline else None)
        for column, record in swept
    )  # fmt: skip
    return Latency(
        title=row_label(row, matrix.rows),
        unit="cycles" if in_cycles else "instructions",
        positions=positions,
        scale=scale,
        lines=tuple(lines),
        limit=_down(scale, limit) if limit else None,
    )


def _swept(matrix: Matrix, row: Row) -> Iterator[tuple[Column, Record]]:
    for column in matrix.columns:
        record = matrix.cells.get((row, column))
        if record and record.status is Status.PASS and record.curve:
            yield column, record


def _counted(record: Record) -> Sequence[float]:
    return record.curve.instructions if record.curve else ()


def _line(
    label: str,
    record: Record,
    values: tuple[float, ...],
    positions: Scale,
    scale: Scale,
    limit: float | None,
    met: Met | None,
) -> LatencyLine:
    worst = (record.curve.position if record.curve else 1) - 1
    return LatencyLine(
        label=label,
        record=record,
        values=values,
        points=" ".join(f"{x:g},{y:g}" for x, y in _steps(values, positions, scale)),
        x=positions.percent(worst + 0.5),
        y=_down(scale, values[worst]),
        met=met,
        late=sum(value > limit for value in values) if limit else 0,
    )


def _down(scale: Scale, value: float) -> float:
    return round(100 - scale.percent(value), 2)


def _steps(
    values: Sequence[float], positions: Scale, scale: Scale
) -> Iterator[tuple[float, float]]:
    """Yields the corners of a curve that is drawn as steps."""
    begin = 0.0
    for end, value in curves.levels(values, positions.high):
        y = _down(scale, value)
        yield begin, y
        begin = round(positions.percent(end), 2)
        yield begin, y
