# SPDX-License-Identifier: MIT
"""Flame graphs: the call tree of a sample as boxes, with the root on top. The width of a box is the
number of instructions.

A *differential* flame graph draws the boxes of one of two builds. The colour of a box shows whether
the same path of calls has more or fewer instructions in the other build.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ticklab.explain.answer import Span
from ticklab.views import figures

# A box that is narrower than this share of the width would be invisible, so it is left out.
NARROWEST_PERCENT = 0.05
# The least share of the span's instructions that a function must execute itself. A function with a
# smaller share only calls other functions, so paths leave it out.
_ONLY_CALLS = 0.005
_WIDTH, _ROW, _HEAD = 1200, 18, 48  # pixels
_LETTER = 6.6  # width of a letter in pixels, approximately
_MORE, _LESS, _SAME = "#e8aaa4", "#9ccaa9", "#d9dde1"

Path = tuple[str, ...]


@dataclass(frozen=True)
class Box:
    """One box of the graph, which stands for a call. `left` and `width` are in percent. `change` is
    None if the graph compares nothing."""

    left: float
    width: float
    row: int
    name: str
    title: str
    change: float | None = None


def boxes(span: Span, other: Span | None = None) -> list[Box]:
    """Returns the boxes of a span. The width of a box is a number of instructions, so the work of
    hardware, which executes none, has no box."""
    return list(_boxes(span, _totals(other) if other else None))


def height(found: Sequence[Box]) -> int:
    """Returns the number of rows of boxes."""
    return max((box.row for box in found), default=0) + 1


def _boxes(span: Span, others: dict[Path, float] | None) -> Iterator[Box]:
    whole = span.total.instructions
    left: dict[int | None, float] = {None: 0.0}
    rows: dict[int | None, int] = {None: -1}
    paths = _paths(span)
    for index, node in enumerate(span.nodes):
        width = 100 * node.total.instructions / whole if whole else 0.0
        left[index], rows[index] = left[node.parent], rows[node.parent] + 1
        left[node.parent] += width
        if width >= NARROWEST_PERCENT:
            what = f"{figures.count(node.total.instructions)} instructions"
            title = f"{node.name}: {what}, {figures.count(node.calls)} calls"
            change = None
            if others is not None:
                change = node.total.instructions - others.get(paths[index], 0.0)
                title += f", {_signed(change)} against the other side"
            place = round(left[index], 3), round(width, 3), rows[index]
            yield Box(*place, node.name, title, change)


def _paths(span: Span) -> list[Path]:
    """Returns the path of calls to each node. Leaves out callers that execute few instructions
    themselves, because kernels begin their tasks in different functions."""
    least = _ONLY_CALLS * span.total.instructions
    found: list[Path] = []
    prefixes: list[Path] = []  # of the paths of each node's callees
    for node in span.nodes:
        above = () if node.parent is None else prefixes[node.parent]
        path = (*above, node.name)
        found.append(path)
        prefixes.append(path if node.own.instructions > least else above)
    return found


def _totals(span: Span) -> dict[Path, float]:
    """Returns the instructions of each path. If several nodes have the same path, returns those of
    the outermost node."""
    found: dict[Path, float] = {}
    for path, node in zip(_paths(span), span.nodes, strict=True):
        if node.total.instructions:  # otherwise, the node occurs in other samples only
            found.setdefault(path, node.total.instructions)
    return found


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '-' if value < 0 else ''}{figures.count(abs(value))}"


# --- The flame graph as a picture -----------------------------------------------------------------


def differential(span: Span, other: Span, titles: tuple[str, str]) -> str:
    """Returns a differential flame graph as SVG: the boxes of `span`, coloured by the change from
    `other`. `titles` names both."""
    found = boxes(span, other)
    size = _HEAD + _ROW * height(found)
    heads = [
        f"{titles[0]}, as wide as its instructions",
        f"red: more, green: fewer, grey: as many instructions as {titles[1]}",
    ]
    texts = "".join(
        f'<text x="4" y="{16 * (line + 1)}">{escape(text)}</text>\n'
        for line, text in enumerate(heads)
    )
    shapes = "\n".join(map(_shape, found))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{size}" '
        f'viewBox="0 0 {_WIDTH} {size}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{texts}{shapes}\n</svg>\n'
    )


def _shape(box: Box) -> str:
    x, width, y = _WIDTH * box.left / 100, _WIDTH * box.width / 100, _HEAD + _ROW * box.row
    colour = _SAME if not box.change else _MORE if box.change > 0 else _LESS
    letters = int((width - 6) / _LETTER)
    name = escape(box.name[:letters]) if letters > 2 else ""
    return (
        f'<g><title>{escape(box.title)}</title><rect x="{x:.2f}" y="{y}" width="{width:.2f}" '
        f'height="{_ROW - 1}" fill="{colour}"/><text x="{x + 3:.2f}" y="{y + 13}">{name}</text></g>'
    )
