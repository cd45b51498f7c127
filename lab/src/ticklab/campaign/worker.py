# SPDX-License-Identifier: MIT
"""Carries out one order on a worker: builds its images, tests conformance, observes, and adds each
observation to the shared store as soon as it is known.

An order may be carried out several times, by several workers, completely or in part: the
observations are always the same, and the shared store keeps the first. Samples and results of
conformance are in the worker's own store (`.ticklab/store`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ticklab import building, paths
from ticklab.campaign import identity, orders
from ticklab.campaign.identity import Identity, Means
from ticklab.campaign.orders import Order
from ticklab.campaign.shared import SharedStore
from ticklab.description.model import Case, Record, Status
from ticklab.measurement import campaign, environment
from ticklab.measurement.campaign import Outcome
from ticklab.measurement.conformance import Unit
from ticklab.measurement.environment import Environment
from ticklab.measurement.progress import Lines
from ticklab.storage import records
from ticklab.storage.store import Store
from ticklab.targets.protocol import Cancel


@dataclass(frozen=True)
class Task:
    """An order for a worker, with facts that the worker needs and the identity that the worker must
    have."""

    order: Order
    means: Means
    identity: Identity
    store: str


@dataclass(frozen=True)
class Report:
    """A worker's report about a task."""

    observed: int = 0  # number of observations that the task added to the shared store
    not_kept: tuple[str, ...] = ()  # cases that failed without a log, which are tried again
    failed: int = 0  # number of observations that did not pass
    seconds: float = 0.0
    # The parts of the identity in which the worker differs. If there are any, the worker did
    # nothing.
    refused: str = ""


Worker = Callable[[Task], Report]


def carry_out(task: Task) -> Report:
    ours = identity.of_this_machine(task.means)
    if ours != task.identity:
        return Report(refused=identity.difference(ours, task.identity))
    begun, store = time.monotonic(), shared(task.store)
    left = task.order.without({key for key in task.order.keys.values() if store.has(key)})
    if not left.keys:
        return Report()
    keeper = _Keeper(store)
    (board,) = left.choice.boards
    lab, toolchain = _laboratory(left.compiler, board, left.profile)
    keys, cases = zip(*left.cases(), strict=True)
    adapted = building.adapt_levels(cases, toolchain, lambda _: None)
    keeper.keys = {id(case): key for key, case in zip(keys, adapted, strict=True)}
    campaign.measure(lab, adapted, _quiet(), Cancel(), keeper.finished)
    return keeper.report(time.monotonic() - begun)


@cache
def shared(place: str) -> SharedStore:
    """Returns the shared store at an address. Each process opens it once."""
    return SharedStore(place)


class _Keeper:
    """Adds the results of cases to the shared store."""

    def __init__(self, store: SharedStore) -> None:
        self._store, self._observed, self._failed = store, 0, 0
        self._not_kept: list[str] = []
        self.keys: dict[int, str] = {}  # by the id() of the case

    def finished(self, case: Case, outcome: Outcome) -> None:
        if any(_may_be_the_machine(record) for record in outcome.records):
            self._not_kept.append(f"{campaign.label(case)}: {outcome.records[0].reason}")
            return
        key = self.keys[id(case)]
        self._observed += self._store.add(key, content(key, outcome))
        statuses = {record.status for record in outcome.records}
        self._failed += bool(statuses & {Status.FAIL, Status.BLOCKED})

    def report(self, seconds: float) -> Report:
        return Report(self._observed, tuple(self._not_kept), self._failed, seconds)


def _may_be_the_machine(record: Record) -> bool:
    """Returns whether a failure may be due to this machine, so that the case may pass on another
    machine. Such an observation is not stored."""
    return record.status is Status.FAIL and record.measurement is None


def content(key: str, outcome: Outcome) -> dict[str, object]:
    """Returns the content of a stored observation, which has neither a time nor the worker's
    name."""
    return {
        "key": key,
        "lanes": records.encode_lanes(outcome.lanes),
        "records": [records.encode(record) for record in outcome.records],
    }


@cache
def _laboratory(
    compiler: str | None, board: str, profile: str | None
) -> tuple[Environment, building.Toolchain]:
    """Returns the tools of this machine for a compiler, a board and a timing profile. A worker
    observes one case at a time."""
    store, toolchain = Store(paths.store()), building.find_toolchain(compiler)
    store.open_for_writing()
    profiles = dict([orders.timing(board, profile)])
    lab = environment.equip(
        store, profiles, 1, _quiet(), keeps_image=lambda _: False, toolchain=toolchain
    )
    return replace(lab, proven=_proven(compiler)), toolchain


@cache
def _proven(compiler: str | None) -> set[Unit]:
    """Returns the set to which this process adds the variants whose conformance it has tested."""
    return set()


@cache
def _quiet() -> Lines:
    return Lines(Path(os.devnull).open("w"))
