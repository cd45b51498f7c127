# SPDX-License-Identifier: MIT
"""The report: one HTML file that shows everything about one or more runs and refers to no other
file.

The page uses no fonts and no external addresses; its content security policy forbids them, and any
script other than its own. The page is complete without its script: long parts are in `noscript`
elements, which the script turns into elements when a reader opens them. This module collects the
data that the templates (report*.jinja) show; charts.py computes shapes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ticklab.analysis.samples import Flag
from ticklab.comparison import placement
from ticklab.comparison.compare import Comparison, Difference, Verdict
from ticklab.description.features import FEATURES
from ticklab.description.model import Fact, Lane, Record, Run, Status
from ticklab.description.plot import Plot
from ticklab.errors import TicklabError
from ticklab.summary import failures, ranking
from ticklab.summary.answer import Unit, clock_of
from ticklab.summary.deadline import Deadline, Tally, tallies
from ticklab.summary.matrix import Column, Matrix, Row, matrices, reference, row_label, unlike
from ticklab.summary.ranking import Price, Standing
from ticklab.views import charts, figures, latency, plots, provenance, templates, two_runs
from ticklab.views.charts import Histogram
from ticklab.views.explained import Against, Explained, Explainer
from ticklab.views.latency import Latency
from ticklab.views.panels import Panels, panels
from ticklab.views.plots import Drawing

_SCRIPT = Path(__file__).with_name("report.js")


class SampleSource(Protocol):
    """The function of the store of measurements that the report needs."""

    def samples(self, key: str, span: str, columns: Sequence[str] = ...) -> Mapping[str, Any]:
        """Returns for each of `columns` (by default `length` and `flags`) its values, one for each
        sample."""


@dataclass(frozen=True)
class Distribution:
    """The samples of one record: the lengths of clean and of interrupted samples, and the number in
    the warm-up."""

    label: str
    record: Record
    clean: Histogram | None
    interrupted: Histogram | None
    warm_up: int
    # For each length, in instructions, the number of clean samples of that length.
    lengths: Mapping[int, int] = field(default_factory=dict)
    reported: Histogram | None = None  # distribution that a program of the guest reported
    missing: str = ""
    explained: Explained | None = None


@dataclass(frozen=True)
class Asked:
    """The user's choices for the report: reference, unit and deadline."""

    reference: str | None = None
    unit: Unit = Unit.CYCLES
    deadline: Deadline | None = None


@dataclass(frozen=True)
class About:
    """Facts about kernels, by kernel name; for each kernel with isolation, the kernel without it;
    and the charts of suites."""

    facts: Mapping[str, Sequence[Fact]] = field(default_factory=dict)
    without_isolation: Mapping[str, str] = field(default_factory=dict)
    plots: Mapping[str, Sequence[Plot]] = field(default_factory=dict)


_NOTHING_KNOWN = About()
_NOTHING_ASKED = Asked()


@dataclass(frozen=True)
class Section:
    """The section of the report about one suite on one board."""

    matrix: Matrix
    base: Column
    comparisons: Mapping[tuple[Row, Column], Comparison]
    standings: Mapping[Row, Mapping[Column, Standing]]
    prices: Mapping[Row, tuple[Price, ...]]
    unlike: Mapping[Column, tuple[Difference, ...]]
    scenarios: tuple[Scenario, ...]
    drawings: tuple[Drawing, ...]
    by_parameter: tuple[Drawing, ...]
    panels: Panels | None
    conditions: str
    latencies: tuple[Latency, ...]
    deadline: Deadline | None
    tallies: tuple[Tally, ...]  # how many sweeps meet the deadline, for each kernel

    @property
    def columns(self) -> list[Column]:
        """Returns the columns (kernels) with figures. The report says elsewhere, once, why the
        others have none."""
        return [
            column
            for column in self.matrix.columns
            if any(one.status is not Status.UNSUPPORTED for one in self.matrix.records(column))
        ]

    def column(self, label: str) -> Column | None:
        """Returns the column with this label, if the suite has it."""
        labels = self.matrix.labels
        return next((column for column in self.matrix.columns if labels[column] == label), None)

    @property
    def is_clocked(self) -> bool:
        return self.matrix.is_clocked

    def unbeaten(self, column: Column) -> int:
        """Returns the number of rows (scenarios) in which no kernel is faster than this one."""
        return sum(column in found for found in self.standings.values())

    @property
    def decided(self) -> int:
        """Returns the number of rows (scenarios) in which at least one kernel is faster than
        another."""
        return sum(map(bool, self.standings.values()))

    def is_explained(self, record: Record) -> bool:
        items = (item for scenario in self.scenarios for item in scenario.distributions)
        return any(item.record == record and item.explained for item in items)


@dataclass(frozen=True)
class Scenario:
    label: str
    scale: charts.Scale
    ranges: Sequence[charts.Range]
    distributions: tuple[Distribution, ...]

    @property
    def overlay(self) -> charts.Overlay | None:
        return charts.overlay({one.label: one.lengths for one in self.distributions if one.lengths})

    def range_of(self, record: Record) -> charts.Range | None:
        return next((range_ for range_ in self.ranges if range_.record is record), None)


@dataclass(frozen=True)
class FootprintRow:
    """The size of one image in bytes, by part of the image, and each part as a percentage of the
    largest code in the table."""

    build: str
    scenario: str
    bytes: Mapping[str, int]
    share: float


@dataclass(frozen=True)
class RunPage:
    run: Run
    headline: tuple[str, ...]
    sections: tuple[Section, ...]
    failed: int
    not_passed: tuple[failures.Group, ...]
    features: tuple[tuple[str, Mapping[str, str]], ...]  # name -> kernel -> value
    footprints: tuple[FootprintRow, ...]
    kernels: tuple[str, ...]
    facts: Mapping[str, Sequence[Fact]]
    differences: Mapping[str, Any]

    @property
    def title(self) -> str:
        named = (f"{one.matrix.suite} on {one.matrix.board}" for one in self.sections)
        suites = ", ".join(named) if len(self.sections) < 3 else f"{len(self.sections)} suites"
        asks = any(section.panels for section in self.sections)
        return f"{suites}: which kernel is faster, and how sure" if asks else suites

    @property
    def boards(self) -> int:
        return len({section.matrix.board for section in self.sections})

    @property
    def labels(self) -> list[str]:
        """Returns the labels of all columns, in their order."""
        every = (section.matrix.labels.values() for section in self.sections)
        return list(dict.fromkeys(chain.from_iterable(every)))


def write(
    runs: Sequence[Run] | Run,
    source: SampleSource,
    path: Path,
    about: About = _NOTHING_KNOWN,
    explain: Explainer = lambda _: None,
    asked: Asked = _NOTHING_ASKED,
) -> None:
    """Writes the report of `runs` to `path`. `explain` returns the explanation of a record, or
    None."""
    save(render([runs] if isinstance(runs, Run) else runs, source, about, explain, asked), path)


def save(text: str, path: Path) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise TicklabError(
            f"cannot write the report {path}: {error.strerror}", "choose another file with -o"
        ) from error


def render(
    runs: Sequence[Run],
    source: SampleSource,
    about: About = _NOTHING_KNOWN,
    explain: Explainer = lambda _: None,
    asked: Asked = _NOTHING_ASKED,
) -> str:
    template = templates.environment().get_template("report.html.jinja")
    return template.render(
        two=two_runs.compare(runs),
        pages=[_page(run, source, about, explain, asked) for run in runs],
        grades=provenance.GRADES,
        standings=ranking.DEFINITIONS,
        script=_SCRIPT.read_text(),
        script_hash=_sha256(_SCRIPT.read_text()),
    )


def _sha256(script: str) -> str:
    """Returns the hash of the page's script. The content security policy names it, so that browsers
    run this script and no other."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


# --- Collecting the data of the report ------------------------------------------------------------


def _page(
    run: Run, source: SampleSource, about: About, explain: Explainer, asked: Asked
) -> RunPage:
    kernels = tuple(dict.fromkeys(record.kernel for record in run.records))
    return RunPage(
        run=run,
        headline=tuple(provenance.headline(run)),
        sections=_sections(run, source, about, explain, asked),
        failed=failures.failed(run.records),
        not_passed=failures.groups(run.records),
        features=tuple(_features(run)),
        footprints=tuple(_footprints(run)),
        kernels=kernels,
        facts={kernel: about.facts[kernel] for kernel in kernels if about.facts.get(kernel)},
        differences=provenance.configuration_differences(run),
    )


def _sections(
    run: Run, source: SampleSource, about: About, explain: Explainer, asked: Asked
) -> tuple[Section, ...]:
    """Returns a section for each suite; the suite that distinguishes the kernels best comes
    first."""
    every = (
        _section(run, matrix, source, about, explain, asked) for matrix in matrices(run.records)
    )
    return tuple(sorted(every, key=_contrast, reverse=True))


def _contrast(section: Section) -> tuple[int, float]:
    return section.panels.contrast if section.panels else (0, 0.0)


def _section(
    run: Run,
    matrix: Matrix,
    source: SampleSource,
    about: About,
    explain: Explainer,
    asked: Asked,
) -> Section:
    base, lanes = reference(matrix, asked.reference), run.lanes.get(matrix.board, ())
    without = about.without_isolation
    prices = {row: tuple(ranking.prices(matrix, row, lanes, without)) for row in matrix.rows}
    others = [column for column in matrix.columns if column != base]
    found_unlike = {column: unlike(run, matrix, column, base) for column in others}
    declared = about.plots.get(matrix.suite, ())
    clock_hz, deadline = clock_of(run, matrix.board), asked.deadline
    cycles = partial(_cycles_by_position, source)
    return Section(
        matrix,
        base,
        dict(_comparisons(run, matrix, base)),
        {row: ranking.standings(matrix, row, lanes) for row in matrix.rows},
        prices if _tells(prices) else {},
        {column: differences for column, differences in found_unlike.items() if differences},
        tuple(_scenario(matrix, row, source, explain) for row in matrix.rows),
        plots.drawings(matrix, declared),
        plots.by_parameter(matrix, declared),
        panels(run, matrix, asked.reference, asked.unit),
        provenance.summary(run, matrix.board),
        latency.overlays(matrix, lanes, clock_hz, cycles, deadline),
        deadline,
        tuple(tallies(matrix, deadline, clock_hz)) if deadline else (),
    )


def _cycles_by_position(
    source: SampleSource, record: Record, lanes: Sequence[Lane]
) -> list[float] | None:
    """Returns the high bound of the cycles at each position of a sweep; None if samples or cycles
    are missing."""
    costly = {lane.name: lane.high for lane in lanes if lane.high and lane.name != "instructions"}
    if not costly or record.measurement is None:
        return None
    try:
        columns = source.samples(record.measurement, record.span, tuple(costly))
    except TicklabError:
        return None
    cycles = sum(np.asarray(columns[name]) * cost for name, cost in costly.items())
    found: list[float] = np.asarray(cycles).tolist()
    return found if record.curve and len(found) == len(record.curve.instructions) else None


def _tells(prices: Mapping[Row, Sequence[Price]]) -> bool:
    """Returns whether isolation costs anything in any test, that is, whether the cycles of a kernel
    with isolation differ from those of the same kernel without it."""
    found = (price.comparison.verdict for each in prices.values() for price in each)
    return any(verdict is not Verdict.EQUAL for verdict in found)


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
    found = [
        replace(
            _distribution(label, record, source),
            explained=explain(record),
            reported=_reported(record),
        )
        for label, record in passed
    ]
    label = row_label(row, matrix.rows)
    return Scenario(label, scale, ranges, tuple(_against_first(one, found) for one in found))


def _against_first(item: Distribution, every: Sequence[Distribution]) -> Distribution:
    """Returns the distribution `item` with a comparison of its explanation with that of the first
    explained build of the same kernel. Returns that first build unchanged."""
    kernel = item.record.kernel
    same = (one for one in every if one.record.kernel == kernel and one.explained)
    first = next(same, item)
    if first is item or item.explained is None or first.explained is None:
        return item
    against = Against(first.label, first.explained.span)
    return replace(item, explained=replace(item.explained, against=against))


def _distribution(label: str, record: Record, source: SampleSource) -> Distribution:
    if record.measurement is None:
        return Distribution(label, record, None, None, 0, missing="no samples were kept")
    try:
        columns = source.samples(record.measurement, record.span)
    except TicklabError as error:
        return Distribution(label, record, None, None, 0, missing=error.message)
    lengths, flags = np.asarray(columns["length"]), np.asarray(columns["flags"])
    warm_up = flags & int(Flag.WARM_UP) != 0
    clean, others = _counted(lengths[flags == 0]), _counted(lengths[(flags != 0) & ~warm_up])
    return Distribution(
        label,
        record,
        charts.histogram("clean samples", clean),
        charts.histogram("with a tick or a foreign interrupt inside", others),
        int(warm_up.sum()),
        clean,
    )


def _reported(record: Record) -> Histogram | None:
    found = record.figures.reported
    if found is None:
        return None
    beyond = found.n - sum(number for _, number in found.histogram)
    title = f"as the program reports them, virtual ns (1 an instruction); {beyond:,} are longer"
    return charts.histogram(title, dict(found.histogram))


def _counted(lengths: NDArray[np.int64]) -> dict[int, int]:
    values, counts = np.unique(lengths, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _footprints(run: Run) -> Iterator[FootprintRow]:
    builds: Mapping[str, Mapping[str, Mapping[str, int]]] = run.provenance.get("footprints", {})
    rows = [(build, name, of) for build, each in builds.items() for name, of in each.items()]
    greatest = max((of["code"] + of["constants"] for _, _, of in rows), default=0) or 1
    for build, name, of in rows:
        share = round(100 * (of["code"] + of["constants"]) / greatest, 2)
        yield FootprintRow(build.rpartition("/")[0], name, of, share)


def _features(run: Run) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Returns every declared feature with its value for each kernel."""
    declared = {record.kernel: record.features for record in run.records}
    for name in sorted({name for features in declared.values() for name in features}):
        is_proven = name in FEATURES and FEATURES[name].is_provable
        yield (
            name if is_proven else f"{name} (declared, not proven)",
            {kernel: figures.yes_no(features.get(name)) for kernel, features in declared.items()},
        )
