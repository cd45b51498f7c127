# SPDX-License-Identifier: MIT
"""The tests of the laboratory: one item for each file of lab/tests, run by pytest."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from ticklab import paths
from ticklab.quality.item import Item, ItemOptions, program

LAB = paths.CHECKOUT / "lab"
# Files that build images, or run emulators or browsers, for more than some seconds of processor
# time, which is the number here. They are not in the fast tier, and the most expensive start first.
SLOW = {
    "test_build": 40,
    "test_calibration": 40,
    "test_campaign_dask": 35,
    "test_categories": 5,
    "test_damage": 40,
    "test_dhrystone": 5,
    "test_doubts": 50,
    "test_elf_core": 5,
    "test_entries": 5,
    "test_estimate_verify": 20,
    "test_explain_clocked": 12,
    "test_explain_end_to_end": 13,
    "test_figures": 30,
    "test_footprint": 9,
    "test_gate": 30,
    "test_hostile_guests": 18,
    "test_ibex": 90,
    "test_images": 40,
    "test_inject": 15,
    "test_injection": 2,
    "test_isolation": 10,
    "test_measure": 3,
    "test_multiprocessor": 40,
    "test_observe": 5,
    "test_porting": 50,
    "test_ports": 90,
    "test_profile": 5,
    "test_qemu": 10,
    "test_report_in_browser": 40,
    "test_reproduction": 20,
    "test_score": 2,
    "test_second_run": 110,
    "test_site": 10,
    "test_static_site": 8,
    "test_target_conformance": 20,
    "test_two_commits": 20,
    "test_verilator": 20,
    "test_walkthroughs": 25,
    "test_worst_case": 70,
}
TOOLS = ("qemu-system-arm", "arm-none-eabi-gcc", "riscv64-unknown-elf-gcc", "verilator", "rustc")

# Timeouts of one test, in seconds. A test that exceeds its timeout ends the item, whose output has
# the test's stack.
_STUCK_S = 900
_STUCK_LONG_S = 3600
_NO_TESTS = 5  # pytest's exit status if it ran none: all of the file are long


def items(choice: ItemOptions) -> Iterator[Item]:
    for file in sorted((LAB / "tests").glob("test_*.py")):
        seconds = SLOW.get(file.stem)
        yield Item(
            f"python/{file.stem}",
            partial(_run, file=file, long=choice.long),
            [""],  # tests read sources and documents of every folder
            TOOLS,
            seconds=seconds or 2,
            fast=seconds is None,
            options=f"long={choice.long}",
        )


def _run(folder: Path, file: Path, long: bool) -> str:
    chosen = "not mutant" if long else "not mutant and not long"
    stuck_s = _STUCK_LONG_S if long else _STUCK_S
    command = pytest_command(folder, [file, "-m", chosen], stuck_s)
    return program(command, LAB, os.environ, good=_NO_TESTS)


def pytest_command(
    folder: Path, words: Sequence[str | Path], stuck_s: int = _STUCK_S
) -> list[str | Path]:
    """Returns the command that runs tests with temporary files in `folder`."""
    stuck = ["-o", f"faulthandler_timeout={stuck_s}", "-o", "faulthandler_exit_on_timeout=true"]
    temporary = f"--basetemp={folder / 'pytest'}"
    python = paths.tool("python")
    slowest = ["--durations=8", "--durations-min=2"]
    return [python, "-P", "-m", "pytest", "-q", "-W", "error", *stuck, *slowest, temporary, *words]
