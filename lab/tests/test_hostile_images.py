# SPDX-License-Identifier: MIT
"""Tests hostile images: names that attack the terminal, the pages and the traces; tables that take
very long to read; code that is replaced between two calls; calls without end."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from unittest.mock import Mock
from xml.dom import minidom

import guests
import pytest
from console import Answer, ticklab
from elftools.elf.elffile import ELFFile

from ticklab.building import elf
from ticklab.errors import TicklabError

# A function is called with interrupts masked. Its name is long, so that a test can put another name
# into the file in its place.
_NAME = "A" * 57
NAMED = (
    "function reset\n  ldr r2, =0x20000000\nagain:\n  bl work\n  b again\n"
    f"function work\n  push {{lr}}\n  cpsid i\n  str r1, [r2]\n  bl {_NAME}\n  cpsie i\n"
    "  pop {pc}\n"
    f"function {_NAME}\n  movs r4, #20\nloop:\n  subs r4, #1\n  bne loop\n  bx lr\n"
    "function handler\n  b handler\n.ltorg\n"
)
NAMES = {
    "escapes": b"\x1b[31mred\x1b]0;title\x07\r\x08",
    "lines": b"one\ntwo\tthree\x0b\x0c",
    "directions": "a\u202eb\u2066c\u2028d".encode(),
    "markup": b"</script><script>alert(1)</script>\"'&<b>",
    "stacks": b"a;b 99;c 17",
    "formats": b"[red]x[/red] {0} %s [/]",
}
_OBEYED = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
RECIPE = """
[recipe]
name = "mine"
title = "Work"

[[scenario]]
name = "work"
plan = { warm_up = 2, samples = 20 }
[scenario.span.call]
call = "work"
"""


def named(folder: Path, name: bytes) -> Path:
    """Returns an image whose function and source file have hostile names."""
    image = guests.build(folder, NAMED, flags=["-g"])
    content = image.read_bytes().replace(_NAME.encode() + b"\0", name.ljust(58, b"\0"))
    image.write_bytes(content.replace(b"guest.S\0", name[:7].ljust(8, b"\0")))
    return image


def safe(answer: Answer) -> None:
    assert answer.status == 0, answer.err
    for text in answer[1:]:
        assert not _OBEYED.search(text), text


@pytest.mark.parametrize("kind", NAMES)
def test_a_name_reaches_no_output_as_a_command(kind: str, tmp_path: Path) -> None:
    image, store = named(tmp_path / "image", NAMES[kind]), tmp_path / "store"
    (tmp_path / "mine.toml").write_text(RECIPE)
    out = tmp_path / "out"
    out.mkdir()
    written = (
        *("--perfetto", out / "trace", "--ctf", out / "ctf", "--chrome", out / "chrome.json"),
        *("--flame", out / "profile.svg", "-o", out / "profile.html"),
        *("--json", out / "profile.json"),
    )
    safe(ticklab("profile", image, "--instructions", "20000", "--no-model", *written))
    words = ("--recipe", tmp_path / "mine.toml", "--no-model", "--json", out / "run.json")
    safe(ticklab("run", "--image", image, "--store", store, "-o", out / "run.html", *words))
    files = ("--flame", out / "why.svg", "--collapsed", out / "why.txt", "--json", out / "why.json")
    safe(ticklab("explain", "latest", "--sample", "worst", "--store", store, *files))
    safe(ticklab("report", "latest", "--store", store, "-o", out / "report.html"))
    safe(ticklab("site", out / "site", "--store", store))
    for file in (each for each in out.rglob("*") if each.is_file()):
        check(file)
    lines = (out / "why.txt").read_text().splitlines()
    assert {line.count(";") for line in lines} == {2, 3}, lines


def check(file: Path) -> None:
    """Requires that names of the image have no effect in a file that Ticklab wrote."""
    content = file.read_bytes()
    assert b"\x1b[" not in content, file
    assert "\u202e".encode() not in content, file
    assert b"one\ntwo" not in content, file
    if file.suffix == ".svg":
        minidom.parseString(content)
    if file.suffix in (".html", ".svg"):
        assert b"<script>alert" not in content, file
    if file.suffix == ".json":
        json.loads(content)


def test_a_command_reads_the_symbols_of_its_image_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An image may have 100,000 symbols."""
    image, read = named(tmp_path, b"f"), Mock(wraps=elf._defined)
    monkeypatch.setattr(elf, "_defined", read)
    assert ticklab("profile", image, "--instructions", "5000", "--no-model").status == 0
    assert read.call_count == 1


# --- Code that changes --------------------------------------------------------------------------

# Calls code in RAM, which has alternately one and four instructions before its return.
REWRITTEN = (
    "function reset\n  movs r7, #0\nagain:\n  bl work\n  adds r7, #1\n  b again\n"
    "function work\n  push {{r4, lr}}\n  sub sp, #16\n  adr r0, one\n  tst r7, #1\n  it ne\n"
    "  adrne r0, four\n  ldmia r0, {{r1, r2, r3}}\n  {place}\n  stmia r4, {{r1, r2, r3}}\n"
    "  dsb\n  isb\n  adds r4, #1\n  blx r4\n  add sp, #16\n  pop {{r4, pc}}\n.balign 4\n"
    "one: nop\n  bx lr\n  nop\n  nop\n  nop\n  nop\n"
    "four: nop\n  nop\n  nop\n  nop\n  bx lr\n  nop\n"
    "function handler\n  b handler\n.ltorg\n"
)


@pytest.mark.parametrize("place", ["mov r4, sp", "ldr r4, =0x20001000"])
def test_code_that_is_replaced_is_counted_as_it_ran(place: str, tmp_path: Path) -> None:
    image = guests.build(tmp_path, REWRITTEN.format(place=place))
    words = ("--call", "work", "--until", "marks=50", "--no-model", "--json", "-")
    status, out, err = ticklab("observe", image, *words)
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    counted = record["instructions"]
    assert (counted["min"], counted["mean"], counted["max"]) == (17, 18.5, 20)


@pytest.mark.parametrize("place", ["mov r4, sp", "ldr r4, =0x20001000"])
def test_code_outside_the_image_has_its_address_for_a_name(place: str, tmp_path: Path) -> None:
    image = guests.build(tmp_path, REWRITTEN.format(place=place))
    page, flame, found = (tmp_path / name for name in ("page.html", "flame.svg", "found.json"))
    words = ("--instructions", "5000", "--no-model", "-o", page, "--flame", flame, "--json", found)
    answer = ticklab("profile", image, *words)
    safe(answer)
    names = [each["name"] for each in json.loads(found.read_text())["functions"]]
    (outside,) = (name for name in names if name.endswith(" (outside the image)"))
    assert outside.startswith("0x2000")
    assert sorted(names) == sorted([outside, "reset", "work"])
    for text in (answer.out, page.read_text(), flame.read_text()):
        assert outside in text


# A guest that pends the NMI, which has the same handler as HardFault, and then stores to an address
# without memory.
STORM = (
    "function reset\n  ldr r0, =0xe000ed04\n  mov r1, #0x80000000\n  movs r2, #20\n"
    "  ldr r3, ={address}\nagain:\n  nop\n  str r1, [r0]\n  nop\n  subs r2, #1\n  bne again\n"
    "  str r1, [r3]\n  nop\nend:\n  b end\nfunction handler\n  bx lr\n.ltorg\n"
)


@pytest.mark.parametrize(("address", "faults"), [("0x20001000", False), ("0x70000000", True)])
def test_an_nmi_is_no_fault_that_shares_its_handler(
    address: str, faults: bool, tmp_path: Path
) -> None:
    image = guests.build(tmp_path, STORM.format(address=address))
    answer = ticklab("profile", image, "--instructions", "1000", "--no-model")
    assert answer.status == faults, answer.err
    assert ("the guest took a HardFault" in answer.err) == faults, answer.err
    assert re.search(r" 20 .*handler", answer.out) or faults, answer.out


def test_a_recursion_without_end_is_drawn(tmp_path: Path) -> None:
    work = "function work\n  push {r0-r7, lr}\n  bl work\n"
    fault = "function handler\n  b handler\n"
    image = guests.build(tmp_path, f"function reset\n  bl work\n{work}{fault}")
    page = tmp_path / "page.html"
    safe(ticklab("profile", image, "--instructions", "5000", "--no-model", "-o", page))
    assert page.read_text().count("work") > 2000, "calls"


# --- Tables that take hours ---------------------------------------------------------------------

_SYMBOL, _SECTION_BYTES = struct.Struct("<IIIBBH"), 40


def with_table(image: Path, name: str, table: bytes) -> None:
    """Appends new content to the file, and makes it the content of a section."""
    content = bytearray(image.read_bytes())
    with image.open("rb") as stream:
        file = ELFFile(stream)
        index = file.get_section_index(name)
        assert index
        at = file["e_shoff"] + index * _SECTION_BYTES
    struct.pack_into("<II", content, at + 16, len(content), len(table))
    image.write_bytes(content + table)


def test_symbols_that_share_a_long_name_are_refused(tmp_path: Path) -> None:
    image = guests.build(tmp_path, guests.UNMARKED)
    with_table(image, ".strtab", b"\0" + 65536 * b"n" + b"\0")
    with_table(image, ".symtab", 2000 * _SYMBOL.pack(1, 0x40, 0, 2, 0, 1))
    with pytest.raises(TicklabError, match="has names of more than 64 MB"):
        elf.read(image)


def test_sections_without_end_are_refused(tmp_path: Path) -> None:
    image = guests.build(tmp_path, guests.UNMARKED)
    whole = image.read_bytes()
    with_table(image, ".shstrtab", 65536 * b"n")
    with pytest.raises(TicklabError, match="has no name of its section 0"):
        elf.read(image)
    count, after = 60000, len(whole).to_bytes(4, "little")
    many = whole[:32] + after + whole[36:48] + count.to_bytes(2, "little") + whole[50:]
    image.write_bytes(many + bytes(count * _SECTION_BYTES))
    with pytest.raises(TicklabError, match="has 60,000 sections; the limit is 1,000"):
        elf.read(image)
