# SPDX-License-Identifier: MIT
"""Prints the answer of a run: a sentence that says which kernel is fastest, a bar for each kernel,
and the ratio of each test. For the tests of Thread-Metric, this text fits a terminal of 80 columns
and 25 lines."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from ticklab.comparison.compare import Interval
from ticklab.description.model import Run, Status
from ticklab.summary.answer import Answer, Unit, answers, clock_of
from ticklab.summary.deadline import Deadline, Tally, tallies
from ticklab.summary.matrix import Column, Matrix, Row, matrices, row_label, row_of
from ticklab.views import cause_line, figures, provenance, sentence, table
from ticklab.views.charts import LogScale

MOST_ROWS = 12  # with more tests than this, the answer does not show a table of tests
_LEAST_BAR, _MOST_BAR = 12, 60
_LEAST_NAME = 16
_HATCHED = "▒▒▒▒▒"
_NOTES = ("≤ ≥ in every corner", f"{_HATCHED} undecided")
_WHY = "why: "
_PROTECTS = {"none": "nothing", "kernel": "kernel", "tasks": "tasks"}


def show(
    run: Run,
    out: Console,
    unit: Unit = Unit.CYCLES,
    wanted: str | None = None,
    deadline: Deadline | None = None,
) -> bool:
    """Prints the answer and the failures. Returns whether there is an answer: if no test was passed
    by two kernels, there is none, and the caller prints the tables instead."""
    found = answers(run, wanted)
    for one in found:
        _show(run, one, out, one.unit(unit), len(found) == 1)
    if deadline:
        for line in _deadlines(run, deadline):
            out.print(line, soft_wrap=True)
    if found:
        for line in table.faults(run):
            out.print(line)
    return bool(found)


def _show(run: Run, answer: Answer, out: Console, unit: Unit, alone: bool) -> None:
    conditions = provenance.summary(run, answer.matrix.board)
    out.print(Text(f"{answer.matrix.suite} on {conditions}", "bold"))
    out.print(Text(sentence.whole(answer, unit)))
    for line in _bars(answer, unit, out.width):
        out.print(line)
    if why := _why(answer, out.width):
        out.print(Text(why))
    if alone and len(answer.tests) <= MOST_ROWS:
        for line in _tests(answer, unit, out.width):
            out.print(line)
    else:
        out.print(Text(f"ratios of {len(answer.tests)} tests: ticklab show", style="dim"))


def _deadlines(run: Run, deadline: Deadline) -> Iterator[Text]:
    """Yields a line for each kernel with sweeps: how many of its sweeps meet the deadline."""
    for matrix in matrices(run.records):
        clock_hz = clock_of(run, matrix.board)
        found = list(tallies(matrix, deadline, clock_hz))
        if found and clock_hz:
            time = figures.deadline(deadline, clock_hz)
            yield Text(f"deadline of {time}: sweeps of {matrix.suite} on {matrix.board}", "bold")
            yield from (Text(f"  {_tally(matrix, one)}") for one in found)


def _tally(matrix: Matrix, tally: Tally) -> str:
    counts = ", ".join(f"{met} {count}" for met, count in tally.counts.items() if count)
    slowest = row_label(row_of(tally.slowest), matrix.rows)
    cycles = figures.format_cycles(tally.slowest)
    return f"{matrix.labels[tally.column]}: {counts}; slowest {slowest}, {cycles} cycles"


def _why(answer: Answer, width: int) -> str:
    """Returns a line that explains the answer: for the best kernels of each class, the kind of work
    that makes most of the difference from the reference, in per cent of the reference's
    instructions. Names as many kernels as fit into the line; the line is empty if no kind of work
    is known."""
    leaders = (entry for group in answer.groups for entry in group.leaders)
    parts = [
        f"{one.label} {cause_line.greatest(one.cause)}"
        for one in leaders
        if one.cause and one.cause.parts
    ]
    lines = [f"{_WHY}{'; '.join(parts[:most])}" for most in range(len(parts), 0, -1)]
    return next((line for line in lines if len(line) <= width), "")


# --- A bar for each kernel ------------------------------------------------------------------------


def _bars(answer: Answer, unit: Unit, width: int) -> Iterator[Text]:
    """Yields a row for each kernel except the reference: a bar between the bounds of its ratio to
    the reference, on a logarithmic axis."""
    label = max(len(entry.label) for entry in answer.entries)
    ratios = {entry: sentence.mean(answer, entry.mean, unit) for entry in answer.entries}
    shares = {entry: sentence.share(answer, entry.mean) for entry in answer.entries}
    widest, share = (max(map(len, texts.values())) for texts in (ratios, shares))
    bar = min(max(width - (9 + label + 2 + 1 + widest + 2 + share), _LEAST_BAR), _MOST_BAR)
    scale = LogScale.around(r for entry in answer.entries if (r := entry.mean.ratio(unit)))
    heads = f"{'÷':>{widest}}  {'tests':>{share}}"
    yield Text(f"{'protects':9}{'kernel':{label}}  {_ticks(scale, bar)} {heads}", "bold")
    for group in answer.groups:
        for entry in group.entries:
            if entry.column == answer.reference:
                continue
            start = f"{_PROTECTS[group.protection]:9}{entry.label:{label}}"
            found = f"{ratios[entry]:>{widest}}  {shares[entry]:>{share}}"
            style = "bold" if entry.standing else ""
            yield Text(f"{start}  {_bar(scale, entry.mean.ratio(unit), bar)} {found}", style)


def _place(scale: LogScale, value: float, width: int) -> int:
    return min(int(scale.percent(value) * width / 100), width - 1)


def _ticks(scale: LogScale, width: int) -> str:
    """Returns the labels of the axis: 1 and other powers of two, as many as fit."""
    cells = [" "] * width
    for percent, text in sorted(scale.ticks, key=lambda tick: tick[1] != "1"):
        at = min(int(percent * width / 100), width - len(text))
        if all(cell == " " for cell in cells[max(at - 1, 0) : at + len(text) + 1]):
            cells[at : at + len(text)] = text
    return "".join(cells)


def _bar(scale: LogScale, interval: Interval | None, width: int) -> str:
    cells = ["·"] * width
    cells[_place(scale, 1, width)] = "│"
    if interval:
        low, high = (_place(scale, end, width) for end in (interval.low, interval.high))
        cells[low : high + 1] = "█" * (high - low + 1)
    return "".join(cells)


# --- The ratio of each test -----------------------------------------------------------------------


def _tests(answer: Answer, unit: Unit, width: int) -> Iterator[Text]:
    """Yields a row for each test, with the ratio of each kernel to the reference. Yields nothing if
    the columns of all kernels do not fit into the width."""
    heads = [_lines(entry.label) for entry in answer.others]
    widths = [max(*map(len, head), len(_HATCHED)) for head in heads]
    labels = [row_label(row, answer.matrix.rows) for row in answer.tests]
    names = min(max(map(len, (*labels, *_NOTES))), width - sum(widths) - len(widths))
    if names < _LEAST_NAME:
        return
    for line, note in enumerate(_NOTES):
        cells = (f" {head[line]:>{w}}" for head, w in zip(heads, widths, strict=True))
        yield Text(f"{note:{names}.{names}}{''.join(cells)}", "bold")
    for row, label in zip(answer.tests, labels, strict=True):
        text = Text(f"{_cut(label, names):{names}}")
        for entry, wide in zip(answer.others, widths, strict=True):
            cell, style = _cell(answer, row, entry.column, unit)
            text.append(" " + cell.rjust(wide), style)
        yield text


def _cell(answer: Answer, row: Row, column: Column, unit: Unit) -> tuple[str, str]:
    found = answer.cells.get((row, column))
    if found:
        style = table.STYLES[found.verdict] if found.verdict else ""
        return sentence.cell(answer, found, unit), style
    record = answer.record(row, column)
    if record and record.doubts:
        return "?", "yellow"
    failed = record is not None and record.status not in (Status.PASS, Status.UNSUPPORTED)
    return (table.NOT_PASSED[record.status], "bold red") if failed and record else ("–", "dim")


def _lines(label: str) -> tuple[str, str]:
    """Returns the label of a kernel on two lines: kernel and configuration. Without a
    configuration, the kernel is on the lower line."""
    kernel, slash, config = label.partition("/")
    return (kernel + slash, config) if slash else ("", kernel)


def _cut(name: str, width: int) -> str:
    return name if len(name) <= width else f"{name[: width - 1]}…"
