# SPDX-License-Identifier: MIT
"""Computes how far an application is from its limit: the largest factor for its execution times,
and the slowest clock.

Both are found by bisection: an application that fits also fits with less work, or a faster clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ticklab.description.application import Application
from ticklab.estimate import bounds, demand
from ticklab.estimate.costs import Overheads
from ticklab.estimate.demand import Conditions

_STEPS = 24
_LARGEST_SCALE, _LARGEST_CLOCK = 64.0, 64.0


def breakdown_scale(app: Application, costs: Overheads, at: Conditions) -> float | None:
    """Returns the largest factor for all execution times with which every deadline is met
    (Lehoczky, Sha and Ding, "The Rate Monotonic Scheduling Algorithm: Exact Characterization and
    Average Case Behavior", 1989); None if the kernel alone misses one."""

    def fits(scale: float) -> bool:
        return bounds.all_fit(demand.system(app, costs, replace(at, scale=scale)))

    return _largest(fits, _LARGEST_SCALE)


def least_clock_hz(app: Application, costs: Overheads, at: Conditions) -> int | None:
    """Returns the slowest clock at which every deadline is met, if each job takes as many cycles as
    at the clock of `at`; None if no clock suffices, for example because an interrupt comes again
    before the kernel has served it."""

    def fits(slower: float) -> bool:
        clock_hz = round(at.clock_hz / slower)
        scale = at.scale * at.clock_hz / clock_hz
        return bounds.all_fit(demand.system(app, costs, Conditions(clock_hz, scale)))

    slower = _largest(fits, at.clock_hz / app.tick_hz, least=1 / _LARGEST_CLOCK)
    return None if slower is None else round(at.clock_hz / slower)


def _largest(fits: Callable[[float], bool], most: float, least: float = 1e-6) -> float | None:
    """Returns the largest factor from `least` to `most` for which `fits` is true, rounded down."""
    if not fits(least):
        return None
    low, high = least, most
    for _ in range(_STEPS):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
