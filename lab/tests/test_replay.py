# SPDX-License-Identifier: MIT
"""The same totals by replay as by counting: scenarios are recorded for a moment, and each recording
is replayed.

The whole test gives each scenario to one of the kernels that support it, and Thread-Metric to every
kernel; the long test runs every scenario under every configuration. The log of the
replay must be that of the run, byte for byte, and the call tree of each span must add up to what
the laboratory counts for its plain samples, lane by lane. The kernel's rules must say what kind of
work the instructions are (test_categories.py has the long test of that). The memory model with
caches is on, because it depends on more of a recording than any other part.
"""

from __future__ import annotations

import json
import subprocess
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
from ticklab.explain import answer, categories, replay
from ticklab.measurement import cases, observation, support
from ticklab.storage.recordings import About
from ticklab.targets import eventlog
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
    for name in kernel.configs
]
RANKED = [
    (kernel, name) for kernel, name in VARIANTS if name in catalogue.find_kernel(kernel).ranked
]
Logs = dict[int, bytes]


@pytest.fixture
def logs(monkeypatch: pytest.MonkeyPatch) -> Logs:
    """The bytes of each event log that was read, by the identity of what they came to."""
    kept: Logs = {}
    read = eventlog.parse

    def parse(data: bytes, name: str) -> eventlog.EventLog:
        log = read(data, name)
        kept[id(log)] = data
        return log

    monkeypatch.setattr(eventlog, "parse", parse)
    return kept


@pytest.mark.parametrize("variant", RANKED, ids="-".join)
def test_a_replay_counts_what_the_run_counted(
    variant: Configured, tmp_path: Path, logs: Logs
) -> None:
    check(share()[variant], tmp_path, logs)


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS, ids="-".join)
def test_a_replay_of_every_scenario_counts_it(
    variant: Configured, tmp_path: Path, logs: Logs
) -> None:
    check(supported(variant), tmp_path, logs)


def check(found: Sequence[Case], folder: Path, logs: Logs) -> None:
    images = building.build(found, building.find_toolchain())

    def one(number: int) -> None:
        image = images[number]
        assert isinstance(image, Image), image
        own = folder / str(number)
        own.mkdir()
        recorded_and_replayed(found[number], image.path, own, logs)

    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(one, range(len(found))))
    assert found


@cache
def share() -> dict[Configured, list[Case]]:
    """Each scenario under one of the variants that support it, in turn; Thread-Metric under all."""
    able: dict[str, list[tuple[Configured, Case]]] = {}
    for variant in RANKED:
        for case in supported(variant):
            able.setdefault(case.scenario.name, []).append((variant, case))
    found: dict[Configured, list[Case]] = {variant: [] for variant in RANKED}
    for number, those in enumerate(able.values()):
        is_everywhere = those[0][1].scenario.suite == "thread-metric"
        for variant, case in those if is_everywhere else [those[number % len(those)]]:
            found[variant].append(case)
    return found


def supported(variant: Configured) -> list[Case]:
    """Each scenario once, with its first parameters."""
    kernel = catalogue.find_kernel(variant[0])
    config = kernel.configs[variant[1]]
    proofs = [
        Case(Variant(kernel, config, BOARD, "O2", BOARD.clock_hz), proof)
        for proof in cases.conformance()
    ]
    measured = reversed(cases.expand(every(kernel, config)))
    first = {case.scenario.name: case for case in measured}
    found = [*filter(support.is_proof, proofs), *first.values()]
    return [case for case in found if support.unsupported_reason(case) is None]


def every(kernel: Kernel, config: Config) -> cases.CaseChoice:
    return cases.CaseChoice(
        kernels=[kernel.name],
        boards=[BOARD.name],
        suites=list(catalogue.suites()),
        configs=[config.name],
        optimise="O2",
    )


def recorded_and_replayed(case: Case, image: Path, folder: Path, logs: Logs) -> None:
    blocks = folder / "blocks"
    observation = Qemu(paths.plugin()).observe(image, plan(case, image, blocks), Cancel())
    assert observation.log, observation.ending
    spans = case.scenario.spans
    said = replayed(case, image, folder)
    assert (folder / "events.log").read_bytes() == logs[id(observation.log)]
    for span, totals in zip(spans, said.get("spans", ()), strict=True):
        found = samples.extract(observation.log, span, case.scenario.expect.external, warm_up=0)
        summed = explained(found, span)
        assert totals["plain"] == len(summed)
        assert_same(totals["total"], summed.sum(axis=0))
    assert list(unassigned(case, said)) == []


def unassigned(case: Case, said: dict[str, Any]) -> Iterator[str]:
    """Yields the spans with instructions that no rule of the kernel assigns to a kind of work.
    Sweeps, which run to their own end, have no mean sample here."""
    if not said or case.scenario.sweep:
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
    """Returns the tallies whose sum is explained. A sample that is the cost of a tick is the excess
    over the first of the most frequent samples without one."""
    plain = found.clean if span.ticks is None else found.flags & ~np.uint8(Flag.TICK) == 0
    tallies: NDArray[np.int64] = found.tallies[plain]
    if span.ticks == "cost":
        calm = [tuple(tally) for tally in found.tallies[found.clean]]
        less = np.array(max(calm, key=Counter(calm).__getitem__))
        tallies = found.tallies[plain & (found.lane("systick") == 1)] - less
    return tallies


def plan(case: Case, image: Path, blocks: Path) -> ObservationPlan:
    return replace(
        until_instructions(case.variant.board, INSTRUCTIONS),
        core=case.variant.core,
        marks=observation.marks_at_places(case, image).places,
        entries=case.scenario.entries,
        profile=PROFILE.data,
        record=blocks,
    )


def replayed(case: Case, image: Path, folder: Path) -> dict[str, Any]:
    """Leaves `events.log`, and returns the answer about the spans; an empty one without spans."""
    about = About(
        case.scenario.spans, case.scenario.expect.external, 0, case.variant.clock_hz, None
    )
    words: list[str | Path] = [
        paths.explainer(),
        image,
        folder / "blocks",
        "--log",
        folder / "events.log",
    ]
    if about.spans:
        asked, said = folder / "spans.json", folder / "answer.json"
        asked.write_text(json.dumps([replay._span(span, about, None) for span in about.spans]))
        words += ["--spans", asked, "--json", said]
    subprocess.run(words, check=True)
    found: dict[str, Any] = json.loads(said.read_text()) if about.spans else {}
    return found


def assert_same(sums: Sequence[int], counted: NDArray[np.int64]) -> None:
    """Lanes of a log wrap, where one corrects another (docs/reference/formats.md)."""
    assert not ((np.array(sums) - counted) % 2**32).any()
