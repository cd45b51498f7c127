# SPDX-License-Identifier: MIT
"""Reads ELF images: checks that a core can run an image, and returns its symbols.

Every image is checked before a target loads it, because targets print unhelpful errors about broken
images.
"""

from __future__ import annotations

import bisect
import io
import itertools
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from elftools.elf.constants import P_FLAGS, SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import (
    ARMAttributesSection,
    AttributesSection,
    RISCVAttributesSection,
    SymbolTableSection,
)

from ticklab import plain_text
from ticklab.building import demangling
from ticklab.building.damage import DAMAGED
from ticklab.description.architecture import Core, architectures, of_machine
from ticklab.description.model import Board
from ticklab.errors import TicklabError

MARKS = ".bench.marks"
_PLACE = re.compile(r"at (?:pc )?0x([0-9a-f]{8})")
# Matches the symbol that a mark of marks/ticklab.h defines.
_NAMED = re.compile(r"ticklab\.mark\.[0-9]+\.(?P<name>.+)")

_MOST_MEMORY_BYTES = 1 << 27  # more than the memory of any board
# Limit for the length of all names together. Without it, an image whose many symbols and sections
# all use one long text as their name would take too long to read.
_MOST_NAME_BYTES = 1 << 26
_MOST_SECTIONS, _MOST_SECTION_NAME_BYTES = 1000, 1000


@dataclass(frozen=True)
class Symbol:
    name: str
    address: int  # without the bit that selects the Thumb instruction set
    size: int


# The kind of a symbol (STT_…), and the symbol with its name as in the file, not yet decoded.
_Raw = tuple[int, Symbol]
_NOTYPE, _OBJECT, _FUNC = 0, 1, 2
_CODE = (_NOTYPE, _FUNC)
_RESERVED = 0xFF00  # numbers from here on name no section (SHN_LORESERVE)
# An entry of the symbol table: name, value, size, kind and binding, visibility, section.
_ENTRY = struct.Struct("<IIIBBH")


@dataclass(frozen=True)
class Segment:
    """A part of the ELF file that is loaded into memory."""

    address: int
    data: bytes
    is_code: bool

    def word(self, address: int) -> int | None:
        place = address - self.address
        whole = 0 <= place <= len(self.data) - 4
        return int.from_bytes(self.data[place : place + 4], "little") if whole else None


@dataclass(frozen=True)
class Elf:
    path: Path
    symbols: tuple[Symbol, ...]  # functions and labels in code
    has_marks: bool
    machine: str = "ARM"  # named as in ELF
    architecture: str = ""  # architecture by the attributes of the image; empty: the image has none
    segments: tuple[Segment, ...] = ()
    # The memory that code and data use, as pairs of the first address and the address after the
    # last.
    extents: tuple[tuple[int, int], ...] = ()
    variables: tuple[Symbol, ...] = ()
    entry: int = 0
    named: tuple[Symbol, ...] = ()  # marks of marks/ticklab.h, by their names in the source

    @cached_property
    def _functions(self) -> list[Symbol]:
        return sorted(self.symbols, key=lambda symbol: (symbol.address, -symbol.size))

    def symbol_at(self, address: int) -> str | None:
        """Returns the position of an address as `name` or `name+0x…` of the function that contains
        it; None outside of functions."""
        end = bisect.bisect_right(self._functions, address, key=lambda each: each.address)
        for index in reversed(range(end)):
            symbol = self._functions[index]
            offset = address - symbol.address
            # Functions in assembly often have no size: assume that they reach to the next symbol.
            if offset < symbol.size or not symbol.size:
                return symbol.name if not offset else f"{symbol.name}+{offset:#x}"
        return None

    def word(self, address: int) -> int | None:
        """Returns the 32-bit word that the image puts at an address; None if the image has no
        content there."""
        return next((w for each in self.segments if (w := each.word(address)) is not None), None)

    def reset(self, core: Core, vectors: int) -> int | None:
        """Returns the address of the first instruction that the core executes: the reset vector of
        the vector table at `vectors`, or the image's entry if the core has no vector table."""
        if not core.arch.has_reset_vectors:
            return self.entry
        word = self.word(vectors + 4)
        return None if word is None else word & ~1

    def name_places(self, text: str) -> str:
        """Replaces each `at 0x…` and `at pc 0x…` in an error message by `in FUNCTION (0x…)`, if a
        function contains the address."""

        def named(place: re.Match[str]) -> str:
            symbol = self.symbol_at(int(place[1], 16))
            return f"in {symbol} (0x{place[1]})" if symbol else place[0]

        return _PLACE.sub(named, text)


def read(path: Path) -> Elf:
    """Reads an image. Raises an error that says what is wrong if the image is damaged."""
    try:
        return _parse(path, path.read_bytes())
    except OSError as error:
        raise TicklabError(
            f"cannot read image {path}: {error.strerror}", "name an image"
        ) from error
    except DAMAGED as error:
        raise _broken(path, "is truncated or no ELF file") from error


def require_marks(image: Elf) -> None:
    if not image.has_marks:
        raise TicklabError(
            f"image {image.path} has no marks (section {MARKS})",
            "measure it between symbols with 'ticklab observe'",
        )


def marks(path: Path) -> tuple[tuple[int, str], ...]:
    """Returns the address and the name of each mark of the image. In the file, each mark is an
    address word, a text, and padding to the next word (bench/mark.h)."""
    with path.open("rb") as stream:
        section = ELFFile(stream).get_section_by_name(MARKS)
        data = section.data() if section else b""
    found, place = [], 0
    while place < len(data):
        end = data.index(b"\0", place + 4)
        address = int.from_bytes(data[place : place + 4], "little")
        found.append((address, plain_text.line(data[place + 4 : end].decode("ascii"))))
        place = (end + 4) & ~3
    return tuple(found)


def _require_machine(image: Elf, machine: str) -> None:
    if image.machine != machine:
        what = f"is for another machine ({image.machine}); the board is {machine}"
        raise TicklabError(f"image {image.path} {what}", "choose --board, or build it again")


# Names of the values of the attribute Tag_CPU_arch (Addenda to, and Errata in, the ABI for the Arm
# Architecture).
_ARM = {1: "Armv4", 2: "Armv4T", 3: "Armv5T", 4: "Armv5TE", 5: "Armv5TEJ", 6: "Armv6",
    7: "Armv6KZ", 8: "Armv6T2", 9: "Armv6K", 10: "Armv7", 11: "Armv6-M", 12: "Armv6S-M",
    13: "Armv7E-M", 14: "Armv8-A", 15: "Armv8-R", 16: "Armv8-M.baseline",
    17: "Armv8-M.mainline", 21: "Armv8.1-M.mainline", 22: "Armv9-A"}  # fmt: skip


def require_core(image: Elf, core: Core, vectors: int) -> None:
    """Raises an error with the reason if the core cannot run the image."""
    _require_instructions(image, core)
    if core.arch.has_reset_vectors:
        _require_vectors(image, vectors)


def _require_instructions(image: Elf, core: Core) -> None:
    """Raises an error if the image is for another instruction set or architecture."""
    _require_machine(image, core.arch.elf_machine)
    if image.architecture and image.architecture not in core.executes:
        executes = " and ".join(core.executes)
        what = f"is built for {image.architecture}; {core.name} executes {executes}"
        hint = f"build it for {core.name}, or choose --board"
        raise TicklabError(f"image {image.path} {what}", hint)


def require_place(image: Elf, board: Board) -> None:
    """Raises an error if the board's core cannot run the image, or if the core has no vector table
    and the image lies outside of the board's memory: then the core would only trap for ever, even
    if QEMU's machine has more memory than the board."""
    _require_instructions(image, board.core)
    if board.core.arch.has_reset_vectors:
        return  # `_require_vectors` finds images outside of the memory
    regions = board.memory.values()
    first = min(origin for origin, _ in regions)
    end = max(origin + length for origin, length in regions)
    for start, after in image.extents:
        more = board.machine.has_more_memory
        if start < first or (after > end and not more):
            memory = f"from {first:#x}" if more else f"{first:#x}–{end:#x}"
            what = f"uses memory {start:#x}–{after:#x}; board {board.name} has {memory}"
            raise TicklabError(
                f"image {image.path} {what}", f"link it for {board.name}, or choose --board"
            )


def _require_vectors(image: Elf, vectors: int) -> None:
    """Checks the vector table, from which an M-profile core loads its stack pointer and its first
    instruction."""
    stack, reset = (image.word(vectors + offset) for offset in (0, 4))
    if stack is None or reset is None:
        what = f"has no table of vectors at {vectors:#x}"
        hint = "choose --board, or name the table's place with --vectors"
        raise TicklabError(f"image {image.path} {what}", hint)
    is_code = any(
        each.is_code and 0 <= reset - each.address < len(each.data) for each in image.segments
    )
    if not stack or stack % 4 or not reset & 1 or not is_code:
        what = f"has no table of vectors at {vectors:#x}: stack {stack:#x}, reset {reset:#x}"
        hint = "build it again, or name the table's place with --vectors"
        raise TicklabError(f"image {image.path} {what}", hint)


@lru_cache(maxsize=2)  # a command reads its image at each step
def _parse(path: Path, content: bytes) -> Elf:
    file, size = ELFFile(io.BytesIO(content)), len(content)
    machine = str(file["e_machine"]).removeprefix("EM_")
    _require_form(path, file, machine)
    _require_whole(path, size, _tables(file))
    _require_sections(path, file, content)
    sections = list(file.iter_sections())
    ends = [s["sh_offset"] + s["sh_size"] for s in sections if s["sh_type"] != "SHT_NOBITS"]
    ends += [segment["p_offset"] + segment["p_filesz"] for segment in file.iter_segments()]
    _require_whole(path, size, ends)
    _require_memory(path, file)
    has_marks = any(s.name == MARKS and s["sh_size"] for s in sections)
    found = list(_defined(path, file))
    symbols, variables = _decoded(machine, tuple(_symbols(found)), tuple(_variables(found)))
    return Elf(
        path,
        symbols,
        has_marks,
        machine,
        _architecture(file),
        tuple(_segments(file)),
        tuple(_extents(file)),
        variables,
        file["e_entry"],
        tuple(_named(found)),
    )


def _require_form(path: Path, file: ELFFile, machine: str) -> None:
    forms = {
        "is of another version of ELF": file["e_ident"]["EI_VERSION"] != "EV_CURRENT",
        "is big-endian": not file.little_endian,
        f"is for another machine ({machine})": not any(
            arch.elf_machine == machine for arch in architectures().values()
        ),
        "is a 64-bit file": file.elfclass != 32,
    }
    wrong = next((form for form, is_wrong in forms.items() if is_wrong), None)
    if wrong:
        raise _broken(path, f"{wrong}; the boards are 32-bit Arm and RISC-V, little-endian")


def _tables(file: ELFFile) -> Sequence[int]:
    """Returns the ends of the segment and section tables, computed from the header, which may be
    wrong."""
    return [file[f"e_{t}off"] + file[f"e_{t}num"] * file[f"e_{t}entsize"] for t in ("ph", "sh")]


def _require_whole(path: Path, size: int, ends: Sequence[int]) -> None:
    """Raises an error if a part of the file ends after the end of the file. `ends` are offsets of
    the parts' ends, and `size` is the file's size in bytes."""
    if max(ends, default=0) > size:
        raise _broken(path, f"is truncated: {size} bytes of {max(ends)}")


def _require_sections(path: Path, file: ELFFile, content: bytes) -> None:
    """Raises an error if there are too many sections, or one has too long a name, because reading
    them would take hours."""
    count = file.num_sections()
    if count > _MOST_SECTIONS:
        raise _broken(path, f"has {count:,} sections; the limit is {_MOST_SECTIONS:,}")
    names = file.get_section(file.get_shstrndx())["sh_offset"] if count else 0
    for number in range(count):
        header = file["e_shoff"] + number * file["e_shentsize"]
        name = names + int.from_bytes(content[header : header + 4], "little")
        if content.find(b"\0", name, name + _MOST_SECTION_NAME_BYTES) < 0:
            raise _broken(path, f"has no name of its section {number}")


def _require_memory(path: Path, file: ELFFile) -> None:
    """Raises an error if QEMU would not load the segments: one has more bytes in the file than in
    memory, one needs more memory than any board has, or two have bytes at one address."""
    loaded = [each for each in file.iter_segments() if each["p_type"] == "PT_LOAD"]
    for each in loaded:
        if each["p_filesz"] > each["p_memsz"]:
            what = f"has a segment of {each['p_filesz']:,} bytes in {each['p_memsz']:,} of memory"
            raise _broken(path, what)
    most = max((each["p_memsz"] for each in loaded), default=0)
    if most > _MOST_MEMORY_BYTES:
        what = f"has a segment of {most >> 20:,} MB; the limit is {_MOST_MEMORY_BYTES >> 20:,} MB"
        raise _broken(path, what)
    places = sorted((each["p_paddr"], each["p_filesz"]) for each in loaded if each["p_filesz"])
    for (first, size), (second, _) in itertools.pairwise(places):
        if first + size > second:
            raise _broken(path, f"has two segments that overlap, at {first:#x} and {second:#x}")


def _decoded(machine: str, *tables: tuple[Symbol, ...]) -> list[tuple[Symbol, ...]]:
    """Returns the symbols of the tables. Names that the compiler mangled are decoded to those in
    the source."""
    triple = of_machine(machine).compiler.triple
    names = demangling.decode((each.name for table in tables for each in table), triple)
    if not names:
        return list(tables)
    return [
        tuple(replace(each, name=names.get(each.name, each.name)) for each in table)
        for table in tables
    ]


def _segments(file: ELFFile) -> Iterator[Segment]:
    for segment in file.iter_segments():
        if segment["p_type"] == "PT_LOAD" and segment["p_filesz"]:
            is_code = bool(segment["p_flags"] & P_FLAGS.PF_X)
            yield Segment(segment["p_paddr"], segment.data(), is_code)


def _extents(file: ELFFile) -> Iterator[tuple[int, int]]:
    """Yields the address ranges of code and data, from sections, because segments may also contain
    the header of the file."""
    for section in file.iter_sections():
        if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_size"]:
            yield section["sh_addr"], section["sh_addr"] + section["sh_size"]


def _architecture(file: ELFFile) -> str:
    """Returns the architecture from the attributes that compilers and assemblers write. Ignores
    attributes that cannot be read."""
    try:
        for section in file.iter_sections():
            if isinstance(section, ARMAttributesSection):
                return _arm_architecture(_attributes(section))
            if isinstance(section, RISCVAttributesSection):
                return _riscv_architecture(str(_attributes(section).get("TAG_ARCH", "")))
    except DAMAGED:
        pass
    return ""


def _attributes(section: AttributesSection) -> dict[str, Any]:
    return {
        attribute.tag: attribute.value
        for part in section.iter_subsections()
        for inner in part.iter_subsubsections()
        for attribute in inner.iter_attributes()
    }


def _arm_architecture(attributes: Mapping[str, Any]) -> str:
    number = attributes.get("TAG_CPU_ARCH")
    if number is None:
        return ""
    name = _ARM.get(number, f"architecture {number} of Arm")
    profile = attributes.get("TAG_CPU_ARCH_PROFILE")
    return f"{name}-{chr(profile)}" if number == 10 and profile else name


def _riscv_architecture(text: str) -> str:
    """Converts an architecture such as `rv32i2p0_m2p0_c2p0` to RV32IMC. Extensions whose names have
    several letters are left out."""
    base, *others = text.split("_")
    letters = [base[4:5], *(each[0] for each in others if re.fullmatch(r"[a-y][0-9p]*", each))]
    return f"{base[:4]}{''.join(letters)}".upper() if base else ""


def _symbols(found: Iterable[_Raw]) -> Iterator[Symbol]:
    """Yields functions and labels in code. Leaves out marks, and the assembler's mapping symbols
    `$t` and `$d`."""
    for kind, symbol in found:
        is_marking = symbol.name.startswith("$") or _NAMED.fullmatch(symbol.name)
        if kind in _CODE and not is_marking:
            yield Symbol(symbol.name, symbol.address & ~1, symbol.size)


def _named(found: Iterable[_Raw]) -> Iterator[Symbol]:
    for kind, symbol in found:
        if kind in _CODE and (name := _NAMED.fullmatch(symbol.name)):
            yield Symbol(name["name"], symbol.address & ~1, 0)


def _variables(found: Iterable[_Raw]) -> Iterator[Symbol]:
    return (symbol for kind, symbol in found if kind == _OBJECT)


def _defined(path: Path, file: ELFFile) -> Iterator[_Raw]:
    """Yields the symbols that have a name and a section, with their names as in the file. Unpacks
    the symbol table itself, because pyelftools is slow and every command reads thousands of
    symbols."""
    table = file.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return
    names, entries = table.stringtable.data(), table.data()
    whole = len(entries) - len(entries) % _ENTRY.size
    left = _MOST_NAME_BYTES
    for start, value, size, info, _, section in _ENTRY.iter_unpack(entries[:whole]):
        text = names[start : names.find(b"\0", start)]
        left -= len(text)
        if left < 0:
            raise _broken(path, f"has names of more than {_MOST_NAME_BYTES >> 20} MB")
        name = text.decode(errors="replace")
        if name and 0 < section < _RESERVED:
            yield info & 15, Symbol(plain_text.line(name), value, size)


def _broken(path: Path, what: str) -> TicklabError:
    return TicklabError(f"image {path} {what}", "build it again")
