# SPDX-License-Identifier: MIT
"""Every kernel's rules say what kind of work its instructions are, in every scenario.

The whole test checks Thread-Metric on RV32; test_second_run.py checks the runs that it explains,
of each scenario under one of the kernels. The long test has every scenario under every kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
import short_runs

from ticklab.description.model import Case
from ticklab.errors import TicklabError
from ticklab.explain import categories, second_run
from ticklab.explain.second_run import FirstRun

# Whose every sample has ticks inside: too few in a short time, and none plain.
OF_TICKS = {"delay-jitter"}
# Of board `virt`, with the start: 390,625 instructions each.
THREE_TICKS = 1_400_000


@pytest.mark.long
@pytest.mark.parametrize("kernel", short_runs.kernels())
def test_less_than_a_hundredth_is_unassigned_in_every_scenario(kernel: str, tmp_path: Path) -> None:
    mistakes_found = short_runs.each(kernel, tmp_path, mistakes)
    assert mistakes_found
    assert list(chain.from_iterable(mistakes_found)) == []


@pytest.mark.parametrize("kernel", ["freertos", "rt", "bulkhead"])
def test_nor_in_thread_metric_on_rv32(kernel: str, tmp_path: Path) -> None:
    found = short_runs.chosen(kernel, "virt")
    wanted = [case for case in found if case.scenario.suite == "thread-metric"][::2]
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
