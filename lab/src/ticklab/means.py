# SPDX-License-Identifier: MIT
"""Figures that a suite computes from others: means of several spans, as Rhealstone's number is.

A mean is computed from tallies, lane by lane, so that it has exact bounds in every corner of the
cycle model, as each of its parts has. It is one figure without samples. Where a part has no figure,
the mean has none, for the same reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ticklab.model import Cycles, Lane, Mean, Record, Stats, Status, Suite

Parts = Mapping[tuple[str, str], Record]  # by scenario and span


def records(
    measured: Sequence[Record],
    suites: Sequence[Suite],
    lanes: Mapping[str, Sequence[Lane]],
) -> tuple[Record, ...]:
    """The means of each kernel, as built, that was measured in all of their scenarios."""
    means = {suite.name: suite.means for suite in suites if suite.means}
    builds: dict[tuple[object, ...], dict[tuple[str, str], Record]] = {}
    for record in measured:
        if record.suite in means:
            found = builds.setdefault(_build(record), {})
            found[record.scenario, record.span] = record
    return tuple(
        _record(mean, parts, lanes.get(next(iter(parts.values())).board, ()))
        for parts in builds.values()
        for mean in means[next(iter(parts.values())).suite]
        if all(part in parts for part in mean.spans)
    )


def _build(record: Record) -> tuple[object, ...]:
    names = (record.suite, record.kernel, record.config, record.optimise)
    return (*names, record.board, record.layout)


def _record(mean: Mean, parts: Parts, lanes: Sequence[Lane]) -> Record:
    of = [parts[part] for part in mean.spans]
    blank = replace(
        of[0],
        scenario=mean.name,
        span=mean.name,
        status=Status.PASS,
        reason=None,
        formula=mean.formula,
        instructions=None,
        interrupted=None,
        exceptions=None,
        reads=None,
        writes=None,
        cycles=None,
        lanes={},
        measurement=None,
        per_thread=None,
        deterministic=None,
    )
    for part in of:
        if part.status is not Status.PASS:
            return replace(blank, status=part.status, reason=part.reason)
    return _figures(blank, _mean([part.lanes for part in of], len(mean.terms)), of, lanes)


def _mean(tallies: Sequence[Mapping[str, float]], terms: int) -> dict[str, float]:
    return {name: sum(tally[name] for tally in tallies) / terms for name in tallies[0]}


def _figures(
    blank: Record, tally: Mapping[str, float], of: Sequence[Record], lanes: Sequence[Lane]
) -> Record:
    cycles = None
    if all(part.cycles for part in of) and of[0].cycles:
        low, high = (
            sum(tally[lane.name] * (getattr(lane, end) or 0.0) for lane in lanes)
            for end in ("low", "high")
        )
        cycles = Cycles(_one(low), _one(high), of[0].cycles.profile)
    return replace(
        blank,
        instructions=_one(tally["instructions"]),
        exceptions=tally["entered"],
        reads=tally["reads"],
        writes=tally["writes"],
        cycles=cycles,
        lanes=tally,
    )


def _one(value: float) -> Stats:
    return Stats(1, value, value, value, value, value, value, value)
