# SPDX-License-Identifier: MIT
"""Tests means of spans: they are exact in every corner of the model, and there is none if one of
the spans has no figure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from synthetic import with_figures

from ticklab.comparison import means, selection
from ticklab.comparison.selection import Selection
from ticklab.description import catalogue
from ticklab.description.formulas import Loss, Mean, Total
from ticklab.description.model import (
    Cycles,
    Lane,
    NotMeasured,
    Record,
    Run,
    Sampled,
    Stats,
    Status,
    Suite,
)
from ticklab.description.suite import read_suite
from ticklab.errors import TicklabError, UsageError

LANES = (
    Lane("instructions", None, None, "counted"),
    Lane("cycles", 1.0, 1.0, "by definition"),
    Lane("refill", 1.0, 3.0, "a manual"),
)
NUMBER = Mean("number", ((("a", "a"),), (("b", "x"), ("b", "y"))))
SUITE = Suite("six", "Six", "a journal", Path(), (), (NUMBER,))


def stats(value: float) -> Stats:
    return Stats(9, value, value, value, value, value, value, value)


def record(scenario: str, span: str, cycles: float, refill: float) -> Record:
    tally = {"instructions": cycles - 1, "entered": 1.0, "reads": 2.0, "writes": 3.0}
    return Record(
        kernel="kernel",
        config="default",
        optimise="O2",
        board="board",
        suite="six",
        scenario=scenario,
        span=span,
        params={},
        layout=0,
        result=Sampled(
            instructions=stats(cycles - 1),
            cycles=Cycles(stats(cycles + refill), stats(cycles + 3 * refill), "zero-wait"),
            lanes={**tally, "cycles": cycles, "refill": refill},
        ),
    )


PARTS = [record("a", "a", 10, 1), record("b", "x", 20, 2), record("b", "y", 40, 0)]


def test_a_mean_is_the_mean_of_terms_which_may_be_sums() -> None:
    (found,) = means.records(PARTS, [SUITE], {"board": LANES})
    assert (found.scenario, found.status) == ("number", Status.PASS)
    assert found.formula == "(a + b x + b y) / 2"
    assert found.figures.instructions
    assert found.figures.instructions.mean == (9 + 19 + 39) / 2
    assert found.figures.cycles
    assert found.figures.cycles.low.mean == (70 + 3) / 2
    assert found.figures.cycles.high.mean == (70 + 3 * 3) / 2
    assert found.figures.exceptions == 3 / 2


def test_without_one_of_its_parts_a_mean_has_no_figure() -> None:
    absent = replace(PARTS[1], result=NotMeasured(Status.UNSUPPORTED, "kernel has no x"))
    found, _ = means.records([PARTS[0], absent, PARTS[2]], [SUITE], {"board": LANES})
    assert (found.status, found.reason) == (Status.UNSUPPORTED, "kernel has no x")
    assert found.figures.instructions is None
    assert not means.records(PARTS[:2], [SUITE], {"board": LANES}), "b/y was not asked for"


def lacking(kernel: str, span: str) -> list[Record]:
    """Returns the records of another kernel, which lacks the service of this span."""
    absent = NotMeasured(Status.UNSUPPORTED, f"{kernel} has no {span}")
    parts = [replace(part, kernel=kernel) for part in PARTS]
    return [replace(part, result=absent) if part.span == span else part for part in parts]


def test_where_a_kernel_lacks_a_part_all_have_the_mean_of_the_common_parts() -> None:
    none = [replace(part, kernel="none", result=lacking("none", "a")[0].result) for part in PARTS]
    found = means.records([*PARTS, *lacking("other", "x"), *none], [SUITE], {"board": LANES})
    assert {(each.kernel, each.scenario): each.status for each in found} == {
        ("kernel", "number"): Status.PASS,
        ("kernel", "number-common"): Status.PASS,
        ("other", "number"): Status.UNSUPPORTED,
        ("other", "number-common"): Status.PASS,
        ("none", "number"): Status.UNSUPPORTED,
        ("none", "number-common"): Status.UNSUPPORTED,
    }
    common = [each for each in found if each.scenario == "number-common"]
    (formula,) = {each.formula for each in common}
    assert formula == "(a) / 1, the 1 of 2 parts that every kernel of the run has"
    assert [each.counted for each in common] == [9, 9, None]


def test_a_part_that_failed_is_not_left_out() -> None:
    failed = replace(PARTS[0], result=NotMeasured(Status.FAIL, "lost"))
    found = means.records([failed, *PARTS[1:], *lacking("other", "x")], [SUITE], {"board": LANES})
    (mine, theirs) = (each for each in found if each.scenario == "number-common")
    assert (mine.status, theirs.status) == (Status.FAIL, Status.PASS)


def test_means_of_different_parts_are_not_compared() -> None:
    one = means.records([*PARTS, *lacking("other", "x")], [SUITE], {"board": LANES})
    suite = replace(SUITE, means=(replace(NUMBER, terms=(*NUMBER.terms, (("b", "x"),))),))
    other = means.records([*PARTS, *lacking("other", "x")], [suite], {"board": LANES})
    runs = [Selection(Run(name, {}, found), found) for name, found in (("1", one), ("2", other))]
    with pytest.raises(TicklabError, match="have no scenario in common"):
        selection.pair(*runs)


def test_counted_runs_have_counted_means() -> None:
    counted = [with_figures(part, cycles=None) for part in PARTS]
    (found,) = means.records(counted, [SUITE], {})
    assert found.figures.instructions
    assert found.figures.cycles is None


def test_a_loss_is_what_is_more_in_passes_of_the_work() -> None:
    """The loss is 2 × ((20 + 2 refill) - (10 + refill)) cycles, in which the program would make so
    many passes of 40 cycles."""
    suite = replace(SUITE, means=(), losses=(Loss("lost", ("b", "x"), ("a", "a"), 2, ("b", "y")),))
    (found,) = means.records(PARTS, [suite], {"board": LANES})
    assert found.formula == "2 × (b x - a)"
    assert found.figures.instructions
    assert found.figures.instructions.mean == 2 * (19 - 9)
    assert found.figures.cycles
    assert (found.figures.cycles.low.mean, found.figures.cycles.high.mean) == (2 * 11, 2 * 13)
    assert found.figures.per_second
    rate = found.figures.per_second
    assert (rate.low, rate.high) == (2 * 11 / 40, 2 * 13 / 40)
    (counted,) = means.records([with_figures(part, cycles=None) for part in PARTS], [suite], {})
    assert counted.figures.per_second is None


def test_a_total_is_the_sum_of_losses() -> None:
    lost = Loss("lost", ("b", "x"), ("a", "a"), 2, ("b", "y"))
    again = replace(lost, name="again", times=1)
    suite = replace(SUITE, means=(), totals=(Total("all", (lost, again)),))
    (found,) = means.records(PARTS, [suite], {"board": LANES})
    assert found.formula == "lost + again"
    assert found.counted == 3 * (19 - 9)
    rate = found.figures.per_second
    assert rate
    assert (rate.low, rate.high) == (3 * 11 / 40, 3 * 13 / 40)


def test_a_total_of_an_unknown_loss_is_refused(tmp_path: Path) -> None:
    dhrystone = catalogue.find_suite("dhrystone")
    text = (dhrystone.folder / "suite.toml").read_text()
    for scenario in dhrystone.scenarios:
        (tmp_path / scenario.file.name).touch()
    wrong = text.replace('    "lost-to-message-passing",', '    "lost-to-messages",')
    (tmp_path / "suite.toml").write_text(wrong)
    with pytest.raises(UsageError, match="names 'lost-to-messages'"):
        read_suite(tmp_path)


def test_a_mean_of_what_no_scenario_has_is_refused(tmp_path: Path) -> None:
    rhealstone = catalogue.find_suite("rhealstone").folder
    text = (rhealstone / "suite.toml").read_text().replace("message/latency", "message/lateness")
    for scenario in catalogue.find_suite("rhealstone").scenarios:
        (tmp_path / scenario.file.name).touch()
    (tmp_path / "suite.toml").write_text(text)
    with pytest.raises(UsageError, match=r"rhealstone-1990.*message/lateness"):
        read_suite(tmp_path)
