# SPDX-License-Identifier: MIT
"""Compares a run with a second measurement of the same cases. Each record must be equal in every
field of its result, exact to the instruction and to each bound of the cycle model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ticklab.comparison.compare import build_key
from ticklab.comparison.gate import identity
from ticklab.description.model import Figures, Record

Provenance = Mapping[str, Any]


@dataclass(frozen=True)
class Reproduction:
    """A run and its second measurement. `again` has each record with figures and its second
    measurement, or None if the case was not measured again. `without` is the number of records
    without figures in the first run. `origins` is the provenance of the first and of the second
    run."""

    again: tuple[tuple[Record, Record | None], ...]
    without: int
    origins: tuple[Provenance, Provenance] = ({}, {})

    @property
    def different(self) -> tuple[tuple[Record, Record | None], ...]:
        return tuple(pair for pair in self.again if pair[1] is None or not is_equal(*pair))

    @property
    def builds(self) -> dict[str, tuple[Provenance, Provenance]]:
        """Returns the provenance, in both runs, of each build with a record that differs."""
        return {
            build_key(one): (_origin(one, self.origins[0]), _origin(one, self.origins[1]))
            for one, _ in self.different
        }


def _origin(record: Record, whole: Provenance) -> Provenance:
    """Returns the part of a run's provenance that determines a record."""
    board: Provenance = whole.get("boards", {}).get(record.board, {})
    return {
        **whole.get("builds", {}).get(build_key(record), {}),
        "kernel": whole.get("kernels", {}).get(record.kernel, {}),
        "board": board,
        "ticklab": whole.get("ticklab", {}),
    }


def compare(
    then: Sequence[Record],
    now: Sequence[Record],
    origins: tuple[Provenance, Provenance] = ({}, {}),
) -> Reproduction:
    found = {identity(record): record for record in now}
    with_figures = [record for record in then if isinstance(record.result, Figures)]
    pairs = tuple((record, found.get(identity(record))) for record in with_figures)
    return Reproduction(pairs, len(then) - len(with_figures), origins)


def is_equal(then: Record, now: Record | None) -> bool:
    if now is None or then.work not in (None, now.work):
        return False
    return then.result == now.result and then.formula == now.formula
