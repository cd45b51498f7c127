# SPDX-License-Identifier: MIT
"""Tests that the functions of an image are found in its debug information: in each version of
DWARF, in the forms of GCC and of Clang, and if it is damaged."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import guests
import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section

from ticklab.building import inlined_code
from ticklab.building.inlined_code import InlinedCode
from ticklab.building.program import Program
from ticklab.errors import TicklabError

SOURCE = """
#include "folder/add.h"
__attribute__((noipa)) int outer(struct list *first)
{
    return add(first, 3) ? add(first, 5) : 0;
}
__attribute__((noipa)) int unused(int n) { return n + 1; }
void reset(void) { for (;;) outer(0); }
"""
HEADER = """
struct list { int value; struct { char text[3]; } inner; struct list *next; };
static inline __attribute__((always_inline)) int add(struct list *each, int n)
{
    int sum = 0;
    for (; each; each = each->next) { int product = each->value * n; sum += product; }
    return sum;
}
"""
# Indexed texts, addresses and lists of ranges, which Clang writes and GCC does not: a unit
# whose function `outer` has two ranges, with `inner` inlined in the second one.
CLANG = """
.syntax unified
.thumb
.text
.type outer, %function
code:
outer: .space 16
.section .debug_abbrev
  .uleb128 1; .uleb128 0x11; .byte 1 @ compile unit
  .uleb128 0x72; .uleb128 0x17; .uleb128 0x73; .uleb128 0x17; .uleb128 0x74; .uleb128 0x17
  .uleb128 0x11; .uleb128 0x1b; .uleb128 0x12; .uleb128 0x06; .uleb128 0; .uleb128 0
  .uleb128 2; .uleb128 0x2e; .byte 1 @ function: name, ranges, and a block that nobody asks for
  .uleb128 0x03; .uleb128 0x25; .uleb128 0x40; .uleb128 0x18
  .uleb128 0x55; .uleb128 0x23; .uleb128 0; .uleb128 0
  .uleb128 3; .uleb128 0x1d; .byte 0 @ inlined: origin, begin, length
  .uleb128 0x31; .uleb128 0x13; .uleb128 0x11; .uleb128 0x29
  .uleb128 0x12; .uleb128 0x0b; .uleb128 0; .uleb128 0
  .uleb128 4; .uleb128 0x2e; .byte 0 @ what is inlined: name
  .uleb128 0x03; .uleb128 0x1a; .uleb128 0; .uleb128 0
  .uleb128 0
.section .debug_info
unit: .long end - version
version: .short 5; .byte 1, 4; .long 0
  .uleb128 1; .long 8, 8, 12; .uleb128 0; .long 16
abstract: .uleb128 4; .uleb128 1
  .uleb128 2; .byte 0; .uleb128 2; .byte 0x91, 0; .uleb128 0
  .uleb128 3; .long abstract - unit; .byte 1; .byte 4
  .byte 0, 0
end:
.section .debug_str_offsets
  .long 12; .short 5, 0; .long 0, 6
.section .debug_str
  .asciz "outer"
  .asciz "inner"
.section .debug_addr
  .long 12; .short 5; .byte 4, 0; .long code, code + 8
.section .debug_rnglists
  .long 0; .short 5; .byte 4, 0; .long 1
  .long 4
  .byte 4; .uleb128 0; .uleb128 4
  .byte 3; .uleb128 1; .uleb128 8
  .byte 0
"""
LINK = ("-nostdlib", "-Wl,--gc-sections,-e,reset,-Ttext=0x100", "-ffunction-sections")


def compiled(folder: Path, *options: str) -> Path:
    (folder / "folder").mkdir()
    (folder / "folder" / "add.h").write_text(HEADER)
    (folder / "main.c").write_text(SOURCE)
    return built(folder, folder / "main.c", *options)


def built(folder: Path, source: Path, *options: str) -> Path:
    image = folder / "image.elf"
    made = Program(guests.compiler(), [source], options=options)
    subprocess.run(made.command(image), check=True)
    return image


def shown(code: InlinedCode) -> str:
    return f"{code.function.name} ({code.function.file}) in {code.symbol.name}"


@pytest.mark.parametrize("options", [("-O2",), ("-Os", "-flto"), ("-O2", "-g3")])
@pytest.mark.parametrize("version", [2, 3, 4, 5])
def test_functions_have_their_names_files_and_places(
    tmp_path: Path, version: int, options: tuple[str, ...]
) -> None:
    image = compiled(tmp_path, *LINK, "-g", f"-gdwarf-{version}", *options)
    found = inlined_code.read(image)
    assert {shown(each) for each in found} >= {
        "outer (main.c) in outer",
        "reset (main.c) in reset",
        "add (add.h) in outer",
    }
    assert "unused" not in {each.function.name for each in found}, "it was discarded"
    (outer,) = (each.range for each in found if shown(each) == "outer (main.c) in outer")
    inner = [each.range for each in found if each.function.name == "add"]
    assert all(outer[0] <= begin <= end <= outer[1] for begin, end in inner)
    assert sum(end - begin for begin, end in inner) > (outer[1] - outer[0]) / 2


def test_an_image_without_debug_information_has_no_functions(tmp_path: Path) -> None:
    assert inlined_code.read(compiled(tmp_path, *LINK, "-O2", "-g0")) == []


def test_indexed_forms_are_followed(tmp_path: Path) -> None:
    (tmp_path / "main.s").write_text(CLANG)
    link = ("-nostdlib", "-Wl,-e,0,-Ttext=0x100")
    found = inlined_code.read(built(tmp_path, tmp_path / "main.s", *link))
    assert [(shown(each), each.range) for each in found] == [
        ("outer (None) in outer", (0x100, 0x104)),
        ("outer (None) in outer", (0x108, 0x110)),
        ("inner (None) in outer", (0x108, 0x10C)),
    ]


@pytest.mark.parametrize("version", [3, 5])
def test_damage_is_one_error(tmp_path: Path, version: int) -> None:
    image = compiled(tmp_path, *LINK, "-g", f"-gdwarf-{version}", "-O2")
    with image.open("rb") as stream:
        found = [each for each in ELFFile(stream).iter_sections() if ".debug" in each.name]
    places = [place for each in found for place in range(each["sh_offset"], _end(each))]
    whole, chance, refused = image.read_bytes(), random.Random(version), list[str]()
    for _ in range(300):
        data = bytearray(whole)
        for place in chance.sample(places, 3):
            data[place] = chance.choice((0, 1, 0x7F, 0xFF, chance.randrange(256)))
        image.write_bytes(data)
        try:
            inlined_code.read(image)
        except TicklabError as error:
            refused.append(str(error))
    assert 30 < len(refused) < 300
    assert all("build it again" in each for each in refused)


def _end(section: Section) -> int:
    return int(section["sh_offset"] + section["sh_size"])
