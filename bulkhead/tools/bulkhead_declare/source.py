# SPDX-License-Identifier: MIT
"""Makes the model of a system from the tables of its declaration.

The tables refer to each other by names, the model by numbers. A name that is not declared is an
error; its message says which table has the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from bulkhead_declare import emit_local, events, measures, restarts, rights, tables
from bulkhead_declare.check import check
from bulkhead_declare.model import (
    Action,
    DeclarationError,
    Flags,
    Gate,
    Interrupt,
    Memory,
    Mutex,
    Policy,
    Pool,
    Process,
    Queue,
    Record,
    Region,
    Semaphore,
    System,
    Thread,
    Timer,
    Window,
)
from bulkhead_declare.placement import place
from bulkhead_declare.regions import Placement
from bulkhead_declare.tables import Acting, Named, Shared, Sided, SystemFile

_ACTIONS = {"posts": "semaphore", "resumes": "thread", "notifies": "thread", "sets": "flags"}
_NAME = re.compile(r"\w+", re.ASCII)


class Names:
    """The declared names of each kind of table, with their numbers."""

    def __init__(self, rows: Mapping[str, tuple[Named, ...]]) -> None:
        self._numbers: dict[str, dict[str, int]] = {}
        for kind, found in rows.items():
            self._numbers[kind] = {}
            self._number(kind, found)

    def _number(self, kind: str, rows: Iterable[Named]) -> None:
        """Numbers the names of one kind. They must also differ when all their letters are capitals,
        as in the header."""
        seen: set[str] = set()
        for number, row in enumerate(rows):
            if not _NAME.fullmatch(row.name):
                raise row.fail("its name is no identifier of C; use letters, digits and _")
            if row.name.upper() in seen:
                raise row.fail(
                    f"another {kind} has this name, but for capitals; rename one of them"
                )
            seen.add(row.name.upper())
            self._numbers[kind][row.name] = number

    def one(self, row: Named, kind: str, name: str) -> int:
        known = self._numbers[kind]
        if name not in known:
            declared = ", ".join(known) or "none"
            raise row.fail(f"names {kind} {name}, which is not declared; declared: {declared}")
        return known[name]

    def some(self, row: Named, kind: str, names: Iterable[str]) -> frozenset[int]:
        return frozenset(self.one(row, kind, name) for name in names)

    def every(self, kind: str) -> list[str]:
        """Returns the names of a kind, in the order of their numbers."""
        return list(self._numbers[kind])

    def with_handles(self, system: System) -> dict[str, list[str]]:
        """Returns the names that have a handle, by kind. Among the processes, only those with a
        supervisor have one."""
        named = {kind: self.every(kind) for kind in self._numbers}
        named["process"] = [named["process"][index] for index in rights.supervised(system)]
        named["measured"] = measures.names(system)
        return named

    def handles(self, system: System) -> str:
        """Returns the text of handles.h, with the handles of everything that a thread can name, and
        its local objects."""
        every = {kind: self.every(kind) for kind in self._numbers}
        lines = [
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            "#ifndef BULKHEAD_HANDLES_H",
            "#define BULKHEAD_HANDLES_H",
            "#include <bulkhead/bulkhead.h>",
            "enum {",
        ]
        named = self.with_handles(system)
        for kind, first in rights.first_handles(system).items():
            for index, name in enumerate(named[kind]):
                handle = emit_local.handle_name(system, kind, index, name)
                lines.append(f"    {handle} = {first + index},")
        names = (
            *emit_local.names(system, every),
            *restarts.names(system),
            *events.log_names(system),
        )
        return "\n".join((*lines, "};", *names, "#endif", ""))


def declared(file: Path) -> tuple[System, Names, Placement]:
    """Reads a declaration, checks it, and assigns addresses. Raises DeclarationError with the name
    of the file in its message."""
    try:
        system, names = read(file)
        check(system)
        return system, names, place(system)
    except DeclarationError as error:
        raise DeclarationError(f"{file}: {error}") from None
    except OSError as error:
        raise DeclarationError(
            f"cannot read {file}: {error.strerror}; name a declaration"
        ) from None


def read(file: Path) -> tuple[System, Names]:
    found = tables.read(file)
    names = Names(found.named())
    return _system(found, names), names


def _system(found: SystemFile, names: Names) -> System:
    image = found.image
    by_process = dict(enumerate(found.process))
    return System(
        code=Memory(*image.code),
        data=Memory(*image.data),
        architecture=image.architecture,
        tickless=image.tickless,
        stack_marks=image.stack_marks,
        thread_times=image.thread_times,
        trace_events=image.trace_events,
        trace_calls=image.trace_calls,
        kernel_code_bytes=image.kernel_code_bytes,
        user_code_bytes=image.user_code_bytes,
        region_alignment=image.region_alignment,
        processes=tuple(_process(row, names) for row in found.process),
        threads=tuple(_thread(row, names) for row in found.thread),
        regions=tuple(_region(row, names) for row in found.region),
        windows=tuple(
            Window(row.name, row.address, row.bytes, _users(row, names)) for row in found.window
        ),
        semaphores=tuple(
            Semaphore(
                row.initial,
                row.maximum,
                *_sides(row, names, row.givers, row.takers),
                name=row.name,
            )
            for row in found.semaphore
        ),
        mutexes=tuple(Mutex(*_use(row, names), name=row.name) for row in found.mutex),
        queues=tuple(
            Queue(
                row.capacity,
                row.message_bytes,
                *_sides(row, names, row.senders, row.receivers),
                name=row.name,
            )
            for row in found.queue
        ),
        interrupts=tuple(_interrupt(row, names) for row in found.interrupt),
        flags=tuple(
            Flags(row.initial, *_sides(row, names, row.setters, row.waiters), name=row.name)
            for row in found.flags
        ),
        gates=tuple(
            Gate(names.one(row, "thread", row.server), _users(row, names), row.leases, row.name)
            for row in found.gate
        ),
        pools=tuple(_pool(row, names) for row in found.pool),
        timers=tuple(
            Timer(_action(row, names), _users(row, names), row.name) for row in found.timer
        ),
        records=tuple(Record(_users(row, names)) for row in found.record),
        controls={i: names.some(row, "thread", row.controls) for i, row in by_process.items()},
        notifies={i: names.some(row, "thread", row.notifies) for i, row in by_process.items()},
        measures={i: names.some(row, "thread", row.measures) for i, row in by_process.items()},
    )


def _process(row: tables.ProcessTable, names: Names) -> Process:
    supervisor = row.supervisor
    return Process(
        name=row.name,
        restarts=row.restarts,
        ceiling=row.ceiling,
        supervisor=None if supervisor is None else names.one(row, "thread", supervisor),
        pends=names.some(row, "interrupt", row.pends),
        code_files=row.code_files,
        code_bytes=row.code_bytes,
        budget_ticks=row.budget_ticks,
        budget_period_ticks=row.budget_period_ticks,
        policy=_policy(row, names),
        log_events=row.log_events,
    )


def _policy(row: tables.ProcessTable, names: Names) -> Policy | None:
    if row.escalation is None:
        given = ("restart_limit", "restart_delay_ticks", "stable_ticks", "alive")
        for key in given:
            if getattr(row, key):
                raise row.fail(f"has {key} but no escalation; add escalation, or remove {key}")
        return None
    return Policy(
        escalation=row.escalation,
        limit=row.restart_limit,
        stable_ticks=row.stable_ticks,
        delay_ticks=row.restart_delay_ticks,
        alive=None if row.alive is None else names.one(row, "flags", row.alive),
        alive_flags=row.alive_flags,
    )


def _thread(row: tables.ThreadTable, names: Names) -> Thread:
    return Thread(
        name=row.name,
        entry=row.entry,
        stack_bytes=row.stack_bytes,
        priority=row.priority,
        process=names.one(row, "process", row.process),
        initially=row.initially,
        slice_ticks=row.slice_ticks,
    )


def _region(row: tables.RegionTable, names: Names) -> Region:
    owner = names.one(row, "process", row.owner)
    users = names.some(row, "process", row.users) | {owner}
    readers = names.some(row, "process", row.readers)
    for process in sorted(readers & users):
        name = names.every("process")[process]
        raise row.fail(
            f"names {name} in readers, but {name} also writes it; remove it from readers"
        )
    return Region(row.name, row.bytes, owner, users, row.files, readers)


def _users(row: tables.Used | tables.GateTable | tables.TimerTable, names: Names) -> frozenset[int]:
    return names.some(row, "process", row.users)


def _use(row: Shared, names: Names) -> tuple[frozenset[int], bool]:
    return _users(row, names), row.local


def _sides(
    row: Sided, names: Names, sends: tables.Names, receives: tables.Names
) -> tuple[frozenset[int], bool, frozenset[int], frozenset[int]]:
    """Returns the users of an object: all user processes, whether the object is local, and which
    users may only send or only receive."""
    both, local = _use(row, names)
    senders = names.some(row, "process", sends)
    receivers = names.some(row, "process", receives)
    for process in sorted((senders | receivers) & both):
        name = names.every("process")[process]
        raise row.fail(f"names {name} in users and again for one side; remove one of the two")
    return (
        both | senders | receivers,
        local,
        senders - receivers,
        receivers - senders,
    )


def _pool(row: tables.PoolTable, names: Names) -> Pool:
    if row.region:
        names.one(row, "region", row.region)
    users, local, freers, allocators = _sides(row, names, row.freers, row.allocators)
    return Pool(row.blocks, row.block_bytes, users, local, row.region, freers, allocators, row.name)


def _interrupt(row: tables.InterruptTable, names: Names) -> Interrupt:
    handler = row.handler or f"interrupt_{row.name}"
    if row.trigger and row.delivers is None:
        raise row.fail("has trigger but no delivers; remove trigger, or add delivers")
    action = _action(row, names, "delivers")
    return Interrupt(row.line, handler, action, row.trigger == "level")


def _action(row: Acting, names: Names, *others: str) -> Action:
    """Returns the action of a table, which must have exactly one. `others` are the actions that
    only a driver's thread can have."""
    kinds = {**_ACTIONS, **dict.fromkeys(others, "thread")}
    found = [action for action in kinds if getattr(row, action) is not None]
    if not found:
        raise row.fail(f"has no action; add one of {', '.join(kinds)}")
    if len(found) > 1:
        raise row.fail(f"has the actions {' and '.join(found)}; keep one")
    (action,) = found
    if (row.flags is None) is (action == "sets"):
        raise row.fail(
            "has sets but no flags; add flags, the bits to set"
            if action == "sets"
            else "has flags but no sets; remove flags, or add sets"
        )
    return Action(action, names.one(row, kinds[action], getattr(row, action)), row.flags or 0)
