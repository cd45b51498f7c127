# SPDX-License-Identifier: MIT
"""Runs campaigns with simulated observations: a worker that invents records, and a client that
tests can kill.

    python campaign_simulation.py SCHEDULER STORE LAYOUTS SECONDS

runs a campaign with LAYOUTS placements, in which each observation takes SECONDS.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import synthetic

from ticklab.campaign import conduct, orders, spread, worker
from ticklab.campaign.orders import Plan
from ticklab.campaign.shared import SharedStore
from ticklab.campaign.worker import Report, Task
from ticklab.description.campaign import Campaign, CasesTable, RefineTable
from ticklab.description.model import Record
from ticklab.measurement.campaign import Outcome

KNOWN = {"sources": "simulated"}


def known() -> dict[str, str]:
    return KNOWN


def plan(layouts: int, refine: RefineTable | None = None, **block: object) -> Plan:
    """Returns a plan with 2 kernels in 3 scenarios at each of `layouts` placements. `block`
    replaces keys of the campaign's block of cases."""
    usual = {
        "kernel": ("freertos/default", "rt/default"),
        "scenario": ("synchronization", "message-processing", "basic-processing"),
    }
    cases = CasesTable(layouts=layouts, **{**usual, **block})  # type: ignore[arg-type]
    return Plan(Campaign("simulated", None, (cases,), refine), KNOWN)


def tasks(plan: Plan, store: SharedStore) -> Iterator[Task]:
    """Yields the tasks of a campaign, as Conductor hands them out."""
    means = orders.means(plan.campaign)
    return (Task(order, means, plan.known, store.place) for order in plan.orders())


def observe(task: Task, seconds: float = 0.0) -> Report:
    """Adds made-up observations of the cases of a task to its store, as a worker adds real ones."""
    store, begun, observed = worker.shared(task.store), time.monotonic(), 0
    for place, key in task.order.keys.items():
        if not store.has(key):
            time.sleep(seconds)
            observed += store.add(key, worker.content(key, outcome(task, place, key)))
    return Report(observed, seconds=time.monotonic() - begun)


def outcome(task: Task, place: int, key: str) -> Outcome:
    return Outcome((record(task, place, key),), synthetic.LANES)


def record(task: Task, place: int, key: str) -> Record:
    """Returns a record with invented figures, which the key of the case determines."""
    (kernel,) = task.order.choice.kernels
    found = synthetic.record(kernel, f"scenario-{place}", cycles=250 + int(key[:4], 16))
    return replace(found, layout=task.order.layout, measurement=key)


def main(scheduler: str, place: str, layouts: int, seconds: float) -> None:
    store = SharedStore(place)
    with spread.connected(scheduler) as client:
        spreader = spread.Spreader(client, known, KNOWN, print)
        work = partial(observe, seconds=seconds)
        left = conduct.left_of(plan(layouts), store)
        conduct.Conductor(store, spreader.run, work, print).conduct(left)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
