# SPDX-License-Identifier: MIT
"""Budgets of processor time: their mistakes, and what the generator writes for them.

A system without budgets has none of their code (core/optional.h).
"""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare.model import System

_TICKS = 0x7FFF_FFFF  # core/options/budget.h: struct budget


def limited(system: System) -> list[int]:
    """Returns the processes that have a budget."""
    return [i for i, each in enumerate(system.processes) if each.budget_ticks]


def mistakes(system: System) -> Iterator[str]:
    for index, process in enumerate(system.processes):
        ticks, period = process.budget_ticks, process.budget_period_ticks
        if bool(ticks) != bool(period):
            yield (
                f"process {process.name} needs both budget_ticks and budget_period_ticks, or "
                "neither"
            )
        elif ticks and not 0 < ticks < period <= _TICKS:
            yield (
                f"process {process.name} has a budget of {ticks} in {period} ticks; "
                "make budget_ticks less than budget_period_ticks"
            )
        elif ticks and not any(each.process == index for each in system.threads):
            yield f"process {process.name} has a budget and no thread; take the budget out"
    if limited(system) and system.tickless:
        name = system.processes[limited(system)[0]].name
        yield f"process {name} has a budget, which needs every tick; take tickless out"


def tables(system: System) -> Iterator[str]:
    found = limited(system)
    if not found:
        return
    yield '#include "optional.h"'
    yield '#include "options/budget.h"'
    yield '_Static_assert(KERNEL_HAS_BUDGETS, "kernel_features.h is of another declaration");'
    yield f"const uint32_t kernel_budget_count = {len(found)};"
    yield "struct budget kernel_budgets[] = {"
    for index in found:
        process = system.processes[index]
        yield (
            f"    {{.process = &processes[{index}].process, .ticks = {process.budget_ticks}, "
            f".period_ticks = {process.budget_period_ticks}}},"
        )
    yield "};"
    yield from _budget_of(len(system.processes), found)


def _budget_of(count: int, found: list[int]) -> Iterator[str]:
    """Writes the function from a process to its budget. No process and the kernel's own have no
    row."""
    rows = ", ".join(f"[{i}] = &kernel_budgets[{n}]" for n, i in enumerate(found))
    yield f"static struct budget *const budget_of[{count}] = {{{rows}}};"
    yield "struct budget *kernel_budget_of(const struct process *process) {"
    yield "    const uintptr_t bytes = (uintptr_t)process - (uintptr_t)processes;"
    yield "    const uintptr_t index = bytes / sizeof processes[0];"
    yield f"    return index < {count} ? budget_of[index] : NULL;"
    yield "}"
