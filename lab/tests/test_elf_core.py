# SPDX-License-Identifier: MIT
"""Tests that an image which the board's core cannot execute is refused with the reason before it
runs."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import guests
import pytest

from ticklab.building import elf, program
from ticklab.building.elf import Segment
from ticklab.description import catalogue
from ticklab.description.architecture import cores
from ticklab.errors import TicklabError

SOURCE = ".syntax unified\n.thumb\n.text\n.word 0x20001000, 9\n.thumb_func\nreset: nop\n b reset\n"


def assembled(folder: Path, *flags: str, more: str = "") -> elf.Elf:
    (folder / "x.S").write_text(SOURCE + more)
    command = ["arm-none-eabi-gcc", "-nostdlib", "-Wl,-Ttext=0", "-Wl,-ereset", *flags]
    subprocess.run([*command, "x.S", "-o", "x.elf"], cwd=folder, check=True, capture_output=True)
    return elf.read(folder / "x.elf")


@pytest.mark.parametrize(
    ("flags", "core", "built_for"),
    [
        (["-mcpu=cortex-m33"], "cortex-m4f", "Armv8-M.mainline"),
        (["-mcpu=cortex-m23"], "cortex-m4f", "Armv8-M.baseline"),
        (["-mcpu=cortex-m0"], "cortex-m4f", "Armv6S-M"),
        (["-mcpu=cortex-a9"], "cortex-m4f", "Armv7-A"),
        (["-mcpu=cortex-r5"], "cortex-m4f", "Armv7-R"),
        (["-mcpu=cortex-m4"], "cortex-m3", "Armv7E-M"),
        (["-mcpu=cortex-m33"], "cortex-m7f", "Armv8-M.mainline"),
        (["-mcpu=cortex-m7"], "cortex-m33f", "Armv7E-M"),
        (["-mcpu=cortex-m4"], "cortex-a7", "Armv7E-M"),
        (["-mcpu=cortex-r5"], "cortex-a15", "Armv7-R"),
    ],
)
def test_code_for_another_core_is_refused(
    flags: list[str], core: str, built_for: str, tmp_path: Path
) -> None:
    image = assembled(tmp_path, *flags)
    with pytest.raises(TicklabError, match=rf"is built for {built_for}; {core} executes Armv"):
        elf.require_core(image, cores()[core], 0)


SYMBOLS = """
.global other, nowhere
.weak nowhere
other: b nowhere
.type other, %function
.size other, 2
.set absolute, 0x1234
.global absolute
.data
variable: .word 0
.type variable, %object
.size variable, 4
"""


def test_the_symbols_are_the_defined_functions_labels_and_variables(tmp_path: Path) -> None:
    """The list leaves out the assembler's mapping symbols and names that have no section."""
    image = assembled(tmp_path, "-mcpu=cortex-m4", more=SYMBOLS)
    found = {each.name: (each.address, each.size) for each in image.symbols}
    assert (found["reset"], found["other"]) == ((8, 0), (12, 2))
    assert found.keys().isdisjoint({"$t", "$d", "nowhere", "absolute", "variable", ""})
    assert [(each.name, each.size) for each in image.variables] == [("variable", 4)]


@pytest.mark.parametrize("cpu", ["cortex-m3", "cortex-m4"])
def test_code_for_the_core_or_a_smaller_one_is_taken(cpu: str, tmp_path: Path) -> None:
    elf.require_core(assembled(tmp_path, f"-mcpu={cpu}"), cores()["cortex-m4f"], 0)


def test_an_image_without_a_table_of_vectors_is_refused(tmp_path: Path) -> None:
    image = elf.read(guests.build(tmp_path, guests.LOOP))
    elf.require_core(image, cores()["cortex-m4f"], 0)
    with pytest.raises(TicklabError, match="has no table of vectors at 0x8000000"):
        elf.require_core(image, cores()["cortex-m4f"], 0x0800_0000)
    for words in ((0, 9), (0x2000_0001, 9), (0x2000_0000, 8), (0x2000_0000, 0x1001)):
        data = b"".join(word.to_bytes(4, "little") for word in words) + bytes(16)
        wrong = replace(image, segments=(Segment(0, data, True),))
        with pytest.raises(TicklabError, match="has no table of vectors at 0x0: stack 0x"):
            elf.require_core(wrong, cores()["cortex-m4f"], 0)


def test_only_an_image_for_the_m_profile_needs_a_table_of_vectors(tmp_path: Path) -> None:
    """The ELF header says ARM for an image of the A-profile, too; the attributes of the build
    distinguish the two."""
    image = assembled(tmp_path, "-mcpu=cortex-a7")
    elf.require_core(image, cores()["cortex-a7"], 0x4000_0000)
    assert image.reset(cores()["cortex-a7"], 0x4000_0000) == image.entry
    with pytest.raises(TicklabError, match=r"uses memory 0x0–.*; board virt-a7 has from 0x4"):
        elf.require_place(image, catalogue.find_board("virt-a7"))
    with pytest.raises(TicklabError, match="is built for Armv7-A; cortex-m4f executes"):
        elf.require_place(image, catalogue.find_board("mps2-an386"))
    image = assembled(tmp_path, "-mcpu=cortex-m4")
    assert image.reset(cores()["cortex-m4f"], 0) == 8
    with pytest.raises(TicklabError, match="is built for Armv7E-M; cortex-a7 executes Armv7-A"):
        elf.require_place(image, catalogue.find_board("virt-a7"))


def riscv(folder: Path, origin: int, size: int) -> elf.Elf:
    (folder / "r.S").write_text(f".globl _start\n_start: j _start\n.space {size - 4}\n")
    core = cores()["ibex"]
    made = program.Program(program.guest(core), ["r.S"], options=[f"-Wl,-Ttext={origin:#x}"])
    subprocess.run(made.command("r.elf"), cwd=folder, check=True, capture_output=True)
    return elf.read(folder / "r.elf")


@pytest.mark.parametrize(
    ("board", "origin", "size"),
    [
        ("virt", 0x2040_0000, 64),
        ("ibex", 0x2040_0000, 64),
        ("ibex", 0x8000_0000, 0x10_0004),
        ("ibex-multi", 0x8010_0000, 64),
    ],
)
def test_a_riscv_image_outside_of_the_memory_is_refused(
    board: str, origin: int, size: int, tmp_path: Path
) -> None:
    image = riscv(tmp_path, origin, size)
    with pytest.raises(TicklabError, match=rf"{origin:#x}–.* board {board} .*; link it") as error:
        elf.require_place(image, catalogue.find_board(board))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("board", "size"), [("virt", 0x20_0000), ("ibex", 0x10_0000)])
def test_a_riscv_image_in_the_memory_is_taken(board: str, size: int, tmp_path: Path) -> None:
    image = riscv(tmp_path, 0x8000_0000, size)
    elf.require_place(image, catalogue.find_board(board))


def test_riscv_code_with_more_extensions_is_refused() -> None:
    image = elf.Elf(
        Path("x.elf"), (), False, "RISCV", elf._riscv_architecture("rv32i2p0_m2p0_c2p0")
    )
    elf.require_core(image, cores()["ibex"], 0)
    more = elf._riscv_architecture("rv32i2p1_m2p0_a2p1_c2p0_zicsr2p0")
    with pytest.raises(TicklabError, match="is built for RV32IMAC; ibex executes RV32IMC"):
        elf.require_core(replace(image, architecture=more), cores()["ibex"], 0)
