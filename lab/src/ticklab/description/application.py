# SPDX-License-Identifier: MIT
"""Reads an application for `estimate`: its tasks, interrupts and locks, and where it is to run
(docs/reference/descriptions.md explains the keys).

Times are in microseconds. The analysis holds for jobs that block only while they wait for their
release or for a lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from ticklab import names
from ticklab.description import table
from ticklab.description.keys import Name, Natural, Positive, Text
from ticklab.description.table import Place, Table

PositiveMicros: TypeAlias = Annotated[float, Meta(gt=0)]
Micros: TypeAlias = Annotated[float, Meta(ge=0)]
DEFAULT_BOARD = "mps2-an386"


class AppTable(Table, frozen=True, kw_only=True):
    """The application as a whole, and the board and build for which it is estimated."""

    name: Annotated[Name, Meta(description="name of the application")]
    title: Annotated[Text, Meta(description="name for people")] = ""
    kernels: Annotated[
        tuple[Text, ...],
        Meta(description="kernels to try, each as KERNEL, FOLDER or KERNEL/CONFIG", min_length=1),
    ] = ("freertos", "rt", "bulkhead")
    board: Annotated[Text, Meta(description="board by name, or a folder")] = DEFAULT_BOARD
    clock_hz: Annotated[
        Positive | None,
        Meta(description="frequency of the processor's clock in Hz (default the board's)"),
    ] = None
    tick_hz: Annotated[Positive, Meta(description="rate of the tick, in ticks a second")] = 1000
    profile: Annotated[
        Text | None, Meta(description="timing profile of the memories (default the board's)")
    ] = None
    optimise: Annotated[Text, Meta(description="level of optimisation")] = "O2"


class LockTable(Table, frozen=True, kw_only=True):
    """A critical section in each job of a task: the lock, and how long the job holds it."""

    mutex: Annotated[Name, Meta(description="the mutex; tasks that name the same one share it")]
    execution_us: Annotated[
        PositiveMicros,
        Meta(description="longest time with the mutex held; part of the task's `execution_us`"),
    ]


class UsesTable(Table, frozen=True, kw_only=True):
    """How often one job uses each service that does not block. Count a message once, where it is
    sent or where it is received."""

    semaphore: Annotated[Natural, Meta(description="a signal, and a wait that succeeds")] = 0
    queue: Annotated[Natural, Meta(description="a send, and a receive")] = 0
    flags: Annotated[Natural, Meta(description="a set, and a wait that succeeds")] = 0
    pool: Annotated[Natural, Meta(description="the allocation of a block, and its release")] = 0


USED = UsesTable.__struct_fields__


class TaskTable(Table, frozen=True, kw_only=True):
    """A task. Either the tick releases its jobs (`period_us`), or an interrupt that names the task
    does."""

    name: Annotated[Name, Meta(description="name of the task")]
    priority: Annotated[
        Annotated[int, Meta(ge=1, le=31)], Meta(description="1, the highest, to 31")
    ]
    execution_us: Annotated[
        PositiveMicros,
        Meta(description="worst-case execution time of a job at `clock_hz`, without the kernel"),
    ]
    period_us: Annotated[
        PositiveMicros | None,
        Meta(description="period, a multiple of the tick's; without it, an interrupt releases it"),
    ] = None
    deadline_us: Annotated[
        PositiveMicros | None,
        Meta(description="from the release to the completion (default the period)"),
    ] = None
    stack_bytes: Annotated[Positive, Meta(description="the stack of its own calls")] = 512
    uses: UsesTable = UsesTable()
    lock: tuple[LockTable, ...] = ()


class InterruptTable(Table, frozen=True, kw_only=True):
    """An interrupt that releases a job of a task."""

    name: Annotated[Name, Meta(description="name of the interrupt")]
    releases: Annotated[Name, Meta(description="the task that waits for it")]
    period_us: Annotated[
        PositiveMicros, Meta(description="shortest time from one burst to the next")
    ]
    jitter_us: Annotated[
        Micros,
        Meta(
            description="how late an interrupt may come after its period; cannot be combined with "
            "`burst`"
        ),
    ] = 0
    burst: Annotated[Positive, Meta(description="most interrupts in a period")] = 1
    separation_us: Annotated[
        Micros, Meta(description="shortest time between two interrupts of a burst")
    ] = 0


class ApplicationFile(Table, frozen=True):
    """An application."""

    app: AppTable
    task: Annotated[tuple[TaskTable, ...], Meta(min_length=1)]
    interrupt: tuple[InterruptTable, ...] = ()


@dataclass(frozen=True)
class Arrivals:
    """A bound on how often an event arrives: at most `burst` times in each `period`, with at least
    `separation` between two arrivals."""

    period: float  # these three are in microseconds here, and in units of time in the analysis
    jitter: float = 0
    burst: int = 1
    separation: float = 0


@dataclass(frozen=True)
class Section:
    mutex: str
    execution_us: float


@dataclass(frozen=True)
class Task:
    name: str
    priority: int  # 1 is the highest
    execution_us: float
    arrivals: Arrivals
    deadline_us: float
    stack_bytes: int
    uses: Mapping[str, int]
    sections: tuple[Section, ...]
    interrupt: str | None  # name of the interrupt that releases the task; None: the tick


@dataclass(frozen=True)
class Application:
    name: str
    title: str
    kernels: tuple[str, ...]
    board: str
    clock_hz: int | None
    tick_hz: int
    profile: str | None
    optimise: str
    tasks: tuple[Task, ...]

    @property
    def mutexes(self) -> tuple[str, ...]:
        every = (section.mutex for task in self.tasks for section in task.sections)
        return tuple(dict.fromkeys(every))

    @property
    def uses(self) -> tuple[str, ...]:
        """Returns the services that at least one task uses."""
        return tuple(name for name in USED if any(task.uses.get(name) for task in self.tasks))

    @property
    def released_by_tick(self) -> int:
        return sum(task.interrupt is None for task in self.tasks)


def read(file: Path) -> Application:
    """Reads the description of an application. Raises UsageError for the first mistake."""
    whole, place = table.read(file, ApplicationFile)
    interrupts = _interrupts(place, whole)
    _check_names(place, "task", [each.name for each in whole.task])
    tasks = tuple(
        _task(place.inside(f"task {number}"), row, interrupts.get(row.name), whole.app.tick_hz)
        for number, row in enumerate(whole.task, 1)
    )
    app = msgspec.structs.asdict(whole.app)
    return Application(tasks=tasks, **{**app, "title": whole.app.title or whole.app.name})


def _check_names(place: Place, key: str, named: Sequence[str]) -> None:
    for name in named:
        if named.count(name) > 1:
            place.fail(key, f"has '{name}' twice", "give each its own name")


def _interrupts(place: Place, whole: ApplicationFile) -> dict[str, InterruptTable]:
    """Returns for each task, by name, the interrupt that releases it."""
    _check_names(place, "interrupt", [each.name for each in whole.interrupt])
    known = [each.name for each in whole.task]
    found: dict[str, InterruptTable] = {}
    for number, row in enumerate(whole.interrupt, 1):
        inside = place.inside(f"interrupt {number}")
        if row.releases not in known:
            hint = names.suggestion(row.releases, known)
            inside.fail("releases", f"names '{row.releases}'", hint)
        if row.releases in found:
            inside.fail(
                "releases",
                f"names '{row.releases}', which another interrupt releases",
                "give it a task of its own",
            )
        _check_burst(inside, row)
        found[row.releases] = row
    return found


def _check_burst(place: Place, row: InterruptTable) -> None:
    if row.burst > 1 and row.jitter_us:
        place.fail("jitter_us", "cannot be combined with a burst", "leave jitter_us or burst out")
    if (row.burst - 1) * row.separation_us >= row.period_us:
        place.fail("separation_us", "makes a burst longer than its period", "make it shorter")


def _task(place: Place, row: TaskTable, interrupt: InterruptTable | None, tick_hz: int) -> Task:
    arrivals = _arrivals(place, row, interrupt, tick_hz)
    held = sum(lock.execution_us for lock in row.lock)
    if held > row.execution_us:
        place.fail(
            "lock",
            f"holds mutexes for {held:g} µs, longer than execution_us",
            "count this time in execution_us, too",
        )
    return Task(
        name=row.name,
        priority=row.priority,
        execution_us=row.execution_us,
        arrivals=arrivals,
        deadline_us=row.deadline_us or arrivals.period,
        stack_bytes=row.stack_bytes,
        uses={name: count for name, count in msgspec.structs.asdict(row.uses).items() if count},
        sections=tuple(Section(lock.mutex, lock.execution_us) for lock in row.lock),
        interrupt=interrupt.name if interrupt else None,
    )


def _arrivals(
    place: Place, row: TaskTable, interrupt: InterruptTable | None, tick_hz: int
) -> Arrivals:
    if row.period_us is None:
        if interrupt is None:
            place.fail("period_us", "is missing", "give it, or an [[interrupt]] that releases it")
        return Arrivals(
            interrupt.period_us, interrupt.jitter_us, interrupt.burst, interrupt.separation_us
        )
    if interrupt:
        place.fail(
            "period_us", f"cannot be combined with interrupt '{interrupt.name}'", "leave one out"
        )
    ticks = row.period_us * tick_hz / 1e6
    if ticks < 1 or abs(ticks - round(ticks)) > 1e-9:
        tick = f"{1e6 / tick_hz:g} µs"
        place.fail(
            "period_us",
            f"is no multiple of the tick's {tick}",
            "choose a multiple, or change app.tick_hz",
        )
    return Arrivals(row.period_us)
