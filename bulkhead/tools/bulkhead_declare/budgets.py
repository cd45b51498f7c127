# SPDX-License-Identifier: MIT
"""Budgets of processor time: finds mistakes in their declaration and writes their tables in C."""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare.model import System
from bulkhead_declare.rows import rows_of_processes

_TICKS = 0x7FFF_FFFF  # the longest period


def limited(system: System) -> list[int]:
    """Returns the processes that have a budget."""
    return [i for i, each in enumerate(system.processes) if each.budget_ticks]


def mistakes(system: System) -> Iterator[str]:
    for index, process in enumerate(system.processes):
        ticks, period = process.budget_ticks, process.budget_period_ticks
        if bool(ticks) != bool(period):
            yield (
                f"process {process.name} has only one of budget_ticks and budget_period_ticks; "
                "add the other, or remove it"
            )
        elif ticks and not 0 < ticks < period <= _TICKS:
            yield (
                f"process {process.name} has a budget of {ticks} in {period} ticks; make "
                f"budget_ticks less than budget_period_ticks, and the period {_TICKS} at most"
            )
        elif ticks and not any(each.process == index for each in system.threads):
            yield f"process {process.name} has a budget but no thread; remove the budget"
    if limited(system) and system.tickless:
        name = system.processes[limited(system)[0]].name
        yield f"process {name} has a budget, which needs every tick; remove tickless from [image]"


def tables(system: System) -> Iterator[str]:
    found = limited(system)
    if not found:
        return
    yield '#include "options/budget.h"'
    yield f"const uint32_t kernel_budget_count = {len(found)};"
    yield "struct budget kernel_budgets[] = {"
    for index in found:
        process = system.processes[index]
        yield (
            f"    {{.process = &processes[{index}].process, .ticks = {process.budget_ticks}, "
            f".period_ticks = {process.budget_period_ticks}}},"
        )
    yield "};"
    yield from rows_of_processes(system, "budget", "kernel_budgets", found)
