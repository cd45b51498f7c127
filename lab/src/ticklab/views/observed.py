# SPDX-License-Identifier: MIT
"""The output of `observe`: the figures of each span, the passes of marks that belong to no sample,
and how the run ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import Meta
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.analysis.pairing import Pairs, Scope
from ticklab.analysis.samples import Flag
from ticklab.description.observation import End
from ticklab.description.span import ENTRY
from ticklab.measurement import observing
from ticklab.measurement.observing import Found
from ticklab.targets.protocol import AddedMark, Observation, ObservationPlan
from ticklab.views import figures, json
from ticklab.views.document import SCHEMA, Part, Schema
from ticklab.views.run_document import (
    Clean,
    CyclesFields,
    Exceptions,
    Interrupted,
    Reads,
    Writes,
)

_HEADS = ("samples", "least", "median", "mean", "most", "exceptions", "cycles, modelled")
_SHOWN = ("instructions", "interrupted", "exceptions", "reads", "writes", "cycles")
_CONSOLE_LINES = 20
_SCOPES = {
    Scope.CALL: "each sample lies in one call",
    Scope.TASK: "an end belongs to the last begin of its own task, or of any if that began none",
    Scope.ORDER: "samples are paired by order alone: this board follows no calls",
}


def show(
    out: Console,
    plan: ObservationPlan,
    passed: Mapping[str, int],
    found: Sequence[Found],
    seen: Observation,
) -> None:
    for name in plan.names:
        out.print(Text(f"{name}{_places(plan, name)}: {passed[name]:,} passes"))
    out.print(_table(found))
    for one in found:
        for line in _notes(one):
            out.print(Text(line))
    if faults := observing.faults(seen):
        out.print(Text(f"Faults: {faults}."))
    out.print(Text(f"The run ended: {observing.ended(seen.ending)}."))
    _show_console(out, seen.ending.console)
    if seen.ending.flooded:
        out.print(Text("The guest flooded its console: what came after these lines is discarded."))


def _places(plan: ObservationPlan, name: str) -> str:
    """Returns the addresses of a mark in the image; an empty text for a mark at the entries of
    exceptions."""
    found = [mark for mark in plan.marks if mark.name == name]
    verb = "at" if not any(mark.is_write for mark in found) else "at writes to"
    places = ", ".join(f"{mark.address:#x}" for mark in found)
    return f" {verb} {places}" if found else ""


def _table(found: Sequence[Found]) -> Table:
    table = Table("span", box=SIMPLE_HEAD, title="instructions, counted", title_justify="left")
    for head in _HEADS:
        table.add_column(head, justify="right")
    for span, of in ((one.span, one.figures) for one in found):
        for label, stats in (("", of.instructions), (", interrupted", of.interrupted)):
            if stats:
                clean = stats is of.instructions
                table.add_row(
                    Text(span + label),
                    *(figures.count(x) for x in (stats.n, stats.min, stats.p50, stats.mean)),
                    figures.count(stats.max),
                    f"{of.exceptions:g}" if clean else figures.NOTHING,
                    figures.cycles(of.cycles) if clean else figures.NOTHING,
                )
    return table


def _notes(found: Found) -> Iterator[str]:
    """Yields notes about the figures of one span, for example about passes of its marks that belong
    to no sample."""
    name = found.span
    if found.pairs:
        yield f"{name}: {_pairing(found)}."
    if not found.figures.instructions:
        foreign = bool((found.samples.flags & Flag.FOREIGN).any())
        what = "an external interrupt" if foreign else "a tick"
        hint = "; --external N says how many belong to it" if foreign else ""
        yield f"{name}: every sample had {what} inside{hint}."


def _pairing(found: Found) -> str:
    assert found.pairs
    pairs, words = found.pairs, [_SCOPES[found.pairs.scope]]
    if found.selection != observing.EVERY:
        words.append(
            f"each {observing.selected(found.selection)}, {pairs.left_out:,} others do not"
        )
    if pairs.crossing:
        words.append(f"{pairs.crossing:,} samples end in another task or handler than they began")
    if pairs.without_end:
        words.append(f"not paired: {pairs.without_end:,} of {pairs.begins:,} begins")
    if pairs.without_begin:
        words.append(f"not paired: {pairs.without_begin:,} of {pairs.ends:,} ends")
    return "; ".join(words)


def _show_console(out: Console, text: str) -> None:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return
    out.print(Text("The guest's console:"))
    if len(lines) > _CONSOLE_LINES:
        out.print(Text(f"  … {len(lines) - _CONSOLE_LINES} lines before"))
    for line in lines[-_CONSOLE_LINES:]:
        out.print(Text(f"  {line}"))


# --- JSON -----------------------------------------------------------------------------------------


class MarkFields(Part, frozen=True):
    """A mark of the image, or a mark at the entries of one kind of exception, with the number of
    its passes."""

    name: Annotated[str, Meta(description="the name of the mark")]
    address: Annotated[int, Meta(description="its address; 0 for entries of exceptions")]
    passes: Annotated[int, Meta(description="how often execution passed it")]


class PairingFields(Part, frozen=True):
    """How the passes of a span's first mark were paired with passes of its second mark."""

    scope: Annotated[Scope, Meta(description="`call`, `task` or `order`")]
    begins: Annotated[int, Meta(description="passes of the mark that begins the span")]
    ends: Annotated[int, Meta(description="passes of the mark that ends the span")]
    begins_without_end: Annotated[
        int, Meta(description="passes of the first mark that belong to no sample")
    ]
    ends_without_begin: Annotated[
        int, Meta(description="passes of the second mark that belong to no sample")
    ]
    crossing: Annotated[
        int, Meta(description="samples that end in another task or handler than they began")
    ]
    left_out: Annotated[
        int, Meta(description="samples of other tasks or depths than those that were selected")
    ]


class ObservedFields(Part, frozen=True):
    """The figures of a span. A record of a run has fields of the same names."""

    span: Annotated[str, Meta(description="the span: `BEGIN..END`, or the name of a call")]
    instructions: Clean
    interrupted: Interrupted
    exceptions: Exceptions
    reads: Reads
    writes: Writes
    cycles: Annotated[
        CyclesFields | None,
        Meta(
            description='`{"low": STATS, "high": STATS, "profile"}` if modelled, `{"exact": '
            "STATS}` if clocked; null without cycles"
        ),
    ]
    pairing: Annotated[
        PairingFields | None,
        Meta(description="how passes of the two marks were paired; null if the span has one mark"),
    ]


class EndFields(Part, frozen=True):
    """How the run ended."""

    reason: Annotated[End, Meta(description="why the run ended: one of a fixed set of words")]
    words: Annotated[str, Meta(description="how the run ended, in words")]
    status: Annotated[int | None, Meta(description="the exit status of the guest")]
    pc: Annotated[int | None, Meta(description="the address at which it ended")]
    symbol: Annotated[str | None, Meta(description="the function at that address")]
    faults: Annotated[str | None, Meta(description="the faults that the guest took, in words")]


class ObservationFields(Part, frozen=True):
    """The observation of one run of an image."""

    schema: Schema
    image: Annotated[str, Meta(description="the SHA-256 of the image")]
    board: Annotated[str, Meta(description="the board that it ran on")]
    marks: Annotated[list[MarkFields], Meta(description="the marks, in the order of the options")]
    records: Annotated[list[ObservedFields], Meta(description="one for each span")]
    end: Annotated[EndFields, Meta(description="how the run ended")]
    console: Annotated[str, Meta(description="what the guest printed")]
    console_flooded: Annotated[
        bool, Meta(description="whether the guest printed more, which was discarded")
    ]


def document(
    image: str,
    board: str,
    plan: ObservationPlan,
    passed: Mapping[str, int],
    found: Sequence[Found],
    seen: Observation,
) -> ObservationFields:
    """Returns the JSON document of `observe --json`."""
    marks = (*plan.marks, *(AddedMark(ENTRY + kind, 0) for kind in plan.entries))
    return ObservationFields(
        schema=SCHEMA,
        image=image,
        board=board,
        marks=[MarkFields(mark.name, mark.address, passed[mark.name]) for mark in marks],
        records=[_record(one) for one in found],
        end=_end(seen),
        console=seen.ending.console,
        console_flooded=seen.ending.flooded,
    )


def _record(found: Found) -> ObservedFields:
    every = json.figures_object(found.figures, found.figures)
    shown = {name: every[name] for name in _SHOWN}
    return ObservedFields(span=found.span, **shown, pairing=_counts(found.pairs))


def _end(seen: Observation) -> EndFields:
    ending = seen.ending
    return EndFields(
        reason=ending.end,
        words=observing.ended(ending),
        status=ending.status,
        pc=ending.pc,
        symbol=ending.symbol,
        faults=observing.faults(seen),
    )


def _counts(pairs: Pairs | None) -> PairingFields | None:
    if pairs is None:
        return None
    return PairingFields(
        scope=pairs.scope,
        begins=pairs.begins,
        ends=pairs.ends,
        begins_without_end=pairs.without_end,
        ends_without_begin=pairs.without_begin,
        crossing=pairs.crossing,
        left_out=pairs.left_out,
    )
