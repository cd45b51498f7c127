# SPDX-License-Identifier: MIT
"""Prints changes since a baseline: one line each, for people and build logs; and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from ticklab.comparison.budgets import Excess
from ticklab.comparison.gate import Change, ChangeKind
from ticklab.description.model import Record, Run
from ticklab.storage.baseline import Baseline
from ticklab.views import figures

SCHEMA = 1
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
    counts = summary(changes)
    out.print(Text(f"{judged(kept)} figures of baseline {name} against run {now.id}: {counts}"))


def judged(kept: Baseline) -> int:
    """Returns the number of figures that the gate judges."""
    return sum(entry.plan is not None for entry in kept.entries)


def summary(changes: Sequence[Change]) -> str:
    """Returns how many changes of each kind there are."""
    counts = {kind: sum(change.kind is kind for change in changes) for kind in ChangeKind}
    return ", ".join(f"{count} {kind.value}" for kind, count in counts.items())


def label(record: Record) -> str:
    """Returns what was measured, and of which build."""
    return f"{build(record)} {measured(record)}"


def build(record: Record) -> str:
    return f"{record.kernel}/{record.config} {record.optimise} {record.board}"


def measured(record: Record) -> str:
    """Returns the names of suite, scenario and span, the parameters, and the layout if it is not
    the first."""
    parameters = [f"{name}={value}" for name, value in sorted(record.params.items())]
    layout = [f"layout {record.layout}"] if record.layout else []
    return " ".join([record.suite, record.scenario, record.span, *parameters, *layout])


def explanation(change: Change) -> str:
    """Returns both figures, and the function that changed most if one is known."""
    return "; ".join(part for part in (both_figures(change), _cause(change)) if part)


def both_figures(change: Change) -> str:
    """Returns the figures before and now, or why there are none now."""
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


def document(kept: Baseline, now: Run, changes: Sequence[Change]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "baseline": kept.run.id,
        "run": now.id,
        "changes": [_change_object(change) for change in changes],
    }


def _change_object(change: Change) -> dict[str, Any]:
    record, compared = change.then, change.comparison
    identity = ("kernel", "config", "optimise", "board", "suite", "scenario", "span", "layout")
    return {
        **{name: getattr(record, name) for name in identity},
        "params": dict(record.params),
        "kind": change.kind.value,
        "instructions": {"then": _mean(record), "now": _mean(change.now)},
        "verdict": compared.verdict.value if compared and compared.verdict else None,
        "function": change.cause.function if change.cause else None,
        "function_file": change.cause.file if change.cause else None,
        "function_instructions": change.cause.instructions if change.cause else None,
        "budget": _excess_object(change.excess) if change.excess else None,
        "reason": change.now.reason if change.now else None,
    }


def _excess_object(excess: Excess) -> dict[str, Any]:
    return {"quantity": excess.quantity, "found": excess.found, "limit": excess.limit}


def _mean(record: Record | None) -> float | None:
    return record.counted if record else None
