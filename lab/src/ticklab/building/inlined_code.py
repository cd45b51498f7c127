# SPDX-License-Identifier: MIT
"""Finds the function of each instruction of an image by its debug information (DWARF), functions
that the compiler inlined included.

GNU ld keeps the debug information of sections that it discarded, at addresses of other code. A
function counts only if the image has a symbol where the function begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.descriptions import describe_form_class
from elftools.dwarf.die import DIE
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.ranges import BaseAddressEntry
from elftools.elf.elffile import ELFFile

from ticklab.building import elf
from ticklab.building.damage import DAMAGED
from ticklab.errors import TicklabError

Range = tuple[int, int]  # the first address, and the address after the last
_INLINED = "DW_TAG_inlined_subroutine"
_ORIGINS = ("DW_AT_abstract_origin", "DW_AT_specification")


@dataclass(frozen=True)
class SourceFunction:
    name: str
    file: str | None  # without its folders


@dataclass(frozen=True)
class InlinedCode:
    """Instructions of one function inside another, or outside any other."""

    range: Range
    function: SourceFunction
    symbol: SourceFunction  # the function that is not inlined


def read(image: Path) -> list[InlinedCode]:
    """Returns the code of an image. Where ranges overlap, a later one is inside an earlier one. An
    image without debug information has none."""
    begins = {symbol.address for symbol in elf.read(image).symbols}
    try:
        with image.open("rb") as stream:
            file = ELFFile(stream)
            if not file.has_dwarf_info():
                return []
            dwarf = file.get_dwarf_info()
            units = (unit for unit in dwarf.iter_CUs() if _has_code(unit.get_top_DIE()))
            return [code for unit in units for code in _of_unit(dwarf, unit, begins)]
    except DAMAGED as error:
        raise TicklabError(
            f"the debug information of {image} is broken", "build it again"
        ) from error


def _has_code(die: DIE) -> bool:
    return bool(die.attributes.keys() & {"DW_AT_ranges", "DW_AT_low_pc"})


def _of_unit(dwarf: DWARFInfo, unit: CompileUnit, begins: set[int]) -> Iterator[InlinedCode]:
    for die in unit.get_top_DIE().iter_children():
        if die.tag == "DW_TAG_subprogram" and _has_code(die):
            ranges = _ranges(dwarf, unit, die)
            if any(begin in begins for begin, _ in ranges):
                function = _function(dwarf, die)
                yield from (InlinedCode(each, function, function) for each in ranges)
                yield from _inside(dwarf, unit, die, function)


def _inside(
    dwarf: DWARFInfo, unit: CompileUnit, parent: DIE, symbol: SourceFunction
) -> Iterator[InlinedCode]:
    for die in parent.iter_children():
        if die.tag == _INLINED and _has_code(die):
            function = _function(dwarf, die)
            for each in _ranges(dwarf, unit, die):
                yield InlinedCode(each, function, symbol)
        if die.has_children:
            yield from _inside(dwarf, unit, die, symbol)


def _function(dwarf: DWARFInfo, die: DIE) -> SourceFunction:
    """Follows a function to the declaration that has its name."""
    name, file = None, None
    while name is None or file is None:
        name = name or _text(die, "DW_AT_name")
        file = file or _file(dwarf, die)
        origin = next((each for each in _ORIGINS if each in die.attributes), None)
        if origin is None:
            break
        die = die.get_DIE_from_attribute(origin)
    return SourceFunction(name or "?", file)


def _text(die: DIE, attribute: str) -> str | None:
    found = die.attributes.get(attribute)
    return found.value.decode(errors="replace") if found else None


def _file(dwarf: DWARFInfo, die: DIE) -> str | None:
    """Returns the name of the file that declares a function. Version 5 counts files from 0."""
    number = die.attributes.get("DW_AT_decl_file")
    if number is None or not isinstance(die.cu, CompileUnit):
        return None
    program = dwarf.line_program_for_CU(die.cu)
    if program is None:
        return None
    files = program["file_entry"]
    index = number.value - (0 if program["version"] >= 5 else 1)
    return PurePosixPath(files[index].name.decode(errors="replace")).name


def _ranges(dwarf: DWARFInfo, unit: CompileUnit, die: DIE) -> list[Range]:
    if "DW_AT_ranges" in die.attributes:
        return list(_listed(dwarf, unit, die))
    low, high = die.attributes["DW_AT_low_pc"], die.attributes.get("DW_AT_high_pc")
    if high is None:
        return []
    is_address = describe_form_class(high.form) == "address"
    return [(low.value, high.value if is_address else low.value + high.value)]


def _listed(dwarf: DWARFInfo, unit: CompileUnit, die: DIE) -> Iterator[Range]:
    """Yields the ranges of a list, whose entries are relative to the unit's base."""
    lists = dwarf.range_lists()
    assert lists  # or no entry would refer to it
    low = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    base = low.value if low else 0
    for entry in lists.get_range_list_at_offset(die.attributes["DW_AT_ranges"].value, unit):
        if isinstance(entry, BaseAddressEntry):
            base = entry.base_address
        else:
            begin = 0 if getattr(entry, "is_absolute", False) else base
            yield begin + entry.begin_offset, begin + entry.end_offset
