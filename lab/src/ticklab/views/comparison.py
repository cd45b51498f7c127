# SPDX-License-Identifier: MIT
"""Shows two selections of records side by side, the first as reference, on the terminal and as
JSON.

`changes` collects the pairs of records for both outputs. A change in instructions is exact. A ratio
of modelled cycles is an interval, with a verdict that holds in every corner of the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.analysis import statistics
from ticklab.comparison import compare, placement
from ticklab.comparison.compare import Comparison, Difference, Interval
from ticklab.comparison.placement import Placed
from ticklab.comparison.published import Published
from ticklab.comparison.selection import Pairing, Selection
from ticklab.description.model import Record, Status
from ticklab.summary.matrix import usual_params_note, usual_values
from ticklab.views import figures
from ticklab.views.comparison_document import (
    ComparisonFields,
    MeasuredFields,
    PairFields,
    PublishedFields,
    PublishedRow,
    SelectionFields,
    Summary,
)
from ticklab.views.document import SCHEMA
from ticklab.views.table import verdict_text

_COUNTED = ("A instr.", "exc.", "B instr.", "exc.", "change")
_MODELLED = ("A ~cycles", "B ~cycles", "~change", "B is")


@dataclass(frozen=True)
class RecordPair:
    first: Record
    second: Record
    comparison: Comparison | None  # second against first; None unless both passed


def summaries(found: Sequence[RecordPair]) -> tuple[Summary, ...]:
    """Returns a summary for each suite with at least two ratios. The means leave out figures that
    are computed from other figures, and scenarios that do not exercise the kernel."""
    suites = dict.fromkeys(change.first.suite for change in found)
    measured = [change for change in found if not change.first.formula]
    made = (_summary(suite, [c for c in measured if c.first.suite == suite]) for suite in suites)
    return tuple(summary for summary in made if summary)


def _summary(suite: str, found: Sequence[RecordPair]) -> Summary | None:
    idle = dict.fromkeys(c.first.scenario for c in found if not c.first.exercises_kernel)
    telling = [c.comparison for c in found if c.first.scenario not in idle]
    compared = [one for one in telling if one and one.instructions]
    counts = [one.instructions for one in compared if one.instructions]
    cycles = [one.cycles for one in compared if one.cycles]
    if len(counts) < 2:
        return None
    mean, spread = statistics.geometric(counts)
    whole = len(cycles) == len(counts) and all(each.low > 0 for each in cycles)
    interval = _mean_interval(cycles) if whole else None
    return Summary(suite, len(counts), tuple(idle), mean, spread, interval)


def _mean_interval(cycles: Sequence[Interval]) -> Interval:
    low, _ = statistics.geometric([each.low for each in cycles])
    high, _ = statistics.geometric([each.high for each in cycles])
    return Interval(low, high)


def changes(first: Selection, second: Selection, pairing: Pairing) -> tuple[RecordPair, ...]:
    """Returns one pair of records for each span of a case, whose ratio is taken over all code
    placements of the case."""
    others = {id(one): other for one, other in pairing.pairs}
    groups = placement.group(one for one, _ in pairing.pairs)
    return tuple(
        RecordPair(placed[0], others[id(placed[0])], _compare(first, placed, second, theirs))
        for placed in groups
        for theirs in [tuple(others[id(one)] for one in placed)]
    )


def differences(first: Selection, second: Selection, pairing: Pairing) -> tuple[Difference, ...]:
    """Returns the differences between the builds that forbid ranking any of the pairs, each
    difference once. The second selection is the subject and the first its reference, as in every
    ratio and verdict."""
    passed = [pair for pair in pairing.pairs if all(one.status is Status.PASS for one in pair)]
    found = [
        difference
        for one, other in passed
        for difference in compare.differences(second.run, other, first.run, one)
    ]
    return tuple(dict.fromkeys(found))


def _compare(
    first: Selection, references: Placed, second: Selection, subjects: Placed
) -> Comparison | None:
    lanes = second.run.lanes.get(subjects[0].board, ())
    reference_lanes = first.run.lanes.get(references[0].board, ())
    return placement.compare_all(subjects, references, lanes, reference_lanes, anyway=True)


# --- Terminal -------------------------------------------------------------------------------------


def show(
    first: Selection,
    second: Selection,
    pairing: Pairing,
    unlike: Sequence[Difference],
    out: Console,
) -> None:
    """Prints the comparison. The differences in `unlike`, which the user chose to ignore, are
    printed first."""
    out.print(Text(f"A  {first.title}\nB  {second.title}"))
    for difference in unlike:
        out.print(Text(f"not alike, ranked anyway: {difference}", style="bold yellow"))
    found = changes(first, second, pairing)
    out.print()
    out.print(Text("COUNTED, exact: instructions and exceptions", style="bold"))
    out.print(_table(_COUNTED, _named(found, _counted)))
    if any(change.comparison and change.comparison.cycles for change in found):
        out.print()
        out.print(Text("MODELLED, low–high: cycles; is B faster than A?", style="bold"))
        out.print(_table(_MODELLED, _named(found, _modelled)))
    if usual := _usual(found):
        out.print(Text(usual_params_note(usual), style="dim"))
    for line in _formulas(found):
        out.print(Text(line, style="dim"))
    for summary in summaries(found):
        out.print()
        out.print(Text(summary_text(summary)))
    out.print()
    for line in _alone("A", pairing.only_first), _alone("B", pairing.only_second):
        if line:
            out.print(Text(line, style="dim"))


def summary_text(summary: Summary) -> str:
    counted = f"instructions × {summary.instructions:.3f}, spread ×÷ {summary.spread:.3f}"
    modelled = f"; cycles {figures.ratio(summary.cycles)}" if summary.cycles else ""
    left_out = f" (without {', '.join(summary.left_out)}: no kernel)" if summary.left_out else ""
    rows = f"{summary.scenarios} rows{left_out}"
    return f"{summary.suite}, B ÷ A, geometric mean of {rows}: {counted}{modelled}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[Text]]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("scenario", overflow="fold")  # only this column may become narrower
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _counted(change: RecordPair) -> list[Text]:
    cells = [Text(cell) for record in (change.first, change.second) for cell in _counts(record)]
    found = change.comparison.instructions if change.comparison else None
    percent = figures.NOTHING if found is None else figures.exact_change(found)
    return [*cells, Text(percent)]


def _counts(record: Record) -> tuple[str, str]:
    if record.status is not Status.PASS:
        return record.status.value, ""
    count = record.figures.exceptions
    exceptions = figures.NOTHING if count is None else figures.count(count)
    return figures.counted(record), exceptions


def _modelled(change: RecordPair) -> list[Text]:
    bounds = [Text(figures.format_cycles(record)) for record in (change.first, change.second)]
    found = change.comparison
    if found is None or found.cycles is None:
        return [*bounds, Text(figures.NOTHING), Text(figures.NOTHING)]
    return [*bounds, Text(figures.change(found.cycles)), verdict_text(found)]


def _named(
    found: Sequence[RecordPair], cells: Callable[[RecordPair], list[Text]]
) -> Iterator[Sequence[Text]]:
    for name, change in zip(names(found), found, strict=True):
        yield [Text(name), *cells(change)]


def _usual(found: Sequence[RecordPair]) -> dict[str, str]:
    return usual_values(sorted(change.first.params.items()) for change in found)


def names(found: Sequence[RecordPair]) -> list[str]:
    """Returns the name of each row: the scenario, its span if it has several, its unusual
    parameters, and the properties of suite and build in which rows differ and the two sides do
    not."""
    usual = _usual(found)
    spans = Counter(scenario for scenario, _ in {(c.first.scenario, c.first.span) for c in found})
    telling = [
        name
        for name in ("suite", "kernel", "config", "optimise", "board")
        if len({getattr(change.first, name) for change in found}) > 1
    ]
    return [
        " ".join(
            [
                c.first.scenario,
                *([c.first.span] if spans[c.first.scenario] > 1 else []),
                *(f"{k}={v}" for k, v in sorted(c.first.params.items()) if v != usual[k]),
                *(getattr(c.first, name) for name in telling),
            ]
        )
        for c in found
    ]


def _formulas(found: Sequence[RecordPair]) -> list[str]:
    computed = (change.first for change in found if change.first.formula)
    return list(dict.fromkeys(f"{one.scenario} = {one.formula}" for one in computed))


def _alone(side: str, records: Sequence[Record]) -> str:
    names = ", ".join(dict.fromkeys(f"{record.scenario} {record.kernel}" for record in records))
    return f"only in {side}: {names}" if names else ""


# --- JSON -----------------------------------------------------------------------------------------


def document(
    first: Selection, second: Selection, pairing: Pairing, unlike: Sequence[Difference]
) -> ComparisonFields:
    found = changes(first, second, pairing)
    return ComparisonFields(
        schema=SCHEMA,
        first=SelectionFields(first.run.id, first.title, "reference"),
        second=SelectionFields(second.run.id, second.title, "subject"),
        unlike=list(unlike),
        pairs=[_pair(change) for change in found],
        suites=list(summaries(found)),
    )


def _pair(change: RecordPair) -> PairFields:
    found = change.comparison
    return PairFields(
        scenario=change.first.scenario,
        span=change.first.span,
        params=dict(change.first.params),
        formula=change.first.formula,
        first=MeasuredFields(**_measured(change.first)),
        second=MeasuredFields(**_measured(change.second)),
        instructions_ratio=found.instructions if found else None,
        cycles_ratio=found.cycles if found else None,
        verdict=found.verdict if found else None,
    )


def _measured(record: Record) -> dict[str, Any]:
    figures_of = {
        "status": record.status,
        "instructions": record.counted,
        "exceptions": record.figures.exceptions,
        "cycles": record.bounds,
    }
    names = ("kernel", "config", "optimise", "board")
    return {**{name: getattr(record, name) for name in names}, **figures_of}


# --- Beside published figures ---------------------------------------------------------------------


def show_published(selection: Selection, published: Published, out: Console) -> None:
    """Prints a selection beside published figures, without ranking, because the published images,
    boards and compilers differ from ours."""
    out.print(Text(selection.title))
    out.print(Text(f"beside {published.kernel} on {published.board}, {published.compiler}"))
    out.print(Text(f"source: {published.source}. Another image: set side by side, not ranked."))
    out.print()
    records = [record for record in selection.records if record.scenario in published.figures]
    cells = _published_instructions if published.clock_hz is None else _published_cycles
    last = "change" if published.clock_hz is None else "~ours ÷ published"
    heads = ("kernel", "ours", "published", last)
    unit = (
        "instructions, counted" if published.clock_hz is None else "cycles, ours ~modelled low–high"
    )
    out.print(Text(f"An iteration: {unit}", style="bold"))
    out.print(_table(heads, (cells(record, published) for record in records)))


def _published_instructions(record: Record, published: Published) -> list[Text]:
    theirs = published.figures[record.scenario]
    ours = record.figures.instructions.mean if record.figures.instructions else None
    change = figures.NOTHING if ours is None else figures.exact_change(ours / theirs)
    texts = (record.scenario, _build(record), _shown(record), figures.count(theirs), change)
    return [Text(text) for text in texts]


def _published_cycles(record: Record, published: Published) -> list[Text]:
    theirs = published.cycles(record.scenario)
    assert theirs is not None
    cycles = record.figures.cycles
    texts = [record.scenario, _build(record), figures.cycles(cycles), f"{theirs:,.1f}"]
    if cycles is None:
        return [Text(text) for text in (*texts, figures.NOTHING)]
    ratio = Interval(cycles.low.mean / theirs, cycles.high.mean / theirs)
    return [Text(text) for text in (*texts, figures.ratio(ratio))]


def _shown(record: Record) -> str:
    if record.status is not Status.PASS:
        return record.status.value
    return figures.instructions(record.figures.instructions)


def _build(record: Record) -> str:
    return f"{record.kernel}/{record.config} {record.optimise}"


def published_document(selection: Selection, published: Published) -> PublishedFields:
    rows = [
        PublishedRow(
            **_measured(record),
            scenario=record.scenario,
            published=published.figures[record.scenario],
            published_cycles=published.cycles(record.scenario),
        )
        for record in selection.records
        if record.scenario in published.figures
    ]
    return PublishedFields(SCHEMA, selection.run.id, published, rows)
