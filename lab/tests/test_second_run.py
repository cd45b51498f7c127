# SPDX-License-Identifier: MIT
"""Tests that an explanation has the same totals as the counts: scenarios run for a short time, and
each is explained by a second run. Without --long, each scenario of Thread-Metric, and every fourth
scenario of the other suites, runs under one of the kernels that support it; the long test runs
every scenario under every configuration. The observer's own tests check explanations instruction by
instruction; this test checks them on kernels. The call tree of each span must add up to the
laboratory's counts of its plain samples, lane by lane. The kernel's rules must assign a kind of
work to all instructions (test_categories.py has the long test of that). The memory model with
caches is on, because its state depends on the whole run.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ticklab import building, paths
from ticklab.analysis import samples
from ticklab.analysis.samples import Flag, Samples
from ticklab.description import catalogue
from ticklab.description.model import Case, Config, Image, Kernel, Span, Variant
from ticklab.errors import TicklabError
from ticklab.explain import answer, categories, second_run
from ticklab.explain.second_run import About, FirstRun
from ticklab.measurement import cases, observation, support
from ticklab.targets.keeper import Keeper
from ticklab.targets.protocol import Cancel, ObservationPlan, until_instructions
from ticklab.targets.qemu import Qemu

BOARD = catalogue.find_board("mps2-an386")
PROFILE = catalogue.find_profile("stm32l4-80mhz")
INSTRUCTIONS = 400_000  # a start, a few samples, and a tick
JOBS = 2


Configured = tuple[str, str]  # kernel and configuration
VARIANTS: list[Configured] = [
    (kernel.name, name)
    for kernel in catalogue.kernels().values()
    if cases.runs_on(kernel, BOARD)
    for name, config in kernel.configs.items()
    if cases.has_core(config, BOARD)
]
RANKED = [
    (kernel, name) for kernel, name in VARIANTS if name in catalogue.find_kernel(kernel).ranked
]


@pytest.mark.parametrize("variant", RANKED, ids="-".join)
def test_an_explanation_adds_up_to_what_the_run_counted(
    variant: Configured, tmp_path: Path
) -> None:
    check(share()[variant], tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS, ids="-".join)
def test_the_explanation_of_every_scenario_adds_up(variant: Configured, tmp_path: Path) -> None:
    check(supported(variant), tmp_path)


def check(found: Sequence[Case], folder: Path) -> None:
    images = building.build(found, building.find_toolchain())

    def one(number: int) -> None:
        image = images[number]
        assert isinstance(image, Image), image
        run_and_explained(found[number], image.path, folder / f"{number}.log")

    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(one, range(len(found))))
    assert found


@cache
def share() -> dict[Configured, list[Case]]:
    """Returns the scenarios for each variant: each scenario goes to the variant that has the fewest
    so far of those that support it."""
    able: dict[str, list[tuple[Configured, Case]]] = {}
    for variant in RANKED:
        for case in supported(variant):
            able.setdefault(case.scenario.name, []).append((variant, case))
    frequent = [those for those in able.values() if is_frequent(those[0][1])]
    others = [those for those in able.values() if not is_frequent(those[0][1])]
    found: dict[Configured, list[Case]] = {variant: [] for variant in RANKED}
    for those in [*frequent, *others[::4]]:
        variant, case = min(those, key=lambda each: len(found[each[0]]))
        found[variant].append(case)
    return found


def is_frequent(case: Case) -> bool:
    return case.scenario.suite == "thread-metric"


def supported(variant: Configured) -> list[Case]:
    """Returns each scenario with spans once, with the first value of each parameter."""
    kernel = catalogue.find_kernel(variant[0])
    config = kernel.configs[variant[1]]
    proofs = [
        Case(Variant(kernel, config, BOARD, "O2", BOARD.clock_hz), proof)
        for proof in cases.conformance()
    ]
    measured = reversed(cases.expand(every(kernel, config)))
    first = {case.scenario.name: case for case in measured}
    found = [*filter(support.is_proof, proofs), *first.values()]
    able = (case for case in found if support.unsupported_reason(case) is None)
    return [case for case in able if case.scenario.spans]


def every(kernel: Kernel, config: Config) -> cases.CaseChoice:
    return cases.CaseChoice(
        kernels=[kernel.name],
        boards=[BOARD.name],
        suites=list(catalogue.suites()),
        configs=[config.name],
        optimise="O2",
    )


def run_and_explained(case: Case, image: Path, log: Path) -> None:
    runs, spans = Keeper(Qemu(paths.plugin()), log), case.scenario.spans
    seen = runs.observe(image, plan(case, image), Cancel())
    assert seen.log, seen.ending
    about = About(spans, case.scenario.expect.external, 0, case.variant.clock_hz, None)
    said = said_of(second_run.of(runs, image, about))
    for span, totals in zip(spans, said["spans"], strict=True):
        found = samples.extract(seen.log, span, case.scenario.expect.external, warm_up=0)
        summed = explained(found, span)
        assert totals["plain"] == len(summed)
        assert_same(totals["total"], summed.sum(axis=0))
    assert list(unassigned(case, said)) == []


def unassigned(case: Case, said: dict[str, Any]) -> Iterator[str]:
    """Yields the spans with instructions that no rule of the kernel assigns to a kind of work.
    Sweeps, which run to their own end, have no mean sample here."""
    if case.scenario.sweep:
        return
    explanation = answer.parse(said)
    for span in explanation.spans:
        name = f"{case.variant.subject}, {case.scenario.name}, {span.name}"
        try:
            rules = case.variant.kernel.categories
            categories.require_assigned(name, explanation, span, rules)
        except TicklabError as error:
            yield str(error)


def explained(found: Samples, span: Span) -> NDArray[np.int64]:
    """Returns the tallies whose sum is explained. If a span measures the cost of a tick, a sample
    counts only by how much it exceeds the first of the most frequent samples without a tick."""
    plain = found.clean if span.ticks is None else found.flags & ~np.uint8(Flag.TICK) == 0
    tallies: NDArray[np.int64] = found.tallies[plain]
    if span.ticks == "cost":
        calm = [tuple(tally) for tally in found.tallies[found.clean]]
        less = np.array(max(calm, key=Counter(calm).__getitem__))
        tallies = found.tallies[plain & (found.lane("systick") == 1)] - less
    return tallies


def plan(case: Case, image: Path) -> ObservationPlan:
    return replace(
        until_instructions(case.variant.board, INSTRUCTIONS),
        core=case.variant.core,
        marks=observation.marks_at_places(case, image).places,
        entries=case.scenario.entries,
        profile=PROFILE.data,
    )


def said_of(first: FirstRun) -> dict[str, Any]:
    """Returns the observer's answer about all spans."""
    asked = [second_run._span(span, first.about) for span in first.about.spans]
    with tempfile.TemporaryDirectory() as scratch:
        return second_run._ask(first, {"spans": asked}, Path(scratch))


def assert_same(sums: Sequence[int], counted: NDArray[np.int64]) -> None:
    """Sums are compared modulo 2**32, because a lane of the log wraps where one event corrects
    another (docs/reference/formats.md)."""
    assert not ((np.array(sums) - counted) % 2**32).any()


def test_a_run_that_differs_the_second_time_is_refused(tmp_path: Path) -> None:
    """The second image of the scenario has its code at other addresses: it counts the same, but its
    log ends with another address."""
    kernel = catalogue.find_kernel("freertos")
    case = next(each for each in supported(("freertos", "default")) if each.scenario.spans)
    both = [case, replace(case, variant=replace(case.variant, kernel=kernel, layout=1))]
    one, other = building.build(both, building.find_toolchain())
    assert isinstance(one, Image)
    assert isinstance(other, Image)
    runs = Keeper(Qemu(paths.plugin()), tmp_path / "events.log")
    runs.observe(one.path, plan(case, one.path), Cancel())
    about = About(case.scenario.spans, 0, 0, case.variant.clock_hz, None)
    first = second_run.of(runs, other.path, about)
    with pytest.raises(TicklabError, match="ran differently the second time") as caught:
        second_run.explain(first, case.scenario.spans[:1])
    assert len(str(caught.value).splitlines()) == 1
