# SPDX-License-Identifier: MIT
"""Logs of processes (include/bulkhead/log.h) and the trace of the kernel (core/options/trace.c),
which a program outside the system reads (bulkhead_log).

Each is a ring of events in memory that is never initialised. A log lies at the end of the region
that its process owns; the trace lies at the end of the data, which no process reaches. The names
that the reader shows are in a section of the image's file that is not loaded. A system without logs
and trace has none of these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bulkhead_declare import rights
from bulkhead_declare.model import Memory, Region, System
from bulkhead_declare.regions import Placement

SYMBOL = "kernel_trace"
NAMES_SECTION, TEXT_SECTION = ".bulkhead.names", ".bulkhead.log"
VERSION = 1  # version of the format of the names
_MOST = 0x1_0000
_EVENT_BYTES = _HEADER_BYTES = 32  # struct bulkhead_entry, struct bulkhead_ring


def ring_bytes(events: int) -> int:
    """Returns the size of a ring with room for `events`; 0 for no events."""
    return _HEADER_BYTES + events * _EVENT_BYTES if events else 0


# --- Logs -----------------------------------------------------------------------------------------


def have_logs(system: System) -> bool:
    return any(each.log_events for each in system.processes)


def log_bytes(system: System, region: Region) -> int:
    """Returns the size of the log at the end of a region; 0 if its owner has no log."""
    return ring_bytes(system.processes[region.owner].log_events)


def _logs(system: System, placed: Placement) -> Iterator[tuple[int, int]]:
    """Yields the index of the process and the address of each log."""
    for region, where in zip(system.regions, placed.regions, strict=True):
        taken = log_bytes(system, region)
        if taken:
            yield region.owner, where.address + where.size - taken


def logs(system: System, placed: Placement) -> Iterator[tuple[str, int, int]]:
    """Yields the members of each struct bulkhead_log: the name of the process, the address of the
    ring, and the mask for indices into the ring."""
    for process, address in _logs(system, placed):
        yield system.processes[process].name, address, system.processes[process].log_events - 1


def log_names(system: System) -> Iterator[str]:
    """Writes the names for applications: LOG_P is the log of process p."""
    if have_logs(system):
        yield "#include <bulkhead/log.h>"
    for process in system.processes:
        if process.log_events:
            yield f"extern const struct bulkhead_log bulkhead_log_{process.name};"
            yield f"#define LOG_{process.name.upper()} (&bulkhead_log_{process.name})"


def linked(system: System) -> Iterator[str]:
    """Writes a line of the linker script that keeps the table of thread identities, which only the
    reader of the logs uses: otherwise the linker could remove it as unused."""
    if have_logs(system):
        yield "EXTERN(bulkhead_identities)"


def log_definitions(system: System, placed: Placement) -> Iterator[str]:
    """Writes the constants with the addresses of the logs, and includes the function that writes
    entries."""
    if have_logs(system):
        yield "#include <bulkhead/log_write.h>"
    for process, address, mask in logs(system, placed):
        name = f"bulkhead_log_{process}"
        yield f"extern const struct bulkhead_log {name};"
        ring = f"(struct bulkhead_ring *){address:#x}u"
        yield f"const struct bulkhead_log {name} = {{{ring}, {mask}}};"


# --- The trace ------------------------------------------------------------------------------------


def trace_bytes(system: System) -> int:
    return ring_bytes(system.trace_events)


def _trace_address(system: System, data: Memory) -> int:
    """Returns the address of the trace. It is the end of `data`, the memory for data without the
    trace."""
    return data.origin + data.length


def trace_symbols(system: System, data: Memory) -> Iterator[tuple[str, int]]:
    if system.trace_events:
        yield SYMBOL, _trace_address(system, data)


def tables(system: System) -> Iterator[str]:
    if system.trace_events:
        yield '#include "options/trace.h"'
        yield f"const uint32_t kernel_trace_mask = {system.trace_events - 1};"


# --- Names of the declaration ---------------------------------------------------------------------


def names(
    system: System, placed: Placement, data: Memory, every: Mapping[str, Sequence[str]]
) -> str:
    """Returns the last part of user_objects.c: the names that a reader of the logs and the trace
    shows. `every` has, for each kind of object, the names that have a handle. `data` is the memory
    for data without the trace."""
    if not have_logs(system) and not system.trace_events:
        return ""
    text = json.dumps(_names(system, placed, data, every), separators=(",", ":"))
    quoted = json.dumps(text)  # a string of C, too: names are letters, digits and _
    return (
        f'__attribute__((section("{NAMES_SECTION}"), used))\n'
        f"static const char bulkhead_names[] = {quoted};\n"
    )


def _names(
    system: System, placed: Placement, data: Memory, every: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    trace = {"address": _trace_address(system, data), "events": system.trace_events}
    return {
        "version": VERSION,
        "data": [system.data.origin, system.data.length],
        "processes": [each.name for each in system.processes],
        "threads": [[each.name, each.process] for each in system.threads],
        "handles": [[kind, name] for kind in rights.counts(system) for name in every.get(kind, ())],
        "logs": [
            {"process": process, "address": address, "events": system.processes[process].log_events}
            for process, address in _logs(system, placed)
        ],
        "trace": trace if system.trace_events else None,
    }


# --- Mistakes -------------------------------------------------------------------------------------


def mistakes(system: System) -> Iterator[str]:
    counted = [("[image]", "trace_events", system.trace_events)]
    counted += [
        (f"process {each.name}", "log_events", each.log_events) for each in system.processes
    ]
    for what, key, count in counted:
        if count and (not 2 <= count <= _MOST or count & count - 1):
            yield f"{what} has {key} {count}; use a power of two from 2 to {_MOST}, or 0 for none"
    yield from _log_mistakes(system)
    if system.trace_calls and not system.trace_events:
        yield "[image] has trace_calls but no trace_events; add trace_events, or remove trace_calls"
    if system.trace_events and system.tickless:
        yield "[image] has trace_events, which need every tick, and tickless; remove one of them"


def _log_mistakes(system: System) -> Iterator[str]:
    owned = {region.owner: region for region in system.regions}
    for index, process in enumerate(system.processes):
        if process.log_events and index not in owned:
            yield f"process {process.name} has log_events but owns no region; declare one for them"
        elif process.log_events and owned[index].users != {index}:
            yield (
                f"region {owned[index].name} has the log of process {process.name}, and other "
                "processes write it; put what they share into a region of another owner"
            )
