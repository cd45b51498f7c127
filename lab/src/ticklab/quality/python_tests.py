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
    "test_board_bundle": 4,
    "test_board_check": 15,
    "test_broken_ports": 4,
    "test_build": 16,
    "test_calibration": 31,
    "test_campaign_dask": 35,
    "test_categories": 15,
    "test_damage": 12,
    "test_desk": 6,
    "test_dhrystone": 3,
    "test_doubts": 41,
    "test_elf_core": 2,
    "test_entries": 3,
    "test_estimate_verify": 12,
    "test_explain_clocked": 7,
    "test_explain_end_to_end": 7,
    "test_failures": 13,
    "test_figures": 23,
    "test_footprint": 3,
    "test_gate": 16,
    "test_hostile_guests": 9,
    "test_ibex": 23,
    "test_images": 13,
    "test_inject": 16,
    "test_injection": 2,
    "test_inlined_port": 20,
    "test_isolation": 22,
    "test_measure": 2,
    "test_multiprocessor": 67,
    "test_observe": 3,
    "test_placement": 4,
    "test_porting": 43,
    "test_ports": 61,
    "test_profile": 2,
    "test_qemu": 9,
    "test_report_in_browser": 15,
    "test_reproduction": 13,
    "test_score": 2,
    "test_second_run": 35,
    "test_site": 2,
    "test_static_site": 3,
    "test_target_conformance": 12,
    "test_two_commits": 4,
    "test_verilator": 2,
    "test_walkthroughs": 13,
    "test_worst_case": 31,
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
