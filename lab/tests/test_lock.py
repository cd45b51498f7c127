# SPDX-License-Identifier: MIT
"""Tests that a program that waits for a lock prints what the lock protects, and which process holds
it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from test_case_choice import EVERYTHING

from ticklab import building, lock, paths
from ticklab.building import plan
from ticklab.description.model import Image
from ticklab.measurement import cases

_HOLD = """
import sys
from pathlib import Path
from ticklab import lock
with lock.held(Path(sys.argv.pop(1)), "nobody", lambda line: None):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(file: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(file), "run", "--kernel", "a kernel"],
        env={"PYTHONPATH": str(paths.CHECKOUT / "lab" / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def test_a_wait_names_the_process_that_is_waited_for(tmp_path: Path) -> None:
    file, said = tmp_path / "folder" / "lock", list[str]()
    with holder(file) as other:

        def say(line: str) -> None:
            said.append(line)
            other.communicate()  # the holder ends, so that the wait does

        with lock.held(file, "another build", say):
            assert str(other.pid) not in file.read_text()
    words = f"process {other.pid} (ticklab run --kernel 'a kernel')"
    assert said == [f"waiting for another build: {words} holds {file}"]


def test_a_lock_that_nobody_holds_is_taken_in_silence(tmp_path: Path) -> None:
    for _ in range(2):
        with lock.held(tmp_path / "lock", "another build", pytest.fail):
            pass


def test_a_build_waits_for_another_of_the_same_variant_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "builds", lambda: tmp_path)
    said = list[str]()
    choice = replace(EVERYTHING, kernels=["null"], scenarios=["bare-increment"])
    (case,) = cases.expand(choice)
    toolchain = building.find_toolchain()
    (made,) = plan.plans([case], toolchain)
    with holder(tmp_path / made.variant / "lock") as other:

        def say(line: str) -> None:
            said.append(line)
            other.communicate()

        (apart,) = building.build([case.varied(optimise="Os")], toolchain, say=say)
        assert isinstance(apart, Image)
        assert said == []
        apart, image = building.build([case.varied(optimise="Os"), case], toolchain, say=say)
        assert isinstance(apart, Image)
        assert isinstance(image, Image)
    (line,) = said
    assert line.startswith(f"waiting for another build: process {other.pid} ")
