# SPDX-License-Identifier: MIT
"""Reads `bench_scenario` from a scenario's object file.

The structures are those of bench/include/bench/scenario.h under the 32-bit Arm procedure call
standard: natural alignment, little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bulkhead_declare.elf import Elf
from bulkhead_declare.model import DeclarationError

Row = TypeVar("Row")


@dataclass(frozen=True)
class Task:
    stack_bytes: int
    priority: int
    process: int
    initially: int


@dataclass(frozen=True)
class Owned:
    """An object of a process. Other processes may use it: bit n of `users` is process n."""

    process: int
    users: int


@dataclass(frozen=True)
class Semaphore(Owned):
    initial: int
    maximum: int


@dataclass(frozen=True)
class Flags(Owned):
    initial: int


@dataclass(frozen=True)
class Queue(Owned):
    capacity: int
    message_bytes: int


@dataclass(frozen=True)
class Pool(Owned):
    blocks: int
    block_bytes: int


@dataclass(frozen=True)
class Process:
    restarts: bool


@dataclass(frozen=True)
class Interrupt:
    action: int
    object: int


@dataclass(frozen=True)
class Timer(Owned):
    semaphore: int


@dataclass(frozen=True)
class Scenario:
    tasks: tuple[Task, ...]
    semaphores: tuple[Semaphore, ...]
    mutexes: tuple[Owned, ...]
    flags: tuple[Flags, ...]
    queues: tuple[Queue, ...]
    pools: tuple[Pool, ...]
    processes: tuple[Process, ...]
    gates: tuple[Owned, ...]
    interrupts: tuple[Interrupt, ...]
    timers: tuple[Timer, ...]
    data_bytes: int  # size of the scenario's variables
    injects: bool  # whether the scenario uses bench/injection.h


# The tables of bench_scenario, in their order.
_ORDER = (
    "tasks", "semaphores", "mutexes", "flags", "queues", "pools", "processes", "gates",
    "interrupts", "channels", "buses", "conditions", "rwlocks", "timers",
)  # fmt: skip

# Name of the table, format of a row, and the function that converts a row's fields. Pointers are
# words that the linker fills.
_TABLES: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("tasks", "<IIHBBBBBx", lambda name, entry, stack, priority, process, node, state, fpu: Task(
        stack, priority, process, state)),
    ("semaphores", "<HHBB", lambda initial, maximum, process, users: Semaphore(
        process, users, initial, maximum)),
    ("mutexes", "<BBB", lambda inherits, process, users: Owned(process, users)),
    ("flags", "<IBBxx", lambda initial, process, users: Flags(process, users, initial)),
    ("queues", "<HHBB", lambda capacity, size, process, users: Queue(
        process, users, capacity, size)),
    ("pools", "<HHBB", lambda blocks, size, process, users: Pool(
        process, users, blocks, size)),
    ("processes", "<IBxxx", lambda name, restarts: Process(bool(restarts))),
    ("gates", "<IBBxx", lambda function, process, users: Owned(process, users)),
    ("interrupts", "<BBBxI", lambda action, index, users, handler: Interrupt(action, index)),
    ("timers", "<IBBBB", lambda ticks, periodic, semaphore, process, users: Timer(
        process, users, semaphore)),
)  # fmt: skip


class Object:
    """A relocatable object file, from which tables of the scenario are read."""

    def __init__(self, file: Path) -> None:
        self._elf = Elf(file)
        self._symbols = {symbol.name: symbol for symbol in self._elf.symbols}
        self._targets = {(each.section, each.offset): each for each in self._elf.relocations}

    def table(self) -> tuple[int, int]:
        """Returns the section and offset of the scenario's table."""
        found = self._symbols.get("bench_scenario")
        if not found:
            raise DeclarationError("the scenario defines no bench_scenario; see scenario.h")
        return found.section, found.value

    def uses(self, name: str) -> bool:
        return name in self._symbols

    def word(self, section: int, offset: int) -> int:
        return int.from_bytes(self.bytes(section, offset, 4), "little")

    def bytes(self, section: int, offset: int, count: int) -> bytes:
        return self._elf.contents(self._elf.sections[section])[offset : offset + count]

    def pointer(self, section: int, offset: int) -> tuple[int, int]:
        """Returns the section and offset to which the pointer at this offset points."""
        found = self._targets.get((section, offset))
        if found is None:
            raise DeclarationError("a table of bench_scenario is not constant; declare it const")
        addend = self.word(section, offset) if found.addend is None else found.addend
        return found.symbol.section, found.symbol.value + addend

    def data_bytes(self) -> int:
        """Returns the size of the file's variables, with each section rounded up to 8 bytes."""
        return sum(each.size + 8 for each in self._elf.sections if each.has_variables)


def read(file: Path, beside: Sequence[Path] = ()) -> Scenario:
    """Reads the table of one object file; `beside` are other files with scenario variables."""
    scenario = Object(file)
    section, offset = scenario.table()
    rows = {}
    for name, form, make in _TABLES:
        # After the name of the scenario: pointer and count of each table.
        header = offset + 4 + 8 * _ORDER.index(name)
        rows[name] = _rows(scenario, section, header, form, make)
    return Scenario(
        **rows,
        data_bytes=scenario.data_bytes() + sum(Object(each).data_bytes() for each in beside),
        injects=scenario.uses("bench_injection_arm"),
    )


def _rows(
    scenario: Object, section: int, header: int, form: str, make: Callable[..., Row]
) -> tuple[Row, ...]:
    count = scenario.word(section, header + 4)
    if count == 0:
        return ()
    target, start = scenario.pointer(section, header)
    size = struct.calcsize(form)
    return tuple(
        make(*struct.unpack(form, scenario.bytes(target, start + index * size, size)))
        for index in range(count)
    )
