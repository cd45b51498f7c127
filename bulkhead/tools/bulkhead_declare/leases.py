# SPDX-License-Identifier: MIT
"""Writes the tables of leases (core/options/lease.c): for each thread, the ranges of memory that it
may lend with a call, and to and from which it may copy as a server.

These are all ranges that the thread reaches, except devices, because a copy that reads a device's
registers may change them.
"""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare.model import System
from bulkhead_declare.regions import Placed, Placement

_READ, _BOTH = "BULKHEAD_LEND_READ", "BULKHEAD_LEND_READ | BULKHEAD_LEND_WRITE"


def are_used(system: System) -> bool:
    return any(gate.leases for gate in system.gates)


def tables(system: System, placed: Placement) -> Iterator[str]:
    if not are_used(system):
        return
    count = len(system.threads)
    yield '#include "options/lease.h"'
    yield f"struct lease kernel_leases[{count}];"
    yield f"const struct reach kernel_reaches[{count}][KERNEL_REACHES] = {{"
    for thread in range(count):
        yield "    {"
        for where, access in _reached(system, placed, thread):
            yield f"        {{{where.address:#x}u, {where.size:#x}u, {access}}},"
        yield "    },"
    yield "};"


def _reached(system: System, placed: Placement, thread: int) -> Iterator[tuple[Placed, str]]:
    process = system.threads[thread].process
    yield placed.stacks[thread], _BOTH
    for region, where in zip(system.regions, placed.regions, strict=True):
        if process in region.users | region.readers:
            yield where, _BOTH if process in region.users else _READ
    if process in placed.own_code:
        yield placed.own_code[process], _READ
    yield placed.user_code, _READ
