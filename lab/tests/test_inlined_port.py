# SPDX-License-Identifier: MIT
"""At a level with "+inline", the services of a port are part of the scenario, and the kernel gets
every call that it gets from a port that is called."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
import short_recordings

from ticklab import paths
from ticklab.description.model import Case
from ticklab.explain import categories, replay
from ticklab.explain.answer import Explanation, Node
from ticklab.storage.recordings import Recording

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


def cases_of(kernel: str, optimise: str = "O2+inline") -> list[Case]:
    found = short_recordings.chosen(kernel)
    return [
        each.varied(optimise=optimise) for each in found if each.scenario.suite == "thread-metric"
    ]


def calls(case: Case, recording: Recording) -> Iterator[str]:
    """Yields the mean calls, in a sample, of each function outside the scenario and the port."""
    answer = replay.explain(recording, recording.about.spans)
    for span in answer.spans:
        found: defaultdict[str, float] = defaultdict(float)
        for node in span.nodes:
            if is_kernels(answer, node):
                found[node.name] += node.calls
        for name, count in sorted(found.items()):
            yield f"{case.variant.subject} {case.scenario.name} {name} {count:.1f}"


def is_kernels(answer: Explanation, node: Node) -> bool:
    if node.kind == "exception":
        return True
    if node.kind != "function" or node.function is None or not node.calls:
        return False
    file = answer.functions[node.function].file
    return node.name not in SERVICES and file not in categories.benchmark_files()


@pytest.mark.parametrize("kernel", ["freertos", "rt", "bulkhead"])
def test_the_kernel_gets_the_calls_that_it_got_from_a_port_that_is_called(
    kernel: str, tmp_path: Path
) -> None:
    inlined = short_recordings.each_of(cases_of(kernel), tmp_path, calls)
    (tmp_path / "called").mkdir()
    called = short_recordings.each_of(cases_of(kernel, "O2"), tmp_path / "called", calls)
    assert sum(map(len, called)) > 2 * len(called)
    assert inlined == called


def called_services(case: Case, recording: Recording) -> Iterator[str]:
    """The interrupt of a Thread-Metric port calls back into the harness, which calls a service."""
    answer = replay.explain(recording, recording.about.spans)
    if case.variant.kernel.interface == "thread-metric" and case.scenario.expect.external:
        return
    for span in answer.spans:
        named = (node.name for node in span.nodes if node.kind == "function" and node.calls)
        yield from (f"{case.scenario.name}: {name}" for name in named if name in SERVICES)


@pytest.mark.parametrize("kernel", ["freertos", "rt", "bulkhead", str(THREAD_METRIC_PORT)])
def test_no_service_is_called(kernel: str, tmp_path: Path) -> None:
    assert len(SERVICES) > 30
    found = short_recordings.each_of(cases_of(kernel), tmp_path, called_services)
    assert found
    assert [each for each in found if each] == []


def work(case: Case, recording: Recording) -> Iterator[str]:
    """Yields the category and the instructions of each kind of work in the mean sample."""
    answer = replay.explain(recording, recording.about.spans)
    (span,) = answer.spans
    for category, cost in categories.costs(answer, span, case.variant.kernel.categories).items():
        yield f"{category} {cost.instructions:.3f}"


@pytest.mark.parametrize("kernel", ["freertos", "rt", "bulkhead"])
def test_only_the_port_and_the_scenario_take_fewer_instructions(
    kernel: str, tmp_path: Path
) -> None:
    port, kernels = {}, {}
    for level in ("O2", "O2+inline"):
        folder = tmp_path / level
        folder.mkdir()
        found = [one for one in cases_of(kernel, level) if one.scenario.name == "synchronization"]
        parts = [line.split() for line in short_recordings.each_of(found, folder, work)[0]]
        figures = {category: float(count) for category, count in parts}
        port[level] = figures.pop("api")
        figures.pop("benchmark")
        kernels[level] = figures
    assert kernels["O2"] == kernels["O2+inline"]
    assert 0 < port["O2+inline"] < port["O2"]
