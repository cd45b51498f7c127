# SPDX-License-Identifier: MIT
"""Reads a recipe, which describes scenarios of an image that has no port for Ticklab
(docs/reference/descriptions.md explains the keys).

A recipe describes scenarios as suite.toml does, but gives the addresses of marks instead of
sources. A recipe that names a suite takes everything except the marks from the suite, so that its
figures can be compared with those of ports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from msgspec import Meta, field

from ticklab import names, paths
from ticklab.description import catalogue, suite, table
from ticklab.description.architecture import choose
from ticklab.description.keys import Name, Natural, Positive, Text, Texts
from ticklab.description.model import (
    Expectation,
    Pending,
    SamplePlan,
    Scenario,
    Selection,
    Span,
    Watch,
)
from ticklab.description.span import ENTRY, EXIT
from ticklab.description.suite_tables import Number, PlanTable, SpanTable
from ticklab.description.table import Place, Table
from ticklab.errors import UsageError

DEFAULT = "thread-metric"
LATENCY = "latency"  # name of the span in a scenario with an injected interrupt


class RecipeTable(Table, frozen=True):
    """The recipe as a whole."""

    name: Annotated[Name, Meta(description="the suite of the records, unless `suite` is given")]
    title: Annotated[Text, Meta(description="name for people")]
    suite: Annotated[
        Text | None,
        Meta(
            description="a suite of this checkout. Its scenarios of the same names give spans, "
            "plan and threads, and the records belong to this suite; a row of the recipe then has "
            "only `name`, `marks`, `when`, `external` and `faults`"
        ),
    ] = None


class RecipeSpanTable(SpanTable, frozen=True):
    """A span between marks, as in suite.toml, or a span that measures the calls of a function."""

    call: Annotated[
        Text | None,
        Meta(description="the function whose calls the span measures, in place of marks"),
    ] = None
    task: Annotated[
        Text | None,
        Meta(
            description="the span has only samples that begin in this task: its name as `profile` "
            "shows it, in which `*` is any text, or its number in the order in which tasks first "
            "ran, from 0; not with `each`"
        ),
    ] = None
    depth: Annotated[
        Positive | None,
        Meta(
            description="the span has only samples at this depth: 1 lies in no other sample of the "
            "span in the same task, 2 in one; not with `each`"
        ),
    ] = None


class InjectTable(Table, frozen=True):
    """Makes a scenario of the image a sweep: the emulator pends an interrupt at every instruction
    of a span, and the latency of its handler is measured. A place is written
    as in `marks`."""

    line: Annotated[Natural, Meta(description="number of the external interrupt, from 0")]
    begin: Annotated[Text, Meta(description="where the span begins")] = field(name="from")
    end: Annotated[
        Text | None, Meta(description="where it ends; default where the function at `from` returns")
    ] = field(default=None, name="to")


class RecipeScenarioTable(Table, frozen=True):
    """A scenario of the image: its marks, and the spans between them."""

    name: Annotated[Name, Meta(description="as in suite.toml")]
    plan: Annotated[PlanTable | None, Meta(description="as in suite.toml")] = None
    span: Annotated[
        dict[str, RecipeSpanTable], Meta(description="a scenario has one span or several")
    ] = {}
    marks: Annotated[
        dict[str, Text],
        Meta(
            description="mark → place: `SYMBOL[+OFFSET]`, `0xADDRESS`, `return:FUNCTION`, "
            "`write:VARIABLE[+OFFSET]`, `mark:NAME`, `FILE:LINE`, or several with commas; `*` in "
            "a symbol is any text. Marks `entry.KIND` and `exit.KIND` need no place"
        ),
    ] = {}
    inject: InjectTable | None = None
    when: Annotated[
        Texts,
        Meta(
            description="functions or variables that the image must have; otherwise the scenario "
            "is left out (by default, a missing symbol is an error)"
        ),
    ] = ()
    external: Annotated[
        Number, Meta(description="external interrupts that belong to each sample")
    ] = "any"
    faults: Annotated[Number, Meta(description="faults that belong to each sample")] = "any"


class RecipeFile(Table, frozen=True):
    """A recipe file: scenarios of an image that has no port for Ticklab."""

    recipe: RecipeTable
    scenario: tuple[RecipeScenarioTable, ...]


@dataclass(frozen=True)
class Candidate:
    """A scenario of a recipe, and the variables and functions that an image must have for it."""

    scenario: Scenario
    when: tuple[str, ...]


@dataclass(frozen=True)
class Recipe:
    name: str
    title: str
    candidates: tuple[Candidate, ...]


def find(word: str) -> Recipe:
    """Returns a recipe of this checkout by its name, or any recipe by its file."""
    if word.endswith(".toml"):
        return read(Path(word))
    return read(names.choose("recipe", word, _files()))


def word(file: Path) -> str:
    """Returns the name or the path by which `find` finds a recipe's file."""
    return next((name for name, known in _files().items() if known == file), str(file))


def _files() -> dict[str, Path]:
    return {file.stem: file for file in sorted((paths.CHECKOUT / "bench/recipes").glob("*.toml"))}


def read(file: Path) -> Recipe:
    whole, place = table.read(file, RecipeFile)
    found = whole.recipe
    base = _scenarios(found.suite) if found.suite else {}
    candidates = tuple(
        _candidate(place.inside(f"scenario {number}"), row, found.name, base)
        for number, row in enumerate(whole.scenario, 1)
    )
    known = [each.scenario.name for each in candidates]
    for each in known:
        if known.count(each) > 1:
            raise UsageError(f"{file}: two scenarios are called '{each}'", "rename one")
    return Recipe(found.name, found.title, candidates)


def _scenarios(suite: str) -> dict[str, Scenario]:
    return {each.name: each for each in catalogue.find_suite(suite).scenarios}


def _candidate(
    place: Place, row: RecipeScenarioTable, recipe: str, base: Mapping[str, Scenario]
) -> Candidate:
    if row.inject:
        return Candidate(_swept(place, row, row.inject, recipe), row.when)
    spans, calls = _spans(place, row)
    marks = {**row.marks, **dict.fromkeys(_at_exceptions(spans), "")}
    watch = Watch(marks, calls, _selected(place, row))
    if not watch.marks and not calls:
        place.fail("marks", "is missing", "name places in the image, or give a span a call")
    found = _based(place, row, base) if base else _own(place, row, recipe, spans)
    scenario = replace(found, file=place.file, expect=_expectation(row), watch=watch)
    _check_marks(place, scenario, watch)
    return Candidate(scenario, row.when)


def _based(place: Place, row: RecipeScenarioTable, base: Mapping[str, Scenario]) -> Scenario:
    """Returns the scenario of the suite that the recipe names, without the fields that concern its
    sources."""
    if row.plan:
        place.fail("plan", "is no key", "the suite of the recipe gives the plan")
    found = choose(place, "name", row.name, base)
    return replace(found, services=frozenset(), features={}, score=False)


def _own(place: Place, row: RecipeScenarioTable, recipe: str, spans: tuple[Span, ...]) -> Scenario:
    return Scenario(
        name=row.name,
        suite=recipe,
        file=place.file,
        services=frozenset(),
        spans=spans,
        expect=Expectation(),
        plan=_plan(place, row),
        threads=(),
        score=False,
    )


def _swept(place: Place, row: RecipeScenarioTable, found: InjectTable, recipe: str) -> Scenario:
    for key in ("marks", "span", "plan"):
        if getattr(row, key):
            place.fail(key, "cannot be combined with inject", "a scenario has either of the two")
    return Scenario(
        name=row.name,
        suite=recipe,
        file=place.file,
        services=frozenset(),
        spans=(Span(LATENCY, start=found.begin, end=found.end),),
        expect=Expectation(external=None, faults=None),
        plan=SamplePlan(0, samples=1, ticks=0),
        threads=(),
        score=False,
        pending=Pending(found.line, found.begin, found.end),
    )


def _plan(place: Place, row: RecipeScenarioTable) -> SamplePlan:
    if row.plan is None:
        place.fail("plan", "is missing", "give it a table, or name a suite in [recipe]")
    return suite.plan(row.plan)


def _expectation(row: RecipeScenarioTable) -> Expectation:
    """Returns what the event log must contain. The order of marks is not checked, because it is
    unknown for an image without a port. Interrupts and faults are checked only if the recipe states
    their number."""
    return Expectation(external=suite.number(row.external), faults=suite.number(row.faults))


def _spans(place: Place, row: RecipeScenarioTable) -> tuple[tuple[Span, ...], dict[str, str]]:
    """Returns the spans of a scenario, and for each span that measures calls the function."""
    spans, calls = [], {}
    for name, found in row.span.items():
        inside = place.inside("span").inside(name)
        if found.call is None:
            spans.append(suite.span(inside, name, found))
            continue
        if found.each or found.start or found.end or found.ticks:
            inside.fail("call", "cannot be combined with marks", "a span has either of the two")
        calls[name] = found.call
        spans.append(Span(name, start=name, end=name + Watch.RETURN))
    return tuple(spans), calls


def _selected(place: Place, row: RecipeScenarioTable) -> dict[str, Selection]:
    """Returns, for each span with a selection, which of its samples count."""
    selected = {}
    for name, found in row.span.items():
        if (selection := Selection(found.task, found.depth)) == Selection():
            continue
        if found.each:
            place.inside("span").inside(name).fail(
                "each", "cannot be combined with task or depth", "name from and to, or a call"
            )
        selected[name] = selection
    return selected


def _at_exceptions(spans: tuple[Span, ...]) -> Iterator[str]:
    """Yields the names of marks at the entry or the exit of an exception, for which a recipe gives
    no address."""
    for name in (name for span in spans for name in (*span.each, span.start, span.end)):
        if name and name.startswith((ENTRY, EXIT)):
            yield name


def _check_marks(place: Place, scenario: Scenario, watch: Watch) -> None:
    """Raises an error if the recipe gives no address for a mark of a span."""
    if not scenario.spans:
        place.fail("span", "is missing", "name what is measured: [scenario.span.NAME]")
    known = {*watch.marks, *watch.calls, *(name + Watch.RETURN for name in watch.calls)}
    for span in scenario.spans:
        for name in (*span.each, span.start, span.end):
            if name and name not in known:
                place.fail(f"span.{span.name}", f"names mark '{name}'", "give it a place in marks")
