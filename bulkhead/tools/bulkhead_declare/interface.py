# SPDX-License-Identifier: MIT
"""The interface between the kernel's closed object and the rest of an image: the symbols that both
may use, and the memory of the processes.

The generator (emit_interface.py) writes them to interface.json. close_kernel.py makes every other
symbol of the kernel local and refuses every other undefined symbol; check_image.py compares the
linked image with them. Both run once for each image, so this module imports nothing of the
generator, whose import takes longer than their work.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

KERNEL_OBJECT = "closed_kernel.o"  # file name of the closed object
# The name of a section of the object is `.kernel`, its name in the sources, `~`, and its source
# file.
SECTION_PREFIX, ORIGIN = ".kernel", "~"
RESET = "bulkhead_reset"  # the entry of the image: applications may not use the prefix `bulkhead`

# The only sections of the kernel that processes may read: constants, and the first page of its
# state.
SHARED_SECTIONS = (".shared_constants", ".kernel_state")

REGION_PARTS = ("load", "start", "zero", "end")
EVERY_FILE = "*"  # among a region's files: all files that no other region claims


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
