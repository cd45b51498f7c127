# SPDX-License-Identifier: MIT
"""Computes figures of a suite from other figures: means of several spans, such as Rhealstone's
number, and the cost of a service from the rate of a workload, as in McRae's benchmark.

The computation uses tallies, lane by lane, so that the result has exact bounds in every corner of
the cycle model. Computed figures have no samples. If a term has no figure, neither has the mean,
for the same reason. If a kernel of the run lacks a term, the run also has a figure `NAME-common` of
the terms that all of its kernels have; its formula names these terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ticklab.comparison import compare
from ticklab.description.formulas import Loss, Mean, Part, Total
from ticklab.description.model import (
    Computed,
    Cycles,
    Figures,
    Lane,
    NotMeasured,
    Rate,
    Record,
    Stats,
    Status,
    Suite,
)

Formula = Mean | Loss | Total
_Build = tuple[str, str, str, str, str, int]
Parts = Mapping[Part, Record]


def records(
    measured: Sequence[Record],
    suites: Sequence[Suite],
    lanes: Mapping[str, Sequence[Lane]],
) -> tuple[Record, ...]:
    """Returns the computed figures of each build that was measured in all scenarios of a
    formula."""
    computed: dict[str, Sequence[Formula]] = {
        suite.name: (*suite.means, *suite.losses, *suite.totals) for suite in suites
    }
    units = {s.name: each.workload.unit for s in suites for each in s.scenarios if each.workload}
    builds: dict[_Build, dict[Part, Record]] = {}
    for record in measured:
        if computed.get(record.suite):
            found = builds.setdefault(_build(record), {})
            found[record.scenario, record.span] = record
    return tuple(
        _record(one, parts, lanes.get(board, ()), units.get(suite, ""))
        for (suite, board, *_), parts in builds.items()
        for one in _with_common(computed[suite], _beside(builds, suite, board))
        if all(part in parts for part in one.spans)
    )


def _beside(builds: Mapping[_Build, Parts], suite: str, board: str) -> list[Parts]:
    """Returns the figures of all builds that the run measured in a suite on a board."""
    return [parts for build, parts in builds.items() if build[:2] == (suite, board)]


def _with_common(formulas: Sequence[Formula], builds: Sequence[Parts]) -> Iterator[Formula]:
    """Yields each formula. If a build lacks a term of it, also yields the formula with the terms
    that all builds have. Ignores builds that lack every term, for example the image without a
    kernel."""
    for one in formulas:
        yield one
        if isinstance(one, Loss) or not all(set(one.spans) <= parts.keys() for parts in builds):
            continue
        missing = [_unsupported(one.spans, parts) for parts in builds]
        some = [lacking for lacking in missing if one.common(lacking).terms]
        common = one.common(set().union(*some))
        if any(some) and common.terms:
            yield common


def _unsupported(spans: Sequence[Part], parts: Parts) -> set[Part]:
    return {span for span in spans if parts[span].status is Status.UNSUPPORTED}


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
    losses = one.terms if isinstance(one, Total) else (one,)
    found = _figures(_sum([_lost(loss, parts) for loss in losses]), of, lanes)
    return replace(found, per_second=_rate(found, parts[losses[0].work].figures, lanes, unit))


def _mean(tallies: Sequence[Mapping[str, float]], terms: int) -> dict[str, float]:
    return {name: total / terms for name, total in _sum(tallies).items()}


def _sum(tallies: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(tally[name] for tally in tallies) for name in tallies[0]}


def _lost(loss: Loss, parts: Parts) -> dict[str, float]:
    of, less = parts[loss.of].figures.lanes, parts[loss.less].figures.lanes
    return {name: loss.times * (of[name] - less[name]) for name in of}


def _rate(lost: Figures, work: Figures, lanes: Sequence[Lane], unit: str) -> Rate | None:
    """Returns how many iterations of the workload take as many cycles as the cost `lost`, for one
    second, at each corner of the model."""
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
