# SPDX-License-Identifier: MIT
"""Compares a run with the same cases measured again: each record must be equal in every field of
its result, to the instruction and to each bound of the model. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ticklab.comparison.gate import identity
from ticklab.description.model import Figures, Record


@dataclass(frozen=True)
class Reproduction:
    """`again` has the pair of each record with figures; None where it was not measured again.
    `without` is the number of records that had no figures before."""

    again: tuple[tuple[Record, Record | None], ...]
    without: int

    @property
    def different(self) -> tuple[tuple[Record, Record | None], ...]:
        return tuple(pair for pair in self.again if pair[1] is None or not is_equal(*pair))


def compare(then: Sequence[Record], now: Sequence[Record]) -> Reproduction:
    found = {identity(record): record for record in now}
    with_figures = [record for record in then if isinstance(record.result, Figures)]
    pairs = tuple((record, found.get(identity(record))) for record in with_figures)
    return Reproduction(pairs, len(then) - len(with_figures))


def is_equal(then: Record, now: Record | None) -> bool:
    if now is None or then.work not in (None, now.work):
        return False
    return then.result == now.result and then.formula == now.formula
