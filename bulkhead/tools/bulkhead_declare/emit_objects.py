# SPDX-License-Identifier: MIT
"""Writes the kernel's tables of event flags, gates, pools of blocks and timers in C."""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare import emit_local
from bulkhead_declare.model import Action, Pool, System

_ACTIONS = {
    "posts": "arch_interrupt_posts(&semaphores[{0}])",
    "resumes": "kernel_interrupt_resumes(&kernel_threads[{0}])",
    "notifies": "kernel_interrupt_notifies(&kernel_threads[{0}])",
    "sets": "kernel_interrupt_sets(&flags[{0}], {1:#x}u)",
    "delivers": "arch_line_mask(&kernel_lines[{2}].line);\n"
    "    kernel_interrupt_delivers(&kernel_threads[{0}])",
}
_POOL_END = 0xFFFF  # core/objects.h


def action(of: Action, interrupt: int = 0) -> str:
    """Returns the statements in C for the action of a timer, or of the interrupt with the index
    `interrupt`."""
    return _ACTIONS[of.action].format(of.object, of.flags, interrupt)


def priority(of: Action, system: System) -> int:
    """Returns the highest priority of the threads that this action can wake."""
    if of.action in ("resumes", "notifies"):
        return system.threads[of.object].priority
    objects = system.semaphores if of.action == "posts" else system.flags
    waiting = objects[of.object].users - objects[of.object].only_send
    return min((each.priority for each in system.threads if each.process in waiting), default=0)


def kernel_objects(system: System) -> Iterator[str]:
    yield from table("flags", "flags", list(_flags(system)))
    gates = [
        f"{{.resource = {{&kernel_threads[{gate.server}], gate_cancel_wait}}}}"
        for gate in system.gates
    ]
    yield from table("gate", "gates", gates)
    yield from _pools(system)
    yield from _alarms(system)


def table(kind: str, name: str, rows: list[str]) -> Iterator[str]:
    declared = f"static __attribute__((unused)) struct {kind} {name}[{max(1, len(rows))}]"
    if not rows:
        yield f"{declared};"
        return
    yield f"{declared} = {{"
    for row in rows:
        yield f"    {row},"
    yield "};"


def _flags(system: System) -> Iterator[str]:
    for index, flags in enumerate(system.flags):
        word = f"&flags[{index}].own"
        if flags.local:
            word = f"&{emit_local.element(system, 'flags', index)}.word"
        yield f"{{.word = {word}, .own = {flags.initial:#x}u}}"


def _pools(system: System) -> Iterator[str]:
    for index, pool in enumerate(system.pools):
        if not pool.local:
            links = [*range(1, pool.blocks), _POOL_END]
            yield f"extern char {pool_symbol(index)}[];"
            yield f"static uint16_t links_{index}[] = {{{', '.join(map(str, links))}}};"
    yield from table("pool", "pools", [_pool(i, pool) for i, pool in enumerate(system.pools)])


def _pool(index: int, pool: Pool) -> str:
    if pool.local:
        return "{0}"
    return (
        f"{{.start = (uint32_t){pool_symbol(index)}, .block_bytes = {pool.block_bytes}, "
        f".blocks = {pool.blocks}, .links = links_{index}}}"
    )


def pool_symbol(index: int) -> str:
    """Returns the symbol that the linker script defines at the blocks of a pool."""
    return f"bulkhead_pool_{index}"


def _alarms(system: System) -> Iterator[str]:
    for index, timer in enumerate(system.timers):
        yield f"static void act_{index}(void) {{\n    {action(timer.action)};\n}}"
    rows = [
        f"{{.timer = {{.key = TIMER_KEY({priority(timer.action, system)}), "
        f".expire = alarm_expire}}, .act = act_{index}}}"
        for index, timer in enumerate(system.timers)
    ]
    yield from table("alarm", "alarms", rows)
