# SPDX-License-Identifier: MIT
"""The parts of users' build servers (ci): the script runs the gate once and passes its status on,
and the action and the template give it what it reads."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from ticklab import cli, paths

CI = paths.CHECKOUT / "ci"
FAKE = """#!/bin/sh
echo "$@" >>"$CALLS"
echo "a report"
exit "$STATUS"
"""


def gate(folder: Path, status: int, **given: str) -> tuple[int, list[str]]:
    """Runs the script with a program in the place of ticklab; returns its status and the calls."""
    calls, program = folder / "calls", folder / "ticklab"
    program.write_text(FAKE)
    program.chmod(0o755)
    named = {"TICKLAB": str(program), "CALLS": str(calls), "STATUS": str(status), **given}
    ended = subprocess.run([CI / "gate.sh"], cwd=folder, env={"PATH": os.environ["PATH"], **named})
    return ended.returncode, calls.read_text().splitlines() if calls.exists() else []


@pytest.mark.parametrize("status", [0, 1, 3])
def test_the_script_measures_once_and_ends_with_the_status_of_the_gate(
    tmp_path: Path, status: int
) -> None:
    summary = tmp_path / "summary"
    given = {"BASELINE": "b.json", "KERNEL": "one two", "SETTINGS": "limits.toml"}
    ended, calls = gate(tmp_path, status, GITHUB_STEP_SUMMARY=str(summary), **given)
    assert ended == status
    options = "--baseline b.json --settings limits.toml --kernel one two"
    assert calls == [
        f"--yes gate {options} --format markdown --json ticklab-gate/changes.json",
        f"--yes gate latest {options} --format junit",
        f"--yes gate latest {options} --format sarif",
    ]
    reports = {file.name for file in (tmp_path / "ticklab-gate").iterdir()}
    assert reports == {"comment.md", "junit.xml", "sarif"}
    assert summary.read_text() == "a report\n"


def test_wrong_use_ends_the_script(tmp_path: Path) -> None:
    ended, calls = gate(tmp_path, 2, BASELINE="b.json")
    assert (ended, len(calls)) == (2, 1)
    (tmp_path / "other").mkdir()
    assert gate(tmp_path / "other", 0) == (2, [])  # no baseline is named


def test_the_calls_of_the_script_are_those_of_the_command_line(tmp_path: Path) -> None:
    _, calls = gate(tmp_path, 0, BASELINE="b.json", KERNEL="one", SETTINGS="limits.toml")
    for call in calls:
        cli.parser().parse_args(call.split())


def test_the_action_and_the_template_give_the_script_what_it_reads() -> None:
    read = set(re.findall(r"^# ([A-Z]+)  ", (CI / "gate.sh").read_text(), flags=re.MULTILINE))
    assert read == {"TICKLAB", "BASELINE", "KERNEL", "SETTINGS", "REPORTS"}
    action, template = ((CI / name).read_text() for name in ("action.yml", "gitlab.yml"))
    assert all(re.search(rf"^ +{name}: ", action, flags=re.MULTILINE) for name in read)
    assert all(name in template for name in read)


def test_every_input_of_the_action_is_used() -> None:
    text = (CI / "action.yml").read_text()
    inputs, rest = text.partition("\noutputs:")[::2]
    names = re.findall(r"^  ([a-z]+):$", inputs.partition("\ninputs:")[2], flags=re.MULTILINE)
    assert names == ["baseline", "kernel", "settings", "reports", "comment", "token"]
    assert all(f"inputs.{name}" in rest for name in names)
