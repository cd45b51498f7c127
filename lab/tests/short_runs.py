# SPDX-License-Identifier: MIT
"""Runs every scenario with a span, under every ranked configuration of a kernel, for a short time.
So a test can require a property of all scenarios, including those that are added later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ticklab import building, paths
from ticklab.description import catalogue
from ticklab.description.model import Case, Image
from ticklab.explain import second_run
from ticklab.explain.second_run import About, FirstRun
from ticklab.measurement import cases, environment, observation, support
from ticklab.targets.keeper import Keeper
from ticklab.targets.protocol import Cancel, until_instructions
from ticklab.targets.qemu import Qemu

Said = TypeVar("Said")

BOARD = "mps2-an386"
INSTRUCTIONS = 600_000  # two ticks, and some passes of the longest scenario


def kernels() -> list[str]:
    """Returns the kernels of the board, without those in Rust, which cargo builds."""
    board = catalogue.find_board(BOARD)
    every = catalogue.kernels().values()
    return [k.name for k in every if cases.runs_on(k, board) and not k.rust]


def each(
    kernel: str, folder: Path, ask: Callable[[Case, FirstRun], Iterator[str]]
) -> list[list[str]]:
    """Returns, for each short run of `kernel`, the lines that `ask` yields about it."""
    return each_of(chosen(kernel), folder, ask)


def each_of(
    found: Sequence[Case],
    folder: Path,
    ask: Callable[[Case, FirstRun], Iterator[Said]],
    instructions: int = INSTRUCTIONS,
) -> list[list[Said]]:
    images = building.build(found, building.find_toolchain())

    def answer(number: int) -> list[Said]:
        case, image = found[number], images[number]
        return list(ask(case, _run(case, image, folder / f"{number}.log", instructions)))

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(answer, range(len(found))))


def chosen(kernel: str, board: str = BOARD) -> list[Case]:
    """Returns one case for each scenario, with the usual parameters. Leaves out sweeps, which
    cannot be run for a short time and have no mean sample."""
    choice = cases.CaseChoice(
        kernels=[kernel],
        boards=[board],
        suites=list(catalogue.suites()),
        optimise="O2",
    )
    usual: dict[tuple[str, str, str], Case] = {}
    for case in cases.expand(choice):
        usual.setdefault(
            (case.variant.kernel.name, case.variant.config.name, case.scenario.name), case
        )
    able = (case for case in usual.values() if support.unsupported_reason(case) is None)
    return [case for case in able if case.scenario.spans and not case.scenario.sweep]


def _run(case: Case, image: environment.Built, log: Path, instructions: int) -> FirstRun:
    assert isinstance(image, Image), image
    plan = replace(
        until_instructions(case.variant.board, instructions),
        core=case.variant.core,
        marks=observation.marks_at_places(case, image.path).places,
        entries=case.scenario.entries,
    )
    runs = Keeper(Qemu(paths.plugin()), log)
    runs.observe(image.path, plan, Cancel())
    scenario = case.scenario
    about = About(
        scenario.spans,
        scenario.expect.external,
        0,
        case.variant.clock_hz,
        case.variant.kernel.name,
        case.variant.kernel.suspension,
    )
    return second_run.of(runs, image.path, about)
