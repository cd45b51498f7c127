# SPDX-License-Identifier: MIT
"""The builds of a kernel that no other build beats in cycles, bytes and worst case: a Pareto front.

A build beats another if it is not worse in any of the three and better in one. For cycles, "worse"
and "better" are verdicts on the geometric mean over the scenarios, in which both builds are
evaluated at the same corner of the model. So the model's assumptions never decide which builds are
shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ticklab.comparison import placement
from ticklab.comparison.compare import Verdict, build_key
from ticklab.description.model import Record, Run, Status
from ticklab.summary import answer
from ticklab.summary.answer import Mean
from ticklab.summary.matrix import Row, row_of


@dataclass(frozen=True)
class Build:
    """A kernel in one configuration at one level, perhaps with additional compiler flags."""

    config: str
    optimise: str
    flags: str
    run: Run
    records: Mapping[Row, Record]

    @property
    def failures(self) -> tuple[str, ...]:
        """Returns the reasons why the build cannot be chosen, one for each row in which it has no
        figure."""
        every = (f"{row.scenario}: {one.reason or one.status}" for row, one in self._without())
        return tuple(dict.fromkeys(every))

    def _without(self) -> Iterator[tuple[Row, Record]]:
        for row, one in self.records.items():
            if one.status is not Status.PASS or one.counted is None:
                yield row, one

    @property
    def key(self) -> str:
        return build_key(next(iter(self.records.values())))

    @property
    def bytes(self) -> int | None:
        """Returns the bytes of code in the largest image of the build. They can be counted also
        with link-time optimisation."""
        footprints = self.run.provenance.get("footprints", {}).get(self.key, {})
        return max((of["image"] for of in footprints.values()), default=None)

    @property
    def worst(self) -> float | None:
        """Returns the high bound of the worst case in cycles: the longest sample of any scenario,
        or the worst position of a sweep. Without a cycle model, returns its instructions."""
        return max((_worst(one) for one in self.records.values()), default=None)

    @property
    def lines(self) -> tuple[str, ...]:
        """Returns the macros whose values differ from those of the kernel's default configuration,
        each as `NAME: THEN -> NOW`."""
        build = self.run.provenance.get("builds", {}).get(self.key, {})
        changes: Mapping[str, str] = build.get("differs_from_default", {})
        return tuple(f"{name}: {value}" for name, value in changes.items())


@dataclass(frozen=True)
class Point:
    """A build with its mean ratio to the base build."""

    build: Build
    mean: Mean


@dataclass(frozen=True)
class Tuning:
    base: Build
    front: tuple[Point, ...]  # by cycles, the fastest first
    beaten: tuple[Point, ...]
    failed: tuple[Build, ...]


def of_run(run: Run, flags: str) -> list[Build]:
    """Returns the builds of a run. `flags` are the additional compiler flags of the run."""
    builds: dict[tuple[str, str], dict[Row, Record]] = {}
    for record in run.records:
        if not record.formula:
            rows = builds.setdefault((record.config, record.optimise), {})
            rows.setdefault(row_of(record), record)
    return [Build(*key, flags, run, rows) for key, rows in builds.items()]


def tune(builds: Sequence[Build], base: Build) -> Tuning:
    candidates = [build for build in builds if not build.failures]
    front = [one for one in candidates if not any(beats(other, one) for other in candidates)]
    points = sorted((Point(one, mean(one, base)) for one in candidates), key=_order)
    return Tuning(
        base,
        tuple(point for point in points if point.build in front),
        tuple(point for point in points if point.build not in front),
        tuple(build for build in builds if build.failures),
    )


def mean(one: Build, base: Build) -> Mean:
    """Returns the geometric mean over the scenarios of one build's cost divided by that of the
    build `base`."""
    lanes = one.run.lanes
    pairs = ((one.records[row], base.records[row]) for row in one.records if row in base.records)
    found = (
        placement.compare_all((ours,), (theirs,), lanes.get(ours.board, ()), anyway=True)
        for ours, theirs in pairs
        if ours.exercises_kernel
    )
    return answer.mean(each for each in found if each)


def beats(one: Build, other: Build) -> bool:
    """Returns whether a build is better than another in one quantity and worse in none."""
    cycles = _cycles(mean(one, other))
    if cycles is None:
        return False
    orders = (cycles, _order_of(one.bytes, other.bytes), _order_of(one.worst, other.worst))
    return max(orders) <= 0 and min(orders) < 0


def _cycles(found: Mean) -> int | None:
    """Returns -1 for fewer cycles than the base, 1 for more, 0 for equal, and None if the model
    does not decide."""
    if found.cycles is None:
        return _order_of(found.instructions, 1.0)
    verdicts = {Verdict.FASTER: -1, Verdict.EQUAL: 0, Verdict.SLOWER: 1}
    return verdicts.get(found.verdict) if found.verdict else None


def _order_of(one: float | None, other: float | None) -> int:
    """Compares two quantities: -1, 0 or 1. Returns 0 if one is unknown."""
    if one is None or other is None:
        return 0
    return (one > other) - (one < other)


def _worst(record: Record) -> float:
    if record.curve:
        return record.curve.cycles.high if record.curve.cycles else record.curve.worst
    cycles, counted = record.figures.cycles, record.figures.instructions
    if cycles:
        return cycles.high.max
    return counted.max if counted else 0.0


def _order(point: Point) -> tuple[float, str, str, str]:
    cycles, build = point.mean.cycles, point.build
    middle = cycles.low * cycles.high if cycles else (point.mean.instructions or 0.0) ** 2
    return (middle, build.config, build.optimise, build.flags)
