# SPDX-License-Identifier: MIT
"""Declares a scenario for CMSIS-RTOS2: the objects of its library, and their list in C.

A queue of CMSIS-RTOS2 is two semaphores and a mutex, a pool is a semaphore, and a thread has flags
(bulkhead/cmsis-rtos2). The scenario's own objects come first, so the interrupts name them by the
indices of the scenario.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import scenario_table
from bulkhead_declare.model import Action, Flags, Mutex, Semaphore, System, Thread, Timer

# Bytes that the library's functions need on a task's stack, and the stack of the thread os_main.
TASK_BYTES = 192
MAIN_BYTES = 1024

# Bytes for each entry of the list of objects.
ENTRY_BYTES = 64

_LOWEST, _HIGHEST = 31, 0
_ALL = (1 << 15) - 1  # the maximum of a semaphore whose own maximum a queue or a pool has
_ONE = frozenset((0,))


def system(declared: System, scenario: scenario_table.Scenario) -> System:
    """Replaces the scenario's objects by those of the library."""
    counts = [Semaphore(0, _ALL, _ONE, True)]
    queues, pools = len(scenario.queues), len(scenario.pools)
    flags = len(scenario.flags) + len(scenario.tasks)
    region = declared.regions[0]
    return replace(
        declared,
        threads=(*map(_pooled, declared.threads), _main(len(scenario.tasks))),
        semaphores=(*declared.semaphores, *counts * (2 * queues + pools)),
        mutexes=(*declared.mutexes, *[Mutex(_ONE, True)] * (queues + 1)),
        flags=(*declared.flags, *[Flags(0, _ONE, True)] * (len(scenario.tasks) + 1)),
        timers=tuple(
            Timer(Action("sets", flags, flags=1 << i), _ONE) for i in range(len(scenario.timers))
        ),
        queues=(),
        pools=(),
        regions=(replace(region, bytes=region.bytes + _bytes(scenario)), *declared.regions[1:]),
    )


def _pooled(thread: Thread) -> Thread:
    return replace(
        thread,
        entry="bulkhead_os_thread_main",
        priority=_LOWEST,
        stack_bytes=thread.stack_bytes + TASK_BYTES,
        initially="dormant",
    )


def _main(index: int) -> Thread:
    return Thread(f"task_{index}", "os_main", MAIN_BYTES, _HIGHEST, 0)


def _bytes(scenario: scenario_table.Scenario) -> int:
    memory = sum(map(_queue_bytes, scenario.queues)) + sum(map(_pool_bytes, scenario.pools))
    kinds = (
        scenario.tasks, scenario.semaphores, scenario.mutexes, scenario.flags, scenario.queues,
        scenario.pools, scenario.timers,
    )  # fmt: skip
    objects = sum(map(len, kinds))
    return memory + (2 * objects + 4) * ENTRY_BYTES


def _queue_bytes(queue: scenario_table.Queue) -> int:
    return queue.capacity * (4 + queue.message_bytes)


def _pool_bytes(pool: scenario_table.Pool) -> int:
    return pool.blocks * pool.block_bytes


# --- The list in C --------------------------------------------------------------------------------


def objects(scenario: scenario_table.Scenario) -> str:
    """Returns the definition of `bulkhead_os`, and the numbers of its entries."""
    rows = dict(_rows(scenario))
    lines = ["#include <bulkhead/os_objects.h>", *_memories(scenario)]
    fields = ["    .tick_hz = BENCH_TICK_HZ,", "    .state = &os_state,"]
    for kind, (type_name, entries) in rows.items():
        lines.append(f"enum {{ OS_{kind.upper()} = {max(1, len(entries))} }};")
        lines.append(f"static struct bulkhead_os_{type_name} os_{kind}[OS_{kind.upper()}] = {{")
        lines.extend(f"    {{{entry}}}," for entry in entries or ["0"])
        lines.append("};")
        fields.append(f"    .{kind} = os_{kind}, .{kind}_count = {len(entries)},")
    mutex = len(scenario.mutexes) + len(scenario.queues)
    timer_flags = len(scenario.flags) + len(scenario.tasks)
    fields.append(f"    .mutex = &{_local('mutexes', mutex)},")
    fields.append(f"    .timer_flags = &{_local('flags', timer_flags)},")
    lines.append("static struct bulkhead_os_state os_state;")
    return "\n".join((*lines, "const struct bulkhead_os bulkhead_os = {", *fields, "};", ""))


def _local(kind: str, index: int) -> str:
    return f"local_{kind}_process_0[{index}]"


def _memories(scenario: scenario_table.Scenario) -> Iterator[str]:
    for index, queue in enumerate(scenario.queues):
        yield f"static uint64_t queue_memory_{index}[{_words(_queue_bytes(queue))}];"
    for index, pool in enumerate(scenario.pools):
        yield f"static uint64_t pool_memory_{index}[{_words(_pool_bytes(pool))}];"


def _words(size: int) -> int:
    return (size + 7) // 8


def _rows(scenario: scenario_table.Scenario) -> Iterator[tuple[str, tuple[str, list[str]]]]:
    """Yields each kind of entry: its array, its type and its rows."""
    flags, semaphores, mutexes = map(len, (scenario.flags, scenario.semaphores, scenario.mutexes))
    first_count = semaphores + 2 * len(scenario.queues)
    yield "threads", ("thread", [
        f".handle = THREAD_HANDLES + {i}, .flags = &{_local('flags', flags + i)}, "
        f".stack_bytes = {task.stack_bytes}"
        for i, task in enumerate(scenario.tasks)
    ])  # fmt: skip
    yield "semaphores", ("semaphore", _each("semaphores", semaphores))
    yield "mutexes", ("mutex", _each("mutexes", mutexes))
    yield "flags", ("flags", _each("flags", flags))
    yield "queues", ("queue", [
        f".mutex = &{_local('mutexes', mutexes + i)}, "
        f".messages = &{_local('semaphores', semaphores + 2 * i)}, "
        f".spaces = &{_local('semaphores', semaphores + 2 * i + 1)}, {_memory('queue', i)}"
        for i in range(len(scenario.queues))
    ])  # fmt: skip
    yield "pools", ("pool", [
        f".free = &{_local('semaphores', first_count + i)}, {_memory('pool', i)}"
        for i in range(len(scenario.pools))
    ])  # fmt: skip
    yield "timers", ("timer", [
        f".handle = TIMER_HANDLES + {i}" for i in range(len(scenario.timers))
    ])  # fmt: skip


def _each(kind: str, count: int) -> list[str]:
    return [f".object = &{_local(kind, index)}" for index in range(count)]


def _memory(kind: str, index: int) -> str:
    name = f"{kind}_memory_{index}"
    return f".memory = {name}, .memory_bytes = sizeof {name}"
