# SPDX-License-Identifier: MIT
"""Tests explanations of records that simulated hardware measured. Its execution cannot be followed,
so QEMU runs the same image."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import short_runs

from ticklab import cli
from ticklab.description import catalogue
from ticklab.errors import TicklabError
from ticklab.measurement import repeating
from ticklab.storage.store import Store

SCENARIO = "synchronization"


def test_it_is_followed_on_the_board_that_runs_the_same_image(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, file = tmp_path / "store", tmp_path / "answer.json"
    words = ["--board", "ibex", "--kernel", "freertos", "--suite", "thread-metric"]
    words += ["--scenario", SCENARIO, "--samples", "50", "--skip-conformance"]
    places = ["--store", str(root), "--output", str(tmp_path / "report.html")]
    assert cli.main(["run", *words, *places]) == 0
    assert cli.main(["explain", "freertos", "--store", str(root)]) == 0
    assert "followed on virt" in capsys.readouterr().out.replace("\n", " ")
    assert cli.main(["explain", "freertos", "--store", str(root), "--json", str(file)]) == 0
    store = Store(root)
    (record,) = store.run(store.run_ids()[0]).records
    found = json.loads(file.read_text())
    assert record.figures.instructions
    assert record.figures.cycles
    assert found["instructions"] == record.figures.instructions.mean
    assert found["cycles"]["low"] <= record.figures.cycles.low.mean <= found["cycles"]["high"]
    names = {function["name"] for function in found["functions"]}
    assert {"xQueueGenericSend", "xQueueSemaphoreTake"} <= names


def test_several_nodes_are_refused_in_one_line() -> None:
    case = short_runs.chosen("freertos")[0].varied(board=catalogue.find_board("ibex-multi"))
    with pytest.raises(TicklabError, match="RTL simulation") as caught:
        repeating.followed(case)
    assert "\n" not in str(caught.value)
