# SPDX-License-Identifier: MIT
"""Ports that are wrong on purpose, and somebody else's port: real images in a real QEMU.

Each sabotaged port must make exactly its scenarios fail, with a reason that names the fault.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ticklab import paths

FIXTURES = Path(__file__).parent / "fixtures"
SABOTAGED = {
    "handler-called": {
        "interrupt-processing": "interrupt never taken: 0 external exceptions in sample",
        "interrupt-preemption": "interrupt never taken: 0 external exceptions in sample",
    },
    "interrupt-never-taken": {
        "interrupt-processing": "interrupt never taken",
        "interrupt-preemption": "interrupt never taken",
    },
    "message-word-lost": {"message-processing": "message word lost"},
    "same-block-twice": {"memory-allocation": "same block twice"},
    "wrong-order": {"cooperative-scheduling": "order"},
    "yield-without-switch": {"cooperative-scheduling": "yield without a switch"},
}


def run(folder: Path, *words: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit status and records of a run with a store and results of its own."""
    folder.mkdir(exist_ok=True)
    places = ("--store", str(folder / "store"), "--output", str(folder / "report.html"))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "ticklab", "run", "--json", "-", *places, *words],
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1] / "src"),
            "TICKLAB_HOME": str(paths.home()),
        },
        capture_output=True,
        text=True,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)["records"]


@pytest.fixture(scope="module")
def sabotaged(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folders = [str(FIXTURES / "sabotage" / name) for name in SABOTAGED]
    folder = tmp_path_factory.mktemp("sabotaged")
    status, records = run(folder, "--skip-conformance", "--kernel", *folders)
    assert status == 1
    return records


@pytest.mark.parametrize("kernel", SABOTAGED)
def test_exactly_the_sabotaged_scenarios_fail(sabotaged: list[dict[str, Any]], kernel: str) -> None:
    failed = {
        record["scenario"]: record["reason"]
        for record in sabotaged
        if record["kernel"] == kernel and record["status"] == "fail"
    }
    assert failed.keys() == SABOTAGED[kernel].keys()
    for scenario, reason in failed.items():
        assert SABOTAGED[kernel][scenario] in reason


def test_conformance_blocks_a_sabotaged_port(tmp_path: Path) -> None:
    kernel = str(FIXTURES / "sabotage" / "message-word-lost")
    status, records = run(tmp_path, "--kernel", kernel, "--scenario", "cooperative-scheduling")
    assert status == 1
    assert [record["status"] for record in records] == ["blocked"]
    assert records[0]["reason"].startswith("conformance: queue: ")
    assert records[0]["instructions"] is None


def test_somebody_elses_thread_metric_port_is_measured_unchanged(tmp_path: Path) -> None:
    kernel = str(FIXTURES / "tm-port-freertos")
    status, records = run(tmp_path, "--kernel", kernel)
    assert status == 0
    passed = {record["scenario"] for record in records if record["status"] == "pass"}
    assert {"cooperative-scheduling", "preemptive-scheduling", "message-processing"} <= passed
    assert {"interrupt-processing", "synchronization", "memory-allocation"} <= passed


def test_a_second_run_gives_the_same_records_from_an_empty_store(tmp_path: Path) -> None:
    words = ("--kernel", "freertos", "--scenario", "preemptive-scheduling", "message-processing")
    assert run(tmp_path / "one", *words) == run(tmp_path / "other", *words)
