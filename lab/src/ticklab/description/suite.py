# SPDX-License-Identifier: MIT
"""Reads suite.toml, the description of a suite (docs/reference/descriptions.md explains the
keys).

The first mistake makes the whole suite invalid, because a suite that is read in part would measure
something other than its author meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ticklab import names
from ticklab.description import fields, folders, keys, table, toml_file
from ticklab.description.boot import PackageFile
from ticklab.description.features import FEATURES
from ticklab.description.formulas import Loss, Mean, Total
from ticklab.description.kernel import features
from ticklab.description.model import (
    Expectation,
    GuestProgram,
    PackageSource,
    SamplePlan,
    Scenario,
    Span,
    Suite,
    Sweep,
    Workload,
)
from ticklab.description.plot import Plot
from ticklab.description.span import ENTRIES, ENTRY
from ticklab.description.suite_tables import (
    ExpectTable,
    LossTable,
    MeanTable,
    Number,
    PlanTable,
    PlotTable,
    ProgramTable,
    ScenarioTable,
    SpanTable,
    SuiteFile,
    TotalTable,
    WorkloadTable,
)
from ticklab.description.table import Place

Row = TypeVar("Row")
Thing = TypeVar("Thing")


def read_suite(folder: Path) -> Suite:
    """Reads suite.toml of a folder."""
    file = Place(folder / folders.SUITES.file)
    whole = table.convert(_with_each(toml_file.load(file.file)), SuiteFile, file)
    name = whole.suite.name
    workload = _workload(file, whole.workload) if whole.workload else None
    losses = tuple(map(_loss, whole.loss))
    files = [
        PackageFile(each.package, each.sha256, file)
        for each in whole.package
        for file in each.files
    ]
    scenarios = tuple(
        replace(
            _scenario(place, row, name, folder),
            workload=workload,
            program=_program(place, row.program, files) if row.program else None,
        )
        for place, row in _rows(file, "scenario", whole.scenario)
    )
    _check_unique(file, scenarios)
    suite = Suite(
        name=name,
        title=whole.suite.title,
        source=whole.suite.source,
        folder=folder,
        scenarios=scenarios,
        means=tuple(_mean(*row) for row in _rows(file, "mean", whole.mean)),
        losses=losses,
        totals=tuple(_total(*row, losses) for row in _rows(file, "total", whole.total)),
        plots=tuple(_plot(place, row, scenarios) for place, row in _rows(file, "plot", whole.plot)),
    )
    _check_computed(file, suite)
    return suite


def _with_each(entries: dict[str, Any]) -> dict[str, Any]:
    """Adds the keys of the table [each] to each scenario that lacks them. Does not change values
    that should be tables and are not, which the types report later."""
    each, rows = entries.get("each"), entries.get("scenario")
    if isinstance(each, dict) and isinstance(rows, list):
        rows = [{**each, **row} if isinstance(row, dict) else row for row in rows]
    return {**entries, "scenario": rows} if rows else entries


def _rows(file: Place, key: str, rows: Sequence[Row]) -> list[tuple[Place, Row]]:
    return [(file.inside(f"{key} {number}"), row) for number, row in enumerate(rows, 1)]


def _check_unique(file: Place, scenarios: Sequence[Scenario]) -> None:
    seen = set()
    for scenario in scenarios:
        if scenario.name in seen:
            file.fail("scenario", f"has '{scenario.name}' twice", "give each its own name")
        seen.add(scenario.name)


# --- Computed figures -----------------------------------------------------------------------------


def _mean(place: Place, found: MeanTable) -> Mean:
    terms = [text.split("+") for text in found.of]
    return Mean(found.name, tuple(tuple(_part(place, each) for each in term) for term in terms))


def _part(place: Place, text: str) -> tuple[str, str]:
    return _split(text) if "/" in text else place.fail("of", f"has '{text}'", "write SCENARIO/SPAN")


def _loss(found: LossTable) -> Loss:
    return Loss(found.name, _split(found.of), _split(found.less), found.times, _split(found.work))


def _total(place: Place, found: TotalTable, losses: Sequence[Loss]) -> Total:
    known = {loss.name: loss for loss in losses}
    return Total(found.name, tuple(_chosen(place, "of", name, known) for name in found.of))


def _split(text: str) -> tuple[str, str]:
    scenario, _, span = text.partition("/")
    return scenario, span


def _check_computed(file: Place, suite: Suite) -> None:
    known = {(each.name, span.name) for each in suite.scenarios for span in each.spans}
    every: tuple[Mean | Loss, ...] = (*suite.means, *suite.losses)
    for computed in every:
        kind = "loss" if isinstance(computed, Loss) else "mean"
        for scenario, span in computed.spans:
            if (scenario, span) not in known:
                file.fail(
                    kind,
                    f"{computed.name} uses {scenario}/{span}, which does not exist",
                    "correct the name of the scenario or span",
                )


def _plot(place: Place, found: PlotTable, scenarios: Sequence[Scenario]) -> Plot:
    """Returns a plot. Parameters that its table does not name have their first value."""
    known = {scenario.name: scenario for scenario in scenarios}
    of = _chosen(place, "scenario", found.scenario, known)
    _chosen(place, "x", found.x, of.values)
    for name in found.where:
        _chosen(place, "where", name, of.values)
    chosen = keys.texts(found.where)
    where = {name: chosen.get(name, of.params[name]) for name in of.values if name != found.x}
    return Plot(found.title, of.name, found.x, where, found.bytes)


def _chosen(place: Place, key: str, name: str, known: Mapping[str, Thing]) -> Thing:
    if name not in known:
        place.fail(key, f"names '{name}'", names.suggestion(name, known))
    return known[name]


# --- Workload -------------------------------------------------------------------------------------


def _workload(file: Place, found: WorkloadTable) -> Workload:
    place, source = file.inside("workload"), found.source
    return Workload(
        source=PackageSource(source.package, source.version, source.folder),
        sources=_of_the_source(place, "sources", found.sources),
        includes=_of_the_source(place, "includes", found.includes),
        defines=keys.texts(found.defines),
        flags=found.flags,
        marks=found.marks,
        unit=found.unit,
    )


def _of_the_source(place: Place, key: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the files and folders of a package that `named` lists. Raises an error for files of
    this checkout, which belong to scenarios."""
    for name in named:
        if not name.startswith("@/"):
            place.fail(
                key,
                f"names {name}, which is not in the downloaded source",
                "begin the path with @/, the folder of the source",
            )
    return named


def _program(place: Place, found: ProgramTable, files: Sequence[PackageFile]) -> GuestProgram:
    """Returns the program of a scenario, which is among the files of the suite's packages."""
    own = _chosen(place.inside("program"), "file", found.file, {each.file: each for each in files})
    others = tuple(each for each in files if each.sha256 != own.sha256)
    return GuestProgram(own, others, found.arguments, found.marks)


# --- Scenarios ------------------------------------------------------------------------------------


def _scenario(place: Place, found: ScenarioTable, suite: str, folder: Path) -> Scenario:
    services = frozenset(found.services)
    values = _values(found)
    return Scenario(
        name=found.name,
        suite=suite,
        file=keys.file(place, "file", folder, found.file),
        services=services,
        features=features(place, found.features, services),
        proves=_proves(place, found.proves),
        spans=_spans(place, found),
        expect=_expectation(place, found.expect),
        plan=plan(found.plan or place.fail("plan", "is missing", "say how long to observe")),
        threads=marks(place, "threads", found.threads),
        priorities=found.priorities,
        score=found.score,
        rate=found.rate,
        exercises_kernel=found.exercises_kernel,
        sweep=Sweep(found.sweep.handlers) if found.sweep else None,
        values=values,
        grid=_grid(place, found, values),
        params={name: each[0] for name, each in values.items()},
    )


def _proves(place: Place, named: Sequence[str]) -> frozenset[str]:
    known = fields.SERVICES.union(FEATURES)
    for name in named:
        if name not in known:
            place.fail("proves", f"names '{name}'", names.suggestion(name, known))
    return frozenset(named)


def _values(found: ScenarioTable) -> dict[str, tuple[str, ...]]:
    """Returns the values of the parameters, which the compiler gets as macros."""
    return {
        name: tuple(map(keys.text, each if isinstance(each, tuple) else (each,)))
        for name, each in found.params.items()
    }


def _grid(
    place: Place, found: ScenarioTable, values: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Returns the parameters in groups. A run measures every combination of the values in each
    group."""
    for name in (name for each in found.grid for name in each):
        _chosen(place, "grid", name, values)
    return found.grid


def _spans(place: Place, found: ScenarioTable) -> tuple[Span, ...]:
    inside = place.inside("span")
    spans = tuple(span(inside.inside(name), name, row) for name, row in found.span.items())
    return spans or place.fail("span", "is missing", "name what is measured: [scenario.span.NAME]")


def span(place: Place, name: str, found: SpanTable) -> Span:
    """Reads and checks the table of a span, in a suite or in a recipe."""
    if bool(found.each) == bool(found.start or found.end):
        place.fail("each", "and from with to exclude each other", "write one of the two")
    for key, mark in (("from", found.start), ("to", found.end)):
        if not found.each and not mark:
            place.fail(key, "is missing", "name a mark")
        marks(place, key, (mark,) if mark else ())
    return Span(name, marks(place, "each", found.each), found.start, found.end, found.ticks)


def plan(found: PlanTable) -> SamplePlan:
    return SamplePlan(warm_up=found.warm_up, samples=found.samples, ticks=found.ticks)


def _expectation(place: Place, found: ExpectTable) -> Expectation:
    order = marks(place.inside("expect"), "order", found.order)
    return Expectation(order, number(found.external), number(found.faults), asleep=found.asleep)


def number(value: Number) -> int | None:
    """Returns a number, or None for "any", which accepts any number."""
    return None if isinstance(value, str) else value


def marks(place: Place, key: str, named: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names of marks. Raises an error if a mark at the entry of an exception names an
    unknown kind."""
    for name in named:
        kind = name.removeprefix(ENTRY)
        if kind != name and kind not in ENTRIES:
            place.fail(key, f"names mark '{name}'", names.suggestion(kind, ENTRIES))
    return named
