# SPDX-License-Identifier: MIT
"""Tests ports in whole runs with the real compiler and QEMU: honest ports pass conformance."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import console
import pytest

from ticklab.description import catalogue
from ticklab.description.features import FEATURES
from ticklab.description.model import Case, Kernel, Scenario, Variant
from ticklab.measurement import cases, environment, portcheck
from ticklab.measurement.progress import Lines
from ticklab.storage.store import Store

FIXTURES = Path(__file__).parent / "fixtures"


def run(folder: Path, *words: str) -> list[dict[str, Any]]:
    """Returns the records of a short run without a cycle model."""
    results = folder / "run.json"
    places = ("--store", folder / "store", "--output", folder / "report.html", "--json", results)
    # A run with a failed scenario ends with status 1.
    console.ticklab("run", "--no-model", "--no-why", "--samples", "50", *places, *words)
    records: list[dict[str, Any]] = json.loads(results.read_text())["records"]
    return records


def of_status(records: list[dict[str, Any]], status: str) -> dict[str, dict[str, str]]:
    """Returns the reasons of all records with this status, by kernel and scenario."""
    found: dict[str, dict[str, str]] = {}
    for record in records:
        if record["status"] == status:
            found.setdefault(record["kernel"], {})[record["scenario"]] = record["reason"]
    return found


def test_a_thread_metric_port_is_measured_unchanged(tmp_path: Path) -> None:
    records = run(tmp_path, "--kernel", str(FIXTURES / "tm-port-freertos"))
    unsupported = of_status(records, "unsupported")["tm-port-freertos"]
    assert set(unsupported) == {"synchronization-mutex", "synchronization-notification"}
    assert not of_status(records, "fail")
    assert len(of_status(records, "pass")["tm-port-freertos"]) == 9


def test_a_thread_metric_port_that_returns_and_traps_is_measured_unchanged(tmp_path: Path) -> None:
    """In this port, tm_initialize returns, blocks are aligned to 4 bytes, and the interrupt is a
    trap."""
    records = run(tmp_path, "--kernel", str(FIXTURES / "tm-port-ferry"))
    passed = {each["scenario"]: each for each in records if each["status"] == "pass"}
    assert not of_status(records, "fail")
    assert not of_status(records, "blocked")
    assert len(passed) == 8
    assert passed["interrupt-processing"]["features"]["interrupt.source"] == "trap"
    assert passed["interrupt-processing"]["doubts"] == {}


def variants() -> list[Any]:
    """Returns the default of every kernel of the board, and the configurations with other features.
    Some defaults are for the long test only: those of FreeRTOS and rt, because other tests check
    their conformance and this one checks both with an MPU, and those of kernels in Rust, which
    cargo builds."""
    board = catalogue.find_board("mps2-an386")
    return [
        pytest.param(kernel.name, config.name, marks=[pytest.mark.long] if is_elsewhere else [])
        for kernel in catalogue.kernels().values()
        if cases.runs_on(kernel, board)
        for config in kernel.configs.values()
        if config.name == "default" or config.features
        for is_elsewhere in [
            kernel.rust or (config.name == "default" and kernel.name in ("freertos", "rt"))
        ]
    ]


@pytest.mark.parametrize(("name", "config"), variants())
def test_the_declared_features_are_what_is_seen(tmp_path: Path, name: str, config: str) -> None:
    kernel = catalogue.find_kernel(name)
    proofs = proofs_of(kernel.configs[config].features or FEATURES)
    check_proofs(tmp_path, kernel, config, proofs)


# The conformance programs that use most of the CMSIS-RTOS2 library: its lists, its waits and its
# thread for timers.
CMSIS_PROOFS = ("queue-endurance", "mutex-inheritance", "timer", "task-exit", "suspend-waiting")


@pytest.mark.parametrize("every", [pytest.param(True, marks=pytest.mark.long), False])
def test_bulkhead_conforms_by_cmsis_rtos2(tmp_path: Path, every: bool) -> None:
    kernel = catalogue.find_kernel("bulkhead")
    services = kernel.services - kernel.configs["cmsis-rtos2"].without_services
    proofs = [one for one in cases.conformance() if every or one.name in CMSIS_PROOFS]
    assert len(proofs) >= len(CMSIS_PROOFS)
    assert all(one.services <= services for one in proofs if one.name in CMSIS_PROOFS)
    check_proofs(
        tmp_path, kernel, "cmsis-rtos2", [one for one in proofs if one.services <= services]
    )


def check_proofs(tmp_path: Path, kernel: Kernel, config: str, proofs: list[Scenario]) -> None:
    store = Store(tmp_path)
    store.open_for_writing()
    progress = Lines(io.StringIO())
    board = catalogue.find_board("mps2-an386")
    lab = environment.equip(
        store, {board.name: None}, 2, progress, lambda _: False, skip_conformance=True
    )
    variant = Variant(kernel, kernel.configs[config], board, "O2", board.clock_hz)
    case = Case(variant, cases.conformance()[0])
    answer = portcheck.check(lab, case, proofs, cases.features(), progress)
    assert answer.kept, answer


def proofs_of(features: Iterable[str]) -> list[Scenario]:
    """Returns the conformance programs of these features. A configuration has its kernel's features
    except those that it declares itself."""
    return [one for one in cases.conformance() if not one.proves.isdisjoint(features)]


UNCONTENDED = [
    "message-processing",
    "synchronization",
    "synchronization-mutex",
    "memory-allocation",
]


def test_each_use_of_bulkheads_kernel_objects_is_a_call(tmp_path: Path) -> None:
    words = ("--kernel", "bulkhead", "--skip-conformance", "--scenario", *UNCONTENDED)
    records = run(tmp_path, *words, "--config", "process-each", "kernel-calls")
    calls = {(each["config"], each["scenario"]): each["exceptions"] for each in records}
    named = itertools.product(("process-each", "kernel-calls"), UNCONTENDED)
    assert calls == dict.fromkeys(named, 2)


OTHER_BOARDS = ("mps2-an500", "mps2-an505", "mps2-an511")
ARMV7A = ("virt-a7", "virt-a15")


@pytest.mark.parametrize(
    ("board", "kernel"),
    [
        *zip(OTHER_BOARDS, ("freertos", "rt", "freertos"), strict=True),
        (ARMV7A[0], "freertos"),
        pytest.param(ARMV7A[1], "freertos", marks=pytest.mark.long),  # also in test_calibration.py
    ],
)
def test_kernels_run_on_other_boards(tmp_path: Path, board: str, kernel: str) -> None:
    words = ("--kernel", kernel, "--board", board, "--skip-conformance")
    (record,) = run(tmp_path, *words, "--scenario", "interrupt-processing")
    assert (record["status"], record["exceptions"]) == ("pass", 1)


@pytest.mark.parametrize(
    ("board", "config"),
    [
        ("mps2-an505", "process-each"),
        pytest.param("mps2-an505", "default", marks=pytest.mark.long),
        pytest.param("mps2-an500", "process-each", marks=pytest.mark.long),
        pytest.param("mps2-an500", "default", marks=pytest.mark.long),
    ],
)
def test_bulkhead_runs_on_other_boards(tmp_path: Path, board: str, config: str) -> None:
    words = ("--kernel", "bulkhead", "--board", board, "--config", config, "--skip-conformance")
    (record,) = run(tmp_path, *words, "--scenario", "cooperative-scheduling")
    assert (record["status"], record["exceptions"]) == ("pass", 1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "kernel"),
    [*itertools.product(OTHER_BOARDS, ("freertos", "rt")), ("virt-a7", "freertos")],
)
def test_kernels_conform_on_other_boards(tmp_path: Path, board: str, kernel: str) -> None:
    words = ("--kernel", kernel, "--board", board)
    (record,) = run(tmp_path, *words, "--scenario", "interrupt-processing")
    assert (record["status"], record["exceptions"]) == ("pass", 1)


@pytest.mark.long
@pytest.mark.parametrize("board", ["mps2-an385", "mps2-an386"])
@pytest.mark.parametrize("kernel", ["bulkhead", "freertos", "freertos-mpu", "rt", "rt-mpu"])
def test_every_named_configuration_conforms(tmp_path: Path, kernel: str, board: str) -> None:
    found = catalogue.find_board(board)
    cores = (None, found.core.name, *found.other_cores)
    named = catalogue.find_kernel(kernel).configs.values()
    configs = [config.name for config in named if config.core in cores]
    words = ("--kernel", kernel, "--board", board, "--scenario", "bare-increment")
    records = run(tmp_path, *words, "--config", *configs)
    assert {record["config"]: record["status"] for record in records} == dict.fromkeys(
        configs, "pass"
    )
