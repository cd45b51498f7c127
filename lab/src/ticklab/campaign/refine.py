# SPDX-License-Identifier: MIT
"""Finds the scenarios in which the verdict between a build and the reference is undecided over the
code placements measured so far, and requests more placements of both (adaptive sampling).

A verdict is decided if it is the same in every pair of placements. More placements cannot make an
undecided verdict decided; they show more exactly in which share of the pairs a build is faster. No
more are measured if every single pair is undecided, because then code placement is not the cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from ticklab.campaign.orders import Cell, Widened
from ticklab.campaign.shared import SharedStore
from ticklab.comparison import compare, placement
from ticklab.comparison.compare import Verdict
from ticklab.description.campaign import RefineTable
from ticklab.description.model import Lane, Record
from ticklab.storage import records

Place = tuple[object, ...]  # orders.place


@dataclass(frozen=True)
class Undecided:
    """A span in which a build is neither faster nor slower than the reference in every pair of
    placements."""

    subject: Record  # record of the build's first placement
    compiler: str | None
    pairs: Mapping[Verdict, int]
    places: tuple[Place, Place]  # places of the build and of the reference

    @property
    def depends_on_placement(self) -> bool:
        """Returns whether it helps to measure more placements, because pairs of placements disagree
        or there is only one pair. Otherwise the difference is too small, or the corners of the
        cycle model disagree."""
        return len(self.pairs) > 1 or sum(self.pairs.values()) == 1


@dataclass(frozen=True)
class _Placed:
    """The records of all placements of a case: for each span, the record of each layout."""

    place: Place
    spans: Mapping[str, tuple[Record, ...]]
    lanes: tuple[Lane, ...]


def undecided(
    cells: Iterable[Cell], finished: set[str], store: SharedStore, wanted: RefineTable
) -> Iterator[Undecided]:
    """Yields the undecided spans. Reads the observations of one scenario on one board at a time."""
    for group in _groups(cells, finished).values():
        placed = {build: _placed(each, store) for build, each in group.items()}
        reference = placed.get(wanted.reference)
        for build, subject in placed.items():
            if reference and build != wanted.reference:
                yield from _of_pair(subject, reference, _compiler(group[build]))


def widened(found: Iterable[Undecided], wanted: RefineTable) -> Widened:
    worth = (each.places for each in found if each.depends_on_placement)
    places = frozenset(place for pair in worth for place in pair)
    return Widened(places, wanted.layouts)


_Group = dict[str, list[Cell]]  # the cases of each build


def _groups(cells: Iterable[Cell], finished: set[str]) -> dict[Place, _Group]:
    """Groups observed cases by all properties that must be equal before two records are
    compared."""
    groups: dict[Place, _Group] = {}
    for cell in cells:
        if cell.key in finished:
            kernel, config, *same = cell.place
            builds = groups.setdefault(tuple(same), {})
            builds.setdefault(f"{kernel}/{config}", []).append(cell)
    return groups


def _compiler(cells: list[Cell]) -> str | None:
    return cells[0].compiler


def _placed(cells: list[Cell], store: SharedStore) -> _Placed:
    spans: dict[str, list[Record]] = {}
    lanes: tuple[Lane, ...] = ()
    for _, content in store.observations(dict.fromkeys(cell.key for cell in cells)):
        if content is not None:
            lanes = records.decode_lanes(content["lanes"])
            for record in _records(content):
                spans.setdefault(record.span, []).append(record)
    return _Placed(cells[0].place, {name: tuple(each) for name, each in spans.items()}, lanes)


def _records(content: Mapping[str, Any]) -> list[Record]:
    return [records.decode(each) for each in content["records"]]


def _of_pair(subject: _Placed, reference: _Placed, compiler: str | None) -> Iterator[Undecided]:
    for span in subject.spans.keys() & reference.spans.keys():
        ours, theirs = subject.spans[span], reference.spans[span]
        found = placement.compare_all(ours, theirs, subject.lanes)
        if found and found.verdict is Verdict.UNDECIDED:
            each = (
                compare.compare(one, other, subject.lanes) for one, other in product(ours, theirs)
            )
            pairs = Counter(one.verdict for one in each if one and one.verdict)
            yield Undecided(ours[0], compiler, pairs, (subject.place, reference.place))
