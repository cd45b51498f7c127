# SPDX-License-Identifier: MIT
"""The record that survives a reset: assigns its address and finds mistakes in its declaration.

The record lies at the end of the data, after the trace (events.py), and is in no section of the
image. So neither the start-up code nor a loader writes there, and another image with the same
memory finds the record again.
"""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare import events
from bulkhead_declare.model import Memory, System

BYTES = 256  # options/record.c asserts that its slots fit
SYMBOL = "kernel_record"


def mistakes(system: System) -> Iterator[str]:
    if len(system.records) > 1:
        yield "two records are declared, and a system has one; combine them"
    for record in system.records:
        if not record.users:
            yield "no process has a right to the record; name processes in its users, or remove it"


def address(system: System) -> int | None:
    """Returns the address of the record; None if the system has none."""
    return system.data.origin + system.data.length - BYTES if system.records else None


def data(system: System) -> Memory:
    """Returns the memory for data, without the record and the trace at its end."""
    taken = (BYTES if system.records else 0) + events.trace_bytes(system)
    return Memory(system.data.origin, system.data.length - taken)


def kept(system: System) -> Iterator[tuple[str, int]]:
    """Yields the symbols and the addresses of the trace and the record, which no start-up code
    writes."""
    yield from events.trace_symbols(system, data(system))
    where = address(system)
    if where is not None:
        yield SYMBOL, where


def symbols(system: System) -> Iterator[str]:
    """Writes the definitions of the symbols of `kept` for the linker script."""
    yield from (f"{name} = {where:#x};" for name, where in kept(system))
