# SPDX-License-Identifier: MIT
"""The report: one HTML file that shows everything about one or more runs and needs nothing else.

No script, no font and no address outside the file; its content security policy forbids them. All
text is escaped by the template engine: names come from descriptions that users write. This module
gathers what the templates (report*.jinja) show; charts.py says where shapes go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from numpy.typing import NDArray

from ticklab import placement
from ticklab.compare import Comparison, Difference
from ticklab.errors import TicklabError
from ticklab.model import Fact, Record, Run, Stats, Status
from ticklab.samples import Flag
from ticklab.views import charts, curves, explained, explanation, failures, figures, provenance
from ticklab.views.charts import Histogram
from ticklab.views.explained import Explained, Explainer
from ticklab.views.matrix import (
    Column,
    Matrix,
    Row,
    formulas,
    matrices,
    reference,
    row_label,
    unlike,
    usual_params,
    usual_params_note,
)

STATS = tuple(field.name for field in fields(Stats))


class SampleSource(Protocol):
    """The store, as far as the report needs it."""

    def samples(self, key: str, span: str) -> Mapping[str, Any]:
        """Columns `length` and `flags`, one row a sample."""


@dataclass(frozen=True)
class Distribution:
    """All samples of one record: clean and interrupted ones apart, the warm-up counted."""

    label: str
    record: Record
    clean: Histogram | None
    interrupted: Histogram | None
    warm_up: int
    missing: str = ""
    explained: Explained | None = None


@dataclass(frozen=True)
class Section:
    """One suite on one board."""

    matrix: Matrix
    base: Column
    comparisons: Mapping[tuple[Row, Column], Comparison]
    unlike: Mapping[Column, tuple[Difference, ...]]
    scenarios: tuple[Scenario, ...]

    def is_explained(self, record: Record) -> bool:
        items = (item for scenario in self.scenarios for item in scenario.distributions)
        return any(item.record == record and item.explained for item in items)


@dataclass(frozen=True)
class Scenario:
    label: str
    scale: charts.Scale
    ranges: Sequence[charts.Range]
    distributions: tuple[Distribution, ...]


@dataclass(frozen=True)
class RunPage:
    run: Run
    headline: tuple[str, ...]
    sections: tuple[Section, ...]
    failed: int
    not_passed: tuple[failures.Group, ...]
    features: tuple[tuple[str, Mapping[str, str]], ...]  # name -> kernel -> value
    kernels: tuple[str, ...]
    facts: Mapping[str, Sequence[Fact]]
    differences: Mapping[str, Any]


def write(
    runs: Sequence[Run] | Run,
    source: SampleSource,
    path: Path,
    facts: Mapping[str, Sequence[Fact]] | None = None,
    explain: Explainer = lambda _: None,
) -> None:
    """Writes the report of `runs` to `path`; `facts` are those of kernels by name, and `explain`
    tells why a record costs what it costs, if that is known."""
    text = render([runs] if isinstance(runs, Run) else runs, source, facts or {}, explain)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise TicklabError(
            f"cannot write the report {path}: {error.strerror}", "choose another file with -o"
        ) from error


def render(
    runs: Sequence[Run],
    source: SampleSource,
    facts: Mapping[str, Sequence[Fact]],
    explain: Explainer = lambda _: None,
) -> str:
    template = _environment().get_template("report.html.jinja")
    return template.render(
        pages=[_page(run, source, facts, explain) for run in runs],
        grades=provenance.GRADES,
    )


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(figures=figures, shares=charts.shares, flat=provenance.flat)
    environment.globals.update(outline=curves.outline, cause=curves.cause)
    environment.globals.update(anchor=explained.anchor, percent=explanation.percent)
    environment.globals.update(summary=explanation.summary)
    environment.globals.update(row_label=row_label, Status=Status, stats_names=list(STATS))
    environment.globals.update(usual_params=usual_params, usual_params_note=usual_params_note)
    environment.globals.update(formulas=formulas)
    return environment


# --- Gathering ------------------------------------------------------------------------------------


def _page(
    run: Run, source: SampleSource, facts: Mapping[str, Sequence[Fact]], explain: Explainer
) -> RunPage:
    kernels = tuple(dict.fromkeys(record.kernel for record in run.records))
    return RunPage(
        run=run,
        headline=tuple(provenance.headline(run)),
        sections=tuple(_section(run, matrix, source, explain) for matrix in matrices(run.records)),
        failed=failures.failed(run.records),
        not_passed=failures.groups(run.records),
        features=tuple(_features(run)),
        kernels=kernels,
        facts={kernel: facts[kernel] for kernel in kernels if facts.get(kernel)},
        differences=provenance.configuration_differences(run),
    )


def _section(run: Run, matrix: Matrix, source: SampleSource, explain: Explainer) -> Section:
    base = reference(matrix)
    others = [column for column in matrix.columns if column != base]
    found = {column: unlike(run, matrix, column, base) for column in others}
    return Section(
        matrix,
        base,
        dict(_comparisons(run, matrix, base)),
        {column: differences for column, differences in found.items() if differences},
        tuple(_scenario(matrix, row, source, explain) for row in matrix.rows),
    )


def _comparisons(
    run: Run, matrix: Matrix, base: Column
) -> Iterator[tuple[tuple[Row, Column], Comparison]]:
    lanes = run.lanes.get(matrix.board, ())
    for (row, column), placed in matrix.placements.items():
        other = matrix.placements.get((row, base))
        found = placement.compare_all(placed, other, lanes) if other and column != base else None
        if found:
            yield (row, column), found


def _scenario(matrix: Matrix, row: Row, source: SampleSource, explain: Explainer) -> Scenario:
    cells = [
        (matrix.labels[column], matrix.cells[row, column])
        for column in matrix.columns
        if (row, column) in matrix.cells
    ]
    passed = [(label, record) for label, record in cells if record.status is Status.PASS]
    scale, ranges = charts.ranges(passed)
    return Scenario(
        row_label(row, matrix.rows),
        scale,
        ranges,
        tuple(
            replace(_distribution(label, record, source), explained=explain(record))
            for label, record in passed
        ),
    )


def _distribution(label: str, record: Record, source: SampleSource) -> Distribution:
    if record.measurement is None:
        return Distribution(label, record, None, None, 0, "no samples were kept")
    try:
        columns = source.samples(record.measurement, record.span)
    except TicklabError as error:
        return Distribution(label, record, None, None, 0, error.message)
    lengths, flags = np.asarray(columns["length"]), np.asarray(columns["flags"])
    warm_up = flags & int(Flag.WARM_UP) != 0
    return Distribution(
        label,
        record,
        _histogram("clean samples", lengths[flags == 0]),
        _histogram("with a tick or a foreign interrupt inside", lengths[(flags != 0) & ~warm_up]),
        int(warm_up.sum()),
    )


def _histogram(title: str, lengths: NDArray[np.int64]) -> Histogram | None:
    values, counts = np.unique(lengths, return_counts=True)
    return charts.histogram(title, dict(zip(values.tolist(), counts.tolist(), strict=True)))


def _features(run: Run) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every declared feature with its value for each kernel."""
    declared = {record.kernel: record.features for record in run.records}
    for name in sorted({name for features in declared.values() for name in features}):
        yield (
            name,
            {kernel: figures.yes_no(features.get(name)) for kernel, features in declared.items()},
        )
