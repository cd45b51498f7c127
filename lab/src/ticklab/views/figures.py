# SPDX-License-Identifier: MIT
"""Formats figures, the same way in every view for people.

Counted and clocked figures are exact and written in full. Modelled figures are `~low–high`, rounded
outwards: rounding may widen an interval and never narrows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ticklab.comparison.compare import Interval
from ticklab.description.model import Cycles, Record, Stats
from ticklab.summary.deadline import Deadline

NOTHING = "·"


def count(value: float) -> str:
    """Formats a counted mean: without decimals if it is whole, otherwise with one or two."""
    decimals = 0 if value == round(value) else 2 if value < 100 else 1
    return f"{value:,.{decimals}f}"


def instructions(stats: Stats | None) -> str:
    return count(stats.mean) if stats else NOTHING


def cycles(found: Cycles | None) -> str:
    """Formats mean cycles: one number if they are exact, otherwise the two bounds."""
    if found is None:
        return NOTHING
    return count(found.exact.mean) if found.exact else bounds(found.low.mean, found.high.mean)


def counted(record: Record) -> str:
    """Formats the instructions of a record: at the worst position of a sweep, otherwise the mean of
    the samples."""
    return NOTHING if record.counted is None else count(record.counted)


def is_clocked(record: Record) -> bool:
    return record.figures.cycles is not None and record.figures.cycles.exact is not None


def grade(record: Record) -> str:
    """Returns the grade of a record's cycles, and of figures that are derived from them."""
    return "clocked" if is_clocked(record) else "modelled"


def format_cycles(record: Record) -> str:
    """Formats cycles."""
    if record.bounds is None:
        return NOTHING
    if is_clocked(record):
        return count(record.bounds.high)
    return bounds(record.bounds.low, record.bounds.high)


def microseconds(record: Record, clock_hz: int) -> str:
    """Formats the cycles of a record as microseconds at a clock frequency."""
    if record.bounds is None:
        return NOTHING
    low, high = (1e6 * end / clock_hz for end in (record.bounds.low, record.bounds.high))
    return f"{count(high) if is_clocked(record) else bounds(low, high)} µs"


def bounds(low: float, high: float) -> str:
    decimals = 2 if high < 10 else 1 if high < 1000 else 0
    text = f"{_outwards(low, decimals, math.floor):,.{decimals}f}"
    return f"~{text}–{_outwards(high, decimals, math.ceil):,.{decimals}f}"


def modelled(low: float, high: float) -> str:
    """Formats the cycles of a function or another part of a sample. Without a cycle model, there
    are none."""
    return bounds(low, high) if high else NOTHING


def score(record: Record) -> str:
    """Formats the Thread-Metric score of a record, in thousands or millions."""
    interval = record.sampled.score_30s
    if interval is None:
        return NOTHING
    unit, letter = (1e6, " M") if interval.low >= 1e6 else (1e3, " k")
    if is_clocked(record):
        return f"{interval.low / unit:,.3f}{letter}"
    return bounds(interval.low / unit, interval.high / unit) + letter


def rate(record: Record) -> str:
    interval = record.figures.per_second
    if interval is None:
        return NOTHING
    return count(interval.low) if is_clocked(record) else bounds(interval.low, interval.high)


def reported(record: Record) -> str:
    """Formats the latency that a program in the guest reports, in nanoseconds of virtual time."""
    found = record.figures.reported
    if found is None:
        return NOTHING
    return f"{count(found.min)}–{count(found.max)}, mean {count(found.mean)}"


def ratio(interval: Interval | None, is_exact: bool = False) -> str:
    """Formats a ratio of cycles. A modelled ratio is an interval after a `~`; an exact one is a
    number."""
    if interval is None:
        return NOTHING
    if is_exact:
        return f"{interval.low:.3f}"
    low, high = rounded_down(interval.low), rounded_up(interval.high)
    return f"~{low}" if interval.low == interval.high and low == high else f"~{low}–{high}"


def change(interval: Interval) -> str:
    """Formats a ratio of modelled cycles as a change in percent; `0` only if nothing changed."""
    return f"{percent(interval)} %"


def percent(interval: Interval) -> str:
    """Formats a ratio of modelled cycles as a change, without the sign `%`."""
    if interval.low == interval.high == 1:
        return "~0"
    low, high = (
        math.floor(1000 * (interval.low - 1)) / 10,
        math.ceil(1000 * (interval.high - 1)) / 10,
    )
    return f"~{low:+.1f} … {high:+.1f}"


def exact_change(ratio_of_counts: float) -> str:
    """Formats a ratio of counted means as a change in percent; `0` only if nothing changed."""
    return f"{exact_percent(ratio_of_counts)} %"


def exact_percent(ratio_of_counts: float, decimals: int = 2) -> str:
    """Formats a ratio of counted means as a change, without the sign `%`."""
    change = 100 * (ratio_of_counts - 1)
    digits = f".{decimals}f" if abs(change) >= 10.0**-decimals else ".1g"
    return "0" if change == 0 else f"{change:+{digits}}"


def yes_no(value: bool | str | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NOTHING if value is None else value


def deadline(found: Deadline, clock_hz: int) -> str:
    """Formats a deadline in microseconds and, at the given clock frequency, in cycles."""
    return f"{found.microseconds:g} µs ({found.cycles(clock_hz):g} cycles at {hertz(clock_hz)})"


def hertz(value: float) -> str:
    return f"{value / 1e6:g} MHz"


def rounded_down(ratio: float) -> str:
    return f"{_outwards(ratio, 2, math.floor):.2f}"


def rounded_up(ratio: float) -> str:
    return f"{_outwards(ratio, 2, math.ceil):.2f}"


def _outwards(value: float, decimals: int, outwards: Callable[[float], int]) -> float:
    """Rounds a bound away from the interval's middle. A value that is whole except for the error of
    floating point is not moved."""
    scale: float = 10.0**decimals
    scaled = value * scale
    nearest = round(scaled)
    return (nearest if math.isclose(scaled, nearest, rel_tol=1e-12) else outwards(scaled)) / scale
