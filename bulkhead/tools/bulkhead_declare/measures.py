# SPDX-License-Identifier: MIT
"""Measures of threads: the stack that each thread has used, and its processor time. Numbers the
rights to them, finds mistakes in their declaration, and writes their table in C.

A system that declares neither measure has no code for them (core/optional.h).
"""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare.model import System
from bulkhead_declare.regions import Placement

_IDLE = "kernel_idle"  # no declared thread may have a name that begins with `kernel`


def _measured(system: System) -> list[int]:
    return sorted(frozenset().union(*system.measures.values()))


def names(system: System) -> list[str]:
    """Returns the names of the measures that have a handle: one for each thread that a process
    measures, and one for the idle thread."""
    found = [system.threads[index].name for index in _measured(system)]
    return [*found, _IDLE] if found else []


def of(system: System, process: int) -> Iterator[tuple[int, int]]:
    """Yields the rights of a process to measures of threads. For each: the index in `names`, and
    the number of the thread."""
    own = system.measures.get(process, frozenset())
    threads = _measured(system)
    yield from ((index, thread) for index, thread in enumerate(threads) if thread in own)
    if own:
        yield len(threads), len(system.threads)


def mistakes(system: System) -> Iterator[str]:
    for index, threads in system.measures.items():
        if threads and not (system.stack_marks or system.thread_times):
            yield (
                f"process {system.processes[index].name} has measures, but nothing is measured; "
                "add stack_marks or thread_times to [image]"
            )
    if system.thread_times and system.tickless:
        yield "[image] has thread_times, which need every tick, and tickless; remove one of them"


def tables(system: System, placed: Placement) -> Iterator[str]:
    if not (system.stack_marks or system.thread_times):
        return
    count = len(system.threads) + 1
    yield '#include "options/measures.h"'
    if system.thread_times:
        yield f"static uint64_t thread_counts[{count}];"
    yield f"const struct measured kernel_measured[{count}] = {{"
    for index, stack in enumerate(placed.stacks):
        start, end = stack.address, stack.address + stack.size
        counts = f"&thread_counts[{index}]" if system.thread_times else "NULL"
        yield f"    {{(uint32_t *){start:#x}u, (uint32_t *){end:#x}u, {counts}}},"
    yield "};"
