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
            yield f"{kind} {name!r} is no name in C; use letters, digits and _"
        if name.startswith(_RESERVED):
            yield f"{kind} {name} has a name of the kernel; begin it otherwise"
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
                    yield f"{owners[pattern]} and {owner} both claim the {kind} of {pattern}"
                owners[pattern] = owner


def _threads(system: System) -> Iterator[str]:
    for thread in system.threads:
        if thread.stack_bytes <= 0:
            yield f"thread {thread.name} has no stack; give it stack_bytes"
        if not 0 <= thread.priority < PRIORITIES:
            yield (
                f"thread {thread.name} has priority {thread.priority}; "
                f"use 0 (highest) to {PRIORITIES - 1}"
            )
        if not 0 <= thread.slice_ticks <= _SLICE_TICKS:
            yield (
                f"thread {thread.name} has slice_ticks {thread.slice_ticks}; "
                f"use 1 to {_SLICE_TICKS}"
            )
        if thread.initially not in _STATES:
            yield (
                f"thread {thread.name} is initially {thread.initially}; use {', '.join(_STATES)}"
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
            yield f"process {process.name} has a ceiling and controls no thread; take it out"


def _supervisors(system: System) -> Iterator[str]:
    """Finds supervisors that are threads of the process that they supervise: such a thread ends
    with the process, so it would not be notified."""
    for index, process in enumerate(system.processes):
        if process.supervisor is None:
            continue
        supervisor = system.threads[process.supervisor]
        if supervisor.process == index:
            yield (
                f"process {process.name} is supervised by {supervisor.name}, which ends with it; "
                "name another process's thread"
            )


def _memory(system: System) -> Iterator[str]:
    """Checks the memory for code and data. Each begins at a multiple of the page's size, because
    the page and the kernel's stack lie at fixed distances from its beginning or end."""
    code, data = system.code, system.data
    aligned = architecture.of(system).code_alignment(system)
    if code.origin % aligned:
        better = align(code.origin, aligned)
        yield f"code begins at {code.origin:#x}, where no vector table may; begin it at {better:#x}"
    for name, memory in (("code", code), ("data", data)):
        if memory.origin % PAGE_BYTES:
            better = align(memory.origin, PAGE_BYTES)
            yield f"{name} begins at {memory.origin:#x}; begin it at {better:#x}"
        if not 0 <= memory.origin < memory.origin + memory.length <= _ADDRESSES:
            yield f"{name} is empty, or beyond {_ADDRESSES:#x}; change its origin or its length"
    alignment = system.region_alignment
    if alignment < 1 or alignment & alignment - 1:
        yield f"region_alignment is {alignment}; make it a power of two"
    if Reach("overlaps", code.origin, code.length).meets(data.origin, data.length):
        yield "code overlaps data; move one of them"


def _regions(system: System) -> Iterator[str]:
    regions = architecture.of(system).process_regions
    for index, process in enumerate(system.processes):
        shared = [each.users | each.readers for each in system.regions]
        shared += [each.users for each in system.windows]
        used = int(process.has_code) + sum(index in users for users in shared)
        if used > regions:
            yield (
                f"process {process.name} needs {used} regions, code of its own among them; "
                f"there are {regions} for a process: join some"
            )
        owned = [region.name for region in system.regions if region.owner == index]
        if len(owned) > 1:
            yield (
                f"process {process.name} owns {' and '.join(owned)}; "
                "join them, or give one to a process of its own"
            )
        if process.has_code != (process.code_bytes > 0):
            yield f"process {process.name} needs both code_files and code_bytes, or neither"
    for region in system.regions:
        if region.bytes <= 0:
            yield f"region {region.name} is empty; give it bytes, or take it out"


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
            yield f"window {window.name} is beyond {_ADDRESSES:#x}; move it"
        reaches = tuple(target.reaches(window.address, window.bytes))
        for reach, (name, address, count) in itertools.product(reaches, taken):
            if reach.meets(address, count):
                yield f"window {window.name} {reach.how} {name}; move it"
        taken += ((window.name, reach.address, reach.bytes) for reach in reaches)


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
                yield f"{kind} {index} is local to {process}, which owns no region; give it one"
            if not each.users:
                yield f"nobody has a right to {kind} {index}; name its users, or take it out"
            if each.local and len(each.users) > 1:
                yield (
                    f"{kind} {index} is local and has {len(each.users)} processes; "
                    "only one can share its memory: take local out"
                )
    for index, semaphore in enumerate(system.semaphores):
        if not 0 <= semaphore.initial <= semaphore.maximum or semaphore.maximum == 0:
            yield f"semaphore {index} begins above its maximum; raise maximum"
        most = _LOCAL_COUNT if semaphore.local else _COUNT
        if semaphore.maximum > most:
            yield f"semaphore {index} counts to {semaphore.maximum}; lower maximum to {most}"
    for index, queue in enumerate(system.queues):
        if queue.message_bytes <= 0 or queue.message_bytes % 4 or queue.capacity <= 0:
            yield f"queue {index} needs a capacity, and message_bytes a multiple of 4"


def _flags(system: System) -> Iterator[str]:
    for index, flags in enumerate(system.flags):
        if not 0 <= flags.initial < 1 << _FLAGS:
            yield f"flags {index} begin as {flags.initial:#x}; there are bits 0 to {_FLAGS - 1}"
    actions = [each.action for each in system.interrupts]
    actions += [each.action for each in system.timers]
    for action in actions:
        if action.action == "sets" and not 0 < action.flags < 1 << _FLAGS:
            yield f"flags {action.flags:#x} cannot be set; use some of bits 0 to {_FLAGS - 1}"


def _gates(system: System) -> Iterator[str]:
    servers = [gate.server for gate in system.gates]
    for index, gate in enumerate(system.gates):
        server = system.threads[gate.server]
        if servers.count(gate.server) > 1:
            yield f"thread {server.name} serves two gates; give one a server of its own"
        if not gate.users:
            yield f"nobody can call gate {index}; name its users, or take it out"


def _pools(system: System) -> Iterator[str]:
    regions = {region.name: region for region in system.regions}
    for index, pool in enumerate(system.pools):
        if pool.block_bytes <= 0 or pool.block_bytes % 8 or pool.blocks <= 0:
            yield f"pool {index} needs blocks, and block_bytes a multiple of 8"
        if pool.blocks > _POOL_BLOCKS:
            yield f"pool {index} has {pool.blocks} blocks; {_POOL_BLOCKS} can be counted"
        if pool.local:
            if pool.region:
                yield f"pool {index} is local and has a region; take one out"
        elif pool.region not in regions:
            yield f"pool {index} lies nowhere; name its region, or make it local"
        elif pool.users - regions[pool.region].users - regions[pool.region].readers:
            yield f"not all users of pool {index} reach region {pool.region}; add them to its users"


def _timers(system: System) -> Iterator[str]:
    for index, timer in enumerate(system.timers):
        if not timer.users:
            yield f"nobody has a right to timer {index}; name its users, or take it out"


def _interrupts(system: System) -> Iterator[str]:
    count = architecture.of(system).lines
    lines = [each.line for each in system.interrupts]
    for line in lines:
        if lines.count(line) > 1:
            yield f"interrupt line {line} is bound twice; unbind one"
        if not 0 <= line < count:
            yield f"there is no interrupt line {line}; use 0 to {count - 1}"
