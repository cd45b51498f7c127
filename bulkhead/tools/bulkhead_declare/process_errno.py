# SPDX-License-Identifier: MIT
"""Makes errno a variable of a process in an object for RISC-V: process.o (bulkhead_libc of
cmake/BulkheadConfig.cmake).

picolibc is compiled with errno as a thread-local variable, which is addressed relative to register
tp. Bulkhead has no memory for thread-local variables and does not set tp. So this program changes
each access to errno into an access to an ordinary variable: LUI loads the upper part of the address
itself, and the ADD of tp adds zero. The instructions of such an access are known by their
relocations ("Local Exec" in the RISC-V psABI).

A thread-local variable of the application would also become a variable of the process without a
warning, so the program refuses it.
"""

from __future__ import annotations

import argparse
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bulkhead_declare.elf import Elf, ElfError

# Constants of ELF: section types and flags, and symbol types.
_SYMBOLS, _RELOCATIONS = 2, 4
THREAD_LOCAL = 0x400
_THREAD_LOCAL_SYMBOL, _OBJECT = 6, 1
# Relocation types: HI20, LO12_I and LO12_S relative to tp, and their absolute counterparts.
_ABSOLUTE = {29: 26, 30: 27, 31: 28}
_ADD_OF_TP, _RELAXED, _NONE = 32, 51, 0
# Relocation types of other models of thread-local variables, which this program does not change.
_OTHERS = frozenset((*range(6, 12), 21, 22))
_SECOND_REGISTER = 0x1F << 20  # of ADD: zero is register 0


class ErrnoError(Exception):
    """Raised for an object file that cannot be changed. The message is one line that says why, and
    what to do."""


@dataclass(frozen=True)
class _Header:
    """The header of a section."""

    at: int  # offset of the header in the file
    kind: int
    flags: int
    offset: int
    size: int
    info: int


def change(data: bytearray) -> int:
    """Changes an object in place. Returns the number of instructions that were changed."""
    headers = list(_headers(data))
    count = sum(_accesses(data, each, headers[each.info].offset) for each in _relocations(headers))
    for each in headers:
        struct.pack_into("<I", data, each.at + 8, each.flags & ~THREAD_LOCAL)
        if each.kind == _SYMBOLS:
            _ordinary_symbols(data, each)
    return count


def _headers(data: bytearray) -> Iterator[_Header]:
    start, size, count = *struct.unpack_from("<I", data, 32), *struct.unpack_from("<2H", data, 46)
    for at in range(start, start + size * count, size):
        _, kind, flags, _, offset, length, _, info = struct.unpack_from("<8I", data, at)
        yield _Header(at, kind, flags, offset, length, info)


def _relocations(headers: Sequence[_Header]) -> list[_Header]:
    return [each for each in headers if each.kind == _RELOCATIONS]


def _accesses(data: bytearray, table: _Header, code: int) -> int:
    """Changes the accesses to errno in one section of code, whose contents begin at offset `code`
    of the file."""
    changed = set()
    entries = range(table.offset, table.offset + table.size, 12)
    for at in entries:
        offset, info = struct.unpack_from("<2I", data, at)
        kind = info & 0xFF
        if kind in _OTHERS:
            raise ErrnoError("compile its sources with -ftls-model=local-exec")
        if kind in _ABSOLUTE or kind == _ADD_OF_TP:
            data[at + 4] = _ABSOLUTE.get(kind, _NONE)
            changed.add(offset)
        if kind == _ADD_OF_TP:
            (word,) = struct.unpack_from("<I", data, code + offset)
            struct.pack_into("<I", data, code + offset, word & ~_SECOND_REGISTER)
    _keep_instructions(data, entries, changed)
    return len(changed)


def _keep_instructions(data: bytearray, entries: range, changed: set[int]) -> None:
    """Forbids the linker to relax (shorten) the instructions that were changed."""
    for at in entries:
        offset, info = struct.unpack_from("<2I", data, at)
        if offset in changed and info & 0xFF == _RELAXED:
            data[at + 4] = _NONE


def _ordinary_symbols(data: bytearray, table: _Header) -> None:
    for at in range(table.offset + 12, table.offset + table.size, 16):
        if data[at] & 0xF == _THREAD_LOCAL_SYMBOL:
            data[at] = data[at] & 0xF0 | _OBJECT


def refuse_thread_local(objects: Sequence[Path]) -> None:
    for file in objects:
        if any(section.flags & THREAD_LOCAL and section.size for section in Elf(file).sections):
            raise ErrnoError(f"{file.name} has a thread-local variable; make it an ordinary one")


def main() -> None:
    parser = argparse.ArgumentParser(description="make errno a variable of a process")
    parser.add_argument("process", type=Path, help="the object of the process")
    parser.add_argument(
        "own", type=Path, nargs="*", help="the objects of the application that it contains"
    )
    arguments = parser.parse_args()
    try:
        refuse_thread_local(arguments.own)
        data = bytearray(arguments.process.read_bytes())
        change(data)
        arguments.process.write_bytes(data)
    except (ErrnoError, ElfError) as error:
        sys.exit(f"error: {arguments.process.name}: {error}")


if __name__ == "__main__":
    main()
