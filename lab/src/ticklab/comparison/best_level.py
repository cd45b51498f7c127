# SPDX-License-Identifier: MIT
"""Chooses the level of optimisation of each kernel for `--optimise best`.

A configuration of a kernel is built with one set of flags, so one level is chosen for all of its
scenarios. The best level has the least geometric mean of the cycles (the middle of the bounds) or,
without a cycle model, of the instructions. Scenarios that do not exercise the kernel count only if
there are no others. A level with fewer failed scenarios is always better than one with more.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from ticklab.description.model import Record, Status

Key = tuple[str, str, str]  # kernel, configuration, board


def choose(found: Sequence[Record]) -> tuple[Record, ...]:
    """Returns those records of each variant that were measured at its best level."""
    levels: dict[Key, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for record in found:
        levels[_key(record)][record.optimise].append(record)
    best = {variant: _best(by_level) for variant, by_level in levels.items()}
    return tuple(record for record in found if record.optimise == best[_key(record)])


def _key(record: Record) -> Key:
    return record.kernel, record.config, record.board


def _best(by_level: dict[str, list[Record]]) -> str:
    """Returns the best level; of several equally good levels, the first."""
    return min(by_level, key=lambda level: (_failures(by_level[level]), _mean(by_level[level])))


def _failures(found: Sequence[Record]) -> int:
    return sum(record.status in (Status.FAIL, Status.BLOCKED) for record in found)


def _mean(found: Sequence[Record]) -> float:
    telling = [record for record in found if record.exercises_kernel] or found
    logarithms = [math.log(cost) for cost in map(_cost, telling) if cost]
    return math.fsum(logarithms) / len(logarithms) if logarithms else 0.0


def _cost(record: Record) -> float | None:
    if record.bounds:
        return (record.bounds.low + record.bounds.high) / 2
    return record.counted
