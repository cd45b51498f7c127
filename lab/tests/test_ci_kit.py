# SPDX-License-Identifier: MIT
"""Tests the parts for users' build servers (folder ci): the script runs the gate once and passes
its status on, and the GitHub action and the GitLab template set the variables that the script
reads."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import textwrap
from collections.abc import Iterator, Mapping
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


GH = """#!/bin/sh
echo "$@" >>"$CALLS"
case "$*" in *--edit-last*) exit "$EDITED" ;; esac
exit "$WRITTEN"
"""


def step_by_step(folder: Path, **given: str) -> tuple[list[int], list[str], str]:
    """Runs the shell steps of the action as GitHub's runner does: expressions are replaced, and a
    step has its environment. Returns the status of each, the calls of `ticklab` and `gh`, and what
    the last one but one printed."""
    calls, ours, output = folder / "calls", folder / "ours" / "ci", folder / "output"
    ours.mkdir(parents=True)
    shutil.copy(CI / "gate.sh", ours)
    for path, text in ((ours.parent / "ticklab", FAKE), (folder / "gh", GH)):
        path.write_text(text)
        path.chmod(0o755)
    values = {"inputs.baseline": "b.json", "inputs.reports": "ticklab-gate"}
    values |= {"github.action_path": str(ours), "github.event.pull_request.number": "7"}
    around = {"PATH": f"{folder}:{os.environ['PATH']}", "CALLS": str(calls), **given}
    around |= {"GITHUB_ACTION_PATH": str(ours), "GITHUB_OUTPUT": str(output)}
    around["GITHUB_REPOSITORY"] = "one/two"
    statuses, said = [], []
    for environment, script in shell_steps((CI / "action.yml").read_text()):
        own = {name: expressed(text, values) for name, text in environment.items()}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        ended = subprocess.run(
            command, cwd=folder, env={**around, **own}, capture_output=True, text=True
        )
        statuses.append(ended.returncode)
        said.append(ended.stdout)
        values["steps.gate.outputs.status"] = output.read_text().removeprefix("status=").strip()
    return statuses, calls.read_text().splitlines(), said[-2]


def shell_steps(action: str) -> Iterator[tuple[dict[str, str], str]]:
    """Yields the environment and the script of each shell step."""
    for step in re.split(r"^    - ", action, flags=re.MULTILINE)[1:]:
        head, is_shell, script = step.partition("      run: ")
        if is_shell:
            names = re.findall(r"^        ([A-Z_]+): (.+)$", head, flags=re.MULTILINE)
            yield dict(names), textwrap.dedent(script.removeprefix("|\n"))


def expressed(text: str, values: Mapping[str, str]) -> str:
    """Replaces the expressions of a text; one that is not known is empty, as GitHub's are."""
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values.get(found[1], ""), text)


@pytest.mark.parametrize("status", ["0", "3"])
@pytest.mark.parametrize(("edited", "written"), [("0", "0"), ("1", "0"), ("1", "1")])
def test_the_steps_of_the_action_comment_and_end_with_the_status_of_the_gate(
    tmp_path: Path, status: str, edited: str, written: str
) -> None:
    given = {"STATUS": status, "EDITED": edited, "WRITTEN": written}
    statuses, calls, said = step_by_step(tmp_path, **given)
    assert statuses == [0, 0, int(status)]
    assert [call.split()[1] for call in calls[:3]] == ["gate"] * 3
    comment = "pr comment 7 --repo one/two --body-file ticklab-gate/comment.md"
    assert calls[3:] == [f"{comment} --edit-last", comment][: 1 + int(edited)]
    assert ("::warning::no comment was written" in said) == (edited == written == "1")


def test_every_input_of_the_action_is_used() -> None:
    text = (CI / "action.yml").read_text()
    inputs, rest = text.partition("\noutputs:")[::2]
    names = re.findall(r"^  ([a-z]+):$", inputs.partition("\ninputs:")[2], flags=re.MULTILINE)
    assert names == ["baseline", "kernel", "settings", "reports", "comment", "token"]
    assert all(f"inputs.{name}" in rest for name in names)
