# SPDX-License-Identifier: MIT
"""ELF images, as far as measuring needs them: is it one that can run, and what are its symbols.

Checked before a target sees the file, because a target's own words for a broken image are of no
help.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ticklab.errors import TicklabError

MARKS = ".bench.marks"
MACHINES = ("ARM", "RISCV")
_PLACE = re.compile(r"at (?:pc )?0x([0-9a-f]{8})")


@dataclass(frozen=True)
class Symbol:
    name: str
    address: int  # without the Thumb bit
    size: int


@dataclass(frozen=True)
class Elf:
    path: Path
    symbols: tuple[Symbol, ...]
    has_marks: bool
    machine: str = "ARM"  # as ELF calls it

    @cached_property
    def _functions(self) -> list[Symbol]:
        return sorted(self.symbols, key=lambda symbol: (symbol.address, -symbol.size))

    def symbol_at(self, address: int) -> str | None:
        """`name` or `name+0x…` of what an address belongs to."""
        index = bisect.bisect_right([s.address for s in self._functions], address)
        for symbol in reversed(self._functions[:index]):
            offset = address - symbol.address
            if offset < symbol.size or not symbol.size:  # assembly often gives no size
                return symbol.name if not offset else f"{symbol.name}+{offset:#x}"
        return None

    def name_places(self, text: str) -> str:
        """`text` with the function's name wherever it says `at 0x…` or `at pc 0x…`."""

        def named(place: re.Match[str]) -> str:
            symbol = self.symbol_at(int(place[1], 16))
            return f"in {symbol} (0x{place[1]})" if symbol else place[0]

        return _PLACE.sub(named, text)


def read(path: Path) -> Elf:
    """The image, or an error that says what is wrong with it."""
    try:
        with path.open("rb") as stream:
            return _parse(path, ELFFile(stream), path.stat().st_size)
    except OSError as error:
        raise TicklabError(f"image {path}: {error.strerror}") from error
    except (ELFError, ConstructError, ValueError, UnicodeDecodeError) as error:
        raise _broken(path, "is truncated or no ELF file") from error


def require_marks(image: Elf) -> None:
    if not image.has_marks:
        raise TicklabError(
            f"image {image.path} has no marks (section {MARKS})",
            "measure it between symbols with 'ticklab observe'",
        )


def marks(path: Path) -> tuple[tuple[int, str], ...]:
    """Address and name of each of the image's marks: a word, a text, and padding to the next word
    (bench/mark.h)."""
    with path.open("rb") as stream:
        section = ELFFile(stream).get_section_by_name(MARKS)
        data = section.data() if section else b""
    found, place = [], 0
    while place < len(data):
        end = data.index(b"\0", place + 4)
        address = int.from_bytes(data[place : place + 4], "little")
        found.append((address, data[place + 4 : end].decode("ascii")))
        place = (end + 4) & ~3
    return tuple(found)


def require_machine(image: Elf, machine: str) -> None:
    if image.machine != machine:
        what = f"is for another machine ({image.machine}); the board is {machine}"
        raise _broken(image.path, what)


def _parse(path: Path, file: ELFFile, size: int) -> Elf:
    machine = str(file["e_machine"]).removeprefix("EM_")
    if machine not in MACHINES or file.elfclass != 32 or not file.little_endian:
        boards = "the boards are 32-bit Arm and RISC-V"
        raise _broken(path, f"is for another machine ({machine}); {boards}")
    sections = list(file.iter_sections())
    ends = [s["sh_offset"] + s["sh_size"] for s in sections if s["sh_type"] != "SHT_NOBITS"]
    ends += [segment["p_offset"] + segment["p_filesz"] for segment in file.iter_segments()]
    if max(ends, default=0) > size:
        raise _broken(path, f"is truncated: {size} bytes of {max(ends)}")
    has_marks = any(s.name == MARKS and s["sh_size"] for s in sections)
    return Elf(path, tuple(_symbols(file)), has_marks, machine)


def _symbols(file: ELFFile) -> list[Symbol]:
    """Functions and labels in code, without the assembler's `$t` and `$d`."""
    table = file.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return []
    return [
        Symbol(symbol.name, symbol["st_value"] & ~1, symbol["st_size"])
        for symbol in table.iter_symbols()
        if symbol["st_info"]["type"] in ("STT_FUNC", "STT_NOTYPE")
        and isinstance(symbol["st_shndx"], int)
        and symbol.name
        and not symbol.name.startswith("$")
    ]


def _broken(path: Path, what: str) -> TicklabError:
    return TicklabError(f"image {path} {what}", "build it again")
