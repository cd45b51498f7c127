# SPDX-License-Identifier: MIT
"""Tests two commits of one kernel in one store: `explain` names the functions that grew, and their
instructions."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from documents import fits
from test_gate import DESCRIPTION, FREERTOS

from ticklab import cli
from ticklab.measurement import provenance
from ticklab.storage.store import Store

# A rule for the function that the test adds to FreeRTOS; FreeRTOS's own rules do not cover it.
RULES = """
[[category]]
name = "bookkeeping"
function = ".*"
"""

GIVE = """\
// SPDX-License-Identifier: MIT
#undef bench_semaphore_give
#include <bench/port.h>
enum bench_status plain_bench_semaphore_give(struct bench_semaphore semaphore);
static volatile uint32_t gives, odd;
__attribute__((noinline)) static void count(void) {{
    gives = gives + 1;
{more}
}}
enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {{
    count();
    return plain_bench_semaphore_give(semaphore);
}}
"""


def git(folder: Path, *words: str) -> str:
    known = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    command = ["git", "-C", str(folder), *known, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[str]]:
    """The kernel's folder, the store, and the commits, the older first."""
    root = tmp_path_factory.mktemp("commits")
    folder, store = root / "mine", root / "store"
    folder.mkdir()
    (folder / "kernel.toml").write_text(DESCRIPTION.format(freertos=FREERTOS) + RULES)
    git(folder, "init", "--quiet")
    commits = []
    for more in ("", "    odd = odd ^ 1;"):
        (folder / "give.c").write_text(GIVE.format(more=more))
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "--message", "Count gives")
        commits.append(git(folder, "rev-parse", "HEAD"))
        provenance.commit.cache_clear()  # kept for a process, which is one run elsewhere
        words = ("--kernel", str(folder), "--scenario", "synchronization", "--record")
        places = ("--store", str(store), "--output", str(root / "report.html"))
        assert (
            cli.main(["run", *words, "--samples", "50", "--skip-conformance", "--no-why", *places])
            == 0
        )
    return folder, store, commits


def test_the_function_that_grew_is_shown_by_instruction(
    workshop: tuple[Path, Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, store, commits = workshop
    runs = Store(store).every_run()
    of_commit = {run.provenance["kernels"]["mine"]["commit"]: run.id for run in runs}
    older, newer = (f"{of_commit[commit]}:mine" for commit in commits)
    answer = tmp_path / "answer.json"
    places = ("--kernel", str(folder), "--store", str(store), "--json", str(answer))
    assert cli.main(["explain", older, newer, *places]) == 0
    text = capsys.readouterr().out
    for commit in commits:
        assert f"commit {commit[:12]}" in " ".join(text.split())
    found: dict[str, Any] = fits("difference", json.loads(answer.read_text()))
    (grew,) = (each for each in found["functions"] if growth(each))
    assert grew["name"] == "count"
    added = growth(grew)
    assert added > 0
    assert found["second"]["instructions"] - found["first"]["instructions"] == added
    changes = [executed(edit["second"]) - executed(edit["first"]) for edit in grew["edits"]]
    assert sum(changes) == added
    assert any("eor" in edit["second"]["text"] for edit in grew["edits"] if edit["second"])
    assert all((step(edit)["line"] or "").startswith("give.c:") for edit in grew["edits"])
    assert "+      +1  eor" in text


def growth(function: dict[str, Any]) -> float:
    return float(function["second"]["instructions"] - function["first"]["instructions"])


def executed(step: dict[str, Any] | None) -> float:
    return step["executed"] if step else 0.0


def step(edit: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = edit["second"] or edit["first"]
    return found
