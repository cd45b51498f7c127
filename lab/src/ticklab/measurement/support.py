# SPDX-License-Identifier: MIT
"""Finds the reason why a kernel on a board cannot run a scenario, from the descriptions of the
three alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ticklab.description.features import FEATURES, Protection
from ticklab.description.kernel_tables import (
    ASYNC,
    BENCH,
)  # for other interfaces, the interface names the only suite
from ticklab.description.levels import is_called
from ticklab.description.model import Case

CONFORMANCE = "conformance"  # name of the suite in bench/conformance

# Services that only boards with several nodes have.
_OF_SEVERAL_NODES = frozenset({"node", "bus"})


def is_proof(case: Case) -> bool:
    """Returns whether the case is a conformance scenario for the interface of the kernel's port.
    Ports of Thread-Metric have their own (bench/conformance/thread-metric)."""
    interface = case.variant.kernel.interface
    of_contract = interface in (BENCH, ASYNC)
    return (case.scenario.suite == CONFORMANCE) if of_contract else _is_for(case)


def _is_for(case: Case) -> bool:
    return case.variant.kernel.interface in (BENCH, ASYNC, case.scenario.suite)


def unsupported_reason(case: Case) -> str | None:
    """Returns why a kernel cannot run a scenario, or None. Such a scenario is not built."""
    of_board = _board_reason(case)
    return f"not for this board: {of_board}" if of_board else _kernel_reason(case)


def _board_reason(case: Case) -> str | None:
    """Returns a service that the scenario needs and that the board cannot offer under any kernel,
    as a reason, or None."""
    board, services = case.variant.board, case.scenario.services
    if "interrupt-line" in services and not board.interrupt_injection:
        return f"{board.name} has no device that interrupts at a chosen instruction"
    if case.scenario.program and not case.variant.core.arch.compiler.hosted:
        return f"{board.name} runs no programs of a system"
    if board.machine.has_ring and (lack := _ring_reason(case)):
        return lack
    nodes = board.machine.nodes
    if nodes == 1 and (case.nodes > 1 or services & _OF_SEVERAL_NODES):
        return f"{board.name} has one node"
    if case.nodes > nodes:
        return f"{board.name} has {nodes} nodes, not {case.nodes}"
    return None


def _ring_reason(case: Case) -> str | None:
    """Returns why a case cannot be measured on a board whose marks are code (they read counters and
    write to memory), or None."""
    if case.variant.protection is not Protection.NONE:
        return "its marks need privileged tasks, to read the counters"
    if case.scenario.entries:
        return "it has no marks at exceptions"
    if case.scenario.workload or case.scenario.watch or case.scenario.pending:
        return "it has the marks only that are compiled into the image"
    return None


def _kernel_reason(case: Case) -> str | None:
    if case.variant.core.name not in case.variant.kernel.cores:
        return f"{case.variant.kernel.name} does not run on {case.variant.core.name}"
    arch = case.variant.config.arch
    if arch not in (None, case.variant.core.arch.name):
        return f"{case.variant.subject} is for {arch}"
    if not _is_for(case):
        return f"{case.variant.kernel.name} is a port of {case.variant.kernel.interface} only"
    if case.variant.board.machine.nodes > 1 and "node" not in case.variant.kernel.services:
        return f"{case.variant.kernel.name} runs on one node"
    missing = sorted(case.scenario.services - case.variant.kernel.services)
    if missing:
        return f"{case.variant.kernel.name} has no {', '.join(missing)}"
    without = sorted(case.scenario.services & case.variant.config.without_services)
    if without:
        return f"{case.variant.subject} is without {', '.join(without)}"
    if lacking := ", ".join(_lacking(case)):
        return f"{case.variant.kernel.name} has {lacking}"
    if fewer := _priorities_reason(case, case.scenario.priorities):
        return fewer
    if case.variant.kernel.is_async and (why := _async_reason(case)):
        return why
    if case.scenario.params.get("fpu") == "used" and not case.variant.core.has_fpu:
        return f"{case.variant.core.name} has no FPU"
    return None


def _async_reason(case: Case) -> str | None:
    """Returns why a kernel whose tasks are async functions cannot run a scenario."""
    if is_called(case.variant.optimise):
        return f"{case.variant.kernel.name} has no level with called services: rustc inlines them"
    if case.scenario.async_form is None:
        return f"{case.variant.kernel.name} runs async tasks, and the scenario has no async form"
    needed = len(set(_PRIORITY.findall(case.scenario.async_form.read_text())))
    return _priorities_reason(case, needed)


# Matches the priority of a task in `tasks! { name: priority, … }` of an async scenario.
_PRIORITY = re.compile(r"\b\w+: (\d+)(?=[,\s][^;]*\}\s*\Z)")


def _priorities_reason(case: Case, needed: int) -> str | None:
    if needed > (has := case.variant.kernel.priorities):
        numbers = "1 priority" if has == 1 else f"{has} priorities"
        return f"{case.variant.kernel.name} has {numbers} for tasks, not {needed}"
    return None


def _lacking(case: Case) -> Iterator[str]:
    """Yields each feature that the scenario needs and the kernel lacks or has with another value. A
    feature that the kernel does not declare has its default, because ports of Thread-Metric declare
    few features."""
    for name, needed in case.scenario.features.items():
        has = case.features.get(name, FEATURES[name].default)
        if has != needed:
            yield f"no {name}" if has is False else f"{name} {has}, not {needed}"
