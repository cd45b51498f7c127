# SPDX-License-Identifier: MIT
"""Tests `list`, `show`, `compare` and `report` on a store that holds made-up runs."""

from __future__ import annotations

import argparse
import importlib
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from documents import fits
from synthetic import BOARD, record, run

from ticklab.comparison import selection
from ticklab.description.model import Run
from ticklab.errors import TicklabError, UsageError
from ticklab.storage.store import Store

FIRST, SECOND = "20261120-100000-aaaa", "20261120-110000-bbbb"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with two runs: in the second run FreeRTOS is slower, and rt is unchanged."""
    made = Store(tmp_path / "the store")
    made.open_for_writing()
    made.add_run(replace(run(), id=FIRST))
    slower = record("freertos", "message-processing", 200, 260, 0, 40)
    made.add_run(replace(run(), id=SECOND, records=(slower, *run().records[4:])))
    return made


def call(store: Store, name: str, *words: str) -> int:
    command = importlib.import_module(f"ticklab.commands.{name}")
    parser = argparse.ArgumentParser()
    command.configure(parser)
    status: int = command.run(parser.parse_args([*words, "--store", str(store.root)]))
    return status


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def isolating(one: Run) -> Run:
    features = {"isolation": True, "inheritance": True}
    records = (
        replace(found, features=features) if found.kernel == "rt" else found
        for found in one.records
    )
    return replace(one, id="20261120-120000-cccc", records=tuple(records))


# --- show, list, report ---------------------------------------------------------------------------


def test_show_prints_the_latest_run_or_the_one_that_begins_so(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(store, "show") == 0
    assert f"Run {SECOND}" in capsys.readouterr().out
    assert call(store, "show", "20261120-10") == 0
    assert f"Run {FIRST}" in capsys.readouterr().out


def test_json_on_standard_output_is_alone_there(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    call(store, "show", "--json", "-")
    captured = capsys.readouterr()
    assert fits("run", json.loads(captured.out))["run"] == SECOND
    assert "COUNTED" in captured.err


def test_files_get_json_and_csv(store: Store, tmp_path: Path) -> None:
    call(store, "show", "--json", str(tmp_path / "a.json"), "--csv", str(tmp_path / "a.csv"))
    assert json.loads((tmp_path / "a.json").read_text())["schema"] == 1
    assert (tmp_path / "a.csv").read_text().startswith("kernel,config,")


def test_a_file_that_cannot_be_written_is_named(store: Store, tmp_path: Path) -> None:
    with pytest.raises(TicklabError, match=r"cannot write .*nowhere"):
        call(store, "show", "--json", str(tmp_path / "nowhere" / "a.json"))


def test_list_runs_says_what_each_holds(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    call(store, "list", "runs", "--json", "-")
    listed = fits("list", printed(capsys))["runs"]
    assert [row["id"] for row in listed] == [FIRST, SECOND]
    assert listed[0]["failed"] == 1


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("kernels", "freertos"),
        ("boards", BOARD),
        ("suites", "thread-metric"),
        ("profiles", "zero-wait"),
    ],
)
def test_list_shows_descriptions(
    store: Store, capsys: pytest.CaptureFixture[str], kind: str, name: str
) -> None:
    call(store, "list", kind, "--json", "-")
    assert name in [row["name"] for row in fits("list", printed(capsys))[kind]]
    call(store, "list", kind)
    assert name in capsys.readouterr().out


def test_report_holds_all_runs_that_were_asked_for(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "the report.html"
    assert call(store, "report", FIRST, SECOND, "-o", str(path)) == 0
    assert all(f"Run {name}" in path.read_text() for name in (FIRST, SECOND))


def test_the_history_of_a_kernel_has_a_point_for_each_run(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    call(store, "history", "freertos", "--json", "-")
    lines = fits("history", printed(capsys))["figures"]
    assert {point["run"] for line in lines for point in line["points"]} == {FIRST, SECOND}


# --- compare --------------------------------------------------------------------------------------


def test_before_and_after_pairs_each_kernel_with_itself(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    call(store, "compare", FIRST, SECOND, "--json", "-")
    found = {
        (pair["scenario"], pair["first"]["kernel"], pair["second"]["kernel"]): pair
        for pair in printed(capsys)["pairs"]
    }
    message = found["message-processing", "freertos", "freertos"]
    assert message["verdict"] == "slower"
    assert message["instructions_ratio"] == pytest.approx(200 / 192)
    assert found["message-processing", "rt", "rt"]["verdict"] == "equal"


def test_two_kernels_of_the_latest_run(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    call(store, "compare", "rt", "freertos", "--json", "-")
    verdicts = {pair["scenario"]: pair["verdict"] for pair in printed(capsys)["pairs"]}
    assert verdicts["message-processing"] == "faster"
    assert verdicts["cooperative-scheduling"] == "slower"
    assert verdicts["basic-processing"] is None


def test_a_suite_has_the_geometric_mean_of_its_ratios(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    call(store, "compare", "freertos", "rt", "--json", "-")
    document = printed(capsys)
    ratios = [pair["instructions_ratio"] for pair in document["pairs"]]
    found = [ratio for ratio in ratios if ratio is not None]
    (suite,) = document["suites"]
    assert suite["scenarios"] == len(found) > 1
    assert suite["instructions"] == pytest.approx(math.prod(found) ** (1 / len(found)))


def test_changes_are_shown_in_percent(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    call(store, "compare", f"{FIRST}:freertos", f"{SECOND}:freertos/default")
    shown = capsys.readouterr().out
    assert "+4.17 %" in shown
    assert "only in" not in shown


def test_unlike_records_are_not_ranked_unless_asked(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    store.add_run(isolating(run()))
    words = r"^rt and freertos .*not ranked: feature isolation: yes against no.*--any"
    with pytest.raises(TicklabError, match=words):
        call(store, "compare", "freertos", "rt")
    assert capsys.readouterr().out == ""
    assert call(store, "compare", "freertos", "rt", "--anyway") == 0
    assert "ranked anyway: feature isolation: yes against no" in capsys.readouterr().out


def test_json_says_which_side_is_the_subject_of_each_ratio_and_difference(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    store.add_run(isolating(run()))
    call(store, "compare", "freertos", "rt", "--anyway", "--json", "-")
    document = fits("comparison", printed(capsys))
    assert document["first"]["role"] == "reference"
    assert document["second"]["role"] == "subject"
    assert document["unlike"] == [
        {"name": "feature isolation", "subject": "yes", "reference": "no"}
    ]
    pair = next(p for p in document["pairs"] if p["scenario"] == "message-processing")
    subject, reference = pair["second"]["instructions"], pair["first"]["instructions"]
    assert pair["instructions_ratio"] == pytest.approx(subject / reference)
    assert (pair["second"]["kernel"], pair["verdict"]) == ("rt", "slower")


def test_the_geometric_mean_leaves_out_what_measures_no_kernel(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    idle = [replace(record(name, "loop", 17422), exercises_kernel=False) for name in ("a", "b")]
    busy = [
        record(name, scenario, instructions)
        for name, instructions in (("a", 100), ("b", 200))
        for scenario in ("give", "take")
    ]
    store.add_run(replace(run(), id="20261120-130000-dddd", records=(*idle, *busy)))
    call(store, "compare", "a", "b", "--json", "-")
    (suite,) = printed(capsys)["suites"]
    assert suite["scenarios"] == 2
    assert suite["instructions"] == pytest.approx(2)
    assert suite["left_out"] == ["loop"]
    call(store, "compare", "a", "b")
    assert "geometric mean of 2 rows (without loop: no kernel)" in capsys.readouterr().out


def test_several_stand_beside_one_reference_in_percent(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    call(store, "compare", f"{FIRST}:freertos/default", f"{SECOND}:freertos", f"{FIRST}:rt")
    lines = capsys.readouterr().out.splitlines()
    message = [line.split() for line in lines if line.startswith("message-processing")]
    assert message[0] == ["message-processing", "192", "+4.2", "+9.4"]
    assert message[1][1:4] == ["~250.0–290.0", "~+3.4", "…"]


def test_a_pattern_is_every_other_column_that_it_fits(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    call(store, "compare", "freertos/default", "r*", f"{FIRST}:f*", "--json", "-")
    found = fits("comparisons", printed(capsys))["comparisons"]
    seconds = [one["second"] for one in found]
    assert [second["title"].split()[0] for second in seconds] == ["rt", "freertos"]
    assert [second["run"] for second in seconds] == [SECOND, FIRST]


def test_published_figures_stand_beside_a_run(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    call(store, "compare", "latest:freertos", "published:freertos-an386")
    shown = capsys.readouterr().out
    assert "+4.17 %" in shown
    assert "not ranked" in shown
    call(store, "compare", "latest:freertos", "published:freertos-10.3.1", "--json", "-")
    rows = fits("published", printed(capsys))["rows"]
    message = next(row for row in rows if row["scenario"].startswith("message"))
    assert message["published_cycles"] == pytest.approx(30 * 80e6 / 4689994)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("freertos", "zephyr"), "no kernel in run .* 'zephyr'"),
        (("20300101", "rt"), "no kernel in run .* '20300101'"),
        (("20261120", "rt"), "begins 2 runs"),
        (("rt", "published:"), "published figures; there is: cmrx"),
        (("rt", "published:freertos-385"), "did you mean freertos-an385"),
        (("null:freertos", "rt"), "'null' is no run"),
        (("published:freertos-an386", "rt"), "published:freertos-an386.*name the run first"),
        (("rt", "null", "published:freertos-an386"), "name one B"),
        (("rt", "zephyr/*"), r"no kernel in run .* 'zephyr/\*'"),
    ],
)
def test_what_does_not_exist_is_named(store: Store, words: tuple[str, ...], error: str) -> None:
    with pytest.raises(UsageError, match=error):
        call(store, "compare", *words)


def test_selections_without_a_common_scenario_say_so(store: Store) -> None:
    one = selection.select(f"{FIRST}:rt", store)
    other = replace(one, records=(record("rt", "something-else"),))
    with pytest.raises(TicklabError, match="no scenario in common"):
        selection.pair(one, other)


@pytest.mark.parametrize("column", ["freertos//product/my.h", "freertos//product/my.h/O2"])
def test_a_configuration_may_be_named_by_a_whole_path(store: Store, column: str) -> None:
    theirs = replace(record("freertos", "message-processing"), config="/product/my.h")
    ours = replace(theirs, config="default")
    store.add_run(replace(run(), id="20261120-120000-cccc", records=(theirs, ours)))
    assert selection.select(column, store).records == (theirs,)
    assert selection.select("freertos", store).records == (theirs, ours)
    with pytest.raises(UsageError, match=r"//product/my\.h"):
        selection.select("freertos//product/mine.h", store)
