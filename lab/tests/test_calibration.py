# SPDX-License-Identifier: MIT
"""Tests suite `calibration` with targets that are as described, and with targets in which a test
planted a difference."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ticklab import building, cli, paths
from ticklab.building import elf
from ticklab.description.model import Image
from ticklab.explain import disassembly
from ticklab.measurement import cases

PROFILES = paths.CHECKOUT / "platform" / "profiles"
FLASH = (PROFILES / "stm32l4-80mhz.toml").read_text()
SWAPPED = "-Dbench_calibration_align_64=bench_calibration_align_32"
ALIGNMENTS = [2, 4, 8, 16, 32, 64, 128, 256]


def calibrate(tmp_path: Path, *words: str) -> int:
    places = ("--store", str(tmp_path / "store"), "--output", str(tmp_path / "report.html"))
    suite = ("run", "--suite", "calibration", "--skip-conformance", "--no-why")
    return cli.main([*suite, *places, *words])


ALL = ("loop", "straight", "memory")


@pytest.mark.parametrize(
    ("board", "profile", "scenarios"),
    [
        ("mps2-an386", "zero-wait", ALL),
        ("mps2-an386", "stm32l4-80mhz", ALL),
        ("virt", "ibex-node", ALL),
        ("virt-cv32e40s", "cv32e40s-node", ALL),
        ("ibex", None, ("straight",)),
        pytest.param("ibex", None, ALL, marks=pytest.mark.long),  # simulates for 18 s
        pytest.param("cv32e40s", None, ALL, marks=pytest.mark.long),
        ("virt-a15", None, ALL),
    ],
)
def test_the_boards_are_as_described(
    board: str,
    profile: str | None,
    scenarios: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    choice = ("--scenario", *scenarios, *(("--profile", profile) if profile else ()))
    words = ("--kernel", "freertos/default", "--samples", "10", "--board", board)
    assert calibrate(tmp_path, *words, *choice) == 0
    said = capsys.readouterr().err
    # A board without a cycle model has no description of memory to check.
    is_counted = board == "virt-a15"
    assert ("clock, caches, wait states and alignment are as described" in said) != is_counted
    assert ("caches and wait states are not part of the emulator" in said) == is_counted


@pytest.mark.parametrize(
    ("was", "planted", "scenario"),
    [
        ("wait_states = 4", "wait_states = 0", "straight"),
        ("wait_states = 4", "wait_states = 9", "straight"),
        ("prefetch = true", "prefetch = false", "straight"),
        ("[flash.instruction_cache]\nrows = 32", "[flash.instruction_cache]\nrows = 1", "loop"),
    ],
)
def test_a_planted_memory_is_found_out(
    was: str, planted: str, scenario: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert was in FLASH
    profile = tmp_path / "stm32l4-80mhz.toml"
    profile.write_text(FLASH.replace(was, planted, 1))
    words = ("--kernel", "null", "--scenario", scenario, "--profile", str(profile))
    assert calibrate(tmp_path, *words) == 1
    said = capsys.readouterr().err
    assert "NOT as described" in said
    assert re.search(rf"{scenario} .*another cache, wait states or core", said)


def test_a_planted_clock_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The guest is built for a timer that runs at half the speed of the emulator's timer."""
    half = ("-DBENCH_TIMER_HZ=312500", "-DBENCH_TICK_HZ=100")
    monkeypatch.setattr(building.flags, "_defines", lambda case: half)
    assert calibrate(tmp_path, "--kernel", "freertos/default", "--scenario", "straight") == 1
    assert "another clock than described" in capsys.readouterr().err


def test_a_loop_that_is_not_where_it_says_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scenario is changed so that it measures another loop than its name says."""
    monkeypatch.setattr(
        building.flags,
        "_defines",
        lambda case: ("-DBENCH_TIMER_HZ=625000", "-DBENCH_TICK_HZ=100", SWAPPED),
    )
    assert calibrate(tmp_path, "--kernel", "null", "--scenario", "loop") == 1
    assert "alignment" in capsys.readouterr().err


# The loops of scenario `loop` have arithmetic on registers, a count and a branch, and access no
# memory. The mnemonics are those of the disassembler.
LOOPS = {
    "mps2-an386": ["adds"] * 16 + ["subs", "bne.n", "bx"],
    "virt": ["add"] * 17 + ["bnez", "ret"],
}


@pytest.mark.parametrize("board", LOOPS)
def test_each_loop_is_at_its_alignment(board: str) -> None:
    image = calibration_image(board, "loop")
    symbols = {s.name: s.address for s in elf.read(image.path).symbols}
    for align in ALIGNMENTS:
        assert symbols[f"bench_calibration_align_{align}"] % 512 == align


@pytest.mark.parametrize("board", LOOPS)
def test_the_loops_are_what_they_say(board: str) -> None:
    """Besides their mnemonics, the size of the instructions is checked: each has 16 bits."""
    image = calibration_image(board, "loop")
    assembly = disassembly.read(image.path)
    symbols = {s.name: s.address for s in elf.read(image.path).symbols}
    for align in ALIGNMENTS:
        begin = symbols[f"bench_calibration_align_{align}"]
        there = [assembly.get(begin + 2 * place, "") for place in range(len(LOOPS[board]))]
        assert [text.partition(" ")[0] for text in there] == LOOPS[board]


def calibration_image(board: str, scenario: str) -> Image:
    (case,) = cases.expand(
        cases.CaseChoice(
            kernels=["null"],
            boards=[board],
            suites=["calibration"],
            scenarios=[scenario],
            optimise="O2",
        )
    )
    (image,) = building.build([case], building.find_toolchain())
    assert isinstance(image, Image)
    return image
