# SPDX-License-Identifier: MIT
"""Gathers everything that the site shows from runs: suites, claims, leaderboards, and the history
of each figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ticklab.comparison import history
from ticklab.comparison.gate import identity
from ticklab.comparison.history import FigureHistory
from ticklab.description.model import Fact, Record, Run
from ticklab.site import chart, claim_file, claims, names, suites
from ticklab.site.chart import Chart, Pages
from ticklab.site.claim_file import Entries
from ticklab.site.claims import Claim, Claims
from ticklab.site.suites import MeasuredSuite
from ticklab.storage.baseline import Baseline
from ticklab.summary import failures
from ticklab.summary.answer import Unit
from ticklab.summary.matrix import Column, Row, row_label, row_of

# Identifies a figure across runs: its board, its suite and its row.
Place = tuple[str, str, Row]


@dataclass(frozen=True)
class Declared:
    """Facts from the descriptions in a checkout: about kernels, by name, and about the services
    that each scenario uses."""

    facts: Mapping[str, Sequence[Fact]] = field(default_factory=dict)
    services: Mapping[tuple[str, str], Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Wish:
    """The user's choices for the site."""

    title: str = "Ticklab"
    reference: str | None = None
    unit: Unit = Unit.CYCLES


@dataclass(frozen=True)
class SiteRun:
    kept: Baseline
    suites: tuple[MeasuredSuite, ...]

    @property
    def run(self) -> Run:
        return self.kept.run

    @property
    def page(self) -> str:
        return suites.run_page(self.run)

    def file(self, suffix: str) -> str:
        return f"runs/{names.safe(self.run.id)}.{suffix}"

    @property
    def bundle(self) -> str | None:
        """Returns the name of the file from which the run can be measured again; None if no sample
        plan was kept."""
        return self.file("bundle") if any(entry.plan for entry in self.kept.entries) else None

    @property
    def failed(self) -> int:
        return failures.failed(self.run.records)

    @property
    def not_passed(self) -> tuple[failures.Group, ...]:
        return failures.groups(self.run.records)

    @property
    def origin(self) -> Mapping[str, str]:
        return claim_file.origin(self.run)

    @cached_property
    def entries(self) -> Entries:
        return claim_file.entries(self.kept)


@dataclass(frozen=True)
class Scenario:
    suite: str
    name: str
    services: tuple[str, ...]

    @property
    def page(self) -> str:
        return f"scenarios/{names.safe(self.suite, self.name)}.html"

    def rows(self, one: MeasuredSuite) -> list[Row]:
        """Returns the rows of a suite that belong to this scenario and have figures."""
        rows = one.matrix.rows if one.suite == self.suite else ()
        return [row for row in rows if row.scenario == self.name and one.passed(row)]


@dataclass(frozen=True)
class Site:
    wish: Wish
    declared: Declared
    runs: tuple[SiteRun, ...]  # the newest first

    @cached_property
    def suites(self) -> tuple[MeasuredSuite, ...]:
        return tuple(one for run in self.runs for one in run.suites)

    @cached_property
    def leaderboards(self) -> tuple[MeasuredSuite, ...]:
        return suites.leaderboards(self.suites)

    @cached_property
    def _claims(self) -> Mapping[int, Claims]:
        return {id(one): claims.of_suite(one) for one in self.suites}

    def claims_of(self, one: MeasuredSuite) -> Claims:
        return self._claims[id(one)]

    def every_claim(self, run: SiteRun) -> Iterator[Claim]:
        for one in run.suites:
            yield from self.claims_of(one)

    @cached_property
    def kernels(self) -> tuple[str, ...]:
        columns = (column for one in self.leaderboards for column in one.matrix.columns)
        return tuple(sorted({column.kernel for column in columns}))

    @cached_property
    def scenarios(self) -> tuple[Scenario, ...]:
        places = {(one.suite, row.scenario) for one in self.leaderboards for row in one.matrix.rows}
        every = (Scenario(*at, tuple(self.declared.services.get(at, ()))) for at in sorted(places))
        return tuple(one for one in every if any(one.rows(board) for board in self.leaderboards))

    @cached_property
    def services(self) -> tuple[str, ...]:
        return tuple(sorted({service for one in self.scenarios for service in one.services}))

    def using(self, service: str) -> list[Scenario]:
        return [one for one in self.scenarios if service in one.services]

    def with_kernel(self, kernel: str) -> list[MeasuredSuite]:
        return [one for one in self.leaderboards if one.columns_of(kernel)]

    # --- From run to run --------------------------------------------------------------------------

    @cached_property
    def histories(self) -> Mapping[Place, Mapping[Column, FigureHistory]]:
        runs = [one.run for one in reversed(self.runs)]
        found: dict[Place, dict[Column, FigureHistory]] = {}
        for kernel in self.kernels:
            for line in history.collect(kernel, [], runs):
                first = line.points[0].record
                if first.layout == 0:
                    place = (first.board, first.suite, row_of(first))
                    column = Column(first.kernel, first.config, first.optimise)
                    found.setdefault(place, {})[column] = line
        return found

    @cached_property
    def _pages(self) -> Pages:
        every = (claim for run in self.runs for claim in self.every_claim(run))
        return {(one.run.id, identity(one.record)): one.page for one in every if one.record}

    def page_of(self, run: Run, record: Record) -> str | None:
        """Returns the path of the page of a figure's claim."""
        return self._pages.get((run.id, identity(record)))

    def chart(self, one: MeasuredSuite, row: Row) -> Chart | None:
        """Returns the chart of a row, with a line for each build; None if fewer than two runs have
        the row."""
        lines = self.histories.get((one.board, one.suite, row), {})
        named = {claims.label(column): line for column, line in lines.items()}
        return chart.draw(row_label(row, one.matrix.rows), named, self._pages)

    def changed(self, kernel: str) -> list[Chart]:
        """Returns the charts of those figures of a kernel that changed between runs."""
        charts = (
            chart.draw(_title(place), {claims.label(column): line}, self._pages)
            for place, lines in sorted(self.histories.items(), key=lambda item: _title(item[0]))
            for column, line in lines.items()
            if column.kernel == kernel and line.changes
        )
        return [one for one in charts if one]


def _title(place: Place) -> str:
    board, suite, row = place
    params = (f"{name}={value}" for name, value in row.params)
    return " ".join((row.scenario, row.span, *params, f"({suite} on {board})"))


def gather(every: Sequence[Baseline], wish: Wish, declared: Declared) -> Site:
    """Gathers the content of the site from runs. A run that is given twice is shown once."""
    once = {kept.run.id: kept for kept in every}
    newest_first = sorted(once.values(), key=lambda kept: kept.run.id, reverse=True)
    found = (
        SiteRun(kept, tuple(suites.measured(kept.run, wish.reference, wish.unit)))
        for kept in newest_first
    )
    return Site(wish, declared, tuple(found))
