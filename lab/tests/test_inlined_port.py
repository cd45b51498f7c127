# SPDX-License-Identifier: MIT
"""Tests that the services of a port are inlined into the scenario, and that the kernel gets the
same calls as from a port that is called."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import short_runs

from ticklab import paths
from ticklab.description.model import Case, Status
from ticklab.explain import categories, port_code, second_run
from ticklab.explain.answer import Explanation, Node
from ticklab.explain.second_run import FirstRun
from ticklab.measurement import campaign, environment
from ticklab.measurement.progress import Lines
from ticklab.storage.store import Store
from ticklab.targets.protocol import Cancel

THREAD_METRIC_PORT = paths.CHECKOUT / "lab" / "tests" / "fixtures" / "tm-port-freertos"
SERVICES = frozenset(
    re.findall(
        r"(?:BENCH|TM)_SERVICE(?:_VOID)? [^;(]*?(\w+)\(",
        "".join(
            (paths.CHECKOUT / "bench" / "include" / name).read_text()
            for name in ("bench/port.h", "thread_metric/tm_external.h")
        ),
    )
)


SEMAPHORE = "synchronization"


def cases_of(kernel: str, optimise: str = "O2") -> list[Case]:
    found = short_runs.chosen(kernel)
    return [
        each.varied(optimise=optimise) for each in found if each.scenario.suite == "thread-metric"
    ]


def calls(case: Case, answer: Explanation) -> Iterator[str]:
    """Yields the mean calls, in a sample, of each function outside the scenario and the port."""
    for span in answer.spans:
        found: defaultdict[str, float] = defaultdict(float)
        for node in span.nodes:
            if is_kernels(answer, node):
                found[node.name] += node.calls
        for name, count in sorted(found.items()):
            yield f"{case.scenario.name} {span.name} {name} {count:.1f}"


def is_kernels(answer: Explanation, node: Node) -> bool:
    if node.kind == "exception":
        return True
    if node.kind != "function" or node.function is None or not node.calls:
        return False
    file = answer.functions[node.function].file
    return node.name not in SERVICES and file not in categories.benchmark_files()


# With this attribute, the compiler assumes that the function depends only on its arguments, and may
# move and merge its calls. This is wrong for a function of the kernel.
PLANTED = """struct QueueDefinition;
long xQueueSemaphoreTake(struct QueueDefinition *, unsigned long) __attribute__((const));
"""


def planted(level: str, header: Path) -> Case:
    (case,) = (one for one in cases_of("freertos", level) if one.scenario.name == SEMAPHORE)
    flags = (*case.variant.kernel.flags, "-include", str(header))
    scenario = replace(case.scenario, plan=replace(case.scenario.plan, samples=50))
    return Case(replace(case.variant, kernel=replace(case.variant.kernel, flags=flags)), scenario)


def test_a_port_whose_work_the_optimiser_removes_is_caught(tmp_path: Path) -> None:
    """It may remove the work only where the port is part of the scenario."""
    header = tmp_path / "planted.h"
    header.write_text(PLANTED)
    store, progress = Store(tmp_path / "store"), Lines(io.StringIO())
    store.open_for_writing()
    profiles = {short_runs.BOARD: None}
    lab = environment.equip(store, profiles, 2, progress, lambda _: False, skip_conformance=True)
    wanted = [planted(level, header) for level in ("O2", "O2+called")]
    found = campaign.measure(lab, wanted, progress, Cancel()).records
    assert [one.status for one in found] == [Status.FAIL, Status.PASS]
    assert "semaphore" in str(found[0].reason)


def miscounted(case: Case, first: FirstRun, answer: Explanation) -> Iterator[str]:
    """Yields spans in which the instructions that a run counts as the port's, by their addresses,
    are not those of category `api`."""
    rules = case.variant.kernel.categories
    ranges = port_code.ranges(first.image, rules)
    for span in answer.spans:
        api = categories.costs(answer, span, rules)[categories.PORT].instructions
        inside = sum(
            code.own.instructions
            for code in span.code
            if any(begin <= code.address < end for begin, end in ranges)
        )
        if inside != pytest.approx(api) or not ranges:
            yield f"{case.scenario.name}: {inside:g} in the ranges, {api:g} of the category"


def called_services(case: Case, answer: Explanation) -> Iterator[str]:
    for span in answer.spans:
        named = (node.name for node in span.nodes if node.kind == "function" and node.calls)
        yield from (f"{case.scenario.name}: {name}" for name in named if name in SERVICES)


def inlined_answer(case: Case, first: FirstRun) -> Iterator[list[str]]:
    """Yields the calls of the kernel's functions, and then the faults that were found. The
    interrupt of a Thread-Metric port calls back into the harness, which calls a service."""
    answer = second_run.explain(first, first.about.spans)
    yield list(calls(case, answer))
    is_called_back = (
        case.variant.kernel.interface == "thread-metric" and case.scenario.expect.external
    )
    wrong = [*miscounted(case, first, answer), *called_services(case, answer)]
    yield [] if is_called_back else wrong


def called_answer(case: Case, first: FirstRun) -> Iterator[str]:
    return calls(case, second_run.explain(first, first.about.spans))


def in_turn(found: Sequence[Case]) -> list[Case]:
    """Returns one case for each scenario, in one configuration after another."""
    groups: defaultdict[str, list[Case]] = defaultdict(list)
    for case in found:
        groups[case.scenario.name].append(case)
    return [each[number // 2 % len(each)] for number, each in enumerate(groups.values())]


@pytest.mark.parametrize("kernel", ["freertos", "rt", "bulkhead", str(THREAD_METRIC_PORT)])
@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.long)])
def test_the_services_are_inlined_and_the_kernel_gets_the_calls_that_it_got(
    kernel: str, step: int, tmp_path: Path
) -> None:
    """Without --long, each scenario has one configuration, and every second scenario is also built
    with a port that is called."""
    assert len(SERVICES) > 30
    chosen = cases_of(kernel) if step == 1 else in_turn(cases_of(kernel))
    inlined = short_runs.each_of(chosen, tmp_path, inlined_answer)
    assert inlined
    assert [wrong for _, wrong in inlined if wrong] == []
    if kernel != str(THREAD_METRIC_PORT):
        (tmp_path / "called").mkdir()
        others = [case.varied(optimise="O2+called") for case in chosen[::step]]
        called = short_runs.each_of(others, tmp_path / "called", called_answer)
        assert sum(map(len, called)) > 2 * len(called)
        assert [counts for counts, _ in inlined][::step] == called


def work(case: Case, first: FirstRun) -> Iterator[str]:
    """Yields a line for each kind of work in the mean sample: the category and the number of its
    instructions."""
    answer = second_run.explain(first, first.about.spans)
    (span,) = answer.spans
    for category, cost in categories.costs(answer, span, case.variant.kernel.categories).items():
        yield f"{category} {cost.instructions:.3f}"


@pytest.mark.parametrize("kernel", ["freertos", "rt", "bulkhead"])
def test_only_the_port_and_the_scenario_take_fewer_instructions(
    kernel: str, tmp_path: Path
) -> None:
    port, kernels = {}, {}
    for level in ("O2", "O2+called"):
        folder = tmp_path / level
        folder.mkdir()
        found = [one for one in cases_of(kernel, level) if one.scenario.name == SEMAPHORE]
        parts = [line.split() for line in short_runs.each_of(found, folder, work)[0]]
        figures = {category: float(count) for category, count in parts}
        port[level] = figures.pop("api")
        figures.pop("benchmark")
        if kernel == "bulkhead":  # its library, which passes arguments, is inlined as well
            figures.pop("bookkeeping")
        kernels[level] = figures
    assert kernels["O2"] == kernels["O2+called"]
    assert port["O2"] < port["O2+called"]
