# SPDX-License-Identifier: MIT
"""Measures ticks: the cost of a tick, and how regularly ticks release a task.

A tick passes no mark, because its handler belongs to the kernel. So the scenario runs code that
passes a mark at each step of its work: a step that contains a tick is longer than the others by the
cost of the tick. In another scenario each tick releases a task, and the marks of the task show how
much the periods between ticks differ.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ticklab.analysis.samples import Flag, Samples, time_lane
from ticklab.errors import TicklabError
from ticklab.targets.eventlog import EventLog

# An observation must contain at least this number of declared tick periods before its tick rate is
# computed.
_FEWEST_PERIODS = 3


def cost(steps: Samples) -> Samples:
    """Returns one sample for each step that contains exactly one tick. The tally of the sample is
    the difference from a step without a tick."""
    ticked = (steps.flags & Flag.TICK != 0) & (steps.lane("systick") == 1)
    # There is none, for example, if the guest failed, which its verdict reports.
    if not ticked.any() or not steps.clean.any():
        return _of(steps, np.zeros(len(steps), np.bool_), steps.tallies)
    return _of(steps, ticked, steps.tallies - _calm(steps))


def jitter(periods: Samples, tick: int) -> Samples:
    """Returns the difference between each period and the tick period (below 0 if the period is
    shorter).

    If cycles are clocked, differences are in cycles, with the instructions of the period. Otherwise
    they are in instructions only, because QEMU derives ticks from instructions, and no clock
    relates modelled cycles to ticks.
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
    """Returns the workload samples without the label of a tick, so that samples with ticks count as
    undisturbed."""
    every = np.ones(len(workloads), np.bool_)
    return _of(workloads, every, workloads.tallies)


def rate_hz(log: EventLog, clock_hz: int, period: int) -> float | None:
    """Returns the ticks a second, computed from a log in which node 0 passes marks all the time;
    None if the observation was too short. `period` is the declared tick period in the log's unit of
    time."""
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
    """Returns the tally of a step without a tick. If caches and flash are modelled, this tally
    depends on the step before; then returns the most frequent one."""
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
    """Returns the selected samples with `tallies` as their tallies, without the label of samples
    that contain a tick."""
    return replace(
        samples,
        node=samples.node[rows],
        start=samples.start[rows],
        tallies=tallies[rows],
        flags=(samples.flags & ~np.uint8(Flag.TICK))[rows],
        first=samples.first[rows],
        last=samples.last[rows],
    )
