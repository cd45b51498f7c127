# SPDX-License-Identifier: MIT
"""The tests of the laboratory: one item for each file of lab/tests, run by pytest."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from ticklab import paths
from ticklab.quality.item import CheckError, Item, ItemOptions

LAB = paths.CHECKOUT / "lab"
# Test files that need more than some seconds of processor time, because they build images or run
# emulators or browsers, with that time in seconds. They are not in the fast tier, and the most
# expensive start first.
SLOW = {
    "test_board_bundle": 5,
    "test_board_check": 17,
    "test_boards": 18,
    "test_broken_ports": 4,
    "test_build": 20,
    "test_calibration": 24,
    "test_campaign": 7,
    "test_campaign_dask": 18,
    "test_categories": 10,
    "test_cv32e40s": 45,
    "test_damage": 11,
    "test_desk": 8,
    "test_dhrystone": 2,
    "test_doubts": 17,
    "test_elf_core": 2,
    "test_entries": 3,
    "test_estimate_verify": 35,
    "test_explain_clocked": 5,
    "test_explain_end_to_end": 7,
    "test_failures": 17,
    "test_figures": 16,
    "test_footprint": 4,
    "test_gate": 17,
    "test_hostile_guests": 11,
    "test_hostile_images": 6,
    "test_ibex": 23,
    "test_images": 12,
    "test_inject": 20,
    "test_injection": 2,
    "test_inlined_port": 29,
    "test_isolation": 15,
    "test_measure": 2,
    "test_multiprocessor": 58,
    "test_observe": 4,
    "test_placement": 3,
    "test_porting": 27,
    "test_ports": 55,
    "test_priorities": 6,
    "test_profile": 4,
    "test_qemu": 5,
    "test_report_in_browser": 23,
    "test_reproduction": 18,
    "test_rust_bulkhead": 17,
    "test_rust_kernel": 8,
    "test_score": 2,
    "test_second_run": 17,
    "test_site": 2,
    "test_smp": 19,
    "test_ssu": 11,
    "test_static_site": 5,
    "test_target_conformance": 17,
    "test_two_commits": 4,
    "test_verilator": 2,
    "test_walkthroughs": 14,
    "test_worst_case": 40,
}
# Processor time in seconds of the long tests of each file, by which the files are divided among
# shards. The values are estimates from the numbers of images and commands. A file that is not
# listed counts as LONG_S.
LONG_S = 60
LONG = {
    "test_async_forms": 20,
    "test_board_check": 21,
    "test_boards": 57,
    "test_calibration": 130,
    "test_campaign": 60,
    "test_campaign_dask": 200,
    "test_categories": 150,
    "test_cv32e40s": 330,
    "test_damage": 40,
    "test_ibex": 80,
    "test_inlined_port": 40,
    "test_installed": 150,
    "test_kernel_trace": 60,
    "test_multiprocessor": 100,
    "test_porting": 120,
    "test_ports": 608,
    "test_rust_bulkhead": 22,
    "test_rust_firmware": 120,
    "test_score": 30,
    "test_second_run": 400,
    "test_site": 60,
    "test_walkthroughs": 416,
    "test_worst_case": 63,
}
# Modules that most tests import. The third one imports most of the laboratory.
_MODULES = ("pytest", "numpy", "ticklab.measurement.campaign")
TOOLS = ("qemu-system-arm", "arm-none-eabi-gcc", "riscv64-unknown-elf-gcc", "verilator", "rustc")

# Time limits of one test, in seconds. If a test exceeds its limit, the item ends and its output has
# the test's stack.
_STUCK_S = 900
_STUCK_LONG_S = 3600
_MARK = "mark.long"
_NO_TESTS = 5  # exit status of pytest if it ran no test, because all tests of the file are long


def items(choice: ItemOptions) -> Iterator[Item]:
    for file in sorted((LAB / "tests").glob("test_*.py")):
        slow = SLOW.get(file.stem)
        long = choice.long and _MARK in file.read_text()  # the others pass as in the whole test
        seconds = LONG.get(file.stem, LONG_S) if long else slow
        yield Item(
            f"python/{file.stem}",
            partial(_run, file=file, long=long),
            [""],  # tests may read sources and documents of any folder
            TOOLS,
            seconds=seconds or 2,
            fast=slow is None,
            options=f"long={long}",
            modules=_MODULES,
        )


def _run(folder: Path, file: Path, long: bool) -> str:
    """Runs pytest in this process, which the runner has forked after it imported pytest."""
    import pytest

    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(LAB)
    chosen = "not mutant" if long else "not mutant and not long"
    words = pytest_words(folder, [file, "-m", chosen], _STUCK_LONG_S if long else _STUCK_S)
    status = int(pytest.main([str(word) for word in words]))
    if status not in (0, _NO_TESTS):
        raise CheckError(f"pytest ended with status {status}")
    return ""


def pytest_words(
    folder: Path, words: Sequence[str | Path], stuck_s: int = _STUCK_S
) -> list[str | Path]:
    """Returns the arguments of a pytest that runs tests and keeps their temporary files in
    `folder`."""
    stuck = ["-o", f"faulthandler_timeout={stuck_s}", "-o", "faulthandler_exit_on_timeout=true"]
    temporary = f"--basetemp={folder / 'pytest'}"
    slowest = ["--durations=8", "--durations-min=2"]
    return ["-q", "-W", "error", *stuck, *slowest, temporary, *words]
