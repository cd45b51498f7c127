# SPDX-License-Identifier: MIT
"""Compares runs of the same images on board `virt`, counted and modelled, and on board `ibex`,
clocked.

The simulated hardware is the reference. Between any two marks, the observer must have counted
exactly what the hardware executed, and the exact cycles must lie within the interval of the cycle
model. This is compared up to the first tick, which comes at different moments on the two boards.
The first mark is left out, because the machines start differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import inf

import numpy as np
import pytest
import short_runs
from numpy.typing import NDArray

from ticklab import building, paths
from ticklab.description import catalogue
from ticklab.description.model import Board, Case, Image
from ticklab.measurement import observation
from ticklab.targets.eventlog import KIND_MARK, EventLog
from ticklab.targets.protocol import Cancel, until_instructions
from ticklab.targets.qemu import Qemu
from ticklab.targets.verilator import Verilator

# The length of the runs, in instructions and in cycles: long enough for the start-up code, which
# mostly clears memory, and for the first tick after it.
BUDGETS = (800_000, 3_200_000)
COUNTED = (
    "instructions",
    "reads",
    "writes",
    "entered",
    "left",
    "svcall",
    "pendsv",
    "external",
    "faults",
)
# Kernels for one node; `virt` lacks the devices that kernels for several nodes need.
KERNELS = ("null", "freertos", "rt", "bulkhead")


@dataclass(frozen=True)
class CountedSpan:
    """The counts between two neighbouring marks, by lane."""

    names: tuple[str, ...]  # of the two marks
    counts: dict[str, int]
    low: int
    high: int


@dataclass(frozen=True)
class Comparison:
    mistakes: tuple[str, ...]
    spans: int
    cycles: int
    width: int  # of all intervals together


def observe(target: Qemu | Verilator, case: Case, image: Image, budget: int) -> EventLog:
    board = case.variant.board
    plan = replace(
        until_instructions(board, budget),
        core=case.variant.core,
        marks=observation.marks_at_places(case, image.path).places,
        entries=case.scenario.entries,
        profile=catalogue.find_profile(board.profile).data if board.profile else None,
    )
    log = target.observe(image.path, plan, Cancel()).log
    assert log is not None, case.scenario.name
    return log


def spans_of(log: EventLog) -> Iterator[CountedSpan]:
    """Yields the counts between neighbouring marks, up to the first tick."""
    names = [lane.name for lane in log.lanes]
    low, high = ([getattr(lane, end) or 0 for lane in log.lanes] for end in ("low", "high"))
    marks = log.records["kind"] == KIND_MARK
    sums = np.cumsum(log.records["tally"].astype(np.int64), axis=0)[marks]
    passed = [log.marks[number] for number in log.records["id"][marks]]
    for place, tally in enumerate(np.diff(sums, axis=0)):
        counts = dict(zip(names, tally.tolist(), strict=True))
        if counts["systick"]:
            return
        bounds = (_sum(tally, low), _sum(tally, high))
        yield CountedSpan(tuple(passed[place : place + 2]), counts, *bounds)


def _sum(tally: NDArray[np.int64], cycles: Sequence[int]) -> int:
    return int(tally @ np.array(cycles))


def until_first_tick(log: EventLog, board: Board) -> float:
    """Returns after how many cycles the hardware has had its first tick, after which nothing is
    compared: a tick period after the first mark, at the latest, because a kernel starts its timer
    before its tasks. The log is that of the model. The result has a tenth of a period to spare."""
    marks = np.flatnonzero(log.records["kind"] == KIND_MARK)
    if not len(marks):
        return inf
    start = log.records["tally"][: marks[0] + 1].astype(np.int64).sum(axis=0)
    first = int(start @ np.array([lane.high or 0 for lane in log.lanes]))
    return first + 1.1 * board.clock_hz / board.tick_hz


def compare(case: Case, modelled: EventLog, clocked: EventLog) -> Comparison:
    mistakes, cycles, width, number = [], 0, 0, 0
    for ours, truth in zip(spans_of(modelled), spans_of(clocked), strict=False):
        number, cycles, width = number + 1, cycles + truth.low, width + ours.high - ours.low
        if wrong := _wrong(ours, truth):
            mistakes.append(f"{_name(case)}, span {number} {' to '.join(ours.names)}: {wrong}")
    # In a scenario of ticks, such as `delay-jitter`, a tick lies between any two marks, so nothing
    # can be compared.
    if not cycles and not any(span.ticks for span in case.scenario.spans):
        mistakes = [f"{_name(case)}: nothing was passed before the first tick"]
    return Comparison(tuple(mistakes[:3]), number, cycles, width)


def _name(case: Case) -> str:
    return f"{case.variant.kernel.name} {case.variant.config.name} {case.scenario.name}"


def _wrong(ours: CountedSpan, truth: CountedSpan) -> str:
    if ours.names != truth.names:
        return f"clocked it goes {' to '.join(truth.names)}"
    differ = {
        lane: (ours.counts[lane], truth.counts[lane])
        for lane in COUNTED
        if ours.counts[lane] != truth.counts[lane]
    }
    if differ:
        return f"counted and clocked: {differ}"
    if not ours.low <= truth.low <= ours.high:
        return f"{truth.low} cycles are not in {ours.low}–{ours.high}"
    return ""


def check(chosen: Sequence[Case], boards: tuple[str, str]) -> list[Comparison]:
    """Runs cases on a board that models and on one that clocks."""
    modelled_on, clocked_on = map(catalogue.find_board, boards)
    images = building.build(chosen, building.find_toolchain())
    rtl = Verilator(clocked_on.machine.nodes, core=clocked_on.core.name)

    def one(number: int) -> Comparison:
        case, image = chosen[number], images[number]
        assert isinstance(image, Image), image
        modelled, clocked = case.varied(board=modelled_on), case.varied(board=clocked_on)
        for budget in BUDGETS:
            ours = observe(Qemu(paths.plugin()), modelled, image, budget)
            cycles = int(min(budget, until_first_tick(ours, clocked_on)))
            if (found := compare(case, ours, observe(rtl, clocked, image, cycles))).spans:
                break  # else it may be that it waits for ticks before it begins
        return found

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, range(len(chosen))))


def verify(
    chosen: Sequence[Case], boards: tuple[str, str] = ("virt", "ibex"), widest: float = 0.02
) -> None:
    """`widest` is the permitted width of all intervals together, relative to the cycles."""
    found = check(chosen, boards)
    assert not [mistake for each in found for mistake in each.mistakes]
    cycles = sum(each.cycles for each in found)
    width = sum(each.width for each in found)
    print(f"{sum(each.spans for each in found)} spans, {cycles} cycles, width {width / cycles:.2%}")
    assert width <= widest * cycles, "the model says too little"


@pytest.mark.parametrize("kernel", KERNELS)
def test_thread_metric_is_counted_exactly_and_modelled_rightly(kernel: str) -> None:
    """Runs every third scenario under each kernel, other ones under other kernels; the long test
    runs all."""
    chosen = short_runs.chosen(kernel, "virt")
    tests = [case for case in chosen if case.scenario.suite == "thread-metric"]
    verify(tests[KERNELS.index(kernel) :: 3])


@pytest.mark.long
@pytest.mark.parametrize("kernel", KERNELS)
def test_everything_is_counted_exactly_and_modelled_rightly(kernel: str) -> None:
    verify(short_runs.chosen(kernel, "virt"))
