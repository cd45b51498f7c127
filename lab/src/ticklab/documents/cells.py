# SPDX-License-Identifier: MIT
"""Formats the cells in tables of figures. For each kind of cell there is a function, which gets the
cell's figures, the figures in the first column of the row, and the old text of the cell."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from ticklab.documents.baseline import Figure
from ticklab.views import figures

_MISSING = "–"  # the kernel does not have the service
_MINUS = "\u2212"
_GOAL = re.compile(r" \([\d.,]+\)$")

_ENDS = ("low", "high")
_CYCLES_A_MICROSECOND = 25
# The goal for half the width of modelled intervals, in per cent of their middle
# (docs/explanation/published.md).
_AIM_PERCENT = 15

Kind = Callable[[list[Figure], list[Figure], str], str]


def mean(found: list[Figure], _first: list[Figure], old: str) -> str:
    """Formats the mean. Keeps the goal that the old text has in parentheses."""
    goal = _GOAL.search(old)
    return _count(found[0].mean) + (goal[0] if goal else "") if found else _MISSING


def extremes(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats three figures, separated by slashes: the mean, the longest sample, and the longest
    sample with a tick."""
    if not found:
        return _MISSING
    ticked = figures.NOTHING if found[0].ticked is None else _count(found[0].ticked)
    return f"{_count(found[0].mean)} / {_count(found[0].longest)} / {ticked}"


def sweep(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats the means for all values of a parameter, separated by commas."""
    return ", ".join(_count(one.mean) for one in found) or _MISSING


def cycles(found: list[Figure], _first: list[Figure], _old: str) -> str:
    return _bounds(found[0]) if found else _MISSING


def both(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats the instructions, followed by the cycles in parentheses."""
    return f"{_count(found[0].mean)} ({_bounds(found[0])})" if found else _MISSING


def exceptions(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats instructions, with the number of exceptions in parentheses."""
    return f"{_count(found[0].mean)} ({_count(found[0].exceptions)})" if found else _MISSING


def change(found: list[Figure], first: list[Figure], _old: str) -> str:
    """Formats the instructions, followed by the change from the first column in parentheses."""
    if not found:
        return _MISSING
    percent = _percent(found, first)
    return _count(found[0].mean) + (f" ({percent} %)" if percent else "")


def percent(found: list[Figure], first: list[Figure], _old: str) -> str:
    """Formats the instructions in the first column. In other columns, formats the change from the
    first in per cent, or nothing if there is none."""
    if not found:
        return _MISSING
    return _count(found[0].mean) if found is first else _percent(found, first)


def cost(found: list[Figure], first: list[Figure], _old: str) -> str:
    """Formats by how much the column costs more than the first column: in instructions, in per
    cent, and in microseconds at the clock of the MPS2 boards."""
    if not found or not first:
        return _MISSING
    if found is first:
        return _count(found[0].mean)
    percent, ends = _percent(found, first), (_microseconds(found, first, end) for end in _ENDS)
    if not percent:
        return "0"
    instructions = _signed(found[0].mean - first[0].mean)
    return f"{instructions} ({percent} %, {' … '.join(ends)} µs)"


def difference(found: list[Figure], first: list[Figure], _old: str) -> str:
    """Formats the absolute difference of the instructions from the first column."""
    return _count(abs(round(found[0].mean - first[0].mean, 6))) if found and first else _MISSING


def times(found: list[Figure], first: list[Figure], _old: str) -> str:
    """Formats the ratio of the column's instructions to those of the first column."""
    return f"{found[0].mean / first[0].mean:.1f}" if found and first else _MISSING


def growth(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats the instructions at the last value of a parameter, less those at the first."""
    return _count(round(found[-1].mean - found[0].mean, 6)) if found else _MISSING


def longest(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats the greatest mean among `found`, the figures of several scenarios."""
    return _count(max(one.mean for one in found)) if found else _MISSING


def waits(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats the share of a sweep's positions at which the interrupt had to wait."""
    if not found:
        return _MISSING
    return figures.NOTHING if found[0].waits is None else f"{100 * found[0].waits:.0f} %"


def clocked(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats exact cycles, without a tilde."""
    if not found or found[0].low is None or found[0].low != found[0].high:
        return _MISSING
    return _count(round(found[0].low, 1))


def half_width(found: list[Figure], _first: list[Figure], _old: str) -> str:
    """Formats half the width of the bounds in per cent of their middle. The figure is bold if it
    exceeds the goal."""
    if not found or found[0].low is None or found[0].high is None:
        return figures.NOTHING
    low, high = found[0].low, found[0].high
    half = 100 * (high - low) / (high + low)
    return f"{half:.1f}" if half <= _AIM_PERCENT else f"**{half:.1f}**"


KINDS: dict[str, Kind] = {
    kind.__name__: kind
    for kind in (
        mean, extremes, sweep, cycles, both, exceptions, change, percent, cost, longest, waits,
        clocked, half_width, difference, times, growth,
    )
}  # fmt: skip


def _percent(found: list[Figure], first: list[Figure]) -> str:
    """Returns the change in per cent, or nothing if it is less than a tenth of a per cent."""
    change = 100 * (found[0].mean / first[0].mean - 1)
    if abs(change) < 0.1:
        return ""
    return f"{change:+.0f}" if abs(change) >= 500 else f"{change:+.1f}".replace("-", _MINUS)


def _microseconds(found: list[Figure], first: list[Figure], end: str) -> str:
    cycles: float = getattr(found[0], end) - getattr(first[0], end)
    return f"{cycles / _CYCLES_A_MICROSECOND:+.2f}".replace("-", _MINUS)


def _signed(value: float) -> str:
    sign = "+" if value > 0 else _MINUS
    return sign + _count(abs(value) if value == round(value) else round(abs(value), 1))


def _count(value: float) -> str:
    """Formats a mean: without decimals if it is whole, otherwise with one."""
    return f"{value:,.0f}" if value == round(value) else f"{value:,.1f}"


def _bounds(figure: Figure) -> str:
    """Formats the bounds in whole cycles, rounded outwards."""
    if figure.low is None or figure.high is None:
        return figures.NOTHING
    return f"~{math.floor(figure.low):,}–{math.ceil(figure.high):,}"
