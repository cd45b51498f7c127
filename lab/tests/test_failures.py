# SPDX-License-Identifier: MIT
"""Tests whole runs that are killed or interrupted, that run beside others, or whose store cannot be
written. Each ends with one line and a status, leaves no process and loses nothing that was
finished.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from waiting import until

from ticklab import paths

# A scenario that uses no kernel, because these tests concern the laboratory.
SHORT = ("--kernel", "null", "--scenario", "basic-processing")


# Runs a command whose store is on a file system in memory. $0 is the store, $1 has the options of
# the file system, and the other words are the command. The file system disappears with its name
# space, so the script prints the content of the store at the end.
_MOUNT = """
options=$1; shift
mkdir -p "$0" && mount -t tmpfs -o "$options" none "$0" || exit 99
"$@"; status=$?
ls "$0/measurements" | sed 's/^/kept: /' >&2
exit $status
"""

needs_mounts = pytest.mark.skipif(
    subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0,
    reason="this system lets nobody mount a file system of his own (test_store.py does without)",
)


class Place:
    """Everything of one test in one folder with an awkward name, by which its processes are
    known."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a folder, with 'spaces'"
        self.store = self.folder / "store"
        (self.folder / "tmp").mkdir(parents=True)

    def start(self, *words: str, mounted: str = "") -> subprocess.Popen[str]:
        """Starts `ticklab`. `mounted` has the options of a file system in memory on which the store
        is to lie."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1] / "src"),
            "TICKLAB_HOME": str(paths.home()),
            "TMPDIR": str(self.folder / "tmp"),
        }
        results = ("--store", str(self.store), "--output", str(self.folder / "report.html"))
        command = [sys.executable, "-P", "-m", "ticklab", "run", "--skip-conformance"]
        around = ("unshare", "-rm", "sh", "-c", _MOUNT, str(self.store), mounted)
        return subprocess.Popen(
            [*(around if mounted else ()), *command, *results, *words],
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=_allow_interrupts,
        )

    def run(self, *words: str, mounted: str = "") -> tuple[int, str, str]:
        process = self.start(*words, mounted=mounted)
        out, err = process.communicate()
        return process.returncode, out, err

    def measured(self) -> list[Path]:
        return sorted(self.store.glob("measurements/*/manifest.json"))

    def guests(self) -> list[str]:
        """Returns the QEMU processes that still run for this test: their arguments contain the path
        of a plan in its folder."""
        found = []
        for arguments in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = arguments.read_text()
            except OSError:
                continue
            if "qemu" in line and str(self.folder).replace(",", ",,") in line:
                found.append(line)
        return found


def _allow_interrupts() -> None:
    """A shell may run these tests with SIGINT ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_a_run_that_is_ended_in_the_middle_goes_on_later(
    place: Place, number: signal.Signals, status: int
) -> None:
    assert place.run(*SHORT)[0] == 0
    finished = place.measured()
    process = place.start(*SHORT[:-1], "basic-processing", "bare-increment", "--samples", "3000000")
    until(lambda: bool(place.guests()) or process.poll() is not None)
    process.send_signal(number)
    _, err = process.communicate()
    assert process.returncode == status
    until(lambda: not place.guests())
    assert set(finished) <= set(place.measured())
    assert "Traceback" not in err
    if number is not signal.SIGKILL:
        assert "the same command continues" in err
    code, _, err = place.run(*SHORT)
    assert code == 0
    assert "found 1 in the store" in err


def test_two_runs_at_once_share_a_store(place: Place) -> None:
    both = [place.start(*SHORT, "--json", "-") for _ in range(2)]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    one, other = (json.loads(out)["records"] for out, _ in outputs)
    assert one == other
    assert len(place.measured()) == 1
    assert len(list(place.store.glob("runs/*/run.json"))) == 2
    assert not list(place.store.glob("*/.new-*"))


@needs_mounts
def test_a_disk_that_becomes_full_loses_no_figure(place: Place) -> None:
    words = ("--kernel", "null", "--scenario", "basic-processing", "bare-increment", "--jobs", "1")
    code, out, err = place.run(*words, "--json", "-", mounted="size=120k")
    assert code == 1
    assert "cannot write to the store" in err
    assert "No space left on device" in err
    assert [record["status"] for record in json.loads(out)["records"]] == ["pass", "pass"]
    assert err.count("kept: ") == 1, "what was stored before, and nothing half-written"
    assert "Traceback" not in err


@needs_mounts
def test_a_read_only_store_is_refused_before_anything_is_measured(place: Place) -> None:
    code, out, err = place.run(*SHORT, mounted="ro")
    assert (code, out) == (1, "")
    assert "Read-only file system" in err
    assert "measuring" not in err


def test_a_store_where_nobody_can_write_is_refused(place: Place) -> None:
    place.store = Path("/sys/ticklab")
    code, out, err = place.run(*SHORT)
    assert (code, out) == (1, "")
    assert err.startswith("ticklab: error: cannot write to the store /sys/ticklab: ")
    assert "--store DIR" in err
    assert err.count("\n") == 1


def test_a_report_that_cannot_be_written_loses_nothing(place: Place) -> None:
    code, out, err = place.run(*SHORT, "--output", "/sys/report.html")
    assert code == 1
    assert "basic-processing" in out
    assert len(place.measured()) == 1
    assert "cannot write the report /sys/report.html" in err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--kernel", "nul"], "no kernel 'nul'; did you mean null"),
        (["--scenario", "message"], "no scenario 'message'; did you mean message-processing?"),
        (["--board", "mps3"], "no board 'mps3'"),
        (["--optimise", "O9"], "no optimisation level 'O9'"),
        (["--config", "fast"], "no configuration 'fast'"),
        (["--param", "size=4"], "parameter 'size'"),
        (["--samples", "0"], "'0' is not a whole number of at least 1"),
        (["--profile", "slow"], "no timing profile 'slow'"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(place: Place, words: Sequence[str], line: str) -> None:
    code, out, err = place.run(*words)
    assert (code, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1
