# SPDX-License-Identifier: MIT
"""The claims of a run: the mean of a kernel relative to the reference, and each figure. A claim has
an address, one sentence, a badge, and the records from which it follows, which can be measured
again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ticklab.comparison.compare import Comparison, Verdict
from ticklab.comparison.placement import Placed
from ticklab.description.model import Record, Run
from ticklab.site import names
from ticklab.site.suites import MeasuredSuite, has_figure
from ticklab.summary import cause
from ticklab.summary.answer import Answer, RankedKernel
from ticklab.summary.matrix import Column, Row, row_label
from ticklab.views import cause_line, figures, sentence


class Kind(StrEnum):
    MEAN = "mean"
    FIGURE = "figure"


@dataclass(frozen=True)
class Badge:
    subject: str
    value: str


@dataclass(frozen=True)
class Claim:
    """A claim of a run. `record` and `row` are set if the claim is a figure, and `entry` if it is a
    mean."""

    suite: MeasuredSuite
    column: Column
    name: str
    sentence: str
    badge: Badge
    records: tuple[Record, ...]
    comparison: Comparison | None = None
    row: Row | None = None
    entry: RankedKernel | None = None

    @property
    def kind(self) -> Kind:
        return Kind.MEAN if self.entry else Kind.FIGURE

    @property
    def run(self) -> Run:
        return self.suite.run

    @property
    def record(self) -> Record | None:
        """Returns the record of a figure's claim; if there are several code placements, that of the
        first."""
        return self.records[0] if self.kind is Kind.FIGURE else None

    @property
    def is_compared(self) -> bool:
        """Returns whether the claim's cause is a difference from the reference."""
        answer = self.suite.answer
        if answer is None or self.column == answer.reference:
            return False
        return self.entry is not None or (self.row, self.column) in answer.cells

    @property
    def cause(self) -> str:
        """Returns the cause of the figure or mean as one line; empty if the kinds of work of a
        sample are not known."""
        if self.entry:
            return cause_line.of_tests(self.entry.cause, self.entry.mean.tests)
        if self.suite.answer and self.row:
            return cause_line.text(self.suite.answer.cause(self.row, self.column))
        return cause_line.text(cause.of(self.record)) if self.record else ""

    @property
    def subject(self) -> str:
        """Returns the name of the build that the claim is about."""
        return label(self.column)

    @property
    def title(self) -> str:
        what = row_label(self.row, self.suite.matrix.rows) if self.row else self.suite.suite
        return f"{self.column.kernel} in {what}"

    def file(self, suffix: str) -> str:
        """Returns the path, from the root of the site, of the claim's page, JSON file or badge."""
        return f"claims/{names.safe(self.run.id)}/{self.name}.{suffix}"

    @property
    def page(self) -> str:
        return self.file("html")


@dataclass(frozen=True)
class Claims:
    """The claims of one suite on one board of one run."""

    means: Mapping[Column, Claim]
    figures: Mapping[tuple[Row, Column], Claim]

    def __iter__(self) -> Iterator[Claim]:
        yield from self.means.values()
        yield from self.figures.values()


def label(column: Column) -> str:
    return f"{column.kernel}/{column.config} {column.optimise}"


def of_suite(suite: MeasuredSuite) -> Claims:
    placements = suite.matrix.placements.items()
    found = {place: _figure(suite, *place, placed) for place, placed in placements if _has(placed)}
    others = suite.answer.others if suite.answer else ()
    return Claims({entry.column: _mean(suite, entry) for entry in others}, found)


def _has(placed: Placed) -> bool:
    return all(map(has_figure, placed))


def _name(suite: MeasuredSuite, column: Column, *words: str) -> str:
    build = (column.kernel, column.config, column.optimise)
    return names.safe(suite.board, suite.suite, *words, *build)


# --- Figures --------------------------------------------------------------------------------------


def _figure(suite: MeasuredSuite, row: Row, column: Column, placed: Placed) -> Claim:
    record = placed[0]
    params = (f"{name}={value}" for name, value in row.params)
    comparison = suite.answer.cells.get((row, column)) if suite.answer else None
    what = row_label(row, suite.matrix.rows)
    unit = "the worst position" if record.curve else "a sample"
    text = f"{label(column)}: {unit} of {what} takes {_costs(record)}, on {suite.conditions}."
    return Claim(
        suite=suite,
        column=column,
        name=_name(suite, column, row.scenario, row.span, *params),
        sentence=" ".join((text, *_relation(suite, column, record, comparison))),
        badge=Badge(f"{column.kernel} {what}", f"{figures.counted(record)} instructions"),
        records=placed,
        comparison=comparison,
        row=row,
    )


def _costs(record: Record) -> str:
    counted = f"{figures.counted(record)} instructions (counted)"
    if record.bounds is None:
        return counted
    return f"{counted} and {figures.format_cycles(record)} cycles ({figures.grade(record)})"


def _relation(
    suite: MeasuredSuite, column: Column, record: Record, comparison: Comparison | None
) -> Iterator[str]:
    """Yields sentences that compare the figure with that of the reference."""
    if record.doubts:
        yield f"It is not ranked: {'; '.join(record.doubts.values())}."
    elif comparison and comparison.cycles and suite.answer and column != suite.answer.reference:
        ratio = figures.ratio(comparison.cycles, figures.is_clocked(record))
        yield f"That is {ratio} of {suite.answer.label}'s cycles: {_verdict(suite, comparison)}."


def _verdict(suite: MeasuredSuite, comparison: Comparison) -> str:
    decided = comparison.verdict in (Verdict.FASTER, Verdict.SLOWER)
    everywhere = " in every corner of the model" if decided and not suite.matrix.is_clocked else ""
    return f"{comparison.verdict}{everywhere}"


# --- Claims about means ---------------------------------------------------------------------------


def _mean(suite: MeasuredSuite, entry: RankedKernel) -> Claim:
    answer = suite.answer
    assert answer
    rows = [row for row in suite.matrix.rows if (row, entry.column) in answer.cells]
    both = (entry.column, answer.reference)
    placed = (suite.matrix.placements[row, column] for column in both for row in rows)
    ratio = sentence.mean(answer, entry.mean, suite.unit)
    return Claim(
        suite=suite,
        column=entry.column,
        name=_name(suite, entry.column, "mean"),
        sentence=f"{_statement(suite, answer, entry, ratio)}{_rank(suite, entry)}",
        badge=Badge(f"{entry.label} {suite.suite}", f"{ratio} × {answer.label}"),
        records=tuple(record for each in placed for record in each),
        entry=entry,
    )


def _statement(suite: MeasuredSuite, answer: Answer, entry: RankedKernel, ratio: str) -> str:
    quantity = sentence.QUANTITIES[suite.unit].lower()
    share = sentence.share(answer, entry.mean)
    return (
        f"{label(entry.column)} takes {ratio} of {answer.label}'s {quantity} in {suite.suite}, "
        f"geometric mean over {share} tests, on {suite.conditions}."
    )


def _rank(suite: MeasuredSuite, entry: RankedKernel) -> str:
    if entry.standing is None:
        return ""
    group = sentence.CLASSES[suite.classes[entry.column]]
    return f" In class “{group}” it is {entry.standing}."
