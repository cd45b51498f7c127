# SPDX-License-Identifier: MIT
"""Calibration: targets that are as described, and planted ones that are not."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ticklab import build, cases, cli, elf, paths
from ticklab.model import Image

PROFILES = paths.CHECKOUT / "platform" / "profiles"
FLASH = (PROFILES / "stm32l4-80mhz.toml").read_text()
SWAPPED = "-Dbench_calibration_align_64=bench_calibration_align_32"
ALIGNMENTS = [2, 4, 8, 16, 32, 64, 128, 256]


def calibrate(tmp_path: Path, *words: str) -> int:
    places = ("--store", str(tmp_path / "store"), "--output", str(tmp_path / "report.html"))
    suite = ("run", "--suite", "calibration", "--skip-conformance")
    return cli.main([*suite, *places, *words])


@pytest.mark.parametrize("profile", ["zero-wait", "stm32l4-80mhz"])
def test_the_boards_are_as_described(
    profile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert calibrate(tmp_path, "--kernel", "freertos", "--profile", profile) == 0
    said = capsys.readouterr().err
    assert f"{profile}: clock, caches, wait states and alignment are as described" in said


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
    """The guest is built for a timer that counts half as fast as the emulator's."""
    half = ("-DBENCH_TIMER_HZ=312500", "-DBENCH_TICK_HZ=100")
    monkeypatch.setattr(build.flags, "_defines", lambda case: half)
    assert calibrate(tmp_path, "--kernel", "freertos", "--scenario", "straight") == 1
    assert "another clock than described" in capsys.readouterr().err


def test_a_loop_that_is_not_where_it_says_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scenario takes one loop for another."""
    monkeypatch.setattr(
        build.flags,
        "_defines",
        lambda case: ("-DBENCH_TIMER_HZ=625000", "-DBENCH_TICK_HZ=100", SWAPPED),
    )
    assert calibrate(tmp_path, "--kernel", "null", "--scenario", "loop") == 1
    assert "a loop is not aligned as it says" in capsys.readouterr().err


def test_each_loop_is_at_its_alignment() -> None:
    symbols = {s.name: s.address for s in elf.read(calibration_image("loop").path).symbols}
    for align in ALIGNMENTS:
        assert symbols[f"bench_calibration_align_{align}"] % 512 == align


def test_the_loops_are_what_they_say() -> None:
    """Arithmetic on registers, a count and a branch; no memory, and all of it 16 bits wide."""
    image = calibration_image("loop")
    for align in ALIGNMENTS:
        names = instructions(image, f"bench_calibration_align_{align}")
        assert names == ["adds"] * 16 + ["subs", "bne.n", "bx"]


def calibration_image(scenario: str) -> Image:
    (case,) = cases.expand(
        cases.Choice(
            kernels=["null"],
            boards=["mps2-an386"],
            suites=["calibration"],
            scenarios=[scenario],
            configs=[],
            optimise="O2",
            params={},
            samples=None,
            layouts=1,
            clock_hz=None,
        )
    )
    (image,) = build.build([case], build.find_toolchain())
    assert isinstance(image, Image)
    return image


def instructions(image: Image, function: str) -> list[str]:
    command = ["arm-none-eabi-objdump", "-d", f"--disassemble={function}", str(image.path)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.findall(r"^ +[0-9a-f]+:\t[0-9a-f ]+\t(\S+)", listing, flags=re.MULTILINE)
