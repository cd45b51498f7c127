# SPDX-License-Identifier: MIT
"""The output of `observe`: the figures of each span, passes without a partner, and the end of the
run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.analysis.pairing import Pairs, Scope
from ticklab.analysis.samples import Flag
from ticklab.description.span import ENTRY
from ticklab.measurement import observing
from ticklab.measurement.observing import Found
from ticklab.targets.protocol import AddedMark, Observation, ObservationPlan
from ticklab.views import figures, json

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
    """Returns where a mark is; nothing for one at exceptions."""
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
    """Prints the notes on the figures of one span."""
    name = found.span
    if found.pairs:
        yield f"{name}: {_pairing(found.pairs)}."
    if not found.figures.instructions:
        foreign = bool((found.samples.flags & Flag.FOREIGN).any())
        what = "an external interrupt" if foreign else "a tick"
        hint = "; --external N says how many belong to it" if foreign else ""
        yield f"{name}: every sample had {what} inside{hint}."


def _pairing(pairs: Pairs) -> str:
    words = [_SCOPES[pairs.scope]]
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


def document(
    image: str,
    board: str,
    plan: ObservationPlan,
    passed: Mapping[str, int],
    found: Sequence[Found],
    seen: Observation,
) -> dict[str, Any]:
    """Returns the same as JSON values."""
    ending = seen.ending
    return {
        "schema": 1,
        "image": image,
        "board": board,
        "marks": [
            {"name": mark.name, "address": mark.address, "passes": passed[mark.name]}
            for mark in (*plan.marks, *(AddedMark(ENTRY + kind, 0) for kind in plan.entries))
        ],
        "records": [{**_figures(one), "pairing": _counts(one.pairs)} for one in found],
        "end": {
            "reason": ending.end.value,
            "words": observing.ended(ending),
            "status": ending.status,
            "pc": ending.pc,
            "symbol": ending.symbol,
            "faults": observing.faults(seen),
        },
        "console": ending.console,
        "console_flooded": ending.flooded,
    }


def _figures(found: Found) -> dict[str, Any]:
    every = json.figures_object(found.figures, found.figures)
    return {"span": found.span, **{name: every[name] for name in _SHOWN}}


def _counts(pairs: Pairs | None) -> dict[str, Any] | None:
    if pairs is None:
        return None
    return {
        "scope": pairs.scope.value,
        "begins": pairs.begins,
        "ends": pairs.ends,
        "begins_without_end": pairs.without_end,
        "ends_without_begin": pairs.without_begin,
        "crossing": pairs.crossing,
    }
