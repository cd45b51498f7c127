# SPDX-License-Identifier: MIT
"""Finds why a kernel on a board cannot run a scenario, from their descriptions alone."""

from __future__ import annotations

from ticklab.description.model import Case

BENCH = "bench"  # Kernel.interface of a port of port.h; others name the only suite of a port

# Services that only boards of several nodes use.
_OF_SEVERAL_NODES = frozenset({"node", "bus"})


def unsupported_reason(case: Case) -> str | None:
    """Returns why a kernel cannot run a scenario, or None. Such a scenario is not built."""
    of_board = _board_reason(case)
    return f"not for this board: {of_board}" if of_board else _kernel_reason(case)


def _board_reason(case: Case) -> str | None:
    """Returns what the board lacks, which no kernel can provide."""
    board, services = case.board, case.scenario.services
    if "interrupt-line" in services and not board.interrupt_injection:
        return f"{board.name} has no device that interrupts at a chosen instruction"
    nodes = board.machine.nodes
    if nodes == 1 and (case.nodes > 1 or services & _OF_SEVERAL_NODES):
        return f"{board.name} has one node"
    if case.nodes > nodes:
        return f"{board.name} has {nodes} nodes, not {case.nodes}"
    return None


def _kernel_reason(case: Case) -> str | None:
    if case.core.name not in case.kernel.cores:
        return f"{case.kernel.name} does not run on {case.core.name}"
    if case.kernel.interface not in (BENCH, case.scenario.suite):
        return f"{case.kernel.name} is a port of {case.kernel.interface} only"
    if case.board.machine.nodes > 1 and "node" not in case.kernel.services:
        return f"{case.kernel.name} runs on one node"
    missing = sorted(case.scenario.services - case.kernel.services)
    if missing:
        return f"{case.kernel.name} has no {', '.join(missing)}"
    without = sorted(case.scenario.services & case.config.without_services)
    if without:
        return f"{case.kernel.name}/{case.config.name} is without {', '.join(without)}"
    if case.scenario.params.get("fpu") == "used" and not case.core.has_fpu:
        return f"{case.core.name} has no FPU"
    return None
