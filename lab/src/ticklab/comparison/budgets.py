# SPDX-License-Identifier: MIT
"""Compares figures with the budgets of ticklab.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ticklab.comparison import compare
from ticklab.description.budget import BUILD, FILTERS, Budget, FootprintBudget
from ticklab.description.model import Record
from ticklab.errors import UsageError

# The bytes of each part of an image, by build and scenario, as in the provenance of a run.
Footprints = Mapping[str, Mapping[str, Mapping[str, int]]]
NO_FOOTPRINTS: Footprints = {}


@dataclass(frozen=True)
class Excess:
    """A figure above its budget."""

    record: Record
    quantity: str  # "instructions", "cycles", "bytes of code" or "bytes of variables"
    found: float
    limit: int


def excesses(budgets: Sequence[Budget], records: Sequence[Record]) -> list[Excess]:
    """Returns the figures above their budget, in the order of the budgets."""
    return [
        Excess(record, quantity, found, limit)
        for budget in budgets
        for record in _chosen(budget, records)
        for quantity, found, limit in _limits(budget, record)
        if found > limit
    ]


def footprint_excesses(
    limits: Sequence[FootprintBudget], records: Sequence[Record], footprints: Footprints
) -> list[Excess]:
    """Returns the excess of each kernel above a limit. The size is that of the build's largest
    image."""
    return [
        Excess(record, quantity, found, limit)
        for one in limits
        for record in _of_builds(one, records, footprints)
        for quantity, found, limit in _sizes(one, record, footprints)
        if found > limit
    ]


def _of_builds(
    limit: FootprintBudget, records: Sequence[Record], footprints: Footprints
) -> Iterator[Record]:
    """Yields one record of each build that has a footprint and to which the limit applies."""
    wanted = {name: getattr(limit, name) for name in BUILD}
    seen = set()
    for record in records:
        build = compare.build_key(record)
        matches = all(value in (None, getattr(record, name)) for name, value in wanted.items())
        if matches and build not in seen and record.scenario in footprints.get(build, {}):
            seen.add(build)
            yield record


def _sizes(
    limit: FootprintBudget, record: Record, footprints: Footprints
) -> Iterator[tuple[str, float, int]]:
    """Yields each size that exceeds its limit: its name, the limit, and the bytes in the build's
    largest image."""
    sizes = of_build(footprints[compare.build_key(record)])
    limits = {"bytes of code": limit.code, "bytes of variables": limit.variables}
    for quantity, most in limits.items():
        if most is not None:
            yield quantity, sizes[quantity], most


def of_build(images: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Returns the bytes of each part of a kernel (code, constants, variables). For each part, this
    is the greatest value of all images of a build."""
    every = images.values()
    return {
        "bytes of code": max(one["code"] + one["constants"] for one in every),
        "bytes of variables": max(one["variables"] for one in every),
    }


def require_footprints(
    limits: Sequence[FootprintBudget], records: Sequence[Record], footprints: Footprints, file: str
) -> None:
    """Raises an error if a limit applies to no build of the baseline with a footprint, because such
    a limit would never be exceeded."""
    for number, one in enumerate(limits, start=1):
        if not any(_of_builds(one, records, footprints)):
            raise UsageError(
                f"{file}: [footprint {number}] matches no footprint of the baseline",
                "correct its names, or save the baseline again from a run of 'ticklab run'",
            )


def require_matches(budgets: Sequence[Budget], records: Sequence[Record], file: str) -> None:
    """Raises an error if a budget applies to no figure, because such a budget would never be
    exceeded."""
    for number, budget in enumerate(budgets, start=1):
        if not any(any(_limits(budget, record)) for record in _chosen(budget, records)):
            raise UsageError(
                f"{file}: [budget {number}] matches no figure of the baseline for scenario "
                f"{budget.scenario}",
                "correct its names, or measure the scenario and save the baseline again",
            )


def _chosen(budget: Budget, records: Sequence[Record]) -> Iterator[Record]:
    wanted = {name: getattr(budget, name) for name in ("scenario", *FILTERS)}
    for record in records:
        if all(value in (None, getattr(record, name)) for name, value in wanted.items()):
            yield record


def _limits(budget: Budget, record: Record) -> Iterator[tuple[str, float, int]]:
    if budget.instructions is not None and record.counted is not None:
        yield "instructions", record.counted, budget.instructions
    if budget.cycles is not None and record.bounds is not None:
        yield "cycles", record.bounds.high, budget.cycles
