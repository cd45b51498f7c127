# SPDX-License-Identifier: MIT
"""Defines the costs of a kernel that an estimate needs. Each cost is a figure of a suite, with the
query that finds the figure, and its grade.

A cost is the longest sample of its span, not the mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ticklab.description.application import Application
from ticklab.description.model import Record, Status
from ticklab.errors import TicklabError


class Unit(StrEnum):
    """The unit of time of an analysis."""

    LOW = "cycles.low"
    HIGH = "cycles.high"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True)
class Query:
    """Selects the figure of one span. A parameter that the query does not name has its first
    value."""

    suite: str
    scenario: str
    span: str
    params: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        words = (f"{name}={value}" for name, value in self.params.items())
        return " ".join((f"{self.suite}/{self.scenario}", self.span, *words))

    def matches(self, record: Record) -> bool:
        names = (record.suite, record.scenario, record.span)
        params = {name: record.params.get(name) for name in self.params}
        return names == (self.suite, self.scenario, self.span) and params == dict(self.params)


@dataclass(frozen=True)
class Cost:
    """A cost in all units. Its cycles are exact (clocked) if the low and the high bound are
    equal."""

    name: str
    query: str
    units: Mapping[Unit, int]
    # "counted", "modelled" or "clocked": the grade of the cycles or, without a cycle model, of the
    # instructions
    grade: str


Costs = Mapping[str, Cost]


class MissingCostError(TicklabError):
    """Raised if the kernel has no figure for a cost, because it lacks a service or failed the
    scenario."""


def queries(app: Application) -> dict[str, Query]:
    """Returns the figures that the estimate of an application needs."""
    found = {"tick": Query("services", "tick", "tick", {"sleepers": "10"})}
    if app.released_by_tick:
        found |= _of_periodic(app.released_by_tick)
    if app.released_by_tick < len(app.tasks):
        found |= _OF_INTERRUPTS
    if app.mutexes:
        found |= _OF_MUTEXES
    for name in app.uses:
        found |= _OF_USES[name]
    return found


# The numbers of tasks that a tick releases in the suite's scenarios. For an application with more
# tasks, its own number is measured, too.
_FEW, _USUAL = (1, 2, 4), 8


def _of_periodic(tasks: int) -> dict[str, Query]:
    found = {}
    for number in _numbers(tasks):
        params = {"tasks": str(number)}
        found[f"release-{number}"] = Query("application", "release", "release", params)
        found[f"overhead-{number}"] = Query("application", "overhead", "overhead", params)
    for number in _numbers_late(tasks):
        params = {"tasks": str(number)}
        for span in _LATE:
            found[f"{span}-{number}"] = Query("application", "late", span, params)
    many = {"tasks": str(max(tasks, _USUAL))}
    return {**found, "completion": Query("application", "completion", "completion", many)}


def _numbers(tasks: int) -> tuple[int, ...]:
    return (*_FEW, max(tasks, _USUAL))


# The names of three spans in which a tick releases tasks while a task of higher priority runs.
# "late": up to the end of the higher task. "last": up to the last released task. "calm": the work
# of the higher task without a release.
_LATE = ("late", "last", "calm")


def _numbers_late(tasks: int) -> tuple[int, ...]:
    """Returns for which numbers of tasks a late release is measured. They include 1 and 2, because
    a kernel may release the first of two tasks at once and defer the second to a separate task
    switch; then the share of one task is largest."""
    return (1, 2, max(tasks, _USUAL))


_OF_INTERRUPTS = {
    "interrupt": Query("services", "interrupt-request-to-task", "interrupt-request-to-task"),
    "wait": Query("services", "semaphore-wait-block", "semaphore-wait-block", {"waiters": "1"}),
}
_OF_MUTEXES = {
    "lock": Query("services", "mutex-uncontended", "lock"),
    "unlock": Query("services", "mutex-uncontended", "unlock"),
    "lock-blocks": Query(
        "services", "mutex-lock-inheritance", "mutex-lock-inheritance", {"waiters": "1"}
    ),
    "unlock-wakes": Query(
        "services", "mutex-unlock-unblock", "mutex-unlock-unblock", {"waiters": "1"}
    ),
}
_OF_USES: Mapping[str, Mapping[str, Query]] = {
    "semaphore": {
        "semaphore-signal": Query("services", "semaphore-uncontended", "signal"),
        "semaphore-wait": Query("services", "semaphore-uncontended", "wait"),
    },
    "queue": {
        "queue-send": Query("services", "queue-uncontended", "send"),
        "queue-receive": Query("services", "queue-uncontended", "receive"),
    },
    "flags": {
        "flags-set": Query("services", "flags-uncontended", "set"),
        "flags-wait": Query("services", "flags-uncontended", "wait"),
    },
    "pool": {"pool": Query("thread-metric", "memory-allocation", "iteration")},
}


def of_use(name: str) -> tuple[str, ...]:
    """Returns the names of the costs whose sum is the cost of one use of a service."""
    return tuple(_OF_USES[name])


def find(wanted: Mapping[str, Query], records: Sequence[Record]) -> Costs:
    """Returns the costs of one kernel from its records. Raises MissingCostError for the first cost
    without a figure."""
    return {name: _cost(name, query, records) for name, query in wanted.items()}


def _cost(name: str, query: Query, records: Sequence[Record]) -> Cost:
    matching = [record for record in records if query.matches(record)]
    if not matching:
        raise MissingCostError(f"no figure of {query}", "measure it with 'ticklab run'")
    record = matching[0]
    if record.figures.instructions is None:
        what = f"no figure of {query}: {record.reason or record.status.value}"
        unsupported = record.status is Status.UNSUPPORTED
        raise MissingCostError(what, "" if unsupported else "see 'ticklab run'")
    return Cost(name, str(query), dict(_units(record)), _grade(record))


def _units(record: Record) -> Iterator[tuple[Unit, int]]:
    figures = record.figures
    assert figures.instructions
    yield Unit.INSTRUCTIONS, math.ceil(figures.instructions.max)
    if figures.cycles:
        yield Unit.LOW, math.ceil(figures.cycles.low.max)
        yield Unit.HIGH, math.ceil(figures.cycles.high.max)


def _grade(record: Record) -> str:
    cycles = record.figures.cycles
    if cycles is None:
        return "counted"
    return "clocked" if cycles.exact else "modelled"


# --- The costs as the analysis uses them ----------------------------------------------------------


@dataclass(frozen=True)
class Overheads:
    """The costs of a kernel in one unit. The analysis charges `release` and `interrupt` as work
    that preempts all tasks; they include the switch to the released task."""

    tick: int
    release: int  # release of a task by the tick, in addition to the tick itself
    completion: int  # from the end of a job to the next task
    interrupt: int  # from the request to the task that it releases
    wait: int  # from the end of a job that an interrupt released to the next task
    lock: int  # lock and unlock of a free mutex
    # Cost of locking and unlocking a mutex for which the task must wait until its owner unlocks it,
    # including both task switches.
    contended: int
    longest_lock_call: int
    uses: Mapping[str, int]


def overheads(app: Application, costs: Costs, unit: Unit) -> Overheads:
    """Returns the costs of a kernel in one unit. `costs` must have that unit."""
    units = {name: cost.units[unit] for name, cost in costs.items()}
    release, completion = _periodic(app, units)
    calls = [units.get(name, 0) for name in ("lock-blocks", "unlock-wakes", "lock", "unlock")]
    blocks, wakes, lock, unlock = calls
    return Overheads(
        tick=units["tick"],
        release=release,
        completion=completion,
        interrupt=units.get("interrupt", 0),
        wait=units.get("wait", 0),
        lock=lock + unlock,
        contended=blocks + wakes + unlock,
        longest_lock_call=max(calls),
        uses={name: sum(units[part] for part in of_use(name)) for name in app.uses},
    )


def _periodic(app: Application, units: Mapping[str, int]) -> tuple[int, int]:
    """Returns the costs that the tick adds to each job, at its release and at its completion. They
    are chosen so that a tick that releases any number of tasks costs at most the tick itself plus
    these costs for each job, whether jobs begin at once or late."""
    if not app.released_by_tick:
        return 0, 0
    tick, numbers = units["tick"], _measured("release", units)
    release = max(_share(units[f"release-{each}"] - tick, each) for each in numbers)
    jobs = max(_share(units[f"overhead-{each}"] - tick, each) for each in numbers)
    completion = max(units["completion"], jobs - release)
    return max([release, *_late(units, completion)]), completion


def _late(units: Mapping[str, int], completion: int) -> Iterator[int]:
    """Yields the costs of a release while a task of higher priority runs: the time taken from the
    higher task, and the rest of the release when the released task begins, without the costs of the
    completions before."""
    for number in _measured("late", units):
        calm = units[f"calm-{number}"]
        yield _share(units[f"late-{number}"] - calm, number)
        yield _share(units[f"last-{number}"] - calm, number) - completion


def _measured(name: str, units: Mapping[str, int]) -> list[int]:
    """Returns the numbers of released tasks for which a cost with this name was measured."""
    names = (each.partition("-") for each in units)
    return [int(number) for begin, dash, number in names if begin == name and dash]


def _share(cost: int, jobs: int) -> int:
    return math.ceil(cost / jobs)
