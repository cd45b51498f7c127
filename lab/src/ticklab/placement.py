# SPDX-License-Identifier: MIT
"""What the placement of code alone does: the same scenario linked at several layouts.

A counted figure does not depend on where code lies. Modelled and clocked ones may, through caches
and wait states; then no single placement speaks for the kernel, and a difference between two
kernels must hold for every placement of each. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from ticklab import compare, doubts
from ticklab.compare import Comparison, Interval, Verdict
from ticklab.model import Lane, Record, Status

Placed = tuple[Record, ...]  # one scenario of one build, by layout


def group(records: Iterable[Record]) -> tuple[Placed, ...]:
    """In the order of the first of each, its layouts in theirs."""
    groups: dict[object, list[Record]] = {}
    for record in records:
        groups.setdefault(identity(record), []).append(record)
    return tuple(tuple(sorted(each, key=lambda one: one.layout)) for each in groups.values())


def identity(record: Record) -> tuple[object, ...]:
    """All that says what was measured, but the layout."""
    build = (record.kernel, record.config, record.optimise, record.board)
    measured = (record.suite, record.scenario, record.span, *sorted(record.params.items()))
    return (*build, *measured)


def counts_moved(placed: Placed) -> bool:
    """Whether a counted figure differs between layouts, which it must not."""
    return len({(r.instructions, r.exceptions, r.reads, r.writes) for r in _passed(placed)}) > 1


def cycles(placed: Placed) -> Interval | None:
    """From the least low bound of any placement to the greatest high one."""
    bounds = _bounds(placed)
    if not bounds:
        return None
    return Interval(min(one.low for one in bounds), max(one.high for one in bounds))


def spread(placed: Placed) -> float | None:
    """By what share placement alone moves the low or the high bound, whichever it moves more."""
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
    """compare.compare over every placement of both: the widest ratio, and a verdict only if all
    pairs agree. None unless all passed. There is no ratio of doubted records, but `anyway`."""
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


def by_first(groups: Iterable[Placed]) -> Mapping[object, Placed]:
    return {identity(placed[0]): placed for placed in groups}


def _passed(placed: Placed) -> Placed:
    return tuple(record for record in placed if record.status is Status.PASS)


def _bounds(placed: Placed) -> list[Interval]:
    return [record.bounds for record in _passed(placed) if record.bounds]
