# SPDX-License-Identifier: MIT
"""Compares a baseline with a new run: finds what changed, and what became worse.

Counted figures are compared exactly: one more instruction is a change. A modelled figure changed if
its difference, evaluated at the same corner for both, has the same sign in every corner of the
cycle model and is greater than the resolution of a mean (compare.py). Improvements are listed and
are no failures.

The module uses neither the store nor a target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ticklab.comparison import budgets, compare, placement
from ticklab.comparison.budgets import NO_FOOTPRINTS, Excess, Footprints
from ticklab.comparison.compare import Comparison, Verdict
from ticklab.description.budget import NO_SETTINGS, Settings
from ticklab.description.model import Lane, Record, Stats, Status
from ticklab.errors import ExitStatus
from ticklab.storage.baseline import Baseline, BaselineEntry, Functions


class ChangeKind(StrEnum):
    WORSE = "worse"
    BETTER = "better"
    GONE = "gone"  # had figures before, and has none now
    OVER = "over budget"  # costs more than ticklab.toml allows


@dataclass(frozen=True)
class Cause:
    """The function whose own instructions changed most, among those that changed in the same
    direction as the figure."""

    function: str
    instructions: float  # difference of the mean sample: new run minus baseline
    file: str | None = None  # its source file, if it is below the current folder


@dataclass(frozen=True)
class Change:
    kind: ChangeKind
    then: Record
    now: Record | None
    comparison: Comparison | None
    cause: Cause | None
    excess: Excess | None = None  # for kind OVER only


def judge(
    baseline: Baseline,
    now: Sequence[Record],
    lanes: Mapping[str, Sequence[Lane]],
    functions: Callable[[Record], Functions],
    file: Callable[[Record, str], str | None] = lambda record, function: None,
    settings: Settings = NO_SETTINGS,
    footprints: Footprints = NO_FOOTPRINTS,
) -> tuple[Change, ...]:
    """Compares today's records and footprints with a baseline. `lanes` are today's timing lanes of
    the boards. `functions` returns the instructions by function, and is called for each record that
    changed. `file` returns the source file of the function that changed most."""
    found = {identity(record): record for record in now}
    changes = (
        _change(entry, found.get(identity(entry.record)), baseline, lanes, functions)
        for entry in baseline.entries
    )
    kept = (change for change in changes if change and not _is_small(change, settings))
    over = (
        Change(ChangeKind.OVER, excess.record, excess.record, None, None, excess)
        for excess in (
            *budgets.excesses(settings.budget, now),
            *budgets.footprint_excesses(settings.footprint, now, footprints),
        )
    )
    return (*(_with_file(change, file) for change in kept), *over)


@dataclass(frozen=True)
class SizeChange:
    """A change of a kernel's size in bytes. It is reported, and fails only if it exceeds a
    budget."""

    build: str
    quantity: str  # "bytes of code" or "bytes of variables"
    then: int
    now: int


def size_changes(then: Footprints, now: Footprints) -> tuple[SizeChange, ...]:
    """Returns how the size of each build changed. Considers only builds and scenarios that both
    runs have."""
    found = []
    for build in sorted(then.keys() & now.keys()):
        both = then[build].keys() & now[build].keys()
        if both:
            pair = (budgets.of_build({n: of[build][n] for n in both}) for of in (then, now))
            before, after = pair
            found += [SizeChange(build, q, before[q], after[q]) for q in before]
    return tuple(change for change in found if change.then != change.now)


def _is_small(change: Change, settings: Settings) -> bool:
    """Returns whether the figure grew by at most the threshold in the settings."""
    if change.kind is not ChangeKind.WORSE or change.now is None:
        return False
    then, now = change.then.counted or 0.0, change.now.counted or 0.0
    return then < now <= then * (1 + settings.threshold_percent / 100)


def _with_file(change: Change, file: Callable[[Record, str], str | None]) -> Change:
    if change.cause is None or change.now is None:
        return change
    found = file(change.now, change.cause.function)
    return replace(change, cause=replace(change.cause, file=found))


def status(changes: Sequence[Change]) -> ExitStatus:
    """Returns the exit status. The status of a regression differs from that of a missing figure."""
    kinds = {change.kind for change in changes}
    if kinds & {ChangeKind.WORSE, ChangeKind.OVER}:
        return ExitStatus.REGRESSION
    return ExitStatus.FAILED if ChangeKind.GONE in kinds else ExitStatus.OK


def identity(record: Record) -> tuple[object, ...]:
    """Returns the values that identify a figure in both runs."""
    return (*placement.identity(record), record.layout)


def _change(
    entry: BaselineEntry,
    now: Record | None,
    baseline: Baseline,
    lanes: Mapping[str, Sequence[Lane]],
    functions: Callable[[Record], Functions],
) -> Change | None:
    then = entry.record
    if then.status is not Status.PASS:
        return None
    if now is None or now.status is not Status.PASS:
        return Change(ChangeKind.GONE, then, now, None, None)
    compared = compare.compare(
        now, then, lanes.get(now.board, ()), baseline.run.lanes.get(then.board, ())
    )
    kind = _kind(then, now, compared)
    if kind is None:
        return None
    return Change(kind, then, now, compared, cause(entry.functions, functions(now), kind))


def _kind(then: Record, now: Record, compared: Comparison | None) -> ChangeKind | None:
    """Returns the kind of change, or None. If the number of instructions changed, it decides,
    because the cycle model may not show such a change."""
    counted = _counted(then, now)
    if counted:
        return ChangeKind.WORSE if counted > 0 else ChangeKind.BETTER
    verdict = compared.verdict if compared else None
    return (
        {Verdict.SLOWER: ChangeKind.WORSE, Verdict.FASTER: ChangeKind.BETTER}.get(verdict)
        if verdict
        else None
    )


def _counted(then: Record, now: Record) -> float:
    """Returns by how many instructions the samples changed. Returns 0 if the difference may only be
    due to the moments at which the observations began or ended."""
    before, after = then.figures.instructions, now.figures.instructions
    if before is None or after is None:
        return 0.0
    difference = (now.counted or 0.0) - (then.counted or 0.0)
    if _outline(before) != _outline(after):
        return difference
    resolved = compare.resolution_of(then, before) + compare.resolution_of(now, after)
    return difference if abs(difference) > resolved else 0.0


def _outline(stats: Stats) -> tuple[float, ...]:
    """Returns those statistics that a few rare samples do not change."""
    return stats.min, stats.p50


def cause(then: Functions, now: Functions, kind: ChangeKind) -> Cause | None:
    """Returns the function that caused the change. Returns None if no function changed in the same
    direction, for example if only cycles changed."""
    changes = {name: now.get(name, 0.0) - then.get(name, 0.0) for name in sorted({*then, *now})}
    sign = 1 if kind is ChangeKind.WORSE else -1
    name = max(changes, key=lambda each: sign * changes[each], default=None)
    if name is None or sign * changes[name] <= 0:
        return None
    return Cause(name, changes[name])
