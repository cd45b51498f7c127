# SPDX-License-Identifier: MIT
"""Reads from a declaration what each process may access: memory, devices and rights. The rights are
read from the same tables that the generator writes (bulkhead_declare/rights.py); the names of
methods come from core/calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

import calls_table
from bulkhead_declare import measures, rights, source
from bulkhead_declare.model import Action, System
from bulkhead_declare.regions import Placement
from bulkhead_declare.source import Names

SCHEMA = 1
_TIMED = "_timed"  # suffix of a method that is the same call with a timeout


@dataclass(frozen=True)
class Thread:
    """A thread of a process."""

    name: Annotated[str, "its name"]
    entry: Annotated[str, "the function that it executes"]
    priority: Annotated[int, "0, the highest, to 31"]
    stack_bytes: Annotated[int, "bytes of its stack, which only it uses"]
    initially: Annotated[str, "`ready`, `suspended` or `dormant`"]


@dataclass(frozen=True)
class Memory:
    """Memory, or the registers of a device, that the threads of a process can access."""

    name: Annotated[str, "its name"]
    kind: Annotated[str, "`region`, `device` or `code`; code is read and executed only"]
    address: Annotated[int, "the first address"]
    bytes: Annotated[int, "the number of bytes that the protection unit opens"]
    owner: Annotated[str, "the process that initialises a region; otherwise empty"]
    others: Annotated[tuple[str, ...], "the other processes that reach it, and may write it"]
    readers: Annotated[tuple[str, ...], "the other processes that only read it"] = ()
    is_written: Annotated[bool, "whether this process may write it"] = True


@dataclass(frozen=True)
class Right:
    """A right of a process to an object of the kernel, or to an object of its own."""

    kind: Annotated[str, "the kind of object, as `queue`"]
    name: Annotated[str, "the name of the object"]
    methods: Annotated[tuple[str, ...], "the permitted methods"]
    local: Annotated[bool, "whether the object lies in the process"]
    others: Annotated[tuple[str, ...], "the other processes that have a right to it"]


@dataclass(frozen=True)
class Process:
    """A process, and everything that its threads can access."""

    name: Annotated[str, "its name"]
    restarts: Annotated[bool, "whether it starts again after a fault"]
    supervisor: Annotated[str, "the thread that is notified of a fault; empty if there is none"]
    threads: Annotated[tuple[Thread, ...], "its threads"]
    memory: Annotated[tuple[Memory, ...], "its memory and devices"]
    rights: Annotated[tuple[Right, ...], "its rights"]


@dataclass(frozen=True)
class Source:
    """An interrupt or a timer. When it comes or is due, the kernel changes an object."""

    kind: Annotated[str, "`interrupt` or `timer`"]
    name: Annotated[str, "its name"]
    line: Annotated[int | None, "the line of an interrupt; null for a timer"]
    action: Annotated[str, "`posts`, `resumes`, `notifies`, `sets` or `delivers`"]
    target_kind: Annotated[str, "`semaphore`, `thread` or `flags`"]
    target: Annotated[str, "the name of the object that it changes"]
    flags: Annotated[int, "with `sets`: the bits"]


@dataclass(frozen=True)
class Isolation:
    """The isolation of a system: everything that each process can access."""

    schema: Annotated[int, "the version of this document"]
    architecture: Annotated[str, "the architecture, as `armv7-m`"]
    shared_code_bytes: Annotated[int, "bytes of the code that all processes read and execute"]
    processes: Annotated[tuple[Process, ...], "the processes, in the order of the declaration"]
    sources: Annotated[tuple[Source, ...], "the interrupts and timers that the kernel serves"]


def read(file: Path) -> Isolation:
    """Reads a declaration. Raises DeclarationError for one that the generator refuses."""
    return _Reader(*source.declared(file)).isolation()


class _Reader:
    def __init__(self, system: System, names: Names, placed: Placement) -> None:
        self._system = system
        self._names = names
        self._placed = placed
        self._processes = names.every("process")
        self._rights = [self._table(process) for process in range(len(system.processes))]

    def isolation(self) -> Isolation:
        return Isolation(
            SCHEMA,
            self._system.architecture,
            self._placed.user_code.size,
            tuple(self._process(index) for index in range(len(self._processes))),
            tuple(self._sources()),
        )

    def _process(self, index: int) -> Process:
        process = self._system.processes[index]
        watching = process.supervisor
        return Process(
            process.name,
            process.restarts,
            "" if watching is None else self._system.threads[watching].name,
            tuple(
                Thread(each.name, each.entry, each.priority, each.stack_bytes, each.initially)
                for each in self._system.threads
                if each.process == index
            ),
            (*self._memory(index), *self._code(index)),
            tuple(self._process_rights(index)),
        )

    def _memory(self, process: int) -> Iterator[Memory]:
        for region, where in zip(self._system.regions, self._placed.regions, strict=True):
            if process in region.users | region.readers:
                yield Memory(
                    region.name,
                    "region",
                    where.address,
                    where.size,
                    self._processes[region.owner],
                    self._others(region.users, process),
                    self._others(region.readers, process),
                    process in region.users,
                )
        for each in self._system.windows:
            if process in each.users:
                others = self._others(each.users, process)
                yield Memory(each.name, "device", each.address, each.bytes, "", others)

    def _code(self, process: int) -> Iterator[Memory]:
        if process in self._placed.own_code:
            code = self._placed.own_code[process]
            yield Memory(code.name, "code", code.address, code.size, "", (), is_written=False)

    def _others(self, users: frozenset[int], process: int) -> tuple[str, ...]:
        return tuple(self._processes[each] for each in sorted(users - {process}))

    def _table(self, process: int) -> dict[tuple[str, int], str]:
        """Returns the name of the table of methods for each right of a process, by the kind and the
        index of the object."""
        objects = dict(enumerate(_objects(self._system), rights.SELF + 1))
        return {
            objects[handle]: right.methods.removesuffix("_methods")
            for handle, right in rights.table(self._system, process).items()
            if handle != rights.SELF
        }

    def _process_rights(self, process: int) -> Iterator[Right]:
        for (kind, index), table in self._rights[process].items():
            users = [each for each, found in enumerate(self._rights) if (kind, index) in found]
            others = self._others(frozenset(users), process)
            local = table.startswith("local_")
            yield Right(kind, self._named(kind, index), _methods(kind, table), local, others)
        for index, pool in enumerate(self._system.pools):
            if pool.local and process in pool.users:
                name = self._names.every("pool")[index]
                yield Right("pool", name, _methods("pool", "pool"), True, ())

    def _named(self, kind: str, index: int) -> str:
        """Returns the name of an object by its index among the objects of its kind that have a
        handle. A process without a supervisor has no handle, and neither has the measure of a
        thread that no process measures."""
        if kind == "measured":
            return measures.names(self._system)[index]
        if kind == "process":
            index = rights.supervised(self._system)[index]
        return self._names.every(kind)[index]

    def _sources(self) -> Iterator[Source]:
        for name, row in zip(self._names.every("interrupt"), self._system.interrupts, strict=True):
            yield self._source("interrupt", name, row.line, row.action)
        for name, timer in zip(self._names.every("timer"), self._system.timers, strict=True):
            yield self._source("timer", name, None, timer.action)

    def _source(self, kind: str, name: str, line: int | None, action: Action) -> Source:
        acted_on = {"posts": "semaphore", "sets": "flags"}.get(action.action, "thread")
        target = self._names.every(acted_on)[action.object]
        return Source(kind, name, line, action.action, acted_on, target, action.flags)


def _objects(system: System) -> Iterator[tuple[str, int]]:
    """Yields the kind and the index of each object, in the order of the handles."""
    for kind, count in rights.counts(system).items():
        yield from ((kind, index) for index in range(count))


@cache
def _tables() -> dict[str, tuple[str, ...]]:
    """Returns the names of the methods in each table that a right may point to."""
    return {
        table: tuple(dict.fromkeys(_method(entry) for entry in entries))
        for kind in calls_table.read().objects
        for table, entries in (*kind.rights.items(), *kind.apart.items())
    }


def _method(entry: str) -> str:
    return entry.partition(":")[0].removesuffix(_TIMED)


def _methods(kind: str, table: str) -> tuple[str, ...]:
    """Returns the methods of a right. For a local object these are all methods of its kind: its
    table has only the parts of them that enter the kernel."""
    return _tables()[kind if table.startswith("local_") else table]
