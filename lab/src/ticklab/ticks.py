# SPDX-License-Identifier: MIT
"""Samples of ticks: what a tick costs, and how regularly a task is released by it.

The tick itself passes no mark, for its handler is the kernel's. It is seen in what passes marks all
the time: a step of work with a tick inside is longer than the others by all that the tick did. And
a task that each tick releases shows by its own marks how far from equal the periods are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ticklab.errors import TicklabError
from ticklab.eventlog import EventLog
from ticklab.samples import Flag, Samples, time_lane

# Of the declared tick: so long an observation must show some ticks.
_FEWEST_PERIODS = 3


def cost(steps: Samples) -> Samples:
    """One sample for each step with one tick inside: what it has more than a step without."""
    ticked = (steps.flags & Flag.TICK != 0) & (steps.lane("systick") == 1)
    if not ticked.any() or not steps.clean.any():  # a guest that failed, say: see its verdict
        return _of(steps, np.zeros(len(steps), np.bool_), steps.tallies)
    return _of(steps, ticked, steps.tallies - _calm(steps))


def jitter(periods: Samples, tick: int) -> Samples:
    """How much longer (or, below 0, shorter) each period is than a tick's: in cycles where these
    are clocked, beside the instructions that it took.

    Else in instructions alone: the tick comes by instructions, and the cycle model knows no time in
    which cycles and ticks would agree.
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
    """Whole workloads, which are as long as they are with their ticks."""
    every = np.ones(len(workloads), np.bool_)
    return _of(workloads, every, workloads.tallies)


def rate_hz(log: EventLog, clock_hz: int, period: int) -> float | None:
    """Ticks a second that the log shows, where the first node passes marks all the time; None if
    the observation was too short for any. `period`: a tick's, as it is declared, in the unit of
    time of the log."""
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
    """The tally of an undisturbed step; the most frequent one, where the model sees the caches and
    the flash as the step before left them."""
    calm = steps.tallies[steps.clean]
    lengths = np.unique(steps.length[steps.clean])
    if len(lengths) != 1:
        raise TicklabError(
            f"{steps.span}: undisturbed steps have {len(lengths)} different lengths",
            "a scenario that counts ticks works in equal steps",
        )
    distinct, times = np.unique(calm, axis=0, return_counts=True)
    row: NDArray[np.int64] = distinct[np.argmax(times)]
    return row


def _of(samples: Samples, rows: NDArray[np.bool_], tallies: NDArray[np.int64]) -> Samples:
    """Those samples, in which the tick is no disturbance."""
    return replace(
        samples,
        node=samples.node[rows],
        start=samples.start[rows],
        tallies=tallies[rows],
        flags=(samples.flags & ~np.uint8(Flag.TICK))[rows],
        first=samples.first[rows],
        last=samples.last[rows],
    )
