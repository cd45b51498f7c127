# SPDX-License-Identifier: MIT
"""Writes the objects that are `local` to one process in C: their definitions, and the names that
applications use.

Each process has its own arrays of objects, in sections that the linker script puts into the region
that the process owns. So the local objects of two processes never share memory, and a declaration
need not name the generated file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bulkhead_declare import rights
from bulkhead_declare.model import Flags, Mutex, Pool, Queue, Semaphore, System

_PLURALS = {
    "semaphore": "semaphores", "mutex": "mutexes", "queue": "queues", "flags": "flags",
    "pool": "pools",
}  # fmt: skip
KINDS = tuple(_PLURALS)


@dataclass(frozen=True)
class Local:
    """A local object."""

    kind: str
    index: int  # index among all objects of its kind in the system
    process: int
    place: int  # index among the local objects of its kind in its process
    declared: Any

    def array(self, system: System) -> str:
        return f"local_{_PLURALS[self.kind]}_{system.processes[self.process].name}"


def of_kind(system: System, kind: str) -> Sequence[Any]:
    every = {
        "semaphore": system.semaphores, "mutex": system.mutexes, "queue": system.queues,
        "flags": system.flags, "pool": system.pools,
    }  # fmt: skip
    return every[kind]


def every(system: System) -> Iterator[Local]:
    for kind in KINDS:
        counts: dict[int, int] = {}
        for index, declared in enumerate(of_kind(system, kind)):
            if declared.local and declared.users:
                process = min(declared.users)
                place = counts.get(process, 0)
                counts[process] = place + 1
                yield Local(kind, index, process, place, declared)


def element(system: System, kind: str, index: int) -> str:
    """Returns the expression in C that denotes a local object."""
    found = next(each for each in every(system) if (each.kind, each.index) == (kind, index))
    return f"{found.array(system)}[{found.place}]"


def symbols(system: System) -> tuple[str, ...]:
    """Returns the arrays that the kernel's tables refer to. The kernel does not know local pools,
    so their arrays are not among them."""
    named = (each.array(system) for each in every(system) if each.kind != "pool")
    return tuple(dict.fromkeys(named))


def section(process: str, is_zero: bool = False) -> str:
    """Returns the section for the local objects of a process. No pattern of files in a declaration
    takes this section, because such patterns match only sections whose names begin with `.data`,
    `.bss` and the like. The prefix `.gnu.linkonce.b` tells the compiler that the memory is all
    zero."""
    return f"{'.gnu.linkonce.b' if is_zero else ''}.bulkhead_local.{process}"


def declarations(system: System) -> Iterator[str]:
    """Writes the `extern` declarations of the arrays, for every source that uses them."""
    arrays = {each.array(system): each.kind for each in every(system)}
    for name, kind in arrays.items():
        yield f"extern struct bulkhead_{kind} {name}[];"


def _name(kind: str, name: str) -> str:
    return f"{kind}_{name}".upper()


def handle_name(system: System, kind: str, index: int, name: str) -> str:
    """Returns the name of a handle. The handle of a local object gets the prefix HANDLE_, because
    applications use the name itself for the address of the object: by the type of the address, the
    compiler selects the call that avoids the kernel (bulkhead.h)."""
    is_local = any((each.kind, each.index) == (kind, index) for each in every(system))
    return f"HANDLE_{_name(kind, name)}" if is_local else _name(kind, name)


def names(system: System, declared: dict[str, list[str]]) -> Iterator[str]:
    """Writes the names for applications: MUTEX_M is the address of the local mutex declared as
    m."""
    yield from declarations(system)
    for each in every(system):
        name = _name(each.kind, declared[each.kind][each.index])
        yield f"#define {name} (&{each.array(system)}[{each.place}])"


def definitions(system: System) -> Iterator[str]:
    """Writes the definitions of the local objects. They are linked with the code of the processes,
    not with the kernel."""
    yield from declarations(system)
    rows: dict[tuple[str, str, int], list[str]] = {}
    for each in every(system):
        process = system.processes[each.process].name
        yield from _memory(each, process)
        row = _row(each, rights.first_handles(system).get(each.kind, 0) + each.index)
        rows.setdefault((each.array(system), each.kind, each.process), []).append(row)
    for (name, kind, process_index), initial in rows.items():
        place = _placed(system.processes[process_index].name)
        yield f"{place} struct bulkhead_{kind} {name}[] = {{{', '.join(initial)}}};"


def _placed(process: str, is_zero: bool = False) -> str:
    return f'__attribute__((section("{section(process, is_zero)}")))'


def _memory(local: Local, process: str) -> Iterator[str]:
    """Writes the memory for a queue's messages or a pool's blocks."""
    if isinstance(local.declared, Queue):
        words = _places(local.declared) * local.declared.message_bytes // 4
        yield f"{_placed(process, is_zero=True)} static uint32_t buffer_{local.index}[{words}];"
    if isinstance(local.declared, Pool):
        yield f"{_placed(process)} {_blocks(local.index, local.declared)}"


def _row(local: Local, handle: int) -> str:
    match local.declared:
        case Semaphore() as each:
            return f"{{.count = {each.initial}, .maximum = {each.maximum}, .handle = {handle}}}"
        case Mutex():
            return f"{{.handle = {handle}}}"
        case Flags() as each:
            return f"{{.word = {each.initial:#x}u, .handle = {handle}}}"
        case Queue() as each:
            return (
                f"{{.capacity = {each.capacity}, .mask = {_places(each) - 1}, "
                f".message_bytes = {each.message_bytes}, .buffer = buffer_{local.index}, "
                f".handle = {handle}}}"
            )
        case Pool() as each:
            blocks = f"(uint32_t)blocks_{local.index}"
            size = each.blocks * each.block_bytes
            return f"{{.free = {blocks}, .start = {blocks}, .bytes = {size}}}"
    raise AssertionError(local.kind)


def _places(queue: Queue) -> int:
    """Returns the number of messages that a queue's buffer holds: the capacity rounded up to a
    power of two, so that an index can be masked."""
    return 1 << (queue.capacity - 1).bit_length()


def _blocks(index: int, pool: Pool) -> str:
    links = [f"[{i}][0] = (uint32_t)blocks_{index}[{i + 1}]" for i in range(pool.blocks - 1)]
    return (
        f"static uint32_t blocks_{index}[{pool.blocks}][{pool.block_bytes // 4}] "
        f"__attribute__((aligned(8))) = {{{', '.join(links)}}};"
    )
