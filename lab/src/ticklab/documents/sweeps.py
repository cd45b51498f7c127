# SPDX-License-Identifier: MIT
"""Draws the curves of sweeps for the documents: the latency at each position of the pended
interrupt.

docs/figures/curves.json has one line for each curve that a picture shows. A curve is stored as
pairs of a number of positions and the latency at these positions, because most curves consist of
long steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ticklab.documents import baseline, svg
from ticklab.views import charts

FILE = baseline.FILE.with_name("curves.json")
_WIDTH, _HEIGHT = 420, 200

Curves = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class Sweep:
    file: str
    title: str
    sweep: str  # name of a record without its kernel
    kernels: tuple[str, ...]


SWEEPS = (
    Sweep(
        "worst-case-curves.svg",
        "a semaphore give that wakes: instructions from the interrupt to the woken task",
        "O2 mps2-an386 worst-case/semaphore-give-wakes pend-to-task crowd=0,waiters=1",
        ("freertos/default", "rt/default", "bulkhead/default", "bulkhead/process-each"),
    ),
)


def read() -> dict[str, list[int]]:
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    return {name: list(_expanded(steps)) for name, steps in found.items()}


def write(curves: Curves) -> None:
    lines = (f"{json.dumps(name)}: {json.dumps(_steps(curves[name]))}" for name in sorted(curves))
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def of_run(document: Mapping[str, Any]) -> dict[str, list[int]]:
    """Returns the curves in the JSON of a run, but only those that a picture shows."""
    shown = {f"{kernel} {one.sweep}" for one in SWEEPS for kernel in one.kernels}
    found = {baseline.name_of(one): one["curve"] for one in document.get("records", ())}
    return {name: curve["instructions"] for name, curve in found.items() if name in shown and curve}


def draw(picture: Sweep, curves: Curves) -> Iterator[str]:
    """Yields the lines of a picture. The x axis shows the position, the y axis the latency."""
    lines = [(kernel, curves[f"{kernel} {picture.sweep}"]) for kernel in picture.kernels]
    x = charts.scale_from_zero(float(len(values)) for _, values in lines)
    y = charts.scale_from_zero(float(max(values)) for _, values in lines)
    yield from svg.head(picture.title, (-48, -24, _WIDTH + 180, _HEIGHT + 60))
    yield from _axes(x, y)
    for number, (kernel, values) in enumerate(lines):
        colour, name = svg.COLOURS[number], kernel.removesuffix("/default")
        points = " ".join(_corners(values, x, y))
        yield f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='1.5'/>"
        yield f"<text x='{_WIDTH + 8}' y='{12 + 16 * number}' fill='{colour}'>{name}</text>"
    yield "</svg>"


def _axes(x: charts.Scale, y: charts.Scale) -> Iterator[str]:
    for percent, value in y.ticks():
        at = round(_HEIGHT * (1 - percent / 100), 1)
        yield f"<line x2='{_WIDTH}' y1='{at}' y2='{at}' stroke='#777' stroke-opacity='0.3'/>"
        yield f"<text x='-6' y='{at + 4}' text-anchor='end'>{svg.count(value)}</text>"
    for percent, value in x.ticks():
        at = round(_WIDTH * percent / 100, 1)
        yield f"<text x='{at}' y='{_HEIGHT + 16}' text-anchor='middle'>{svg.count(value)}</text>"
    yield f"<text x='0' y='{_HEIGHT + 32}'>instruction of the service at which it comes</text>"


def _corners(values: Sequence[int], x: charts.Scale, y: charts.Scale) -> Iterator[str]:
    """Yields the points at which a curve changes its slope."""
    last = len(values) - 1
    for at, value in enumerate(values):
        before, after = values[max(at - 1, 0)], values[min(at + 1, last)]
        if at in (0, last) or value - before != after - value:
            left, top = _WIDTH * x.percent(at + 1) / 100, _HEIGHT * (1 - y.percent(value) / 100)
            yield f"{round(left, 1)},{round(top, 1)}"


def _steps(values: Sequence[int]) -> list[list[int]]:
    return [[len(list(equal)), value] for value, equal in groupby(values)]


def _expanded(steps: Sequence[Sequence[int]]) -> Iterator[int]:
    for length, value in steps:
        yield from [value] * length
