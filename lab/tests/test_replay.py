# SPDX-License-Identifier: MIT
"""The same totals by replay as by counting: every scenario under every kernel is recorded for a
moment, and its recording replayed.

The log of the replay has to be that of the run, byte for byte, and the call tree of each span has
to add up to what the laboratory counts for its plain samples, lane by lane. The memory model with
caches is on: it depends on more of what a recording holds than anything else.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ticklab import building, paths
from ticklab.analysis import samples
from ticklab.description import descriptions
from ticklab.description.model import Case, Config, Image, Kernel
from ticklab.explain import replay
from ticklab.measurement import cases, observation, support
from ticklab.storage.recordings import About
from ticklab.targets import eventlog
from ticklab.targets.protocol import Cancel, Plan
from ticklab.targets.qemu import Qemu

BOARD = descriptions.find_board("mps2-an386")
PROFILE = descriptions.find_profile("stm32l4-80mhz")
INSTRUCTIONS = 400_000  # a start, a few samples, and a tick
JOBS = 2


# Ranked configurations always, all others in the long run.
VARIANTS = [
    pytest.param(kernel, config, id=f"{kernel.name}-{name}", marks=marks)
    for kernel in descriptions.kernels().values()
    if cases.runs_on(kernel, BOARD)
    for name, config in kernel.configs.items()
    for marks in [[] if name in kernel.ranked else [pytest.mark.long]]
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


@pytest.mark.parametrize(("kernel", "config"), VARIANTS)
def test_a_replay_counts_what_the_run_counted(
    kernel: Kernel, config: Config, tmp_path: Path, logs: Logs
) -> None:
    found = list(supported(kernel, config))
    images = building.build(found, building.find_toolchain())

    def check(number: int) -> None:
        image = images[number]
        assert isinstance(image, Image), image
        folder = tmp_path / str(number)
        folder.mkdir()
        recorded_and_replayed(found[number], image.path, folder, logs)

    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(check, range(len(found))))
    assert found


def supported(kernel: Kernel, config: Config) -> Iterator[Case]:
    """Each scenario once, with its first parameters."""
    for scenario in cases.conformance():
        case = Case(kernel, config, BOARD, scenario, "O2", BOARD.clock_hz)
        if support.unsupported_reason(case) is None:
            yield case
    first = {case.scenario.name: case for case in reversed(cases.expand(every(kernel, config)))}
    yield from (case for case in first.values() if support.unsupported_reason(case) is None)


def every(kernel: Kernel, config: Config) -> cases.Choice:
    return cases.Choice(
        kernels=[kernel.name],
        boards=[BOARD.name],
        suites=list(descriptions.suites()),
        scenarios=[],
        configs=[config.name],
        optimise="O2",
        params={},
        samples=None,
        layouts=1,
        clock_hz=None,
    )


def recorded_and_replayed(case: Case, image: Path, folder: Path, logs: Logs) -> None:
    blocks = folder / "blocks"
    observation = Qemu(paths.plugin()).observe(image, plan(case, image, blocks), Cancel())
    assert observation.log, observation.ending
    spans = case.scenario.spans
    answer = replayed(case, image, folder)
    assert (folder / "events.log").read_bytes() == logs[id(observation.log)]
    for span, totals in zip(spans, answer, strict=True):
        found = samples.extract(observation.log, span, case.scenario.expect.external, warm_up=0)
        assert totals["plain"] == found.clean.sum()
        assert_same(totals["total"], found.tallies[found.clean].sum(axis=0))


def plan(case: Case, image: Path, blocks: Path) -> Plan:
    return Plan(
        machine=case.board.machine,
        core=case.core,
        vectors=case.board.vectors,
        until_marks=None,
        passes=0,
        instructions=INSTRUCTIONS,
        stall_instructions=INSTRUCTIONS,
        marks=observation.marks_at_functions(case, image),
        entries=case.scenario.entries,
        profile=PROFILE.data,
        record=blocks,
    )


def replayed(case: Case, image: Path, folder: Path) -> list[dict[str, Any]]:
    """Leaves `events.log`, and returns what is said of each span."""
    about = About(case.scenario.spans, case.scenario.expect.external, 0, case.clock_hz, None)
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
    spans: list[dict[str, Any]] = json.loads(said.read_text())["spans"] if about.spans else []
    return spans


def assert_same(sums: Sequence[int], counted: NDArray[np.int64]) -> None:
    """Lanes of a log wrap, where one corrects another (docs/reference/formats.md)."""
    assert not ((np.array(sums) - counted) % 2**32).any()
