# SPDX-License-Identifier: MIT
"""Computes the interface between the kernel's closed object and the rest of an image from a
declaration."""

from __future__ import annotations

from collections.abc import Iterator

from bulkhead_declare import architecture, emit_local, records
from bulkhead_declare.emit_objects import pool_symbol
from bulkhead_declare.interface import REGION_PARTS, RESET, Claim, Interface, Range
from bulkhead_declare.model import System
from bulkhead_declare.regions import Placement

# Symbols of user code that the kernel names: the idle loop, and the bounds of restartable
# sequences.
_SEQUENCES = (
    "bulkhead_idle", "bulkhead_sequences_start", "bulkhead_sequences_end",
    "bulkhead_sequence_table", "bulkhead_sequence_table_end",
)  # fmt: skip
_MEMORY = (
    "memory_data_load", "memory_data_start", "memory_data_end", "memory_zero_start",
    "memory_zero_end", "memory_stack_top", "memory_constructors_start", "memory_constructors_end",
    "__global_pointer$",
)  # fmt: skip


def of(system: System, placed: Placement) -> Interface:
    regions = tuple(
        Range(region.name, where.address, where.address + where.size)
        for region, where in zip(system.regions, placed.regions, strict=True)
    )
    return Interface(
        entry=architecture.of(system).entry,
        exports=(RESET, "bulkhead_identities"),
        entries=tuple(sorted({each.entry for each in system.threads})),
        objects=(*_SEQUENCES, *emit_local.symbols(system), *_pools(system)),
        linker=tuple(_linked(system)),
        regions=regions,
        memory=(*regions, *_code(system, placed)),
        claims=tuple(_claims(system)),
        stack_top=placed.stack_top,
        kept=tuple(records.kept(system)),
    )


def _linked(system: System) -> Iterator[str]:
    yield from _MEMORY
    yield from (f"{each.name}_{part}" for each in system.regions for part in REGION_PARTS)
    yield from (name for name, _ in records.kept(system))


def _pools(system: System) -> Iterator[str]:
    return (pool_symbol(index) for index, pool in enumerate(system.pools) if not pool.local)


def _code(system: System, placed: Placement) -> Iterator[Range]:
    for index, code in placed.own_code.items():
        name = f"code of {system.processes[index].name}"
        yield Range(name, code.address, code.address + code.size)
    shared = placed.user_code
    yield Range("shared code", shared.address, shared.address + shared.size)


def _claims(system: System) -> Iterator[Claim]:
    for process in system.processes:
        if process.has_code:
            yield Claim(f"process {process.name}", "code", process.code_files)
    for region in system.regions:
        yield Claim(f"region {region.name}", "data", region.files)
