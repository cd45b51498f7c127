# SPDX-License-Identifier: MIT
"""The answer of a suite as the report draws it: for each reference and unit a *panel*, with a bar
for each kernel and a cell for each test. The page shows the first panel, and its script the one
that the reader selects.

Positions are in percent of the width. Columns and rows are the same in all panels of a suite.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field

from ticklab.comparison.compare import Comparison, Interval, Verdict
from ticklab.description.model import Record, Run, Status
from ticklab.summary.answer import Answer, RankedKernel, Unit, answer, ratio
from ticklab.summary.matrix import Column, Matrix, Row, reference, row_label
from ticklab.views import cause_line, figures, sentence
from ticklab.views.charts import LogScale

_LEAST_WIDTH = 0.6  # percent: a narrower bar would be invisible
_LAST = 1e9  # sort key of a cell without a ratio: after all others
_SHADES = (1.25, 2.0)  # ratios beyond these values, or their inverses, have stronger shades


@dataclass(frozen=True)
class Bar:
    text: str
    share: str  # share of the tests that it stands for
    left: float
    width: float
    standing: str


@dataclass(frozen=True)
class Cell:
    kind: str  # a verdict with its shade, `reference`, or the reason why there is no figure
    text: str
    note: str
    order: float  # sort key of the row: the middle of the ratio


@dataclass(frozen=True)
class Panel:
    """The table for one reference and one unit. `bars` are in the order of the kernels, `cells` in
    the order of the tests."""

    reference: int
    unit: str
    parts: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    bars: tuple[Bar, ...]
    cells: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Panels:
    """All panels of a suite. The page shows the first, and its script the one that the reader
    selects."""

    columns: tuple[Column, ...]
    labels: tuple[str, ...]
    classes: tuple[str, ...]  # class of protection of each column
    rows: tuple[Row, ...]
    names: tuple[str, ...]  # name of each row
    every: tuple[Panel, ...]
    # The absolute figures by unit, for each row and column. In the column of the reference, the
    # page shows them in place of ratios.
    absolute: Mapping[str, tuple[tuple[str, ...], ...]]
    interests: tuple[str, ...]
    tasks: tuple[str, ...]
    contrast: tuple[int, float]  # of the answer
    # The causes of the differences from each reference as texts: for each test and for the mean. A
    # text is empty if the kinds of work are not known.
    causes: Mapping[int, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    mean_causes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def first(self) -> Panel:
        return self.every[0]

    @property
    def unit(self) -> str:
        """Returns the unit in which the page first shows the cost of the reference."""
        return next(iter(self.absolute))

    @property
    def has_causes(self) -> bool:
        """Returns whether the cause of any difference is known."""
        return any(text for rows in self.causes.values() for row in rows for text in row)

    @property
    def data(self) -> str:
        """Returns the data for the page's script as JSON, without character sequences that would
        end the HTML element around it."""
        found = {
            "labels": self.labels,
            "panels": [astuple(panel) for panel in self.every],
            "absolute": self.absolute,
            "causes": self.causes,
            "meanCauses": self.mean_causes,
        }
        text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        return text.replace("<", "\\u003c")


def panels(run: Run, matrix: Matrix, wanted: str | None, unit: Unit) -> Panels | None:
    """Returns the panels of a suite; the first has the reference `wanted`. Returns None if no two
    kernels passed a common test."""
    shown = answer(run, matrix, reference(matrix, wanted))
    if not shown.others:
        return None
    columns = (entry.column for entry in shown.entries if entry.column != shown.reference)
    others = [answer(run, matrix, column) for column in columns]
    units = tuple(dict.fromkeys(shown.unit(one) for one in (unit, *Unit)))
    return of_answers((shown, *others), units)


def of_answers(found: Sequence[Answer], units: Sequence[Unit]) -> Panels:
    """Returns a panel for each answer and unit. All answers are of one suite, and each has another
    kernel as reference."""
    shown = found[0]
    matrix = shown.matrix
    columns = tuple(entry.column for entry in shown.entries)
    rows = tuple(row for row in matrix.rows if any((row, c) in shown.cells for c in columns))
    by_ratio = [one for one in units if one is not Unit.MICROSECONDS]
    every = [_panel(one, columns, rows, in_) for one in found for in_ in by_ratio]
    classes = {entry.column: group.protection for group in shown.groups for entry in group.entries}
    return Panels(
        columns,
        tuple(entry.label for entry in shown.entries),
        tuple(classes[column].value for column in columns),
        rows,
        tuple(row_label(row, matrix.rows) for row in rows),
        tuple(every),
        {in_.value: _absolute(shown, columns, rows, in_) for in_ in units},
        shown.interests,
        shown.tasks,
        shown.contrast,
        {columns.index(one.reference): _causes(one, columns, rows) for one in found},
        {columns.index(one.reference): _mean_causes(one, columns) for one in found},
    )


def _causes(
    found: Answer, columns: Sequence[Column], rows: Sequence[Row]
) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(cause_line.text(found.cause(row, column)) for column in columns) for row in rows
    )


def _mean_causes(found: Answer, columns: Sequence[Column]) -> tuple[str, ...]:
    entries = {entry.column: entry for entry in found.entries}
    return tuple(_mean_cause(entries.get(column)) for column in columns)


def _mean_cause(entry: RankedKernel | None) -> str:
    return cause_line.of_tests(entry.cause, entry.mean.tests) if entry else ""


def _panel(found: Answer, columns: Sequence[Column], rows: Sequence[Row], unit: Unit) -> Panel:
    entries = {entry.column: entry for entry in found.entries}
    axis = LogScale.around([r for entry in found.entries if (r := entry.mean.ratio(unit))])
    return Panel(
        columns.index(found.reference),
        unit.value,
        tuple(sentence.parts(found, unit)),
        axis.ticks,
        tuple(_bar(found, entries.get(column), unit, axis) for column in columns),
        tuple(tuple(_cell(found, row, column, unit) for column in columns) for row in rows),
    )


def _bar(found: Answer, entry: RankedKernel | None, unit: Unit, axis: LogScale) -> Bar:
    interval = entry.mean.ratio(unit) if entry else None
    if entry is None or interval is None:
        return Bar(figures.NOTHING, "", 0, 0, "")
    left = axis.percent(interval.low)
    width = max(round(axis.percent(interval.high) - left, 2), _LEAST_WIDTH)
    text, share = sentence.mean(found, entry.mean, unit), sentence.share(found, entry.mean)
    return Bar(text, share, left, width, str(entry.standing or ""))


def _cell(found: Answer, row: Row, column: Column, unit: Unit) -> Cell:
    record = found.record(row, column)
    comparison = found.cells.get((row, column))
    interval = ratio(comparison, unit) if comparison else None
    if comparison is None or interval is None or record is None:
        return _without_ratio(record)
    if column == found.reference:
        return Cell("reference", "", "", 1)
    text = figures.ratio(interval, sentence.is_exact(found, unit))
    note = str(comparison.verdict or "")
    return Cell(_kind(comparison, interval), text, note, round(_middle(interval), 4))


def _without_ratio(record: Record | None) -> Cell:
    if record is None:
        return Cell("nothing", figures.NOTHING, "", _LAST)
    if record.doubts:
        return Cell("doubted", "?", "not ranked", _LAST)
    if record.status is Status.PASS:
        return Cell("nothing", figures.NOTHING, "", _LAST)
    text = "–" if record.status is Status.UNSUPPORTED else str(record.status)
    return Cell(str(record.status), text, "", _LAST)


def _kind(comparison: Comparison, interval: Interval) -> str:
    """Returns the verdict as the name of a style; a decided verdict has a darker shade the greater
    the difference is."""
    if comparison.verdict not in (Verdict.FASTER, Verdict.SLOWER):
        return str(comparison.verdict or "counted")
    ratio = _middle(interval)
    return f"{comparison.verdict} s{sum(max(ratio, 1 / ratio) > beyond for beyond in _SHADES)}"


def _middle(interval: Interval) -> float:
    return math.sqrt(interval.low * interval.high)


def _absolute(
    found: Answer, columns: Sequence[Column], rows: Sequence[Row], unit: Unit
) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(_of_record(found, found.record(row, column), unit) for column in columns)
        for row in rows
    )


def _of_record(found: Answer, record: Record | None, unit: Unit) -> str:
    if record is None or record.counted is None:
        return figures.NOTHING
    if unit is Unit.INSTRUCTIONS:
        return f"{figures.counted(record)} instr."
    if unit is Unit.CYCLES:
        return f"{figures.format_cycles(record)} cycles"
    assert found.clock_hz
    return figures.microseconds(record, found.clock_hz)
