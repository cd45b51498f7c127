# SPDX-License-Identifier: MIT
"""Compares figures with the budgets of ticklab.toml. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ticklab.description.budget import FILTERS, Budget
from ticklab.description.model import Record
from ticklab.errors import UsageError


@dataclass(frozen=True)
class Excess:
    """A figure above its budget."""

    record: Record
    quantity: str  # "instructions" or "cycles"
    found: float
    limit: int


def excesses(budgets: Sequence[Budget], records: Sequence[Record]) -> list[Excess]:
    """Returns the figures above a budget, in the order of the budgets."""
    return [
        Excess(record, quantity, found, limit)
        for budget in budgets
        for record in _chosen(budget, records)
        for quantity, found, limit in _limits(budget, record)
        if found > limit
    ]


def require_matches(budgets: Sequence[Budget], records: Sequence[Record], file: str) -> None:
    """Refuses a budget that no figure has: it would pass for ever."""
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
