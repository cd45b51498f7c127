# SPDX-License-Identifier: MIT
"""Finds the instructions of a source line by the debug information of an image (DWARF).

If GNU ld discards a section, it keeps the section's lines in the debug information, at address 0
and above. Such lines are ignored unless a function of the image begins at 0
(observer/explain/src/debug_info.rs does the same).
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path, PurePosixPath

from elftools.dwarf.lineprogram import LineProgram, LineState
from elftools.elf.elffile import ELFFile

from ticklab import names, plain_text
from ticklab.building.damage import DAMAGED
from ticklab.building.elf import Elf
from ticklab.errors import TicklabError

Line = tuple[str, int, int]  # name of the file, number of the line, address


def addresses(image: Elf, file: str, line: int) -> list[int]:
    """Returns the first address of each part of a source line's code, in ascending order. A
    compiler may divide the code of a line into several parts."""
    has_code_at_0 = not image.symbols or any(not symbol.address for symbol in image.symbols)
    lines = _lines(image.path, has_code_at_0)
    of_file = [each for each in lines if _is(file, each[0])]
    if not of_file:
        known = {PurePosixPath(each[0]).name for each in lines}
        if not known:
            raise TicklabError(f"{image.path} has no debug information", "build it with -g")
        raise names.unknown(f"source file in {image.path}", file, known)
    found = [address for _, number, address in of_file if number == line]
    if not found:
        near = min({number for _, number, _ in of_file}, key=lambda number: abs(number - line))
        raise TicklabError(f"no instruction belongs to {file}:{line}", f"line {near} has some")
    return sorted(set(found))


def line_of(image: Elf, address: int) -> str | None:
    """Returns the source line of the instruction at an address as FILE:LINE, without folders; None
    if it is unknown."""
    has_code_at_0 = not image.symbols or any(not symbol.address for symbol in image.symbols)
    lines = _by_address(image.path, has_code_at_0)
    index = bisect.bisect_right(lines, address, key=lambda line: line[2])
    if not index:
        return None
    file, number, _ = lines[index - 1]
    return f"{PurePosixPath(file).name}:{number}" if number else None


@cache
def _by_address(image: Path, has_code_at_0: bool) -> tuple[Line, ...]:
    return tuple(sorted(_lines(image, has_code_at_0), key=lambda line: line[2]))


def _is(wanted: str, file: str) -> bool:
    """Returns whether the path `file` in the debug information ends with `wanted`, a file name that
    may follow some folders."""
    parts, ends = PurePosixPath(file).parts, PurePosixPath(wanted).parts
    return parts[-len(ends) :] == ends


@cache
def _lines(image: Path, has_code_at_0: bool) -> tuple[Line, ...]:
    try:
        with image.open("rb") as stream:
            elf = ELFFile(stream)
            if not elf.has_dwarf_info():
                return ()
            dwarf = elf.get_dwarf_info()
            programs = (dwarf.line_program_for_CU(unit) for unit in dwarf.iter_CUs())
            known = (program for program in programs if program)
            return tuple(line for program in known for line in _begins(program, has_code_at_0))
    except DAMAGED as error:
        raise TicklabError(
            f"the debug information of {image} is broken", "build it again"
        ) from error


def _begins(program: LineProgram, has_code_at_0: bool) -> Iterator[Line]:
    """Yields the first row of each group of adjacent rows that belong to one source line."""
    for rows in _sequences(program):
        if not rows or not (rows[0].address or has_code_at_0):
            continue
        statements = (row for row in rows if row.is_stmt)
        for (file, line), run in groupby(statements, key=lambda row: (row.file, row.line)):
            yield _name(program, file), line, next(run).address


def _sequences(program: LineProgram) -> Iterator[list[LineState]]:
    """Yields the rows of the line program in sequences, each of which describes adjacent
    instructions."""
    rows: list[LineState] = []
    for entry in program.get_entries():
        if entry.state is None:
            continue
        if entry.state.end_sequence:
            yield rows
            rows = []
        else:
            rows.append(entry.state)


def _name(program: LineProgram, number: int) -> str:
    """Returns the path of a file of a line program. DWARF 5 numbers files from 0, older versions
    from 1."""
    header = program["version"] >= 5, program["file_entry"], program["include_directory"]
    is_new, files, folders = header
    entry = files[number - (0 if is_new else 1)]
    index = entry.dir_index - (0 if is_new else 1)
    folder = folders[index] if 0 <= index < len(folders) else b""
    parts = (plain_text.line(part.decode(errors="replace")) for part in (folder, entry.name))
    return str(PurePosixPath(*parts))
