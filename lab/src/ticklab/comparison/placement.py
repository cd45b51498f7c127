# SPDX-License-Identifier: MIT
"""Compares builds that differ only in code placement: the same scenario linked at several layouts.

A counted figure does not depend on the placement. Modelled and clocked figures may, through caches
and wait states. If they do, no single placement represents the kernel, and one kernel counts as
faster than another only if it is faster for every pair of placements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from ticklab.comparison import compare, doubts
from ticklab.comparison.compare import Comparison, Interval, Verdict
from ticklab.description.model import Lane, Record, Status

Placed = tuple[Record, ...]  # records of one scenario of one build, by layout


def group(records: Iterable[Record]) -> tuple[Placed, ...]:
    """Groups records that differ only in the layout. Groups are in the order of their first
    records, and records in the order of layouts."""
    groups: dict[object, list[Record]] = {}
    for record in records:
        groups.setdefault(identity(record), []).append(record)
    return tuple(tuple(sorted(each, key=lambda one: one.layout)) for each in groups.values())


def identity(record: Record) -> tuple[object, ...]:
    """Returns the values that identify a measurement, except its layout."""
    build = (record.kernel, record.config, record.optimise, record.board)
    measured = (record.suite, record.scenario, record.span, *sorted(record.params.items()))
    return (*build, *measured)


def counts_moved(placed: Placed) -> bool:
    """Returns whether a counted figure differs between layouts, which is an error."""
    found = (record.figures for record in _passed(placed))
    return len({(one.instructions, one.exceptions, one.reads, one.writes) for one in found}) > 1


def cycles(placed: Placed) -> Interval | None:
    """Returns the least low bound of any placement and the greatest high bound."""
    bounds = _bounds(placed)
    if not bounds:
        return None
    return Interval(min(one.low for one in bounds), max(one.high for one in bounds))


def spread(placed: Placed) -> float | None:
    """Returns how far code placement moves the bounds of the cycles, as a share of the least value.
    Of the shares for the low and the high bound, returns the greater."""
    bounds = _bounds(placed)
    if not bounds:
        return None
    lows, highs = [one.low for one in bounds], [one.high for one in bounds]
    return max(max(ends) / min(ends) - 1 for ends in (lows, highs))


def compare_all(
    subjects: Placed,
    references: Placed,
    lanes: Sequence[Lane],
    reference_lanes: Sequence[Lane] | None = None,
    anyway: bool = False,
) -> Comparison | None:
    """Compares every placement of the subject with every placement of the reference. Returns the
    widest interval of ratios, with a verdict only if all pairs agree. Returns None unless all
    records passed. Compares records with doubts only with `anyway`."""
    pairs = product(subjects, references)
    found = [compare.compare(one, other, lanes, reference_lanes) for one, other in pairs]
    whole = [each for each in found if each]
    if not whole or len(whole) < len(found):
        return None
    if not anyway and doubts.between(subjects[0], references[0]):
        return Comparison(None, None, None)
    ratios = [each.cycles for each in whole if each.cycles]
    hull = Interval(min(r.low for r in ratios), max(r.high for r in ratios)) if ratios else None
    verdicts = {each.verdict for each in whole}
    verdict = verdicts.pop() if len(verdicts) == 1 else Verdict.UNDECIDED
    return Comparison(whole[0].instructions, hull, verdict)


def _passed(placed: Placed) -> Placed:
    return tuple(record for record in placed if record.status is Status.PASS)


def _bounds(placed: Placed) -> list[Interval]:
    return [record.bounds for record in _passed(placed) if record.bounds]
