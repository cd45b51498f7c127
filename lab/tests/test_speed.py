# SPDX-License-Identifier: MIT
"""Tests ratios of processor time: both times of a ratio are of the same turn, and the median of the
turns is printed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
from documents import fits

from ticklab.commands import bench
from ticklab.errors import TicklabError
from ticklab.quality import speed


def test_a_ratio_is_the_middle_one_of_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine halves its clock after the first turn, and another process disturbs one turn."""
    times = iter([1.0, 1.5, 2.0, 3.0, 2.0, 9.0])
    monkeypatch.setattr(speed, "_processor_time", lambda action: next(times))
    found = speed.ratios(lambda: 1, {"slow": lambda: 1}, turns=3, rated="slow")
    assert found == {"slow": 1.5, "slow-rate": 1e-6 / 3.0}


def test_processor_time_is_that_of_children_by_unit_of_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Usage:
        def __init__(self, user: float, system: float) -> None:
            self.ru_utime, self.ru_stime = user, system

    usages = iter([Usage(1.0, 0.5), Usage(4.0, 1.5)])
    monkeypatch.setattr("resource.getrusage", lambda _: next(usages))
    assert speed._processor_time(lambda: 8) == 0.5


def test_a_command_that_fails_is_named_with_its_last_words() -> None:
    with pytest.raises(TicklabError, match="ended with status 3: no such kernel"):
        speed.command(["sh", "-c", "echo no such kernel >&2; exit 3"])()


def test_a_store_is_emptied_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "store" / "runs").mkdir(parents=True)
    assert speed.from_empty(tmp_path / "store", lambda: (tmp_path / "store").exists())() == 0


def test_what_is_no_ratio_is_shown_with_its_unit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    measured = {"rtl/x": 1.08, "rtl/x-rate": 1.17}
    monkeypatch.setitem(bench._MEASURES, "rtl", lambda arguments: measured)
    file = tmp_path / "ratios.json"
    arguments = argparse.Namespace(what="rtl", turns=1, instructions=1, json=str(file))
    assert bench.run(arguments) == 0
    assert fits("bench", json.loads(file.read_text())) == measured
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows == [["rtl/x", "1.08", "times"], ["rtl/x-rate", "1.17", "million/s"]]
