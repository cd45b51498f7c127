# SPDX-License-Identifier: MIT
"""One suite on one board of one run, as the site shows it. Also chooses, for each set of
conditions, the suite that the leaderboard shows: that of the run with the most tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ticklab.description.features import Protection
from ticklab.description.model import Lane, Record, Run, Status
from ticklab.site import names
from ticklab.summary import ranking
from ticklab.summary.answer import Answer, Unit, answer
from ticklab.summary.matrix import Column, Matrix, Row, matrices, reference
from ticklab.summary.ranking import Standing
from ticklab.views import panels, provenance
from ticklab.views.panels import Panels


@dataclass(frozen=True)
class MeasuredSuite:
    """A suite on a board in a run. `answer` is None if no test was passed by two kernels."""

    run: Run
    matrix: Matrix
    answer: Answer | None
    unit: Unit
    conditions: str

    @property
    def suite(self) -> str:
        return self.matrix.suite

    @property
    def board(self) -> str:
        return self.matrix.board

    @property
    def anchor(self) -> str:
        """Returns the HTML id of the suite in the page of its run."""
        return names.safe(self.board, self.suite)

    @property
    def page(self) -> str:
        return f"{run_page(self.run)}#{self.anchor}"

    @property
    def lanes(self) -> Sequence[Lane]:
        return self.run.lanes.get(self.board, ())

    @cached_property
    def panels(self) -> Panels | None:
        return panels.of_answers([self.answer], [self.unit]) if self.answer else None

    @cached_property
    def classes(self) -> Mapping[Column, Protection]:
        groups = self.answer.groups if self.answer else ()
        return {entry.column: group.protection for group in groups for entry in group.entries}

    @cached_property
    def standings(self) -> Mapping[Row, Mapping[Column, Standing]]:
        return {row: ranking.standings(self.matrix, row, self.lanes) for row in self.matrix.rows}

    def passed(self, row: Row) -> list[tuple[Column, Record]]:
        """Returns the columns that have a figure in the row."""
        cells = ((column, self.matrix.cells.get((row, column))) for column in self.matrix.columns)
        return [(column, one) for column, one in cells if one and has_figure(one)]

    def columns_of(self, kernel: str) -> list[Column]:
        return [column for column in self.matrix.columns if column.kernel == kernel]


def has_figure(record: Record) -> bool:
    return record.status is Status.PASS and record.counted is not None


def run_page(run: Run) -> str:
    return f"runs/{names.safe(run.id)}.html"


def measured(run: Run, wanted: str | None, unit: Unit) -> Iterator[MeasuredSuite]:
    """Yields each suite on each board of a run. `wanted` is the reference, chosen as for the
    report."""
    for matrix in matrices(run.records):
        found = answer(run, matrix, reference(matrix, wanted))
        shown = found if found.others else None
        in_unit = found.unit(unit)
        yield MeasuredSuite(run, matrix, shown, in_unit, provenance.summary(run, matrix.board))


def leaderboards(found: Iterable[MeasuredSuite]) -> tuple[MeasuredSuite, ...]:
    """Returns one suite for each set of conditions (board, core, clock, timing profile, compiler,
    level): that of the run with the most compared tests; of equal runs, the newest."""
    best: dict[tuple[str, str, str], MeasuredSuite] = {}
    for one in sorted(found, key=lambda one: one.run.id):
        key = (one.board, one.suite, one.conditions)
        if key not in best or _fullness(one) >= _fullness(best[key]):
            best[key] = one
    return tuple(best[key] for key in sorted(best))


def _fullness(one: MeasuredSuite) -> tuple[int, int]:
    figures = sum(map(has_figure, one.matrix.cells.values()))
    return len(one.answer.cells) if one.answer else 0, figures
