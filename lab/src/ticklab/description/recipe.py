# SPDX-License-Identifier: MIT
"""Reads a recipe: the scenarios of an image that nobody ported, by places in the image
(docs/reference/descriptions.md explains the keys).

A recipe describes scenarios as a suite does, with marks in place of sources. One that names a suite
takes everything but the marks from the suite, so that its figures stand beside those of ports.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ticklab import names, paths
from ticklab.description import descriptions, fields, toml_table
from ticklab.description.model import Expectation, Scenario, Span, Watch
from ticklab.description.span import ENTRY, EXIT
from ticklab.description.toml_table import Table
from ticklab.errors import UsageError

DEFAULT = "thread-metric"


@dataclass(frozen=True)
class Candidate:
    """A scenario, and the variables and functions that an image must have for it."""

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
    """Returns the word by which `find` finds a recipe's file."""
    return next((name for name, known in _files().items() if known == file), str(file))


def _files() -> dict[str, Path]:
    return {file.stem: file for file in sorted((paths.CHECKOUT / "bench/recipes").glob("*.toml"))}


def read(file: Path) -> Recipe:
    whole = toml_table.read(file)
    table = whole.table("recipe")
    name = fields.name(table, "name")
    base = _scenarios(table.text("suite")) if "suite" in table else {}
    candidates = tuple(_candidate(row, name, file, base) for row in whole.rows("scenario"))
    found = Recipe(name, table.text("title"), candidates)
    table.end()
    whole.end()
    known = [each.scenario.name for each in candidates]
    for each in known:
        if known.count(each) > 1:
            raise UsageError(f"{file}: two scenarios are called '{each}'", "rename one")
    return found


def _scenarios(suite: str) -> dict[str, Scenario]:
    return {each.name: each for each in descriptions.find_suite(suite).scenarios}


def _candidate(table: Table, name: str, file: Path, base: dict[str, Scenario]) -> Candidate:
    spans, calls = _spans(table)
    marks = table.mapping("marks")
    watch = Watch({**marks, **dict.fromkeys(_at_exceptions(spans), "")}, calls)
    if not watch.marks and not calls:
        table.fail("marks", "is missing", "name places in the image, or give a span a call")
    if base:
        scenario = replace(
            base[table.choice("name", tuple(base))],
            file=file,
            services=frozenset(),
            features={},
            expect=_expectation(table),
            score=False,
            watch=watch,
        )
    else:
        scenario = _scenario(table, name, file, spans, watch)
    _check_marks(table, scenario, watch)
    when = table.texts("when", ())
    table.end()
    return Candidate(scenario, when)


def _scenario(
    table: Table, recipe: str, file: Path, spans: tuple[Span, ...], watch: Watch
) -> Scenario:
    return Scenario(
        name=fields.name(table, "name"),
        suite=recipe,
        file=file,
        services=frozenset(),
        spans=spans,
        expect=_expectation(table),
        plan=descriptions.read_plan(table),
        threads=(),
        score=False,
        watch=watch,
    )


def _expectation(table: Table) -> Expectation:
    """Reads what a sample contains. The order of the marks of an unported image is unknown, and
    interrupts and faults belong to the image unless the recipe counts them."""
    return Expectation(
        external=descriptions.read_number_or_any(table, "external", default=None),
        faults=descriptions.read_number_or_any(table, "faults", default=None),
    )


def _spans(table: Table) -> tuple[tuple[Span, ...], dict[str, str]]:
    """Returns the spans, and the function of each span that measures calls."""
    spans, calls = [], {}
    for name, row in table.tables("span"):
        if "call" in row:
            calls[name] = row.text("call")
            spans.append(Span(name, start=name, end=name + Watch.RETURN))
            row.end()
        else:
            spans.append(descriptions.read_span(name, row))
    return tuple(spans), calls


def _at_exceptions(spans: tuple[Span, ...]) -> Iterator[str]:
    """Yields the marks that need no place."""
    for name in (name for span in spans for name in (*span.each, span.start, span.end)):
        if name and name.startswith((ENTRY, EXIT)):
            yield name


def _check_marks(table: Table, scenario: Scenario, watch: Watch) -> None:
    """Refuses a span whose mark has no place."""
    if not scenario.spans:
        table.fail("span", "is missing", "name what is measured: [scenario.span.NAME]")
    known = {*watch.marks, *watch.calls, *(name + Watch.RETURN for name in watch.calls)}
    for span in scenario.spans:
        for name in (*span.each, span.start, span.end):
            if name and name not in known:
                table.fail(f"span.{span.name}", f"names mark '{name}'", "give it a place in marks")
