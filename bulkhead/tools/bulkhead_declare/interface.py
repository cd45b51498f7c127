# SPDX-License-Identifier: MIT
"""The interface between the kernel's closed object and the rest of an image: the symbols that both
may use, and the memory of the processes.

The generator writes them to interface.json. close_kernel.py makes every other symbol of the kernel
local and refuses every other undefined symbol; check_image.py compares the linked image with them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bulkhead_declare import architecture, emit_local, records
from bulkhead_declare.emit_objects import pool_symbol
from bulkhead_declare.model import System
from bulkhead_declare.regions import Placement

KERNEL_OBJECT = "closed_kernel.o"  # file name of the closed object
# The name of a section of the object is `.kernel`, its name in the sources, `~`, and its source
# file.
SECTION_PREFIX, ORIGIN = ".kernel", "~"
RESET = "bulkhead_reset"  # the entry of the image: applications may not use the prefix `bulkhead`

# The only sections of the kernel that processes may read: constants, and the first page of its
# state.
SHARED_SECTIONS = (".shared_constants", ".kernel_state")

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
REGION_PARTS = ("load", "start", "zero", "end")


@dataclass(frozen=True)
class Range:
    """A range of memory, from `start` up to but not including `end`."""

    name: str
    start: int
    end: int

    def holds(self, address: int, count: int = 1) -> bool:
        return self.start <= address and address + count <= self.end


@dataclass(frozen=True)
class Claim:
    """Patterns of file names whose code or data belongs to one process alone."""

    owner: str
    kind: str  # "code" or "data"
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class Interface:
    entry: str  # the kernel's function that a reset enters
    exports: tuple[str, ...]  # symbols of the kernel that stay global
    entries: tuple[str, ...]  # imports: entry functions of threads
    objects: tuple[str, ...]  # imports: local objects, blocks of pools, code of sequences
    linker: tuple[str, ...]  # imports: symbols that the linker script defines
    regions: tuple[Range, ...]
    memory: tuple[Range, ...]  # all memory that processes reach, including the regions
    claims: tuple[Claim, ...]
    stack_top: int
    kept: tuple[tuple[str, int], ...] = ()  # symbols of memory that no start-up code writes
    tested: tuple[str, ...] = ()  # further imports, of the laboratory and of tests

    @property
    def imports(self) -> frozenset[str]:
        return frozenset((*self.entries, *self.objects, *self.linker, *self.tested))

    def extended(self, exports: Sequence[str], imports: Sequence[str]) -> Interface:
        return replace(self, exports=(*self.exports, *exports), tested=(*self.tested, *imports))


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


def text(interface: Interface) -> str:
    return json.dumps(asdict(interface), indent=1) + "\n"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a program that reads the interface: its file, and more symbols that the
    kernel may use."""
    parser.add_argument(
        "--interface", type=Path, required=True, help="the interface.json of the image"
    )
    parser.add_argument(
        "--import",
        action="append",
        default=[],
        dest="imports",
        help="for tests: one more symbol that the kernel may use; repeatable",
    )


def read(file: Path) -> Interface:
    found: dict[str, Any] = json.loads(file.read_text())
    for key in ("regions", "memory"):
        found[key] = tuple(Range(**each) for each in found[key])
    found["kept"] = tuple((name, address) for name, address in found["kept"])
    found["claims"] = tuple(Claim(**each) for each in found["claims"])
    return Interface(**{key: _frozen(value) for key, value in found.items()})


def _frozen(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value
