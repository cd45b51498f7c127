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
# time. They are not in the fast tier, and start early.
SLOW = frozenset(
    (
        "test_build", "test_calibration", "test_damage", "test_dhrystone", "test_doubts",
        "test_elf_core", "test_entries", "test_explain_clocked", "test_explain_end_to_end",
        "test_footprint", "test_gate", "test_hostile_guests", "test_ibex", "test_images",
        "test_inject", "test_injection", "test_isolation", "test_measure",
        "test_multiprocessor", "test_observe", "test_porting", "test_ports", "test_profile",
        "test_qemu", "test_report_in_browser", "test_score", "test_second_run", "test_site",
        "test_static_site", "test_two_commits", "test_verilator", "test_walkthroughs",
        "test_worst_case",
    )
)  # fmt: skip
TOOLS = ("qemu-system-arm", "arm-none-eabi-gcc", "riscv64-unknown-elf-gcc", "verilator", "rustc")

# Timeouts of one test, in seconds. A test that exceeds its timeout ends the item, whose output has
# the test's stack.
_STUCK_S = 300
_STUCK_LONG_S = 1800
_NO_TESTS = 5  # pytest's exit status if it ran none: all of the file are long


def items(choice: ItemOptions) -> Iterator[Item]:
    for file in sorted((LAB / "tests").glob("test_*.py")):
        slow = file.stem in SLOW
        yield Item(
            f"python/{file.stem}",
            partial(_run, file=file, long=choice.long),
            [""],  # tests read sources and documents of every folder
            TOOLS,
            seconds=40 if slow else 3,
            fast=not slow,
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
    return [python, "-P", "-m", "pytest", "-q", "-W", "error", *stuck, temporary, *words]
