# SPDX-License-Identifier: MIT
"""Prepares the parts of the report that explain a record: call tree, flame graph, critical sections
and the instructions of the worst sample. Shapes are in percent of the width; the templates draw
them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ticklab.description.model import CategoryRule, Record
from ticklab.explain import categories
from ticklab.explain.answer import Cost, Explanation, Span
from ticklab.views import explanation, flame
from ticklab.views.flame import Box

# The greatest number of instructions of a sample that the report lists; `explain` lists all.
LISTED = 1500


@dataclass(frozen=True)
class Track:
    """A row in the timeline of a sample. It shows when one task or handler runs, or when interrupts
    are masked. Positions are in percent of the sample's instructions."""

    name: str
    instructions: int
    stretches: tuple[tuple[float, float], ...]  # left and width
    is_mask: bool = False


@dataclass(frozen=True)
class Against:
    """The comparison with another build of the same kernel in the same scenario."""

    label: str
    span: Span


@dataclass(frozen=True)
class Explained:
    answer: Explanation
    span: Span
    assembly: Mapping[int, str]
    rules: Sequence[CategoryRule] = ()  # none: of an image or a kernel that is not known
    sources: Mapping[str, str] = field(default_factory=dict)  # text by FILE:LINE
    against: Against | None = None  # the flame graph shows differences from it

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
        return flame.boxes(self.span, self.against.span if self.against else None)

    @property
    def rows(self) -> int:
        return flame.height(self.boxes)

    @property
    def worst(self) -> list[str]:
        return explanation.listing(self.answer, self.span, self.assembly, LISTED, self.sources)

    @property
    def tracks(self) -> list[Track]:
        return list(_tracks(self.span))


# Returns the explanation of a record, or None if the store no longer has the image.
Explainer = Callable[[Record], Explained | None]


def anchor(run: str, record: Record) -> str:
    """Returns the HTML anchor of a record's explanation, which no other record of the report
    has."""
    params = [f"{name}={value}" for name, value in sorted(record.params.items())]
    names = (run, record.board, record.kernel, record.config, record.optimise, record.suite)
    place = (*names, record.scenario, record.span, str(record.layout), *params)
    return "why-" + "-".join(re.sub(r"[^\w.=]+", "_", name) for name in place)


def _tracks(span: Span) -> Iterator[Track]:
    """Yields a track for each task and handler, in the order in which they first run, and one for
    the stretches with masked interrupts."""
    rows = span.listing.rows if span.listing else ()
    for name in dict.fromkeys(row.context for row in rows):
        yield _track(name, [row.context == name for row in rows])
    if any(row.masked for row in rows):
        yield _track("interrupts masked", [row.masked for row in rows], is_mask=True)


def _track(name: str, runs: Sequence[bool], is_mask: bool = False) -> Track:
    stretches, at = [], 0
    for is_on, group in groupby(runs):
        length = sum(1 for _ in group)
        if is_on:
            stretches.append((round(100 * at / len(runs), 3), round(100 * length / len(runs), 3)))
        at += length
    return Track(name, sum(runs), tuple(stretches), is_mask)
