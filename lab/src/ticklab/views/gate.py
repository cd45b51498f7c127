# SPDX-License-Identifier: MIT
"""Prints the changes of a run since a baseline, one on each line, for people and build logs; and as
JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta
from rich.console import Console
from rich.text import Text

from ticklab.comparison.compare import Verdict
from ticklab.comparison.gate import Change, ChangeKind, SizeChange, size_changes
from ticklab.description.model import Record, Run
from ticklab.description.result import Number
from ticklab.storage.baseline import Baseline
from ticklab.views import figures
from ticklab.views.document import SCHEMA, FigureName, Part, Schema, name_of

_STYLES = {
    ChangeKind.WORSE: "bold red",
    ChangeKind.GONE: "bold red",
    ChangeKind.BETTER: "green",
    ChangeKind.OVER: "bold red",
}


def show(name: str, kept: Baseline, now: Run, changes: Sequence[Change], out: Console) -> None:
    for change in changes:
        line = f"{change.kind.value}: {label(change.then)}: {explanation(change)}"
        out.print(Text(line, style=_STYLES[change.kind]), soft_wrap=True)
    for size in size_lines(sizes_of(kept, now)):
        out.print(Text(size), soft_wrap=True)
    counts = summary(changes)
    out.print(Text(f"{judged(kept)} figures of baseline {name} against run {now.id}: {counts}"))


def sizes_of(kept: Baseline, now: Run) -> tuple[SizeChange, ...]:
    """Returns the builds whose footprint changed, with the change in bytes."""
    before, after = (run.provenance.get("footprints", {}) for run in (kept.run, now))
    return size_changes(before, after)


def size_lines(changes: Sequence[SizeChange]) -> list[str]:
    return [
        f"footprint: {one.build}: {one.quantity} {one.then:,} → {one.now:,} "
        f"({one.now - one.then:+,})"
        for one in changes
    ]


def judged(kept: Baseline) -> int:
    """Returns the number of figures in the baseline that the gate judges."""
    return sum(entry.plan is not None for entry in kept.entries)


def summary(changes: Sequence[Change]) -> str:
    """Returns a text with the number of changes of each kind."""
    counts = {kind: sum(change.kind is kind for change in changes) for kind in ChangeKind}
    return ", ".join(f"{count} {kind.value}" for kind, count in counts.items())


def label(record: Record) -> str:
    """Returns the name of a record: its build, and what was measured."""
    return f"{build(record)} {measured(record)}"


def build(record: Record) -> str:
    return f"{record.kernel}/{record.config} {record.optimise} {record.board}"


def measured(record: Record) -> str:
    """Returns what a record measures: suite, scenario and span, the parameters, and the code layout
    if it is not layout 0."""
    parameters = [f"{name}={value}" for name, value in sorted(record.params.items())]
    layout = [f"layout {record.layout}"] if record.layout else []
    return " ".join([record.suite, record.scenario, record.span, *parameters, *layout])


def explanation(change: Change) -> str:
    """Returns the figures of a change, before and now, and the function that changed most if one is
    known."""
    return "; ".join(part for part in (both_figures(change), _cause(change)) if part)


def both_figures(change: Change) -> str:
    """Returns the figures of a change, before and now, or the reason why there are none now."""
    if change.excess:
        over = change.excess
        return f"{over.found:,g} {over.quantity}, {over.limit:,} at most"
    if change.kind is ChangeKind.GONE:
        return f"no figures any more: {change.now.reason if change.now else 'not measured'}"
    return "; ".join(part for part in (_instructions(change), _cycles(change)) if part)


def _instructions(change: Change) -> str:
    assert change.now
    then, now = figures.counted(change.then), figures.counted(change.now)
    compared = change.comparison
    percent = (
        f" ({figures.exact_change(compared.instructions)})"
        if compared and compared.instructions is not None
        else ""
    )
    return f"instructions {then} → {now}{percent}"


def _cycles(change: Change) -> str:
    assert change.now
    if change.then.figures.cycles is None or change.now.figures.cycles is None:
        return ""
    verdict = change.comparison.verdict if change.comparison else None
    said = f" ({verdict.value})" if verdict else ""
    return (
        f"cycles {figures.format_cycles(change.then)} → {figures.format_cycles(change.now)}{said}"
    )


def _cause(change: Change) -> str:
    if change.cause is None:
        return ""
    return f"{change.cause.function} {change.cause.instructions:+.4g} instructions"


# --- JSON -----------------------------------------------------------------------------------------


class ThenAndNow(Part, frozen=True):
    """One quantity in the baseline and in the run."""

    then: Annotated[Number | None, Meta(description="its value in the baseline")]
    now: Annotated[
        Number | None, Meta(description="its value in the run; null if it was not measured")
    ]


class ExcessFields(Part, frozen=True):
    """The figure and the budget that it exceeds."""

    quantity: Annotated[
        str,
        Meta(description="`instructions`, `cycles`, `bytes of code` or `bytes of variables`"),
    ]
    found: Annotated[Number, Meta(description="the measured figure")]
    limit: Annotated[int, Meta(description="the greatest value that ticklab.toml allows")]


class ChangeFields(FigureName, frozen=True):
    """A figure that differs from the baseline, or is above its budget."""

    kind: Annotated[ChangeKind, Meta(description="`worse`, `better`, `gone` or `over budget`")]
    instructions: Annotated[ThenAndNow, Meta(description="instructions a sample, counted")]
    verdict: Annotated[
        Verdict | None,
        Meta(
            description="`faster`, `slower`, `equal` or `undecided`: the run against the baseline, "
            "by cycles in every corner of the model; null without a cycle model"
        ),
    ]
    function: Annotated[
        str | None, Meta(description="the function that changed most; null if unknown")
    ]
    function_file: Annotated[str | None, Meta(description="the source file of that function")]
    function_instructions: Annotated[
        Number | None, Meta(description="the change of that function in instructions a sample")
    ]
    budget: Annotated[ExcessFields | None, Meta(description="the budget, if it is exceeded")]
    reason: Annotated[str | None, Meta(description="why there is no figure any more, in words")]


class SizeFields(Part, frozen=True):
    """The bytes of a kernel in the largest image of a build, in the baseline and in the run."""

    build: Annotated[str, Meta(description="kernel, configuration, level and board")]
    quantity: Annotated[str, Meta(description="`bytes of code` or `bytes of variables`")]
    then: Annotated[int, Meta(description="its value in the baseline")]
    now: Annotated[int, Meta(description="its value in the run")]


class GateFields(Part, frozen=True):
    """The changes of a run since a baseline, as `gate --json` prints them."""

    schema: Schema
    baseline: Annotated[str, Meta(description="the id of the run in the baseline")]
    run: Annotated[str, Meta(description="the id of the run that was compared")]
    changes: Annotated[list[ChangeFields], Meta(description="empty if every figure is the same")]
    footprints: Annotated[
        list[SizeFields], Meta(description="footprints that changed; only budgets judge them")
    ]


def document(kept: Baseline, now: Run, changes: Sequence[Change]) -> GateFields:
    sizes = [SizeFields(**vars(size)) for size in sizes_of(kept, now)]
    return GateFields(SCHEMA, kept.run.id, now.id, [_change(change) for change in changes], sizes)


def _change(change: Change) -> ChangeFields:
    compared, cause, over = change.comparison, change.cause, change.excess
    return ChangeFields(
        **name_of(change.then),
        kind=change.kind,
        instructions=ThenAndNow(change.then.counted, change.now.counted if change.now else None),
        verdict=compared.verdict if compared else None,
        function=cause.function if cause else None,
        function_file=cause.file if cause else None,
        function_instructions=cause.instructions if cause else None,
        budget=ExcessFields(over.quantity, over.found, over.limit) if over else None,
        reason=change.now.reason if change.now else None,
    )
