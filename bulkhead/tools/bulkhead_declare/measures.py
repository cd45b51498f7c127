# SPDX-License-Identifier: MIT
"""Measures of threads: the stack that each has used, and its processor time. The rights to them,
their mistakes, and what the generator writes for them.

A system that declares neither has none of their code (core/optional.h).
"""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare.model import System
from bulkhead_declare.regions import Placement

_IDLE = "kernel_idle"  # no declared thread has a name that begins so


def _measured(system: System) -> list[int]:
    return sorted(frozenset().union(*system.measures.values()))


def names(system: System) -> list[str]:
    """Returns the names of what has a handle: each thread that some process measures, and idle."""
    found = [system.threads[index].name for index in _measured(system)]
    return [*found, _IDLE] if found else []


def of(system: System, process: int) -> Iterator[tuple[int, int]]:
    """Yields the rights of a process: the index among `names`, and the number of the thread."""
    own = system.measures.get(process, frozenset())
    threads = _measured(system)
    yield from ((index, thread) for index, thread in enumerate(threads) if thread in own)
    if own:
        yield len(threads), len(system.threads)


def mistakes(system: System) -> Iterator[str]:
    for index, threads in system.measures.items():
        if threads and not (system.stack_marks or system.thread_times):
            yield (
                f"process {system.processes[index].name} measures threads, and the image keeps "
                "nothing of them; add stack_marks or thread_times to [image]"
            )
    if system.thread_times and system.tickless:
        yield "thread_times needs every tick; take tickless out"


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
