# SPDX-License-Identifier: MIT
"""Handles, and the table of rights of each process.

A handle is a number that names the same object in every process: 0 is the calling thread, then come
the objects of the system, kind after kind. It is an index into the table of rights of the calling
process. All tables have the same length, a power of two, so that the kernel can check a handle by a
mask. An unused entry gives no right (core/right.h).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bulkhead_declare import measures
from bulkhead_declare.apart import table_of
from bulkhead_declare.model import Queue, System

SELF = 0


@dataclass(frozen=True)
class Right:
    """An entry in a process's table of rights: the name of a table of methods (method_tables.inc),
    and the object as an expression in C."""

    methods: str
    object: str


def counts(system: System) -> dict[str, int]:
    return {
        "thread": len(system.threads),
        "semaphore": len(system.semaphores),
        "mutex": len(system.mutexes),
        "queue": len(system.queues),
        "interrupt": len(system.interrupts),
        "flags": len(system.flags),
        "gate": len(system.gates),
        "pool": len(system.pools),
        "timer": len(system.timers),
        "process": len(supervised(system)),
        "record": len(system.records),
        "measured": len(measures.names(system)),
    }


def supervised(system: System) -> list[int]:
    """Returns the processes that have a handle, by which their supervisors name them."""
    return [index for index, each in enumerate(system.processes) if each.supervisor is not None]


def first_handles(system: System) -> dict[str, int]:
    """Returns the handle of the first object of each kind; the others follow."""
    handles = {}
    handle = SELF + 1
    for kind, count in counts(system).items():
        handles[kind] = handle
        handle += count
    return handles


def ceiling(system: System, process: int) -> int:
    """Returns the highest priority that threads of the process may give to a thread that the
    process controls: the declared ceiling, or by default the highest declared priority of the
    controlled threads. So `controls` alone raises no thread above that priority."""
    declared = system.processes[process].ceiling
    if declared is not None:
        return declared
    controls = system.controls.get(process, frozenset())
    return min((system.threads[each].priority for each in controls), default=0)


def table_length(system: System) -> int:
    used = 1 + sum(counts(system).values())
    return 1 << (used - 1).bit_length()


def table(system: System, process: int) -> dict[int, Right]:
    """Returns the table of rights of a process: the right for each handle."""
    first = first_handles(system)
    rights = {SELF: Right("self_methods", "NULL")}
    for kind, index, right in _rights(system, process):
        rights[first[kind] + index] = right
    return rights


def boot_table(system: System) -> dict[int, Right]:
    """Returns the rights of the idle thread's process, in which the system starts."""
    return {SELF: Right("tickless_boot_methods" if system.tickless else "boot_methods", "NULL")}


def _rights(system: System, process: int) -> Iterator[tuple[str, int, Right]]:
    yield from _threads(system, process)
    for index, semaphore in enumerate(system.semaphores):
        if process in semaphore.users:
            table = "local_semaphore" if semaphore.local else table_of(semaphore, process)
            yield "semaphore", index, Right(f"{table}_methods", f"&semaphores[{index}]")
    for index, mutex in enumerate(system.mutexes):
        if process in mutex.users:
            methods = "local_mutex_methods" if mutex.local else "mutex_methods"
            yield "mutex", index, Right(methods, f"&kernel_mutexes[{index}]")
    for index, queue in enumerate(system.queues):
        if process in queue.users:
            yield "queue", index, _queue(queue, index, process)
    yield from _services(system, process)
    for index, other in enumerate(supervised(system)):
        supervisor = system.processes[other].supervisor
        if supervisor is not None and system.threads[supervisor].process == process:
            policy = system.processes[other].policy
            methods = "process_methods" if policy is None else "restarted_process_methods"
            yield "process", index, Right(methods, f"(void *)&processes[{other}]")
    for index, record in enumerate(system.records):
        if process in record.users:
            yield "record", index, Right("record_methods", "NULL")
    for index, thread in measures.of(system, process):
        right = Right("measured_methods", f"(void *)&kernel_measured[{thread}]")
        yield "measured", index, right
    for index, interrupt in enumerate(system.interrupts):
        pends = index in system.processes[process].pends
        drives = (
            interrupt.action.action == "delivers"
            and system.threads[interrupt.action.object].process == process
        )
        if pends or drives:
            methods = _interrupt_methods(pends, drives, interrupt.is_level)
            line = f"&kernel_lines[{index}].line" if drives else str(interrupt.line)
            yield "interrupt", index, Right(methods, f"(void *){line}")


def _interrupt_methods(pends: bool, drives: bool, is_level: bool) -> str:
    if not drives:
        return "interrupt_methods"
    trigger = "level" if is_level else "edge"
    return f"{trigger}_loop_methods" if pends else f"{trigger}_methods"


def _queue(queue: Queue, index: int, process: int) -> Right:
    if queue.local:
        return Right("local_queue_methods", f"&local_queues[{index}]")
    return Right(f"{table_of(queue, process)}_methods", f"&queues[{index}]")


def _threads(system: System, process: int) -> Iterator[tuple[str, int, Right]]:
    controls = system.controls.get(process, frozenset())
    notifies = system.notifies.get(process, frozenset())
    for index in sorted(controls | notifies):
        if index not in controls:
            methods = "notified_thread_methods"
        elif index not in notifies:
            methods = "controlled_thread_methods"
        else:
            methods = "thread_methods"
        yield "thread", index, Right(methods, f"&kernel_threads[{index}]")


def _services(system: System, process: int) -> Iterator[tuple[str, int, Right]]:
    for index, flags in enumerate(system.flags):
        if process in flags.users:
            table = "local_flags" if flags.local else table_of(flags, process)
            yield "flags", index, Right(f"{table}_methods", f"&flags[{index}]")
    for index, gate in enumerate(system.gates):
        lending = "lending_" if gate.leases else ""
        if process == system.threads[gate.server].process:
            yield "gate", index, Right(f"{lending}gate_methods", f"&gates[{index}]")
        elif process in gate.users:
            yield "gate", index, Right(f"{lending}called_gate_methods", f"&gates[{index}]")
    for index, pool in enumerate(system.pools):
        if process in pool.users and not pool.local:
            yield "pool", index, Right(f"{table_of(pool, process)}_methods", f"&pools[{index}]")
    for index, timer in enumerate(system.timers):
        if process in timer.users:
            yield "timer", index, Right("alarm_methods", f"&alarms[{index}]")
