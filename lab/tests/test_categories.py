# SPDX-License-Identifier: MIT
"""Checks that every kernel's rules assign a kind of work to its instructions, in every scenario.

The whole test checks Thread-Metric on RV32; test_second_run.py checks the runs that it explains,
of each scenario under one of the kernels. The long test has every scenario under every kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import pytest
import short_runs

from ticklab import paths
from ticklab.description import catalogue
from ticklab.description.kernel import read_kernel
from ticklab.description.model import Case, CategoryRule
from ticklab.errors import TicklabError
from ticklab.explain import categories, second_run
from ticklab.explain.answer import Code, Cost, Function
from ticklab.explain.second_run import FirstRun

# Spans of which every sample contains ticks: a short run has too few samples, and none without a
# tick.
OF_TICKS = {"delay-jitter", "late", "last", "calm"}
# Instructions for the start and three ticks on board `virt`, which has 390,625 in each tick period.
THREE_TICKS = 1_400_000


@pytest.mark.long
@pytest.mark.parametrize("kernel", short_runs.kernels())
def test_less_than_a_hundredth_is_unassigned_in_every_scenario(kernel: str, tmp_path: Path) -> None:
    mistakes_found = short_runs.each(kernel, tmp_path, mistakes)
    assert mistakes_found
    assert list(chain.from_iterable(mistakes_found)) == []


@pytest.mark.parametrize(("first", "kernel"), [(0, "freertos"), (1, "rt"), (2, "bulkhead")])
def test_nor_in_thread_metric_on_rv32(first: int, kernel: str, tmp_path: Path) -> None:
    """Checks a third of the scenarios of Thread-Metric under each kernel, so that each scenario is
    checked under one kernel."""
    found = short_runs.chosen(kernel, "virt")
    wanted = [case for case in found if case.scenario.suite == "thread-metric"][first::3]
    mistakes_found = short_runs.each_of(wanted, tmp_path, mistakes, THREE_TICKS)
    assert list(chain.from_iterable(mistakes_found)) == []


def mistakes(case: Case, first: FirstRun) -> Iterator[str]:
    answer = second_run.explain(first, first.about.spans)
    for span in answer.spans:
        name = f"{case.variant.subject}, {case.scenario.name}, {span.name}"
        if not span.plain and span.name not in OF_TICKS:
            yield f"{name}: no sample in {THREE_TICKS} instructions at most"
        try:
            categories.require_assigned(name, answer, span, case.variant.kernel.categories)
        except TicklabError as error:
            yield str(error)


def kind(function: Function, opcode: str, rules: Sequence[CategoryRule]) -> str:
    code = Code(0, opcode, 0, 0, None, 1.0, Cost())
    return categories.assigner([function], rules)(code)


@pytest.mark.parametrize(
    ("name", "file", "opcode", "expected"),
    [
        ("ferry_take", "ferry.c", "change-state b672", "critical-sections"),
        ("ferry_switch", "switch.S", "load-multiple e8b1", "registers"),
        ("take_first", "ferry.c", "load 6803", "ready-list"),
        ("ferry_take", "ferry.c", "load 6803", "bookkeeping"),
        ("interrupt_posts", "port.c", "load 6803", "api"),
        ("memcpy", None, "load 6803", "bookkeeping"),
        ("stay_ready", "tasks.h", "branch e7fe", "benchmark"),
        ("mystery", "elsewhere.c", "load 6803", "unassigned"),
    ],
)
def test_a_kernel_without_rules_gets_kinds_by_names_and_files(
    name: str, file: str | None, opcode: str, expected: str
) -> None:
    rules = read_kernel(paths.CHECKOUT / "docs" / "examples" / "ferry").categories
    assert categories.is_guessed(rules)
    assert kind(Function(name, 0, file, False, None, "code"), opcode, rules) == expected
    assert not categories.is_guessed(catalogue.find_kernel("freertos").categories)


@pytest.mark.parametrize("kernel", short_runs.kernels())
def test_the_work_of_a_scenario_is_the_benchmarks(kernel: str) -> None:
    """The rules of a kernel must not match functions of scenarios, whose names may begin with the
    same words."""
    rules = catalogue.find_kernel(kernel).categories
    function = Function("thread_0", 0, "cooperative_scheduling.c", False, None, "code")
    assert kind(function, "load 6818", rules) == "benchmark"
