# SPDX-License-Identifier: MIT
"""Prints a run on the terminal: for each suite and board one table for each measure, with a column
for each kernel.

A table holds figures of one grade, which its title names: counted and modelled figures never mix. A
table that is wider than the terminal continues in another one below. On a pipe there are no colours
and 100 columns; `NO_COLOR` has its usual meaning.
"""

from __future__ import annotations

import math
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ticklab.comparison import compare, placement
from ticklab.comparison.compare import Comparison, Verdict
from ticklab.comparison.placement import Placed
from ticklab.description.model import Record, Run, Status
from ticklab.summary import cause, failures
from ticklab.summary.matrix import (
    Column,
    Matrix,
    Row,
    formulas,
    matrices,
    reference,
    row_label,
    row_of,
    unlike,
    usual_params,
    usual_params_note,
)
from ticklab.views import cause_line, curves, figures, provenance

WIDTH = 100  # columns if the output is not a terminal
_GAP = 2  # blanks between columns
_LABEL = 24  # characters of a line of a configuration's name
STYLES = {
    Verdict.FASTER: "green",
    Verdict.SLOWER: "red",
    Verdict.UNDECIDED: "yellow",
    Verdict.EQUAL: "",
}
NOT_PASSED = {Status.FAIL: "FAILED", Status.BLOCKED: "blocked", Status.UNSUPPORTED: "–"}

Cells = Callable[[Record], Sequence[Text]]


@dataclass(frozen=True)
class Measure:
    """One kind of table: the figures that it shows of each record, in one or more columns for each
    kernel."""

    title: str
    heads: tuple[str, ...]
    widths: tuple[int, ...]
    cells: Cells
    columns: tuple[Column, ...]


def console(stream: TextIO | None = None) -> Console:
    """Returns a console for results: at least 60 columns wide, 100 if the output is no terminal."""
    out = Console(file=stream or sys.stdout, highlight=False, soft_wrap=False, markup=False)
    if not out.is_terminal:
        out.width = WIDTH
    return out


def show(run: Run, out: Console, wanted_reference: str | None = None) -> None:
    """Prints the run: its tables, failures with their reasons, and the legend."""
    out.print(Text(f"Run {run.id}", style="bold"))
    out.print(Text("\n".join(provenance.headline(run))))
    for matrix in matrices(run.records):
        _show_matrix(run, matrix, out, wanted_reference)
    out.print()
    for change in provenance.changed_values(run):
        out.print(Text(change))
    for line in _not_passed(run):
        out.print(line)
    out.print(_legend())


def faults(run: Run) -> Iterator[Text]:
    """Yields messages that a reader must not miss: failures, counts that depend on code placement,
    and doubts about figures."""
    for matrix in matrices(run.records):
        yield from (*_moved(matrix), *_doubts(matrix))
    for group in failures.groups(run.records):
        if group.status is not Status.UNSUPPORTED:
            yield _failure(group)


def _legend() -> Table:
    """Prints the legend, wrapped to the terminal's width, with each meaning beside its word."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(style="dim")
    for word, meaning in provenance.LEGEND:
        grid.add_row(word, Text(meaning))
    return grid


def _show_matrix(run: Run, matrix: Matrix, out: Console, wanted: str | None) -> None:
    base = reference(matrix, wanted)
    out.print(
        Rule(Text(f"{matrix.suite} on {matrix.board}, one sample", style="bold"), align="left")
    )
    for measure in _measures(run, matrix, base):
        for part in _parts(measure, matrix, out.width):
            out.print()
            out.print(Text(part.title, style="bold"))
            out.print(_table(part, matrix))
    if usual := usual_params(matrix.rows):
        out.print(Text(usual_params_note(usual), style="dim"))
    for line in (
        *_causes(matrix, base, out.width),
        *_formulas(matrix),
        *_curves(matrix, out.width),
        *_moved(matrix),
        *_doubts(matrix),
    ):
        out.print(line)
    for column in matrix.columns:
        found = unlike(run, matrix, column, base) if column != base else ()
        if found:
            out.print()
            out.print(_unlike_note(matrix, column, base, found))


# --- What each table shows ------------------------------------------------------------------------


def _measures(run: Run, matrix: Matrix, base: Column) -> Iterator[Measure]:
    swept = any(record.curve for record in matrix.cells.values())
    if swept:
        yield _of_sweeps(matrix)
    elif not _has_marks(matrix):
        yield Measure(
            "COUNTED, exact: instructions and exceptions",
            ("instr.", "exc.", "port", "fair"),
            (8, 5, 5, 4),
            _counted,
            matrix.columns,
        )
    if _has_marks(matrix):
        yield _of_board(matrix)
    elif matrix.has_cycles:
        yield Measure(
            f"{_grade(matrix)}: {'the worst position in ' if swept else ''}cycles",
            (_about(matrix, "cycles"),),
            (15,),
            lambda record: (Text(figures.format_cycles(record)),),
            matrix.columns,
        )
    if matrix.has_cycles:
        if matrix.layouts > 1:
            yield _placements(matrix)
        yield from _against(run, matrix, base)
    if any(record.sampled.score_30s for record in matrix.cells.values()):
        yield Measure(
            f"{_grade(matrix)}: Thread-Metric's score for 30 s, more is faster",
            (_about(matrix, "score"),),
            (16,),
            lambda record: (Text(figures.score(record)),),
            matrix.columns,
        )
    if any(record.figures.reported for record in matrix.cells.values()):
        yield Measure(
            "REPORTED by the program: virtual nanoseconds, of which an instruction takes one; no "
            "time of a board",
            ("min", "mean", "max", "step"),
            (8, 9, 8, 5),
            _reported,
            matrix.columns,
        )
    rates = [one.figures.per_second for one in matrix.cells.values() if one.figures.per_second]
    if rates:
        yield Measure(
            f"{_grade(matrix)}: {' and '.join(dict.fromkeys(r.unit for r in rates))} a second",
            (_about(matrix, "a second"),),
            (16,),
            lambda record: (Text(figures.rate(record)),),
            matrix.columns,
        )


def _has_marks(matrix: Matrix) -> bool:
    """Returns whether the marks of this run are instructions of the image. That is so on a board,
    which counts cycles and no instructions."""
    return any(record.figures.marks is not None for record in matrix.cells.values())


def _of_board(matrix: Matrix) -> Measure:
    return Measure(
        "CLOCKED, exact: cycles, and how many of them its marks took; min and max",
        ("cycles", "marks", "min", "max"),
        (9, 6, 7, 7),
        _clocked_on_board,
        matrix.columns,
    )


def _clocked_on_board(record: Record) -> Sequence[Text]:
    exact = record.figures.cycles.exact if record.figures.cycles else None
    if exact is None:
        return tuple(Text(figures.NOTHING) for _ in range(4))
    marks = figures.count(record.figures.marks or 0)
    least, most = figures.count(exact.min), figures.count(exact.max)
    return Text(figures.count(exact.mean)), Text(marks), Text(least), Text(most)


def _grade(matrix: Matrix) -> str:
    return "CLOCKED, exact" if matrix.is_clocked else "MODELLED, low–high"


def _about(matrix: Matrix, head: str) -> str:
    return head if matrix.is_clocked else f"~{head}"


def _counted(record: Record) -> Sequence[Text]:
    exceptions, port = (
        figures.NOTHING if count is None else figures.count(count)
        for count in (record.figures.exceptions, record.figures.port)
    )
    fair = figures.yes_no(record.sampled.deterministic)
    style = "yellow" if record.sampled.deterministic is False else ""
    return (
        Text(figures.instructions(record.figures.instructions)),
        Text(exceptions),
        Text(port),
        Text(fair, style=style),
    )


def _reported(record: Record) -> Sequence[Text]:
    found = record.figures.reported
    each = (found.min, found.mean, found.max, found.resolution) if found else (None,) * 4
    return tuple(Text(figures.NOTHING if one is None else figures.count(one)) for one in each)


def _of_sweeps(matrix: Matrix) -> Measure:
    return Measure(
        "COUNTED, exact: instructions of the worst position (of most cycles) and of the least; "
        "share of positions that wait",
        ("worst", "least", "wait"),
        (6, 6, 5),
        _worst,
        matrix.columns,
    )


def _worst(record: Record) -> Sequence[Text]:
    if record.curve is None:
        return (Text(figures.instructions(record.figures.instructions)), Text(""), Text(""))
    curve = record.curve
    return (
        Text(figures.count(curve.worst)),
        Text(figures.count(curve.least)),
        Text(f"{curve.held:.0%}"),
    )


def _placements(matrix: Matrix) -> Measure:
    return Measure(
        f"{_grade(matrix)}: cycles over {matrix.layouts} placements of the code, and what "
        "placement moves",
        (_about(matrix, "cycles"), "moves"),
        (15, 6),
        lambda record: _placement(matrix.placed(record)),
        matrix.columns,
    )


def _placement(placed: Placed) -> Sequence[Text]:
    hull, moved = placement.cycles(placed), placement.spread(placed)
    if hull is None or moved is None:
        return Text(figures.NOTHING), Text(figures.NOTHING)
    return Text(figures.bounds(hull.low, hull.high)), Text(f"{100 * moved:.1f} %")


def _against(run: Run, matrix: Matrix, base: Column) -> Iterator[Measure]:
    others = tuple(column for column in matrix.columns if column != base)
    if others:
        yield Measure(
            f"{_grade(matrix)}: cycles ÷ cycles of {matrix.labels[base]}, less is faster",
            (_about(matrix, "ratio"), "verdict"),
            (11, 9),
            lambda record: _comparison(run, matrix, record, base),
            others,
        )


def _comparison(run: Run, matrix: Matrix, record: Record, base: Column) -> Sequence[Text]:
    other = matrix.placements.get((row_of(record), base))
    lanes = run.lanes.get(record.board, ())
    found = placement.compare_all(matrix.placed(record), other, lanes) if other else None
    if found is None or found.verdict is None:
        return Text(figures.NOTHING), Text(figures.NOTHING)
    ratio = figures.ratio(found.cycles, figures.is_clocked(record))
    return Text(ratio), verdict_text(found)


def verdict_text(found: Comparison) -> Text:
    assert found.verdict is not None
    return Text(found.verdict, style=STYLES[found.verdict])


# --- Layout ---------------------------------------------------------------------------------------


def _parts(measure: Measure, matrix: Matrix, width: int) -> Iterator[Measure]:
    """Yields the tables into which the table of one measure is divided, so that each fits the
    terminal. All columns of one kernel stay in one table."""
    names = max(len(row_label(row, matrix.rows)) for row in matrix.rows)
    group = max(_group_width(measure, matrix.labels[column]) for column in measure.columns)
    fitting = max((width - names) // group, 1)
    tables = math.ceil(len(measure.columns) / fitting)
    each = math.ceil(len(measure.columns) / tables)
    for start in range(0, len(measure.columns), each):
        columns = measure.columns[start : start + each]
        title = measure.title if start == 0 else f"{measure.title} (continued)"
        yield Measure(title, measure.heads, measure.widths, measure.cells, columns)


def _group_width(measure: Measure, label: str) -> int:
    """Returns the width of a kernel's columns. The kernel's name is above the first of them, which
    may need to be wider for it."""
    first = max(measure.widths[0], *map(len, _lines(label)))
    return first + sum(measure.widths[1:]) + _GAP * len(measure.widths)


def _lines(label: str) -> list[str]:
    """Returns the label of a kernel as lines: the kernel, then its configuration; long names are
    divided."""
    kernel, slash, config = label.partition("/")
    return [kernel + slash, *textwrap.wrap(config, _LABEL)] if slash else [kernel]


def _table(measure: Measure, matrix: Matrix) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, _GAP - 1))
    height = max(len(_lines(matrix.labels[column])) for column in measure.columns)
    # The column of scenario names is the only one that may become narrower.
    table.add_column(_head([], height, "scenario"), overflow="fold")
    for column in measure.columns:
        lines = _lines(matrix.labels[column])
        for head, width in zip(measure.heads, measure.widths, strict=True):
            text = _head(lines if head == measure.heads[0] else [], height, head)
            table.add_column(text, justify="right", no_wrap=True, min_width=width)
    for row in matrix.rows:
        cells = [
            cell for column in measure.columns for cell in _row_cells(measure, matrix, row, column)
        ]
        table.add_row(Text(row_label(row, matrix.rows)), *cells)
    return table


def _head(lines: Sequence[str], height: int, name: str) -> str:
    return "\n".join([*[""] * (height - len(lines)), *lines, name])


def _row_cells(measure: Measure, matrix: Matrix, row: Row, column: Column) -> Sequence[Text]:
    record = matrix.cells.get((row, column))
    blanks = [Text("")] * (len(measure.heads) - 1)
    if record is None:
        return [Text(""), *blanks]
    if record.status is Status.PASS:
        first, *others = measure.cells(record)
        return [Text("?", style="yellow") + first if record.doubts else first, *others]
    style = "bold red" if record.status is Status.FAIL else "dim"
    return [Text(NOT_PASSED[record.status], style=style), *blanks]


# --- Below the tables -----------------------------------------------------------------------------


def _causes(matrix: Matrix, base: Column, width: int) -> Iterator[Text]:
    """Yields lines with the cause of each figure. Yields nothing if no cause is known."""
    found = [(row, list(_causes_of(matrix, row, base, width))) for row in matrix.rows]
    if any(lines for _, lines in found):
        yield Text()
        yield Text(f"WHY, exact: instructions a sample against {matrix.labels[base]}", style="bold")
    for row, lines in found:
        if lines:
            yield Text(row_label(row, matrix.rows))
            yield from lines


def _causes_of(matrix: Matrix, row: Row, base: Column, width: int) -> Iterator[Text]:
    names = max(map(len, matrix.labels.values()))
    for column in matrix.columns:
        if text := cause_line.text(cause.in_cell(matrix.cells, row, column, base)):
            first, *others = textwrap.wrap(text, max(width - names - 4, names))
            yield Text(f"  {matrix.labels[column]:{names}}  {first}")
            yield from (Text(f"{'':{names + 4}}{other}") for other in others)


def _formulas(matrix: Matrix) -> Iterator[Text]:
    for name, formula in formulas(matrix).items():
        yield Text(f"{name} = {formula}", style="dim")


def _curves(matrix: Matrix, width: int) -> Iterator[Text]:
    for row in matrix.rows:
        for column in matrix.columns:
            record = matrix.cells.get((row, column))
            if record:
                name = row_label(row, matrix.rows)
                yield from map(Text, curves.lines(matrix.labels[column], name, record, width))


def _moved(matrix: Matrix) -> Iterator[Text]:
    """Yields an error line for each count that depends on code placement."""
    for (row, column), placed in matrix.placements.items():
        if placement.counts_moved(placed):
            name = f"{matrix.labels[column]} {row_label(row, matrix.rows)}"
            yield Text(f"counted figures of {name} differ between placements", style="bold red")


def _doubts(matrix: Matrix) -> Iterator[Text]:
    """Yields the reasons why figures with a `?` are not ranked."""
    for column in matrix.columns:
        passed = (one for one in matrix.records(column) if one.status is Status.PASS)
        for kind, why in {pair: None for one in passed for pair in one.doubts.items()}:
            yield Text(f"? {matrix.labels[column]} is not ranked: {kind}: {why}", style="yellow")


def _unlike_note(
    matrix: Matrix, column: Column, base: Column, found: Sequence[compare.Difference]
) -> Text:
    """Returns a note on the differences between the builds of two columns, with a warning if the
    table has verdicts between them."""
    names = f"{matrix.labels[column]} and {matrix.labels[base]} are not alike"
    care = ", read their verdicts with care" if matrix.has_cycles else ""
    return Text(f"{names}{care}: {'; '.join(map(str, found))}", style="yellow")


def _not_passed(run: Run) -> Iterator[Text]:
    """Yields the failures one by one, and one paragraph for each kernel about its unsupported or
    blocked scenarios."""
    paragraphs: dict[tuple[Status, str], list[str]] = {}
    for group in failures.groups(run.records):
        if group.status is Status.FAIL:
            yield _failure(group)
        else:
            paragraphs.setdefault((group.status, group.subject), []).append(_what(group))
    for (status, subject), reasons in paragraphs.items():
        yield Text(f"{status}: {subject}: {'; '.join(reasons)}", style="dim")
    if failures.groups(run.records):
        yield Text()


def _failure(group: failures.Group) -> Text:
    return Text(f"{group.status}: {group.subject}: {_what(group)}", style="bold red")


def _what(group: failures.Group) -> str:
    return f"{', '.join(group.scenarios)}: {group.reason}"
