# SPDX-License-Identifier: MIT
"""Checks that in a linked image only the kernel's closed object is privileged.

The program reads the image and the linker's map, which names the file that each section comes from.
It refuses and removes an image in which

- a section of another file lies outside the memory that processes reach, where code is privileged;
  or a section of the kernel lies in memory that processes reach, except those that they share;
- a vector, or the entry of the image, does not point into the kernel's code;
- a symbol that the kernel takes from the linker script or from a process has another value than
  the declaration requires;
- two regions, or two processes, claim one file.
"""

from __future__ import annotations

import argparse
import re
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from bulkhead_declare import interface
from bulkhead_declare.elf import Elf, ElfError, Section
from bulkhead_declare.interface import (
    EVERY_FILE,
    ORIGIN,
    SECTION_PREFIX,
    SHARED_SECTIONS,
    Interface,
    Range,
)

_VECTORS = f"{SECTION_PREFIX}.vectors{ORIGIN}"
_WRAPPED = "__wrap_"

# Match lines of the linker's map. An input section is indented and has a name, an address, a size
# and a file; a long name is on a line of its own. The line of an output section begins with its
# name.
_PIECE = re.compile(r"^ (\S+)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)$", re.MULTILINE)
_OUTPUT = re.compile(r"^(\.\S+)(?:\s|$)", re.MULTILINE)


class ImageError(Exception):
    """Raised for a wrong image. The message is one line that says what is wrong and what to
    change."""


@dataclass(frozen=True)
class Piece:
    """An input section in the image."""

    output: str
    name: str
    address: int
    size: int
    file: str

    @property
    def range(self) -> Range:
        return Range(self.name, self.address, self.address + self.size)


def pieces(map_text: str) -> Iterator[Piece]:
    """Yields the input sections that are not empty, in the order of the map."""
    _, _, text = map_text.partition("\nLinker script and memory map\n")
    starts = [(match.start(), match[1]) for match in _OUTPUT.finditer(text)]
    ends = [start for start, _ in starts[1:]] + [len(text)]
    for (start, output), end in zip(starts, ends, strict=True):
        for match in _PIECE.finditer(text, start, end):
            size = int(match[3], 16)
            if size:
                yield Piece(output, match[1], int(match[2], 16), size, match[4])


@dataclass(frozen=True)
class Image:
    elf: Elf
    pieces: tuple[Piece, ...]
    kernel: str  # path of the closed object, as it was passed to the linker
    allowed: Interface

    @cached_property
    def kernel_names(self) -> frozenset[str]:
        """Returns the names under which the linker's map may list the closed object: they may be
        relative to the folder of the build."""
        whole = Path(self.kernel).resolve()
        files = {each.file for each in self.pieces}
        return frozenset(each for each in files if Path(each).resolve() == whole)

    def is_kernel(self, piece: Piece) -> bool:
        return piece.file in self.kernel_names

    @cached_property
    def allocated(self) -> tuple[Piece, ...]:
        names = {each.name for each in self.elf.sections if each.is_allocated}
        return tuple(each for each in self.pieces if each.output in names)

    @cached_property
    def kernel_code(self) -> tuple[Range, ...]:
        """Returns the ranges of the kernel's code and constants that no process may read."""
        outputs = (".first", ".kernel_text")
        return tuple(
            each.range for each in self.allocated if self.is_kernel(each) and each.output in outputs
        )

    @cached_property
    def values(self) -> dict[str, int]:
        return {each.name: each.value for each in self.elf.symbols if not each.is_local}

    def in_process(self, piece: Range) -> bool:
        count = max(1, piece.end - piece.start)
        return any(each.holds(piece.start, count) for each in self.allowed.memory)


def mistakes(image: Image) -> Iterator[str]:
    yield from _misplaced(image)
    yield from _entered(image)
    yield from _imported(image)
    yield from _linked(image)
    yield from _claimed(image)


def _misplaced(image: Image) -> Iterator[str]:
    """Finds sections of other files in privileged memory, and sections of the kernel outside it."""
    if not any(map(image.is_kernel, image.allocated)):
        yield f"the image does not contain the kernel, {image.kernel}; add this file to its link"
    shared = tuple(f"{SECTION_PREFIX}{each}{ORIGIN}" for each in SHARED_SECTIONS)
    for piece in image.allocated:
        what = f"{piece.name} of {piece.file}"
        if not image.is_kernel(piece):
            if not image.in_process(piece.range):
                yield (
                    f"{what} lies at {piece.address:#x}, where the kernel's code and data are; "
                    "remove its section attribute"
                )
        elif not piece.name.startswith(shared) and image.in_process(piece.range):
            yield (
                f"{what} lies at {piece.address:#x}, in memory of a process; "
                "link with the generated layout.ld alone"
            )


def _entered(image: Image) -> Iterator[str]:
    if not _is_within(image.elf.entry & ~1, image.kernel_code):
        yield f"the image begins at {image.elf.entry:#x}, which is not in the kernel; remove -e"
    for number, vector in enumerate(_vectors(image)):
        if number > 0 and vector != 0 and not _is_within(vector & ~1, image.kernel_code):
            yield (
                f"vector {number} is {vector:#x}, which is not in the kernel; "
                "link the generated vectors.c unchanged"
            )


def _vectors(image: Image) -> Iterator[int]:
    """Yields the words of the vector table. The first one is the initial stack pointer."""
    section = image.elf.section(".first")
    for piece in image.allocated:
        if piece.name.startswith(_VECTORS) and image.is_kernel(piece) and section is not None:
            start = piece.address - section.address
            words = image.elf.contents(section)[start : start + piece.size]
            yield from (word for (word,) in struct.iter_unpack("<I", words))


def _is_within(address: int, ranges: Sequence[Range]) -> bool:
    return any(each.holds(address) for each in ranges)


def _imported(image: Image) -> Iterator[str]:
    """Finds symbols of processes that the kernel uses and that lie outside the memory of processes,
    and symbols that the linker replaces by a wrapper."""
    allowed = image.allowed
    for name in (*allowed.entries, *allowed.objects):
        value = image.values.get(name)
        if value is not None and not image.in_process(Range(name, value & ~1, value & ~1)):
            yield (
                f"symbol {name} is {value:#x}, which is in no process; "
                "do not define it by an option or a script of the linker"
            )
    for name in (*allowed.entries, *allowed.objects, *allowed.linker):
        wrapped = f"{_WRAPPED}{name}"
        if wrapped in image.values and wrapped not in allowed.tested:
            yield f"{name} is wrapped, but the kernel relies on it; remove --wrap={name}"


def _linked(image: Image) -> Iterator[str]:
    """Finds symbols of the linker script that have another value than the script gives them."""
    for name, expected in _expected(image):
        value = image.values.get(name, expected)
        if value != expected:
            yield (
                f"symbol {name} is {value:#x} instead of {expected:#x}; "
                "do not define it by an option or a script of the linker"
            )


def _expected(image: Image) -> Iterator[tuple[str, int]]:
    yield "memory_stack_top", image.allowed.stack_top
    yield from image.allowed.kept
    parts = [(region.name, f".region.{region.name}") for region in image.allowed.regions]
    for name, section_name in parts:
        section = image.elf.section(section_name)
        zeroes = image.elf.section(f".zeroes.{name}")
        if section is not None:
            yield from _of_section(image.elf, name, section)
            yield f"{name}_zero", section.address + section.size
        if zeroes is not None:
            yield f"{name}_zero", zeroes.address
            yield f"{name}_end", zeroes.address + zeroes.size
    data, zero = image.elf.section(".kernel_data"), image.elf.section(".kernel_zero")
    if data is not None:
        yield from _of_section(image.elf, "memory_data", data)
        yield "memory_data_end", data.address + data.size
    if zero is not None:
        yield "memory_zero_start", zero.address
        yield "memory_zero_end", zero.address + zero.size


def _of_section(elf: Elf, name: str, section: Section) -> Iterator[tuple[str, int]]:
    yield f"{name}_start", section.address
    if section.size:
        yield f"{name}_load", elf.load_address(section)


def _claimed(image: Image) -> Iterator[str]:
    """Finds files that the patterns of two owners match: the linker gives such a file to the first
    pattern only."""
    files = {each.file for each in image.allocated if not image.is_kernel(each)}
    for kind in ("code", "data"):
        claims = [each for each in image.allowed.claims if each.kind == kind]
        for file in sorted(files):
            owners = [each.owner for each in claims if _matches(file, each.patterns)]
            if len(owners) > 1:
                both = " and ".join(owners)
                yield f"{both} both claim the {kind} of {file}; write more exact patterns"


def _matches(file: str, patterns: Sequence[str]) -> bool:
    """Returns whether a pattern matches a file as in a linker script. A member of an archive
    matches by its own name, or by the names of both."""
    archive, _, member = file.removesuffix(")").rpartition("(")
    names = (f"{archive}:{member}", member) if archive else (file,)
    own = [each for each in patterns if each != EVERY_FILE]
    return any(fnmatchcase(name, pattern) for name in names for pattern in own)


def check(file: Path, map_file: Path, kernel: str, allowed: Interface) -> None:
    found = tuple(pieces(map_file.read_text(errors="replace")))
    for mistake in mistakes(Image(Elf(file), found, kernel, allowed)):
        raise ImageError(mistake)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    interface.add_options(parser)
    parser.add_argument("--kernel", required=True, help="the closed object, as the linker got it")
    parser.add_argument("--map", type=Path, required=True, help="the linker's map of the image")
    parser.add_argument("image", type=Path, help="the linked image; it is removed if it is refused")
    given = parser.parse_args(words)
    try:
        allowed = interface.read(given.interface).extended((), given.imports)
        check(given.image, given.map, given.kernel, allowed)
    except (ImageError, ElfError, OSError) as error:
        given.image.unlink(missing_ok=True)
        sys.exit(f"error: {given.image.name} is refused: {error}")


if __name__ == "__main__":
    main()
