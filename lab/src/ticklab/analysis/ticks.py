# SPDX-License-Identifier: MIT
"""Samples of ticks: the cost of a tick, and how regularly ticks release a task.

A tick passes no mark, because its handler belongs to the kernel. Code that passes marks all the
time shows it: a step of work with a tick inside is longer than others by the cost of the tick. A
task that each tick releases shows by its own marks how much the periods differ.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ticklab.analysis.samples import Flag, Samples, time_lane
from ticklab.errors import TicklabError
from ticklab.targets.eventlog import EventLog

# Part of the declared tick rate: such an observation must contain ticks.
_FEWEST_PERIODS = 3


def cost(steps: Samples) -> Samples:
    """Returns a sample for each step with one tick inside: its excess over a step without a
    tick."""
    ticked = (steps.flags & Flag.TICK != 0) & (steps.lane("systick") == 1)
    if not ticked.any() or not steps.clean.any():  # for example of a failed guest: see its verdict
        return _of(steps, np.zeros(len(steps), np.bool_), steps.tallies)
    return _of(steps, ticked, steps.tallies - _calm(steps))


def jitter(periods: Samples, tick: int) -> Samples:
    """Returns by how much each period is longer (or, below 0, shorter) than the tick period: in
    cycles if they are clocked, with the instructions of the period.

    Otherwise in instructions only: QEMU derives ticks from instructions, and no clock relates
    modelled cycles to ticks.
    """
    time = time_lane(periods.lanes)
    shown = [
        place for place, lane in enumerate(periods.lanes) if lane.low is None or lane.name == time
    ]
    lanes = tuple(periods.lanes[place] for place in shown)
    off = periods.tallies[:, shown].copy()
    off[:, [lane.name for lane in lanes].index(time)] -= tick
    every = np.ones(len(periods), np.bool_)
    return replace(_of(periods, every, periods.tallies), lanes=lanes, tallies=off)


def included(workloads: Samples) -> Samples:
    """Returns whole workloads, including their ticks."""
    every = np.ones(len(workloads), np.bool_)
    return _of(workloads, every, workloads.tallies)


def rate_hz(log: EventLog, clock_hz: int, period: int) -> float | None:
    """Returns the ticks a second in a log in which the first node passes marks all the time; None
    if the observation was too short. `period`: the declared tick period, in the unit of time of the
    log."""
    of_node = log.records["tally"][log.records["node"] == 0]
    times = np.cumsum(of_node[:, log.lane(time_lane(log.lanes))], dtype=np.int64)
    ticks = of_node[:, log.lane("systick")].astype(np.int64)
    ticked = np.flatnonzero(ticks)
    if len(ticked) > 1:
        first, last = ticked[0], ticked[-1]
        return clock_hz * float(ticks[first + 1 :].sum() / max(1, times[last] - times[first]))
    if not len(times) or times[-1] < _FEWEST_PERIODS * period:
        return None
    return clock_hz * float(ticks.sum() / times[-1])


def _calm(steps: Samples) -> NDArray[np.int64]:
    """Returns the tally of an undisturbed step. With modelled caches and flash, a step's tally
    depends on the step before; then the most frequent tally is returned."""
    calm = steps.tallies[steps.clean]
    lengths = np.unique(steps.length[steps.clean])
    if len(lengths) != 1 and steps.counts("instructions"):
        raise TicklabError(
            f"{steps.span}: undisturbed steps have {len(lengths)} different lengths",
            "make all steps of a scenario that counts ticks equal",
        )
    distinct, times = np.unique(calm, axis=0, return_counts=True)
    row: NDArray[np.int64] = distinct[np.argmax(times)]
    return row


def _of(samples: Samples, rows: NDArray[np.bool_], tallies: NDArray[np.int64]) -> Samples:
    """Returns these samples; a tick inside does not make them unclean."""
    return replace(
        samples,
        node=samples.node[rows],
        start=samples.start[rows],
        tallies=tallies[rows],
        flags=(samples.flags & ~np.uint8(Flag.TICK))[rows],
        first=samples.first[rows],
        last=samples.last[rows],
    )
