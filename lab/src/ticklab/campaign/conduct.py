# SPDX-License-Identifier: MIT
"""Runs a campaign: finds the cases that are not yet observed, has workers observe them, requests
more code placements where verdicts are undecided, and collects the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ticklab import paths
from ticklab.campaign import identity, orders, refine, results
from ticklab.campaign.orders import Order, Plan
from ticklab.campaign.refine import Undecided
from ticklab.campaign.results import Collected
from ticklab.campaign.shared import SharedStore
from ticklab.campaign.worker import Report, Task, Worker
from ticklab.description.campaign import Campaign

Say = Callable[[str], None]
# A function that hands out tasks to workers. It calls its last argument for each task that is done
# (spread.Spreader.run).
HandOut = Callable[[Iterator[Task], Worker, Callable[[Task, Report], None]], None]

WHOLE = (1, 1)
TELL_S = 10.0  # seconds between two lines of progress


@dataclass(frozen=True)
class Left:
    """The state of a campaign: which cases are observed, and which are left."""

    cases: int
    finished: int  # number of finished cases
    plan: Plan
    keys: set[str]  # keys of all observations in the store

    def orders(self) -> Iterator[Order]:
        """Yields the orders (groups of cases for one worker) with cases that are not observed
        yet."""
        for order in self.plan.orders():
            rest = order.without(self.keys)
            if rest.keys:
                yield rest


@dataclass(frozen=True)
class Outcome:
    """The result of one command of a campaign."""

    cases: int
    finished: int
    observed: int  # number of observations that this command made
    failed: int
    seconds: float
    worker_s: float
    not_kept: tuple[str, ...]
    undecided: tuple[Undecided, ...]
    collected: Collected


def place(campaign: Campaign) -> str:
    """Returns the folder or bucket in which the records of a campaign are kept."""
    return campaign.store or str(paths.home() / "campaigns" / campaign.name)


def plan(campaign: Campaign, shard: tuple[int, int] = WHOLE) -> Plan:
    """Plans a campaign, or one shard of it, for workers with the same tools as this machine."""
    return Plan(campaign, identity.of_this_machine(orders.means(campaign)), shard=shard)


def left_of(plan: Plan, store: SharedStore) -> Left:
    """Compares a plan with the shared store, and returns which cases are left to observe."""
    store.drop_unfinished()
    known = store.finished()
    cases = finished = 0
    for order in plan.orders():
        cases += len(order.keys)
        finished += sum(key in known for key in order.keys.values())
    return Left(cases, finished, plan, known)


class Conductor:
    def __init__(self, store: SharedStore, hand_out: HandOut, work: Worker, say: Say) -> None:
        self._store, self._hand_out, self._work, self._say = store, hand_out, work, say
        self._meter = Meter(say)

    def conduct(self, left: Left) -> Outcome:
        begun = time.monotonic()
        self._observe(left)
        left, undecided = self._refined(left_of(left.plan, self._store))
        collected = results.collect(left.plan.orders(), left.keys, self._store)
        if collected.damaged:
            self._say(
                f"{collected.damaged} observations are damaged and were moved aside; run the "
                "campaign again"
            )
        return Outcome(
            left.cases,
            left.finished,
            self._meter.observed,
            self._meter.failed,
            time.monotonic() - begun,
            self._meter.worker_s,
            tuple(self._meter.not_kept),
            tuple(undecided),
            collected,
        )

    def _refined(self, left: Left) -> tuple[Left, list[Undecided]]:
        wanted = left.plan.campaign.refine
        # A shard does not have the cases of the reference with which its own cases are compared.
        if wanted is None or left.plan.shard != WHOLE:
            return left, []
        first = list(refine.undecided(left.plan.cells(), left.keys, self._store, wanted))
        worth = sum(each.depends_on_placement for each in first)
        if not worth:
            return left, first
        more = replace(left.plan, widened=refine.widened(first, wanted))
        self._say(
            f"{worth} verdicts depend on code placement: measuring {wanted.layouts} placements "
            "of each"
        )
        self._observe(left_of(more, self._store))
        wider = left_of(more, self._store)
        return wider, list(refine.undecided(more.cells(), wider.keys, self._store, wanted))

    def _observe(self, left: Left) -> None:
        rest = left.cases - left.finished
        if not rest:
            return
        self._say(f"{left.finished:,} of {left.cases:,} cases are finished")
        self._meter.begin(rest)
        means = orders.means(left.plan.campaign)
        tasks = (Task(order, means, left.plan.known, self._store.place) for order in left.orders())
        self._hand_out(tasks, self._work, self._meter.done)


class Meter:
    """Counts observed cases, and prints from time to time how many are left."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self.observed = self.failed = 0
        self.worker_s = 0.0
        self.not_kept: list[str] = []

    def begin(self, cases: int) -> None:
        self._total, self._cases = cases, 0
        self._begun = self._told = time.monotonic()

    def done(self, task: Task, report: Report) -> None:
        self._cases += len(task.order.keys)
        self.observed += report.observed
        self.failed += report.failed
        self.worker_s += report.seconds
        self.not_kept += report.not_kept
        now = time.monotonic()
        if now - self._told >= TELL_S or self._cases == self._total:
            self._told = now
            self._say(self._line(now - self._begun))

    def _line(self, elapsed_s: float) -> str:
        each = elapsed_s / self._cases
        left = each * (self._total - self._cases)
        return f"{self._cases:,}/{self._total:,} cases, {each:.3g} s each, about {_time(left)} left"


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
