# SPDX-License-Identifier: MIT
"""Tests `ticklab board check` with a board that is as described, and with boards that are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from console import Answer, ticklab

from ticklab import building, paths
from ticklab.building import elf
from ticklab.description import catalogue
from ticklab.description.model import Image
from ticklab.errors import TicklabError
from ticklab.measurement import boardcheck, cases
from ticklab.targets.desk.board import places

STAND_IN = paths.CHECKOUT / "platform" / "boards" / "stand-in" / "board.toml"


def check(folder: Path, old: str, new: str, calibration: str = "") -> Answer:
    """Checks the stand-in for a board against a description in which `old` is replaced by `new`."""
    text = STAND_IN.read_text()
    assert old in text
    (folder / "board.toml").write_text(text.replace(old, new))
    if calibration:
        (folder / "calibration.toml").write_text(f"[clocked]\n{calibration}\n")
    return ticklab("board", "check", folder, "--store", folder / "store")


BOARDS = ("nucleo-l476", "nucleo-l432", "nrf52840-dk", "rp2350", "lpc55s69")
OF_EACH_FAMILY = ("nucleo-l476", "nrf52840-dk", "rp2350")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in OF_EACH_FAMILY else pytest.mark.long)
        for name in BOARDS
    ],
)
def test_images_of_a_board_build_with_a_ring_where_its_memory_is(name: str) -> None:
    """The tests have none of these boards, so this test checks the images: the ring, its stops and
    the vectors must be where a debugger expects them."""
    board = catalogue.find_board(name)
    choice = cases.CaseChoice([name], ["thread-metric"], "O2", ["null", "freertos"])
    wanted = [each for each in cases.expand(choice) if each.scenario.name == "basic-processing"]
    built = building.build(wanted, building.find_toolchain())
    for image in built:
        assert isinstance(image, Image), image
        guest = elf.read(image.path)
        elf.require_core(guest, board.core, board.vectors)
        elf.require_place(guest, board)
        data, room = board.memory["data"]
        assert data <= places(guest)["bench_ring"] < data + room
    assert "not run on hardware yet" in board.title
    assert "Not run on hardware yet" in " ".join((board.folder / "board.toml").read_text().split())


def test_a_board_that_is_as_described(tmp_path: Path) -> None:
    """The expected cycles are invented for the stand-in, which counts 0.8 cycles for an
    instruction."""
    said = check(tmp_path, "25_000_000", "25_000_000", "loop = [900, 940]")
    assert said.status == 0, said
    for line in (
        "proved     counter: it counts; a mark takes 1",
        "unchecked  clock: a stand-in",
        "proved     tick: every 250,000 cycles",
        "proved     wait states, caches, alignment: 8 pieces of code take the cycles of the manual",
        "proved     interrupt trigger",
    ):
        assert line in said.out


def test_another_clock_and_other_memories_are_wrong(tmp_path: Path) -> None:
    clock = "clock_hz = 25_000_000"
    said = check(tmp_path, clock, f"{clock}\ncycles_per_count = 2", "straight = [2000, 2100]")
    assert said.status == 1
    assert "WRONG      tick: a tick every 12" in said.out
    assert "WRONG      wait states, caches, alignment: straight" in said.out
    assert "proved     interrupt trigger" in said.out


def test_another_chip_is_wrong_in_every_line(tmp_path: Path) -> None:
    said = check(tmp_path, "0x410F_C240", "0x410F_D210")
    assert said.status == 1
    assert said.out.count("WRONG") == 4
    assert "CPUID, a Cortex-M4 is 0x410fc240, and board.toml says 0x410fd210" in said.out


@pytest.mark.parametrize(("hz", "holds"), [(25e6, True), (24e6, True), (23e6, False), (4e6, False)])
def test_the_clock_is_compared_with_that_of_this_machine(hz: float, holds: bool) -> None:
    proof = boardcheck.of_rate(catalogue.find_board("stand-in"), lambda: hz)
    assert proof.holds is holds
    assert f"{hz / 1e6:,.1f} MHz by the clock of this machine" in proof.said


def test_a_clock_that_cannot_be_measured_is_wrong() -> None:
    def gone() -> float:
        raise TicklabError("the server is gone")

    proof = boardcheck.of_rate(catalogue.find_board("stand-in"), gone)
    assert (proof.holds, proof.said) == (False, "the server is gone")
