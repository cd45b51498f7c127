# SPDX-License-Identifier: MIT
"""Draws the curve of a sweep: the latency of an interrupt by the position at which it is pended.

The terminal shows a line of blocks, and the report an outlined area. If several positions share a
column of the drawing, the column shows the longest latency, because a peak may be one position
wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from textwrap import wrap

from ticklab.description.model import Bound, Call, Curve, Record
from ticklab.views import figures

_COLUMNS = 240  # columns of a drawing
_BLOCKS = "▁▂▃▄▅▆▇█"
_SHOWN_FUNCTIONS = 4
_CHOSEN_BY = {
    Bound.HIGH: "by the high bound of modelled cycles",
    Bound.EXACT: "by clocked cycles",
    Bound.COUNTED: "by instructions",
}


@dataclass(frozen=True)
class Outline:
    """The corners of the area below the curve, as `x,y` in percent, with y downwards."""

    points: str
    worst: float  # worst position, in percent of the width


def sparkline(values: Sequence[int], width: int) -> str:
    """Returns a line of at most `width` block characters, in which the lowest block stands for the
    least value."""
    low, high = min(values), max(values)
    height = (high - low) or 1
    return "".join(
        _BLOCKS[(peak - low) * (len(_BLOCKS) - 1) // height] for peak in _peaks(values, width)
    )


def levels(values: Sequence[float], positions: float) -> Iterator[tuple[int, float]]:
    """Yields the steps of a line through the greatest latency of each column. The drawing is
    `positions` wide. Each step has its latency and the position at which it ends."""
    width = positions / _COLUMNS
    columns = [list(at) for _, at in groupby(range(len(values)), key=lambda at: int(at / width))]
    peaks = [(column[-1] + 1, max(values[at] for at in column)) for column in columns]
    for value, level in groupby(peaks, key=lambda peak: peak[1]):
        *_, (end, _) = level
        yield end, value


def outline(curve: Curve) -> Outline:
    """Returns the outline of a curve. The vertical axis begins at zero, so that heights are
    proportional to latencies."""
    values = curve.instructions
    step, begin = 100 / len(values), 0
    corners = [(0.0, 100.0)]
    for end, value in levels(values, len(values)):
        y = 100 - 100 * value / curve.most
        corners += [(begin * step, y), (end * step, y)]
        begin = end
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in [*corners, (100.0, 100.0)])
    return Outline(points, round((curve.position - 0.5) * step, 2))


def extent(curve: Curve) -> str:
    """Describes the range of latencies, the worst position, and the figure (instructions or cycles)
    by which it was chosen. Also names the position with the most instructions if it is another
    one."""
    worst = f"worst {_CHOSEN_BY[curve.chosen_by]}: {figures.count(curve.worst)} instructions"
    if curve.cycles and curve.chosen_by is Bound.EXACT:
        worst += f", {figures.count(curve.cycles.high)} cycles"
    elif curve.cycles:
        worst += f", {figures.bounds(curve.cycles.low, curve.cycles.high)} cycles"
    if curve.worst < curve.most:
        worst += f" (the most are at position {curve.instructions.index(curve.most) + 1})"
    span = f"{figures.count(curve.least)} to {figures.count(curve.most)} instructions"
    return f"{span}; {worst}"


def cause(curve: Curve) -> str:
    """Describes where the interrupt of the worst position was pended, and which code ran while it
    waited."""
    if not curve.held:
        return "no position makes it wait"
    return (
        f"pended before {_place(curve.pended_before, curve.pended_at)}, position {curve.position} "
        f"of {len(curve.instructions)}, held until {_place(curve.held_until, curve.held_at)}; "
        f"instructions meanwhile: {nested(curve.calls) or _flat(curve)}"
    )


def nested(calls: Sequence[Call]) -> str:
    """Formats a call tree as one line: `task → f 3 (g 2, h 1)`. Leaves out functions that execute
    nothing themselves."""
    return "; ".join(_nested(calls, 0, len(calls)))


def _nested(calls: Sequence[Call], begin: int, end: int) -> Iterator[str]:
    """Yields the texts of the outermost calls in `calls[begin:end]`, each with its callees in
    parentheses."""
    heads = [i for i in range(begin, end) if calls[i].depth == calls[begin].depth]
    for head, until in pairwise([*heads, end]):
        call, below = calls[head], list(_nested(calls, head + 1, until))
        if call.own == 0 and len(below) == 1:
            # A handler's call has the name of its exception, which the text need not repeat.
            is_handler = below[0].startswith(f"{call.name} ")
            yield below[0] if call.depth or is_handler else f"{call.name} → {below[0]}"
        else:
            inside = f" ({', '.join(below)})" if below else ""
            yield f"{call.name} {call.own}{inside}"


def _place(code: str, line: str | None) -> str:
    return f"{code} ({line})" if line else code


def _flat(curve: Curve) -> str:
    most_first = sorted(curve.functions.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{name} {count}" for name, count in most_first[:_SHOWN_FUNCTIONS]]
    rest = len(most_first) - len(shown)
    more = f" and {rest} more" if rest else ""
    return f"{', '.join(shown)}{more}"


def lines(label: str, name: str, record: Record, width: int) -> Iterator[str]:
    """Yields the lines that show the curve of a record on the terminal. Yields nothing if the
    latency is the same at all positions."""
    curve = record.curve
    if curve is None or not curve.held:
        return
    yield ""
    yield from wrap(f"{name}, {label}: {extent(curve)}", width, subsequent_indent="  ")
    yield f"  {sparkline(curve.instructions, width - 2)}"
    yield from wrap(cause(curve), width, initial_indent="  ", subsequent_indent="  ")


def _peaks(values: Sequence[int], width: int) -> Iterator[int]:
    """Yields the greatest latency of each column of the drawing."""
    columns = min(width, len(values))
    for column in range(columns):
        begin, end = (edge * len(values) // columns for edge in (column, column + 1))
        yield max(values[begin:end])
