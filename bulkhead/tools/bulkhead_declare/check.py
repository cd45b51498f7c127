# SPDX-License-Identifier: MIT
"""Finds mistakes in a declared system before addresses are assigned. Every message says what to
change."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from bulkhead_declare import architecture, features
from bulkhead_declare.model import (
    PRIORITIES,
    DeclarationError,
    Flags,
    Mutex,
    Pool,
    Queue,
    Semaphore,
    System,
    title,
)
from bulkhead_declare.placement import PAGE_BYTES
from bulkhead_declare.regions import Reach, align, require

_FLAGS = 31  # bit 31 is the kernel's: include/bulkhead/words.h
_COUNT = 0x7FFF_FFFF  # core/objects.h: struct semaphore
_LOCAL_COUNT = 0xFFFF  # local.h: struct bulkhead_semaphore
_ADDRESSES = 1 << 32
_POOL_BLOCKS = 0xFFFE  # core/objects.h: POOL_TAKEN
_SLICE_TICKS = 255  # struct thread_declaration
_STATES = ("ready", "suspended", "dormant")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_RESERVED = ("bulkhead", "kernel", "memory_")
_KEYWORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "main",
    ]
)


def check(system: System) -> None:
    for mistake in mistakes(system):
        raise DeclarationError(mistake)


def mistakes(system: System) -> Iterator[str]:
    yield from _names(system)
    yield from _files(system)
    yield from _threads(system)
    yield from _ceilings(system)
    yield from _supervisors(system)
    yield from features.mistakes(system)
    yield from _memory(system)
    yield from _regions(system)
    yield from _windows(system)
    yield from _objects(system)
    yield from _flags(system)
    yield from _gates(system)
    yield from _pools(system)
    yield from _timers(system)
    yield from _interrupts(system)


def _names(system: System) -> Iterator[str]:
    """Checks names. They become symbols and sections of the image, or are functions to call."""
    named = [("process", each.name) for each in system.processes]
    named += [("region", each.name) for each in system.regions]
    named += [("thread", each.name) for each in system.threads]
    for kind, name in named:
        if not _IDENTIFIER.fullmatch(name):
            yield f"{kind} {name!r}: its name is no identifier of C; use letters, digits and _"
        if name.startswith(_RESERVED):
            reserved = ", ".join(_RESERVED)
            yield f"{kind} {name}: names of the kernel begin with {reserved}; choose another name"
    called = [("entry of thread", each.name, each.entry) for each in system.threads]
    called += [("handler of interrupt", str(each.line), each.handler) for each in system.interrupts]
    for what, name, function in called:
        if not _IDENTIFIER.fullmatch(function) or function in _KEYWORDS:
            yield f"the {what} {name}, {function!r}, is no name of a function in C; rename it"


def _files(system: System) -> Iterator[str]:
    """Finds file patterns that two owners declare, because the second owner would get no file.
    (check_image.py finds different patterns that match the same file.)"""
    for kind, claims in (
        ("data", [(f"region {each.name}", each.files) for each in system.regions]),
        ("code", [(f"process {each.name}", each.code_files) for each in system.processes]),
    ):
        owners: dict[str, str] = {}
        for owner, patterns in claims:
            for pattern in patterns:
                if pattern in owners:
                    both = f"{owners[pattern]} and {owner}"
                    yield f"{both} both claim the {kind} of {pattern}; remove it from one of them"
                owners[pattern] = owner


def _threads(system: System) -> Iterator[str]:
    for thread in system.threads:
        if thread.stack_bytes <= 0:
            yield f"thread {thread.name} has no stack; set stack_bytes to a number above 0"
        if not 0 <= thread.priority < PRIORITIES:
            yield (
                f"thread {thread.name} has priority {thread.priority}; "
                f"use 0 (highest) to {PRIORITIES - 1}"
            )
        if not 0 <= thread.slice_ticks <= _SLICE_TICKS:
            yield (
                f"thread {thread.name} has slice_ticks {thread.slice_ticks}; "
                f"use 1 to {_SLICE_TICKS}, or 0 for no time slices"
            )
        if thread.initially not in _STATES:
            yield (
                f"thread {thread.name} is initially {thread.initially!r}; "
                f"use one of {', '.join(_STATES)}"
            )


def _ceilings(system: System) -> Iterator[str]:
    for index, process in enumerate(system.processes):
        if process.ceiling is None:
            continue
        if not 0 <= process.ceiling < PRIORITIES:
            yield (
                f"process {process.name} has ceiling {process.ceiling}; "
                f"use 0 (highest) to {PRIORITIES - 1}"
            )
        if not system.controls.get(index):
            yield (
                f"process {process.name} has a ceiling but controls no thread; "
                "remove ceiling, or name threads in controls"
            )


def _supervisors(system: System) -> Iterator[str]:
    """Finds supervisors that are threads of the process that they supervise: such a thread ends
    with the process, so it would not be notified."""
    for index, process in enumerate(system.processes):
        if process.supervisor is None:
            continue
        supervisor = system.threads[process.supervisor]
        if supervisor.process == index:
            yield (
                f"process {process.name} is supervised by its own thread {supervisor.name}, which "
                "ends with it; name a thread of another process as supervisor"
            )


def _memory(system: System) -> Iterator[str]:
    """Checks the memory for code and data. Each begins at a multiple of the page's size, because
    the page and the kernel's stack lie at fixed distances from its beginning or end."""
    code, data = system.code, system.data
    aligned = architecture.of(system).code_alignment(system)
    if code.origin % aligned:
        better = align(code.origin, aligned)
        yield (
            f"[image] code begins at {code.origin:#x}, but the table of vectors begins at a "
            f"multiple of {aligned:#x}; let code begin at {better:#x}"
        )
    for name, memory in (("code", code), ("data", data)):
        if memory.origin % PAGE_BYTES:
            better = align(memory.origin, PAGE_BYTES)
            yield (
                f"[image] {name} begins at {memory.origin:#x}, which is no multiple of "
                f"{PAGE_BYTES}; let it begin at {better:#x}"
            )
        if not 0 <= memory.origin < memory.origin + memory.length <= _ADDRESSES:
            yield (
                f"[image] {name} is empty, or reaches beyond {_ADDRESSES:#x}; "
                "change its origin or its length"
            )
    alignment = system.region_alignment
    if alignment < 1 or alignment & alignment - 1:
        yield f"[image] region_alignment is {alignment}; make it a power of two"
    if Reach("overlaps", code.origin, code.length).meets(data.origin, data.length):
        yield "[image] code overlaps data; move one of them"


def _regions(system: System) -> Iterator[str]:
    regions = architecture.of(system).process_regions
    for index, process in enumerate(system.processes):
        shared = [each.users | each.readers for each in system.regions]
        shared += [each.users for each in system.windows]
        used = int(process.has_code) + sum(index in users for users in shared)
        if used > regions:
            yield (
                f"process {process.name} needs {used} regions of the protection unit, for its own "
                f"code, regions and windows; a process can have {regions}: combine some"
            )
        owned = [region.name for region in system.regions if region.owner == index]
        if len(owned) > 1:
            yield (
                f"process {process.name} owns the regions {' and '.join(owned)}, and may own one; "
                "combine them, or let another process own one"
            )
        if process.has_code != (process.code_bytes > 0):
            yield (
                f"process {process.name} has only one of code_files and code_bytes; "
                "add the other, or remove it"
            )
    for region in system.regions:
        if region.bytes <= 0:
            yield f"region {region.name} has {region.bytes} bytes; set bytes above 0, or remove it"


def _windows(system: System) -> Iterator[str]:
    target = architecture.of(system)
    taken = [("code", system.code.origin, system.code.length)]
    taken.append(("data", system.data.origin, system.data.length))
    taken += target.kernels_own
    for window in system.windows:
        try:
            require(window.address, window.bytes, target.shape)
        except DeclarationError as error:
            yield f"window {window.name}: {error}"
        if not 0 <= window.address < _ADDRESSES:
            yield f"window {window.name} is beyond {_ADDRESSES:#x}; correct its address"
        reaches = tuple(target.reaches(window.address, window.bytes))
        for reach, (name, address, count) in itertools.product(reaches, taken):
            if reach.meets(address, count):
                yield f"window {window.name} {reach.how} {name}; change its address or its bytes"
        taken += ((window.name, reach.address, reach.bytes) for reach in reaches)


def _unused(what: str) -> str:
    return f"no process has a right to {what}; name processes in its users, or remove it"


def _objects(system: System) -> Iterator[str]:
    kinds: tuple[tuple[str, Sequence[Semaphore | Mutex | Queue | Flags | Pool]], ...] = (
        ("semaphore", system.semaphores),
        ("mutex", system.mutexes),
        ("queue", system.queues),
        ("flags", system.flags),
        ("pool", system.pools),
    )
    owners = {region.owner for region in system.regions}
    for kind, objects in kinds:
        for index, each in enumerate(objects):
            if each.local and each.users and not each.users & owners:
                process = system.processes[min(each.users)].name
                yield (
                    f"{title(kind, index, each)} is local to process {process}, which owns no "
                    f"region to keep it in; declare a region with owner = {process!r}"
                )
            if not each.users:
                yield _unused(title(kind, index, each))
            if each.local and len(each.users) > 1:
                yield (
                    f"{title(kind, index, each)} is local, but {len(each.users)} processes use it; "
                    "name one process in users, or remove local"
                )
    for index, semaphore in enumerate(system.semaphores):
        if not 0 <= semaphore.initial <= semaphore.maximum or semaphore.maximum == 0:
            yield (
                f"{title('semaphore', index, semaphore)} has initial {semaphore.initial} and "
                f"maximum {semaphore.maximum}; use a maximum above 0, and an initial up to maximum"
            )
        most = _LOCAL_COUNT if semaphore.local else _COUNT
        if semaphore.maximum > most:
            yield (
                f"{title('semaphore', index, semaphore)} has maximum {semaphore.maximum}; "
                f"lower it to {most} or less"
            )
    for index, queue in enumerate(system.queues):
        if queue.message_bytes <= 0 or queue.message_bytes % 4 or queue.capacity <= 0:
            yield (
                f"{title('queue', index, queue)} has capacity {queue.capacity} and message_bytes "
                f"{queue.message_bytes}; use a capacity above 0, and a multiple of 4 above 0"
            )


def _flags(system: System) -> Iterator[str]:
    for index, flags in enumerate(system.flags):
        if not 0 <= flags.initial < 1 << _FLAGS:
            yield (
                f"{title('flags', index, flags)} has initial {flags.initial:#x}; "
                f"use bits 0 to {_FLAGS - 1} only"
            )
    actions = [(f"interrupt line {each.line}", each.action) for each in system.interrupts]
    actions += [(title("timer", i, each), each.action) for i, each in enumerate(system.timers)]
    for what, action in actions:
        if action.action == "sets" and not 0 < action.flags < 1 << _FLAGS:
            yield f"{what} sets flags {action.flags:#x}; use at least one of bits 0 to {_FLAGS - 1}"


def _gates(system: System) -> Iterator[str]:
    servers = [gate.server for gate in system.gates]
    for index, gate in enumerate(system.gates):
        server = system.threads[gate.server]
        if servers.count(gate.server) > 1:
            yield (
                f"thread {server.name} is the server of two gates, and may serve one; "
                "name another thread as the server of one of them"
            )
        if not gate.users:
            yield _unused(title("gate", index, gate))


def _pools(system: System) -> Iterator[str]:
    regions = {region.name: region for region in system.regions}
    for index, pool in enumerate(system.pools):
        what = title("pool", index, pool)
        if pool.block_bytes <= 0 or pool.block_bytes % 8 or pool.blocks <= 0:
            yield (
                f"{what} has {pool.blocks} blocks of {pool.block_bytes} bytes; "
                "use blocks above 0, and block_bytes that are a multiple of 8 above 0"
            )
        if pool.blocks > _POOL_BLOCKS:
            yield f"{what} has {pool.blocks} blocks; use {_POOL_BLOCKS} or less"
        if pool.local:
            if pool.region:
                yield f"{what} is local and has a region; remove local or region"
        elif pool.region not in regions:
            yield f"{what} has no region for its blocks; name its region, or make it local"
        elif apart := pool.users - regions[pool.region].users - regions[pool.region].readers:
            yield (
                f"process {system.processes[min(apart)].name} uses {what}, but not its region "
                f"{pool.region}; add the process to the region's users or readers"
            )


def _timers(system: System) -> Iterator[str]:
    for index, timer in enumerate(system.timers):
        if not timer.users:
            yield _unused(title("timer", index, timer))


def _interrupts(system: System) -> Iterator[str]:
    count = architecture.of(system).lines
    lines = [each.line for each in system.interrupts]
    for line in lines:
        if lines.count(line) > 1:
            yield f"two interrupts have line {line}; remove one, or change its line"
        if not 0 <= line < count:
            yield f"an interrupt has line {line}; use 0 to {count - 1}"
