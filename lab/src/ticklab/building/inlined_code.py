# SPDX-License-Identifier: MIT
"""Finds the function of each instruction of an image from the debug information (DWARF), including
functions that the compiler inlined.

If GNU ld discards a section, it keeps the section's debug information, at addresses that other code
has. So a function counts only if the image has a symbol where the function begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from ticklab.building import debug_entries, elf
from ticklab.building.damage import DAMAGED
from ticklab.building.debug_entries import Entry, Range, Unit
from ticklab.errors import TicklabError


@dataclass(frozen=True)
class SourceFunction:
    name: str
    file: str | None  # without its folders


@dataclass(frozen=True)
class InlinedCode:
    """The address ranges of the code of one function, which may be inlined into another
    function."""

    range: Range
    function: SourceFunction
    # The function with a symbol in the image to which the code belongs: this function, or the one
    # into which it is inlined.
    symbol: SourceFunction


def read(image: Path) -> list[InlinedCode]:
    """Returns the code ranges of an image. If two ranges overlap, the later one in the list is
    inlined into the earlier one. Returns an empty list without debug information."""
    begins = {symbol.address for symbol in elf.read(image).symbols}
    try:
        with image.open("rb") as stream:
            units = debug_entries.read(_sections(ELFFile(stream)))
        return [code for unit in units if unit.top.has_code for code in _of_unit(unit, begins)]
    except DAMAGED as error:
        raise TicklabError(
            f"the debug information of {image} is broken", "build it again"
        ) from error


def _sections(file: ELFFile) -> dict[str, bytes]:
    found = {name: file.get_section_by_name(f".debug_{name}") for name in debug_entries.NAMES}
    return {name: section.data() if section else b"" for name, section in found.items()}


def _of_unit(unit: Unit, begins: set[int]) -> Iterator[InlinedCode]:
    symbol: SourceFunction | None = None
    for is_inlined, entry in unit.functions():
        ranges = entry.ranges()
        if not is_inlined:
            is_there = any(begin in begins for begin, _ in ranges)
            symbol = _function(entry) if is_there else None
        if symbol:
            function = _function(entry) if is_inlined else symbol
            yield from (InlinedCode(each, function, symbol) for each in ranges)


def _function(entry: Entry) -> SourceFunction:
    name, file = entry.named()
    return SourceFunction(name or "?", file)
