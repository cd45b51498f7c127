# SPDX-License-Identifier: MIT
"""Tests the changes since a baseline as Markdown, JUnit XML and SARIF."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec import to_builtins
from synthetic import record, run

from ticklab.commands import gate as command
from ticklab.comparison import budgets, compare, gate
from ticklab.description import budget
from ticklab.description.budget import Budget, FootprintBudget, Settings
from ticklab.description.model import Record, SamplePlan
from ticklab.errors import ExitStatus, UsageError
from ticklab.storage.baseline import Baseline, BaselineEntry
from ticklab.views import gate as lines
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
    """Returns three changes: a worse figure, whose function has a known file; a better figure; and
    a missing figure."""
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
    assert "4 figures, 1 worse, 1 better, 1 gone, 0 over budget" in title
    kinds = [row.split("|")[1].strip() for row in rows]
    assert kinds == ["**worse**", "**gone**", "**better**"]
    assert {row.replace("\\|", "").count("|") for row in [head, *rows]} == {5}
    assert "`give`" in rows[0]


def test_a_comment_has_the_footprints_that_changed(kept: Baseline) -> None:
    def images(code: int, **others: int) -> dict[str, dict[str, int]]:
        codes = {"give": code, "take": 100, **others}
        return {n: {"code": c, "constants": 8, "variables": 40} for n, c in codes.items()}

    before, after = (
        {"k/c/O2/b": images(3500), "gone": images(1)},
        {"k/c/O2/b": images(3600, x=9000)},
    )
    sizes = gate.size_changes(before, after)
    assert sizes == (gate.SizeChange("k/c/O2/b", "bytes of code", 3508, 3608),)
    assert gate.size_changes(before, before) == ()
    line = "- footprint: k/c/O2/b: bytes of code 3,508 → 3,608 (+100)"
    assert line in gate_reports.markdown(kept, (), sizes).splitlines()
    run = replace(kept.run, provenance={**kept.run.provenance, "footprints": after})
    then = replace(kept, run=replace(run, provenance={**run.provenance, "footprints": before}))
    assert to_builtins(lines.document(then, run, ()).footprints) == [
        {"build": "k/c/O2/b", "quantity": "bytes of code", "then": 3508, "now": 3608}
    ]


def test_a_comment_without_a_change_has_no_table(kept: Baseline) -> None:
    assert gate_reports.markdown(kept, ()).splitlines() == [
        "**Ticklab: 4 figures, 0 worse, 0 better, 0 gone, 0 over budget**",
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
    """A scenario in two configurations gives two test cases."""
    other = replace(figure("grew", 150), config="small")
    both = replace(kept, entries=(kept.entries[0], BaselineEntry(other, PLAN, {})))
    suite = ElementTree.fromstring(gate_reports.junit(both, ()))
    assert len({(case.get("classname"), case.get("name")) for case in suite}) == 2


def test_a_figure_above_its_budget_is_a_failure_everywhere(kept: Baseline) -> None:
    settings = Settings(budget=(Budget("grew", instructions=150), Budget("shrank", cycles=1)))
    now = [entry.record for entry in kept.entries]
    over = gate.judge(kept, now, run().lanes, lambda _: {}, settings=settings)
    assert [change.then.scenario for change in over] == ["shrank"]
    assert gate.status(over) is ExitStatus.REGRESSION
    suite = ElementTree.fromstring(gate_reports.junit(kept, over))
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["5", "1", "0"]
    assert "1 at most" in gate_reports.markdown(kept, over)
    (result,) = json.loads(gate_reports.sarif(over))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("over budget", "error")


def test_each_exceeded_limit_of_a_figure_is_explained(kept: Baseline) -> None:
    settings = Settings(budget=(Budget("grew", instructions=1, cycles=1),))
    now = [entry.record for entry in kept.entries]
    over = gate.judge(kept, now, run().lanes, lambda _: {}, settings=settings)
    suite = ElementTree.fromstring(gate_reports.junit(kept, over))
    said = [str(failure.get("message")) for failure in suite.iter("failure")]
    assert len(said) == 2 == int(str(suite.get("failures")))
    assert "instructions" in said[0]
    assert "cycles" in said[1]


def test_the_file_of_a_note_is_a_uri(changes: tuple[gate.Change, ...]) -> None:
    cause = changes[0].cause
    assert cause
    spaced = replace(changes[0], cause=replace(cause, file="my src/50%.c"))
    (result,) = json.loads(gate_reports.sarif([spaced]))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20src/50%25.c"


def test_a_report_and_json_cannot_both_be_printed() -> None:
    arguments = argparse.Namespace(format="sarif", json="-", store=Path(), baseline="none")
    with pytest.raises(UsageError, match="both print; give --json a file"):
        command.run(arguments)


@pytest.mark.parametrize(("percent", "kinds"), [(0.0, ["worse"]), (0.66, ["worse"]), (0.67, [])])
def test_growth_within_the_threshold_is_no_regression(
    kept: Baseline, percent: float, kinds: list[str]
) -> None:
    now = [figure("grew", 151), *(entry.record for entry in kept.entries[1:])]
    settings = Settings(threshold_percent=percent)
    found = gate.judge(kept, now, run().lanes, lambda _: {}, settings=settings)
    assert [change.kind.value for change in found] == kinds


def test_a_footprint_above_its_budget_is_a_failure_everywhere(kept: Baseline) -> None:
    now = [figure(name, 150) for name in NAMES]
    images = {"grew": 4000, "shrank": 3000}  # the greatest counts
    sizes = {
        compare.build_key(now[0]): {
            name: {"code": code, "constants": 100, "variables": 64} for name, code in images.items()
        }
    }
    settings = Settings(footprint=(FootprintBudget(code=4099), FootprintBudget(variables=64)))
    over = gate.judge(kept, now, {}, lambda _: {}, settings=settings, footprints=sizes)
    assert gate.status(over) == ExitStatus.REGRESSION
    assert "4,100 bytes of code, 4,099 at most" in gate_reports.markdown(kept, over)
    assert len(over) == 1
    other = Settings(footprint=(FootprintBudget(code=1, kernel="other"),))
    assert not gate.judge(kept, now, {}, lambda _: {}, settings=other, footprints=sizes)
    with pytest.raises(UsageError, match=r"x\.toml: \[footprint 1\] matches no footprint"):
        budgets.require_footprints(other.footprint, now, sizes, "x.toml")
    budgets.require_footprints(settings.footprint, now, sizes, "x.toml")


def test_a_budget_chooses_figures_by_its_keys(kept: Baseline) -> None:
    records = [entry.record for entry in kept.entries]
    for kernel, count in ((None, 1), ("rt", 0), ("freertos", 1)):
        found = budgets.excesses([Budget("grew", instructions=1, kernel=kernel)], records)
        assert len(found) == count
    with pytest.raises(UsageError, match=r"x\.toml: \[budget 1\].*grow;"):
        budgets.require_matches([Budget("grow", instructions=1)], records, "x.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[budget]]\nscenario = "a"\n', r"\[budget 1\] scenario has no limit"),
        ('[[budget]]\nscenario = "a"\ninstruction = 2\n', "instructions"),
        ("threshold_percent = -1\n", "threshold_percent"),
        ('[[budget]]\nscenario = "a"\ncycles = 0\n', "cycles"),
        ('[[footprint]]\nkernel = "a"\n', r"\[footprint 1\] code is missing"),
        ("threshold_percent = inf\n", r"\[threshold_percent\] is infinite"),
        ("\udcff", r"ticklab\.toml: .*the file must be TOML"),
        ("a = " + "[" * 5000, r"ticklab\.toml: .*the file must be TOML"),
    ],
)
def test_a_mistake_in_the_settings_is_named(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "ticklab.toml"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UsageError, match=said):
        budget.read(file)
