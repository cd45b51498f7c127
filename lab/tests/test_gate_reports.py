# SPDX-License-Identifier: MIT
"""The changes since a baseline as Markdown, JUnit XML and SARIF."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from synthetic import record, run

from ticklab.commands import gate as command
from ticklab.comparison import gate
from ticklab.description.model import Record, SamplePlan
from ticklab.storage.baseline import Baseline, BaselineEntry
from ticklab.views import gate_reports

PLAN = SamplePlan(warm_up=1, samples=10, ticks=1)
NAMES = ("grew", "shrank", "lost", "same|<&>")


def figure(name: str, instructions: float) -> Record:
    return record("freertos", name, instructions, 300, 0, 40)


@pytest.fixture
def kept() -> Baseline:
    entries = (BaselineEntry(figure(name, 150), PLAN, {"give": 100.0}) for name in NAMES)
    return Baseline(run(), tuple(entries))


@pytest.fixture
def changes(kept: Baseline) -> tuple[gate.Change, ...]:
    """One figure is worse, in a function whose file is known; one better; one gone."""
    now = [figure("grew", 151), figure("shrank", 149), figure("same|<&>", 150)]
    grown = {"grew": {"give": 101.0}, "shrank": {"give": 99.0}}
    return gate.judge(
        kept,
        now,
        run().lanes,
        lambda record: grown[record.scenario],
        lambda record, function: f"src/{function}.c" if record.scenario == "grew" else None,
    )


def test_every_format_of_the_command_is_written() -> None:
    assert tuple(gate_reports.FORMATS) == command.FORMATS


def test_a_comment_lists_failures_first(kept: Baseline, changes: tuple[gate.Change, ...]) -> None:
    said = gate_reports.markdown(kept, changes)
    title, _, head, _, *rows = said.splitlines()
    assert "4 figures, 1 worse, 1 better, 1 gone" in title
    kinds = [row.split("|")[1].strip() for row in rows]
    assert kinds == ["**worse**", "**gone**", "**better**"]
    assert {row.replace("\\|", "").count("|") for row in [head, *rows]} == {5}
    assert "`give`" in rows[0]


def test_a_comment_without_a_change_has_no_table(kept: Baseline) -> None:
    assert gate_reports.markdown(kept, ()).splitlines() == [
        "**Ticklab: 4 figures, 0 worse, 0 better, 0 gone**",
        "",
    ]


def test_a_build_server_gets_a_test_case_for_each_figure(
    kept: Baseline, changes: tuple[gate.Change, ...]
) -> None:
    suite = ElementTree.fromstring(gate_reports.junit(kept, changes))
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "4",
        "failures": "1",
        "errors": "1",
    }
    found = {str(case.get("name")).split()[1]: [each.tag for each in case] for case in suite}
    assert found == {"grew": ["failure"], "shrank": [], "lost": ["error"], "same|<&>": []}
    (failure,) = suite.iter("failure")
    assert "give +1 instructions" in str(failure.get("message"))


def test_a_code_host_gets_the_function_and_its_file(changes: tuple[gate.Change, ...]) -> None:
    (ran,) = json.loads(gate_reports.sarif(changes))["runs"]
    worse, better, gone = ran["results"]
    assert [each["level"] for each in (worse, better, gone)] == ["error", "note", "error"]
    assert {each["id"] for each in ran["tool"]["driver"]["rules"]} >= {
        each["ruleId"] for each in ran["results"]
    }
    (place,) = worse["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "src/give.c"
    assert "physicalLocation" not in better["locations"][0]
    assert worse["partialFingerprints"] != better["partialFingerprints"]


def test_a_figure_that_two_builds_share_is_told_apart(kept: Baseline) -> None:
    """The same scenario of another configuration is a test case of its own."""
    other = replace(figure("grew", 150), config="small")
    both = replace(kept, entries=(kept.entries[0], BaselineEntry(other, PLAN, {})))
    suite = ElementTree.fromstring(gate_reports.junit(both, ()))
    assert len({(case.get("classname"), case.get("name")) for case in suite}) == 2
