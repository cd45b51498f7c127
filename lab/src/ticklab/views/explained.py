# SPDX-License-Identifier: MIT
"""The part of the report about a recorded record: call tree, flame graph, critical sections and
worst sample. Shapes are in percent of the width; the templates draw them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ticklab.description.model import CategoryRule, Record
from ticklab.explain import categories
from ticklab.explain.answer import Cost, Explanation, Span
from ticklab.views import explanation, figures

# The report shows at most so many instructions of a sample; `explain` lists all.
LISTED = 1500
# A narrower shape would be invisible.
NARROWEST_PERCENT = 0.05


@dataclass(frozen=True)
class Box:
    """One call in the flame graph: the root is row 0, callees are below."""

    left: float
    width: float
    row: int
    name: str
    title: str


@dataclass(frozen=True)
class Explained:
    answer: Explanation
    span: Span
    assembly: Mapping[int, str]
    rules: Sequence[CategoryRule] = ()  # none: of an image or a kernel that is not known

    @property
    def kinds(self) -> list[tuple[str, Cost]]:
        return list(explanation.kinds(self.answer, self.span, self.rules)) if self.rules else []

    @property
    def are_kinds_guessed(self) -> bool:
        return categories.is_guessed(self.rules)

    @property
    def lines(self) -> list[explanation.TreeLine]:
        return list(explanation.lines(self.span))

    @property
    def share(self) -> str:
        return explanation.percent(self.span.masked.instructions, self.span.total.instructions)

    @property
    def boxes(self) -> list[Box]:
        return list(_boxes(self.span))

    @property
    def rows(self) -> int:
        return max((box.row for box in self.boxes), default=0) + 1

    @property
    def worst(self) -> list[str]:
        return explanation.listing(self.answer, self.span, self.assembly, LISTED)


# None: the store has not kept the image
Explainer = Callable[[Record], Explained | None]


def anchor(run: str, record: Record) -> str:
    """Returns the anchor of the explanation in the report, unique among its records."""
    params = [f"{name}={value}" for name, value in sorted(record.params.items())]
    names = (run, record.board, record.kernel, record.config, record.optimise, record.suite)
    place = (*names, record.scenario, record.span, str(record.layout), *params)
    return "why-" + "-".join(re.sub(r"[^\w.=]+", "_", name) for name in place)


def _boxes(span: Span) -> Iterator[Box]:
    """Returns the shapes. Widths are instructions, so hardware, which executes none, is only in the
    tree."""
    whole = span.total.instructions
    left: dict[int | None, float] = {None: 0.0}
    rows: dict[int | None, int] = {None: -1}
    for index, node in enumerate(span.nodes):
        width = 100 * node.total.instructions / whole if whole else 0.0
        left[index], rows[index] = left[node.parent], rows[node.parent] + 1
        left[node.parent] += width
        if width >= NARROWEST_PERCENT:
            what = f"{figures.count(node.total.instructions)} instructions"
            title = f"{node.name}: {what}, {figures.count(node.calls)} calls"
            yield Box(round(left[index], 3), round(width, 3), rows[index], node.name, title)
