# SPDX-License-Identifier: MIT
"""Figures that a suite computes from others: means of several spans, as Rhealstone's number is, and
the cost of a service from the rate of a workload, as in McRae's benchmark.

They are computed from tallies, lane by lane, so that each has exact bounds in every corner of the
cycle model, as its parts have. Such a figure has no samples. If a part has no figure, the mean has
none, for the same reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ticklab.comparison import compare
from ticklab.description.formulas import Loss, Mean
from ticklab.description.model import (
    Computed,
    Cycles,
    Figures,
    Lane,
    NotMeasured,
    Rate,
    Record,
    Stats,
    Suite,
)

Formula = Mean | Loss
_Build = tuple[str, str, str, str, str, int]
Parts = Mapping[tuple[str, str], Record]  # by scenario and span


def records(
    measured: Sequence[Record],
    suites: Sequence[Suite],
    lanes: Mapping[str, Sequence[Lane]],
) -> tuple[Record, ...]:
    """Computes the figures of each built kernel that was measured in all scenarios of a formula."""
    computed: dict[str, Sequence[Formula]] = {
        suite.name: (*suite.means, *suite.losses) for suite in suites if suite.means or suite.losses
    }
    units = {s.name: each.workload.unit for s in suites for each in s.scenarios if each.workload}
    builds: dict[_Build, dict[tuple[str, str], Record]] = {}
    for record in measured:
        if record.suite in computed:
            found = builds.setdefault(_build(record), {})
            found[record.scenario, record.span] = record
    return tuple(
        _record(one, parts, lanes.get(board, ()), units.get(suite, ""))
        for (suite, board, *_), parts in builds.items()
        for one in computed[suite]
        if all(part in parts for part in one.spans)
    )


def _build(record: Record) -> _Build:
    names = (record.suite, record.board, record.kernel, record.config, record.optimise)
    return (*names, record.layout)


def _record(one: Formula, parts: Parts, lanes: Sequence[Lane], unit: str) -> Record:
    of = [parts[part] for part in one.spans]
    failed = next((part.result for part in of if isinstance(part.result, NotMeasured)), None)
    return replace(
        of[0],
        scenario=one.name,
        span=one.name,
        formula=one.formula,
        result=failed or _result(one, parts, lanes, unit),
        measurement=None,
        doubts={kind: why for part in of for kind, why in part.doubts.items()},
    )


def _result(one: Formula, parts: Parts, lanes: Sequence[Lane], unit: str) -> Computed:
    of = [parts[part].figures for part in one.spans]
    if isinstance(one, Mean):
        return _figures(_mean([part.lanes for part in of], len(one.terms)), of, lanes)
    tally = _lost(parts[one.of].figures.lanes, parts[one.less].figures.lanes, one.times)
    found = _figures(tally, of, lanes)
    return replace(found, per_second=_rate(found, parts[one.work].figures, lanes, unit))


def _mean(tallies: Sequence[Mapping[str, float]], terms: int) -> dict[str, float]:
    return {name: sum(tally[name] for tally in tallies) / terms for name in tallies[0]}


def _lost(of: Mapping[str, float], less: Mapping[str, float], times: int) -> dict[str, float]:
    return {name: times * (of[name] - less[name]) for name in of}


def _rate(lost: Figures, work: Figures, lanes: Sequence[Lane], unit: str) -> Rate | None:
    """Returns the number of passes that the work would have made instead, at each corner of the
    model."""
    if lost.cycles is None:
        return None
    found = compare.ratio(lost.lanes, work.lanes, compare.timing_lanes(lanes))
    return Rate(found.low, found.high, f"{unit} lost") if found else None


def _figures(tally: Mapping[str, float], of: Sequence[Figures], lanes: Sequence[Lane]) -> Computed:
    cycles = None
    if all(part.cycles for part in of) and of[0].cycles:
        bounds = compare.extremes(tally, compare.timing_lanes(lanes))
        cycles = Cycles(_one(bounds.low), _one(bounds.high), of[0].cycles.profile)
    return Computed(
        instructions=_one(tally["instructions"]),
        exceptions=tally["entered"],
        reads=tally["reads"],
        writes=tally["writes"],
        cycles=cycles,
        lanes=tally,
    )


def _one(value: float) -> Stats:
    return Stats(1, value, value, value, value, value, value, value)
