# SPDX-License-Identifier: MIT
"""Reads sections, segments, symbols and relocations of a 32-bit ELF file (System V ABI, chapters 4
and 5).

A project that uses the CMake package has no Python packages besides the standard library. This
module therefore reads ELF itself, and only the fields that its callers need. It starts fast,
because the tools run once for each image.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_MAGIC = b"\x7fELF\x01\x01"  # 32 bits, little-endian
_SYMBOLS, _ADDENDS, _NO_BITS, _NO_ADDENDS = 2, 4, 8, 9  # section types
_WRITABLE, _ALLOCATED = 1, 2  # section flags
_LOAD = 1  # segment type
_LOCAL = 0  # symbol binding
UNDEFINED, COMMON = 0, 0xFFF2  # section indices of a symbol


class ElfError(Exception):
    """Raised for a wrong ELF file. The message is one line that names the file and says what is
    wrong."""


@dataclass(frozen=True)
class Section:
    name: str
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int

    @property
    def is_allocated(self) -> bool:
        return bool(self.flags & _ALLOCATED)

    @property
    def has_variables(self) -> bool:
        return self.is_allocated and bool(self.flags & _WRITABLE)


@dataclass(frozen=True)
class Symbol:
    name: str
    value: int
    section: int
    is_local: bool


@dataclass(frozen=True)
class Relocation:
    section: int  # index of the section whose contents the relocation changes
    offset: int  # offset of the changed word in that section
    symbol: Symbol
    addend: int | None  # None: the changed word itself holds the addend


class Elf:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._bytes = file.read_bytes()
        if not self._bytes.startswith(_MAGIC):
            raise ElfError(f"{file} is no 32-bit little-endian ELF file; name a linked image")

    @cached_property
    def entry(self) -> int:
        return self._word(24)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        start, size, count, names = self._word(32), *struct.unpack_from("<3H", self._bytes, 46)
        rows = [struct.unpack_from("<8I", self._bytes, start + i * size) for i in range(count)]
        strings = rows[names][4]
        return tuple(Section(self._string(strings + name), *rest) for name, *rest in rows)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        found = []
        for table in self.sections:
            if table.kind == _SYMBOLS:
                strings = self.sections[table.link].offset
                for at in range(table.offset + 16, table.offset + table.size, 16):
                    name, value, _, info, _, index = struct.unpack_from("<3I2BH", self._bytes, at)
                    local = info >> 4 == _LOCAL
                    found.append(Symbol(self._string(strings + name), value, index, local))
        return tuple(found)

    @cached_property
    def relocations(self) -> tuple[Relocation, ...]:
        found = []
        for table in self.sections:
            if table.kind in (_ADDENDS, _NO_ADDENDS):
                form = "<2Ii" if table.kind == _ADDENDS else "<2I"
                for offset, info, *addend in struct.iter_unpack(form, self.contents(table)):
                    if index := info >> 8:  # 0: the relocation has no symbol
                        symbol = self.symbols[index - 1]
                        found.append(Relocation(table.info, offset, symbol, *(addend or [None])))
        return tuple(found)

    def section(self, name: str) -> Section | None:
        return next((each for each in self.sections if each.name == name), None)

    def load_address(self, section: Section) -> int:
        """Returns the physical address at which the image stores the initial contents of a
        section."""
        start, size, count = self._word(28), *struct.unpack_from("<2H", self._bytes, 42)
        for index in range(count):
            row = struct.unpack_from("<5I", self._bytes, start + index * size)
            kind, offset, _, physical, length = row
            if kind == _LOAD and offset <= section.offset < offset + length:
                return int(physical + section.offset - offset)
        return section.address

    def contents(self, section: Section) -> bytes:
        size = 0 if section.kind == _NO_BITS else section.size
        return self._bytes[section.offset : section.offset + size]

    def _word(self, offset: int) -> int:
        return int.from_bytes(self._bytes[offset : offset + 4], "little")

    def _string(self, offset: int) -> str:
        return self._bytes[offset : self._bytes.index(0, offset)].decode(errors="replace")
