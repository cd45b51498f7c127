# SPDX-License-Identifier: MIT
"""Writes the kernel's tables in C (kernel_tables.c), and the definitions of the objects that lie in
processes (user_objects.c)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from bulkhead_declare import (
    architecture,
    budgets,
    emit_local,
    emit_objects,
    events,
    features,
    leases,
    measures,
    restarts,
    rights,
)
from bulkhead_declare.model import PRIORITIES, Interrupt, Queue, System
from bulkhead_declare.regions import Placement

_STATES = {"ready": "0", "suspended": "THREAD_SUSPENDED", "dormant": "THREAD_DORMANT"}


def kernel_tables(system: System, placed: Placement) -> str:
    """Returns the source that is linked with the kernel."""
    return "\n".join(
        (
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            '#include "objects.h"',
            "",
            *_entries(system),
            *_objects(system),
            *emit_objects.kernel_objects(system),
            f"struct thread kernel_threads[{max(1, len(system.threads))}];",
            f"const uint32_t kernel_thread_count = {len(system.threads)};",
            f"struct timer *kernel_timer_heap[{len(system.threads) + len(system.timers) + 1}];",
            *_identities(len(system.threads)),
            *measures.tables(system, placed),
            *leases.tables(system, placed),
            *_processes(system, placed),
            *_threads(system, placed),
            *features.tables(system),
            *_interrupts(system),
            *architecture.of(system).shared(placed),
            "",
        )
    )


def user_objects(system: System, placed: Placement) -> str:
    """Returns the source that is linked with the processes: the words of their own objects."""
    return "\n".join(
        (
            "// SPDX-License-Identifier: MIT",
            "// Made from the declaration.",
            "#include <bulkhead/fault.h>",
            "#include <bulkhead/local.h>",
            "",
            *_idle_loop(system),
            *emit_local.definitions(system),
            *restarts.definitions(system),
            *_places(system, placed),
            *events.log_definitions(system, placed),
            "",
        )
    )


def _idle_loop(system: System) -> Iterator[str]:
    """Writes the loop of the idle thread. The loop uses no stack, because the kernel restarts the
    idle thread (core/deferred.c) while an interrupt has a frame on its stack: the new first frame
    replaces that frame. PendSV, which may be about to save it, saves the new frame then."""
    yield "__attribute__((naked)) void bulkhead_idle(void);"
    yield "void bulkhead_idle(void) {"
    yield "    __asm__ volatile(BULKHEAD_CALL_SELF_TEXT(BULKHEAD_IDLE_WORK));"
    yield "    for (;;) {"
    if system.tickless:
        yield "        __asm__ volatile(BULKHEAD_CALL_SELF_TEXT(BULKHEAD_IDLE_SLEEP));"
    yield '        __asm__ volatile("wfi");'
    yield "    }"
    yield "}"


def _entries(system: System) -> Iterator[str]:
    for entry in sorted({thread.entry for thread in system.threads}):
        yield f"extern void {entry}(void);"
    yield "extern void bulkhead_idle(void);"
    yield from emit_local.declarations(system)


def _identities(count: int) -> Iterator[str]:
    """Writes the table of thread identities, indexed by the number of the thread. User code may
    read the table."""
    rows = ", ".join(f"(uint32_t)&kernel_threads[{index}]" for index in range(count))
    yield "extern const uint32_t bulkhead_identities[];"
    yield '__attribute__((section(".shared_constants"), used))'
    yield f"const uint32_t bulkhead_identities[] = {{{rows}}};"


# --- Objects --------------------------------------------------------------------------------------


def _definition(kind: str, name: str, count: int) -> str:
    return f"static __attribute__((unused)) struct {kind} {name}[{max(1, count)}] = {{"


def _objects(system: System) -> Iterator[str]:
    length = rights.table_length(system)
    yield "struct process_with_rights {"
    yield "    struct process process;"
    yield f"    struct right rights[{length}];"
    yield "};"
    yield f"extern const struct process_with_rights processes[{len(system.processes) + 1}];"
    yield f"const uint32_t kernel_rights_mask = ARCH_RIGHTS_MASK({length});"
    yield _definition("semaphore", "semaphores", len(system.semaphores))
    for index, semaphore in enumerate(system.semaphores):
        word = f"&semaphores[{index}].own"
        if semaphore.local:
            word = f"&{emit_local.element(system, 'semaphore', index)}.count"
        yield (
            f"    {{.count = {word}, .maximum = {semaphore.maximum}, .own = {semaphore.initial}}},"
        )
    yield "};"
    yield f"struct mutex kernel_mutexes[{max(1, len(system.mutexes))}] = {{"
    for index, mutex in enumerate(system.mutexes):
        word = f"&kernel_mutexes[{index}].own"
        if mutex.local:
            word = f"&{emit_local.element(system, 'mutex', index)}.word"
        process = f"&processes[{min(mutex.users)}].process" if mutex.local else "NULL"
        yield f"    {{.word = {word}, .process = {process},"
        yield "     .resource = {.cancel_wait = mutex_cancel_wait}},"
    yield "};"
    yield f"const uint32_t kernel_mutex_count = {len(system.mutexes)};"
    yield from _queues(system)


def _queues(system: System) -> Iterator[str]:
    queues, first_handle = system.queues, rights.first_handles(system)["queue"]
    for index, queue in enumerate(queues):
        words = queue.capacity * queue.message_bytes // 4
        if not queue.local:
            yield f"static uint32_t messages_{index}[{words}];"
    yield _definition("queue", "queues", len(queues))
    for index, queue in enumerate(queues):
        yield f"    {_queue(index, queue)}," if not queue.local else "    {0},"
    yield "};"
    yield _definition("local_queue", "local_queues", len(queues))
    for index, queue in enumerate(queues):
        row = "{0}"
        if queue.local:
            element = emit_local.element(system, "queue", index)
            row = (
                f"{{.queue = &{element}, .handle = {first_handle + index}, "
                f".capacity = {queue.capacity}}}"
            )
        yield f"    {row},"
    yield "};"


def _queue(index: int, queue: Queue) -> str:
    words = queue.message_bytes // 4
    name = f"messages_{index}"
    return (
        f"{{.capacity = {queue.capacity}, .words = {words}, .head = {name}, .tail = {name}, "
        f".start = {name}, .end = {name} + {queue.capacity * words}}}"
    )


def _places(system: System, placed: Placement) -> Iterator[str]:
    """Writes the table with the names of address ranges, in which bulkhead_place_of (fault.h)
    searches."""
    placed_rows = ((each.address, each.size, each.name) for each in placed.everything)
    windows = ((each.address, each.bytes, each.name) for each in system.windows)
    shared = placed.user_code
    yield "extern const struct bulkhead_place bulkhead_places[];"
    yield "const struct bulkhead_place bulkhead_places[] = {"
    count = 0
    for address, size, name in (*placed_rows, *windows, (shared.address, shared.size, shared.name)):
        yield f'    {{{address:#x}u, {size:#x}u, "{name}"}},'
        count += 1
    yield "};"
    yield "extern const uint32_t bulkhead_place_count;"
    yield f"const uint32_t bulkhead_place_count = {count};"


# --- Processes ------------------------------------------------------------------------------------


def _processes(system: System, placed: Placement) -> Iterator[str]:
    yield "static struct bulkhead_fault report; // of all that have no supervisor"
    for index in rights.supervised(system):
        yield f"static struct bulkhead_fault report_{index};"
    for region in system.regions:
        yield f"extern uint32_t {', '.join(f'{region.name}_{part}[]' for part in _PARTS)};"
    yield f"const struct process_with_rights processes[{len(system.processes) + 1}] = {{"
    for index in range(len(system.processes)):
        yield from _process(system, placed, index)
    yield from _idle(system)
    yield "};"
    names = ", ".join(f"&processes[{index}].process" for index in range(len(system.processes)))
    yield f"const struct process *const kernel_processes[] = {{{names}}};"
    yield f"const uint32_t kernel_process_count = {len(system.processes)};"


_PARTS = ("load", "start", "zero", "end")


def _process(system: System, placed: Placement, index: int) -> Iterator[str]:
    process = system.processes[index]
    supervisor = process.supervisor
    yield f"    [{index}] = {{{{.regions = {_regions(system, placed, index)},"
    yield f'        .name = "{process.name}",'
    report = "report" if supervisor is None else f"report_{index}"
    yield f"        .restarts = {int(process.restarts)}, .report = &{report},"
    yield f"        .ceiling = {rights.ceiling(system, index)},"
    yield from _threads_of(system, index)
    if supervisor is not None:
        yield f"        .supervisor = &kernel_threads[{supervisor}],"
    owned = [region.name for region in system.regions if region.owner == index]
    for name in owned:
        parts = ", ".join(f"{name}_{part}" for part in _PARTS)
        yield f"        .memory = {{{parts}}},"
    yield "    }, {"
    yield from _rights(system, rights.table(system, index))
    yield "    }},"


def _threads_of(system: System, process: int) -> Iterator[str]:
    own = [index for index, thread in enumerate(system.threads) if thread.process == process]
    if own:
        highest = min(system.threads[index].priority for index in own)
        yield f"        .first = &kernel_threads[{own[0]}], .last = &kernel_threads[{own[-1]}],"
        yield f"        .highest_priority_mask = {0x80000000 >> highest:#x}u,"


def _idle(system: System) -> Iterator[str]:
    regions = architecture.of(system).process(None, (), (), ())
    index = len(system.processes)
    yield f'    [{index}] = {{{{.regions = {regions}, .name = "idle", .report = &report}}, {{'
    yield from _rights(system, rights.boot_table(system))
    yield "    }},"


def _rights(system: System, table: dict[int, rights.Right]) -> Iterator[str]:
    nothing = rights.Right("no_methods", "NULL")
    for handle in range(rights.table_length(system)):
        right = table.get(handle, nothing)
        yield f"        {{&{right.methods}, {right.object}}},"


def _regions(system: System, placed: Placement, process: int) -> str:
    regions = list(zip(system.regions, placed.regions, strict=True))
    written = [where for region, where in regions if process in region.users]
    read = [where for region, where in regions if process in region.readers]
    windows = [window for window in system.windows if process in window.users]
    code = placed.own_code.get(process)
    return architecture.of(system).process(code, written, read, windows)


# --- Threads, interrupts --------------------------------------------------------------------------


def _threads(system: System, placed: Placement) -> Iterator[str]:
    yield f"const struct thread_declaration kernel_thread_declarations[{len(system.threads)}] = {{"
    for index, thread in enumerate(system.threads):
        state = _STATES[thread.initially]
        row = _thread(thread.name, thread.entry, thread.process, thread.priority, state)
        yield (
            f"    {row}{_serves(system, index)}.slice_ticks = {thread.slice_ticks}, "
            f"{_next(system, index)}{_stack(system, placed, index)}}},"
        )
    yield "};"
    idle = _thread("idle", "bulkhead_idle", len(system.processes), PRIORITIES, "THREAD_DORMANT")
    yield (
        f"const struct thread_declaration kernel_idle_declaration = {idle}"
        f"{_stack(system, placed, len(system.threads))}}};"
    )


def _thread(name: str, entry: str, process: int, priority: int, state: str) -> str:
    return (
        f'{{.name = "{name}", .entry = {entry}, .process = &processes[{process}].process, '
        f".priority = {priority}, .initially = {state}, "
    )


def _serves(system: System, thread: int) -> str:
    gates = [index for index, gate in enumerate(system.gates) if gate.server == thread]
    return "".join(f".serves = &gates[{index}], " for index in gates)


def _next(system: System, thread: int) -> str:
    process = system.threads[thread].process
    own = (
        i for i in range(thread + 1, len(system.threads)) if system.threads[i].process == process
    )
    return "".join(f".next = &kernel_threads[{index}], " for index in islice(own, 1))


def _stack(system: System, placed: Placement, index: int) -> str:
    stack = placed.stacks[index]
    region = architecture.of(system).stack(stack)
    return f".stack_top = {stack.address + stack.size:#x}u, .stack = {region}"


def _interrupts(system: System) -> Iterator[str]:
    first = "    kernel_catch_up();\n" if system.tickless else ""
    tick = "kernel_tick_after_idle" if system.tickless else "kernel_tick"
    rows = (_bound_line(each) for each in system.interrupts)
    yield f"const struct bound_line kernel_lines[] = {{{', '.join(rows) or '{ARCH_LINE(0), 0}'}}};"
    yield f"const uint32_t kernel_line_count = {len(system.interrupts)};"
    after = "    budget_tick();\n" if budgets.limited(system) else ""
    yield f"void ARCH_TICK_HANDLER(void) {{\n    {tick}();\n{after}}}"
    for index, interrupt in enumerate(system.interrupts):
        action = emit_objects.action(interrupt.action, index)
        yield f"void {interrupt.handler}(void);"
        yield f"void {interrupt.handler}(void) {{\n{first}    {action};\n}}"


def _bound_line(interrupt: Interrupt) -> str:
    is_masked = int(interrupt.action.action == "delivers")
    return f"{{ARCH_LINE({interrupt.line}), {is_masked}}}"
