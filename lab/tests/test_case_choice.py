# SPDX-License-Identifier: MIT
"""Tests which cases a command line selects, and which compiler level `--optimise best` selects."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from synthetic import with_figures

from ticklab import paths
from ticklab.comparison import best_level
from ticklab.description import catalogue
from ticklab.description.model import Cycles, NotMeasured, Record, Sampled, Stats, Status
from ticklab.errors import UsageError
from ticklab.measurement import cases, support

EVERYTHING = cases.CaseChoice(
    boards=["mps2-an386"],
    suites=["thread-metric"],
    optimise="O2",
)


def stats(mean: float) -> Stats:
    return Stats(1, mean, mean, mean, mean, mean, mean, mean)


def record(optimise: str, scenario: str, low: float, high: float) -> Record:
    return Record(
        kernel="kernel",
        config="default",
        optimise=optimise,
        board="board",
        suite="suite",
        scenario=scenario,
        span="span",
        params={},
        layout=0,
        result=Sampled(cycles=Cycles(stats(low), stats(high), "zero-wait")),
    )


def test_a_kernel_may_name_its_configuration() -> None:
    ferry = str(paths.CHECKOUT / "docs" / "examples" / "ferry")
    words = ["freertos/time-slicing", "bulkhead", f"{ferry}/priority-order"]
    found = cases.expand(replace(EVERYTHING, kernels=words, scenarios=["bare-increment"]))
    assert sorted((case.variant.kernel.name, case.variant.config.name) for case in found) == [
        ("bulkhead", "default"),
        ("bulkhead", "process-each"),
        ("ferry", "priority-order"),
        ("freertos", "time-slicing"),
    ]
    with pytest.raises(UsageError, match=r"no configuration of freertos 'time-slicin'; did you"):
        cases.expand(replace(EVERYTHING, kernels=["freertos/time-slicin"]))
    with pytest.raises(
        UsageError, match=r"every kernel is named with its configuration; leave out"
    ):
        cases.expand(replace(EVERYTHING, kernels=words[:1], configs=["default"]))


def test_the_default_is_every_kernel_in_every_scenario() -> None:
    found = cases.expand(EVERYTHING)
    assert {case.variant.kernel.name for case in found} >= {"null", "freertos", "rt"}
    assert len({case.scenario.name for case in found}) == 11
    assert {(case.variant.optimise, case.variant.clock_hz) for case in found} == {
        ("O2", 25_000_000)
    }
    assert all(case.variant.config.name in case.variant.kernel.ranked for case in found)


def test_the_same_choice_holds_for_every_kernel() -> None:
    choice = replace(
        EVERYTHING,
        kernels=["null", "rt"],
        boards=["mps2-an385", "mps2-an386"],
        scenarios=["bare-increment"],
        layouts=2,
    )
    found = cases.expand(replace(choice, optimise="best", samples=7, clock_hz=80_000_000))
    assert len(found) == 2 * 2 * 6 * 2
    assert {case.variant.layout for case in found} == {0, 1}
    assert {case.scenario.plan.samples for case in found} == {7}
    assert {case.variant.clock_hz for case in found} == {80_000_000}


def test_a_configuration_selects_the_kernels_that_have_it() -> None:
    found = cases.expand(replace(EVERYTHING, configs=["cubemx"]))
    assert {case.variant.kernel.name for case in found} == {"freertos"}


def test_a_named_kernel_must_have_the_configuration() -> None:
    with pytest.raises(UsageError, match="configuration of null 'cubemx'"):
        cases.expand(replace(EVERYTHING, kernels=["null"], configs=["cubemx"]))


def test_two_kernels_of_one_name_are_refused(tmp_path: Path) -> None:
    shutil.copytree(paths.CHECKOUT / "kernels" / "null", tmp_path / "mine")
    choice = replace(EVERYTHING, kernels=["null", str(tmp_path / "mine")])
    with pytest.raises(UsageError, match=r"two kernels are called 'null'; .*mine another name"):
        cases.expand(choice)


def test_a_parameter_that_no_scenario_has_is_refused() -> None:
    with pytest.raises(UsageError, match="parameter 'bytes'"):
        cases.expand(replace(EVERYTHING, params={"bytes": ["4"]}))


SWITCH = replace(
    EVERYTHING, kernels=["null"], suites=["services"], scenarios=["cooperative-switch"]
)


def variants(choice: cases.CaseChoice) -> list[tuple[str, str]]:
    found = [case.scenario.params for case in cases.expand(choice)]
    return [(params["tasks"], params["fpu"]) for params in found]


def test_each_parameter_varies_with_the_others_at_their_first_value() -> None:
    usual = ("1", "unused")
    assert variants(SWITCH) == [usual, ("10", "unused"), ("50", "unused"), ("1", "used")]


def test_a_parameter_that_is_chosen_does_not_vary() -> None:
    assert variants(replace(SWITCH, params={"tasks": ["7"]})) == [("7", "unused"), ("7", "used")]
    assert variants(replace(SWITCH, params={"tasks": ["7"], "fpu": ["used"]})) == [("7", "used")]


def test_a_parameter_takes_each_value_that_is_chosen() -> None:
    chosen = {"tasks": ["7", "8"], "fpu": ["used"]}
    assert variants(replace(SWITCH, params=chosen)) == [("7", "used"), ("8", "used")]


def test_parameters_of_a_grid_vary_together() -> None:
    choice = replace(
        EVERYTHING,
        kernels=["bulkhead-rtu"],
        boards=["ibex-multi"],
        suites=["multiprocessor"],
        scenarios=["task-switch"],
        configs=["default"],
        params={"active": ["2"]},
    )
    found = [case.scenario.params for case in cases.expand(choice)]
    every = {(each["bus_latency"], each["placement"]) for each in found}
    assert len(found) == len(every) == 6
    assert every >= {("100", "master"), ("8", "slave")}


@pytest.mark.parametrize(("name", "value"), [("tasks", "many"), ("fpu", "1"), ("fpu", "half")])
def test_a_value_of_another_kind_is_refused(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"parameter {name} is '{value}'"):
        cases.expand(replace(SWITCH, params={name: [value]}))


def test_all_suites_are_those_without_sweeps() -> None:
    suites = {case.scenario.suite for case in cases.expand(replace(EVERYTHING, suites=["all"]))}
    assert suites >= {"thread-metric", "services"}
    assert "worst-case" not in suites


def test_rows_are_in_the_order_of_their_suite_whatever_else_is_asked_for() -> None:
    def order(suite: str, suites: list[str], scenarios: Sequence[str] = ()) -> list[str]:
        choice = replace(EVERYTHING, kernels=["freertos"], suites=suites, scenarios=scenarios)
        found = cases.expand(choice)
        return list(dict.fromkeys(c.scenario.name for c in found if c.scenario.suite == suite))

    for suite in catalogue.suites().values():
        declared = [scenario.name for scenario in suite.scenarios]
        every = list(catalogue.suites())
        assert order(suite.name, [suite.name]) == declared
        assert order(suite.name, every) == declared
        assert order(suite.name, every[::-1]) == declared
        assert order(suite.name, [suite.name], declared[::-1]) == declared


def test_an_fpu_is_used_where_there_is_one() -> None:
    choice = replace(SWITCH, kernels=["rt"], boards=["mps2-an385", "mps2-an386"])
    found = cases.expand(replace(choice, params={"fpu": ["used"], "tasks": ["1"]}))
    assert [support.unsupported_reason(case) for case in found] == ["cortex-m3 has no FPU", None]


def test_conformance_is_a_verdict_and_no_samples() -> None:
    proofs = cases.conformance()
    assert proofs
    assert all(not scenario.spans for scenario in proofs)


def test_the_best_level_has_the_least_geometric_mean() -> None:
    """O2 and Os: sqrt(10 * 90) = sqrt(30 * 30) = 30. O3: sqrt(20 * 40) = 28.3."""
    found = [
        *(record("O2", "x", 8, 12), record("O2", "y", 80, 100)),
        *(record("O3", "x", 20, 20), record("O3", "y", 40, 40)),
        *(record("Os", "x", 30, 30), record("Os", "y", 30, 30)),
    ]
    assert {r.optimise for r in best_level.choose(found)} == {"O3"}


def test_what_does_not_exercise_the_kernel_chooses_no_level() -> None:
    def idle(optimise: str, low: float) -> Record:
        return replace(record(optimise, "loop", low, low), exercises_kernel=False)

    found = [record("Os", "a", 10, 10), idle("Os", 900), record("O2", "a", 11, 11), idle("O2", 1)]
    assert {one.optimise for one in best_level.choose(found)} == {"Os"}
    alone = [idle("Os", 900), idle("O2", 1)]
    assert {one.optimise for one in best_level.choose(alone)} == {"O2"}


def test_a_level_at_which_something_fails_is_not_the_best() -> None:
    failed = replace(record("O3", "x", 1, 1), result=NotMeasured(Status.FAIL, "wrong"))
    found = [record("O2", "x", 8, 12), failed]
    assert [r.optimise for r in best_level.choose(found)] == ["O2"]


def test_each_kernel_has_a_best_level_of_its_own() -> None:
    other = [
        replace(record(level, "x", cost, cost), kernel="other")
        for level, cost in (("O2", 5), ("Os", 4))
    ]
    found = [record("O2", "x", 1, 1), record("Os", "x", 2, 2), *other]
    assert [(r.kernel, r.optimise) for r in best_level.choose(found)] == [
        *(("kernel", "O2"), ("other", "Os"))
    ]


def test_counts_decide_where_nothing_is_modelled() -> None:
    found = [
        with_figures(record(level, "x", 1, 1), cycles=None, instructions=stats(count))
        for level, count in (("O2", 9), ("O3", 8))
    ]
    assert [r.optimise for r in best_level.choose(found)] == ["O3"]


def test_a_configuration_may_change_core_tick_and_features() -> None:
    choice = replace(EVERYTHING, kernels=["freertos"], configs=["default", "fpu-off", "tick-1khz"])
    default, without_fpu, fast_tick = (
        next(case for case in cases.expand(choice) if case.variant.config.name == name)
        for name in ("default", "fpu-off", "tick-1khz")
    )
    assert (default.variant.core.name, without_fpu.variant.core.name) == ("cortex-m4f", "cortex-m4")
    assert without_fpu.variant.core.flags != default.variant.core.flags
    assert (default.variant.tick_hz, fast_tick.variant.tick_hz) == (100, 1000)

    asserting = replace(EVERYTHING, kernels=["freertos"], configs=["asserts"])
    assert cases.expand(asserting)[0].features["checks"] == "configASSERT"
    assert default.features["checks"] is False


def test_a_core_that_the_board_lacks_is_named() -> None:
    choice = replace(EVERYTHING, kernels=["freertos"], configs=["fpu-off"], boards=["mps2-an385"])
    with pytest.raises(UsageError, match=r"fpu-off needs core cortex-m4, .*mps2-an385"):
        cases.expand(choice)


def test_a_suite_of_another_board_is_refused_for_the_board_s_sake() -> None:
    for board, suite in (("mps2-an386", "multiprocessor"), ("ibex", "worst-case")):
        found = cases.expand(replace(EVERYTHING, boards=[board], suites=[suite]))
        reasons = {support.unsupported_reason(case) for case in found}
        assert len(reasons) == 1
        assert str(reasons.pop()).startswith(f"not for this board: {board} has ")
