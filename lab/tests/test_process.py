# SPDX-License-Identifier: MIT
"""Tests supervised child processes that hang, write too much or would outlive their parent. No
process may remain."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from waiting import until

from ticklab.targets.process import Limits, Outcome, Stopped, supervise
from ticklab.targets.protocol import Cancel, CancelledError

PATIENT = Limits(output_bytes=1000, idle_s=60, processor_s=60)


def shell(script: str, limits: Limits = PATIENT, cancel: Cancel | None = None) -> Outcome:
    return supervise(["sh", "-c", script], limits, cancel or Cancel())


def test_output_and_status_come_back() -> None:
    outcome = shell("echo out; echo err >&2; exit 3")
    assert outcome == Outcome(3, "out\n", "err\n", None)


def test_a_flood_is_discarded_after_the_limit_and_the_child_ends_by_itself() -> None:
    limits = Limits(output_bytes=100, idle_s=60, processor_s=60)
    outcome = shell("yes | head -c 1000000; exit 3", limits)
    assert outcome == Outcome(3, "y\n" * 50, "", None, flooded=True)


def test_a_child_that_writes_without_end_is_stopped() -> None:
    limits = Limits(output_bytes=100, idle_s=60, processor_s=60, flood_bytes=100_000)
    outcome = shell("yes", limits)
    assert (outcome.stopped, outcome.stdout) == (Stopped.OUTPUT, "y\n" * 50)


def test_a_child_whose_file_is_too_large_is_stopped_and_not_questioned(tmp_path: Path) -> None:
    file = tmp_path / "log"
    limits = Limits(1000, idle_s=60, processor_s=60, file=file, file_bytes=100_000)
    command = ["sh", "-c", f"yes > {file}"]
    outcome = supervise(command, limits, Cancel(), on_hang=lambda: bool(1 / 0))
    assert outcome.stopped is Stopped.FILE


def test_a_sleeper_is_idle() -> None:
    assert shell("sleep 600", Limits(1000, idle_s=0.3, processor_s=60)).stopped is Stopped.IDLE


def test_a_busy_child_is_not_idle_but_may_run_out_of_time() -> None:
    limits = Limits(1000, idle_s=0.3, processor_s=1.5)
    assert shell("while :; do :; done", limits).stopped is Stopped.TIME


def test_a_child_that_ended_while_its_supervisor_was_starved_is_not_idle() -> None:
    starve = "sleep 0.5; p=$PPID; (kill -STOP $p; sleep 3; kill -CONT $p) >/dev/null 2>&1 &"
    code = (
        "from ticklab.targets.process import *; from ticklab.targets.protocol import Cancel;"
        f"print(supervise(['sh', '-c', {starve!r}], Limits(9, 2, 99), Cancel()).stopped)"
    )
    source = str(Path(__file__).parents[1] / "src")
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "None\n", done.stderr


def test_a_hanging_child_may_still_be_asked() -> None:
    limits = Limits(1000, idle_s=0.3, processor_s=60)
    with pytest.raises(ZeroDivisionError):
        supervise(["sleep", "600"], limits, Cancel(), on_hang=lambda: bool(1 / 0))


def test_a_child_that_floods_is_read_while_it_is_asked_and_until_it_ends(tmp_path: Path) -> None:
    asked, heard = tmp_path / "asked", tmp_path / "heard"
    flood = "yes | head -c 2000000"  # much more than a pipe holds

    def ask() -> bool:
        asked.touch()
        until(heard.exists)
        return True

    script = f"until [ -e '{asked}' ]; do {flood}; done; echo >'{heard}'; {flood}; exit 3"
    limits = Limits(output_bytes=100, idle_s=10, processor_s=60, flood_bytes=100)
    outcome = supervise(["sh", "-c", script], limits, Cancel(), on_hang=ask)
    assert (outcome.stopped, outcome.status) == (Stopped.OUTPUT, 3)


def test_a_child_that_was_asked_to_end_and_does_not_is_killed() -> None:
    limits = Limits(1000, idle_s=0.3, processor_s=60)
    outcome = supervise(["sleep", "600"], limits, Cancel(), on_hang=lambda: True)
    assert (outcome.stopped, outcome.status) == (Stopped.IDLE, -signal.SIGKILL)


def test_cancelling_ends_the_child_and_its_children(tmp_path: Path) -> None:
    cancel, pids = Cancel(), tmp_path / "pids"
    script = f"sleep 600 & echo $$ $! > '{pids}.new'; mv '{pids}.new' '{pids}'; wait"

    def request() -> None:
        until(pids.exists)
        cancel.request()

    threading.Thread(target=request).start()
    with pytest.raises(CancelledError):
        shell(script, cancel=cancel)
    # SIGKILL has been sent, but no process waits for a grandchild, so the grandchild may exist a
    # moment longer.
    until(lambda: not _alive(*map(int, pids.read_text().split())))


def test_a_child_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code = (
        "from ticklab.targets.process import *; from ticklab.targets.protocol import Cancel;"
        f"supervise(['sh', '-c', 'echo $$ > {pid}; exec sleep 600'], Limits(9, 99, 99), Cancel())"
    )
    source = str(Path(__file__).parents[1] / "src")
    parent = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": source}
    )
    until(lambda: pid.exists() and pid.read_text().strip() != "")
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until(lambda: not _alive(int(pid.read_text())))


def _alive(*pids: int) -> bool:
    """Returns whether a process exists and is not a zombie."""
    for pid in pids:
        stat = Path("/proc", str(pid), "stat")
        try:
            if stat.read_text().rpartition(")")[2].split()[0] != "Z":
                return True
        except OSError:
            continue
    return False
