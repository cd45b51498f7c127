# SPDX-License-Identifier: MIT
"""Measures the figures of each kernel that the estimate of an application needs: costs and memory.
Uses figures from the store if it has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ticklab.building import footprint
from ticklab.description.application import Application
from ticklab.description.features import Value
from ticklab.description.model import Case, Record, Variant
from ticklab.estimate import costs
from ticklab.estimate.costs import Costs, Query
from ticklab.measurement import campaign, cases
from ticklab.measurement.campaign import CampaignResult, Progress
from ticklab.measurement.environment import Environment
from ticklab.targets.protocol import Cancel


@dataclass(frozen=True)
class Memory:
    """The memory that a kernel needs, counted in bytes. It excludes what only the application
    knows, such as the application's own code."""

    code: int  # code and constants of the kernel, with the services that the application uses
    objects: int  # control blocks of tasks and kernel objects, as far as their structures are known
    stacks: int  # sum of the tasks' stacks, as the application declares them


@dataclass(frozen=True)
class Candidate:
    """A kernel in one configuration, with its costs. If it has none, `missing` says why."""

    kernel: str
    config: str
    costs: Costs
    missing: str | None = None
    memory: Memory | None = None
    variant: Variant | None = None  # None in tests of views

    @property
    def subject(self) -> str:
        return f"{self.kernel}/{self.config}"


def measure(app: Application, lab: Environment, progress: Progress) -> tuple[Candidate, ...]:
    """Returns a candidate for each kernel and configuration of the application."""
    wanted = costs.queries(app)
    found = campaign.measure(lab, list(to_measure(app, wanted)), progress, Cancel())
    if found.not_stored:
        raise found.not_stored
    return tuple(_candidates(app, wanted, found))


def to_measure(app: Application, wanted: dict[str, Query]) -> Iterator[Case]:
    """Yields the cases that must be measured for the figures in `wanted`."""
    choice = cases.CaseChoice(
        kernels=app.kernels,
        boards=[app.board],
        suites=list(dict.fromkeys(query.suite for query in wanted.values())),
        optimise=app.optimise,
        scenarios=list(dict.fromkeys(query.scenario for query in wanted.values())),
        params={"tasks": _numbers_of_tasks(wanted)} if app.released_by_tick else {},
    )
    for case in cases.expand(choice):
        if any(_is_of(query, case) for query in wanted.values()):
            yield case


def _numbers_of_tasks(wanted: dict[str, Query]) -> list[str]:
    named = (query.params["tasks"] for query in wanted.values() if "tasks" in query.params)
    return list(dict.fromkeys(named))


def _is_of(query: Query, case: Case) -> bool:
    scenario = case.scenario
    params = {name: query.params.get(name, of[0]) for name, of in scenario.values.items()}
    names = (scenario.suite, scenario.name)
    return names == (query.suite, query.scenario) and scenario.params == params


def _candidates(
    app: Application, wanted: dict[str, Query], found: CampaignResult
) -> Iterator[Candidate]:
    subjects = dict.fromkeys((record.kernel, record.config) for record in found.records)
    for kernel, config in subjects:
        own = [r for r in found.records if (r.kernel, r.config) == (kernel, config)]
        images = [
            (case, image)
            for case, image in found.images
            if (case.variant.kernel.name, case.variant.config.name) == (kernel, config)
        ]
        yield _candidate(app, wanted, own, images)


def _candidate(
    app: Application,
    wanted: dict[str, Query],
    records: Sequence[Record],
    images: Sequence[tuple[Case, Path]],
) -> Candidate:
    kernel, config = records[0].kernel, records[0].config
    try:
        found = costs.find(wanted, records)
    except costs.MissingCostError as error:
        return Candidate(kernel, config, {}, str(error))
    variant = images[0][0].variant if images else None
    if variant and (reason := not_analysed(app, variant.features)):
        return Candidate(kernel, config, {}, reason)
    return Candidate(kernel, config, found, memory=memory(app, images), variant=variant)


def not_analysed(app: Application, features: Mapping[str, Value]) -> str | None:
    """Returns why the analysis does not hold under a kernel with these features, or None."""
    if app.mutexes and features.get("mutex.order") == "fifo":
        return "waiters get a mutex in the order of arrival; bounds are known for priority order"
    priorities = [task.priority for task in app.tasks]
    if features.get("time_slicing") and len(set(priorities)) < len(priorities):
        return "tasks of equal priority take turns at ticks; give each task a priority of its own"
    return None


def memory(app: Application, images: Sequence[tuple[Case, Path]]) -> Memory | None:
    """Returns the memory that a kernel needs for an application, or None if the kernel is
    prebuilt."""
    if not images or images[0][0].variant.kernel.libraries:
        return None
    sizes = [
        footprint.measure_image(image, footprint.owner_by_folder)[footprint.Owner.KERNEL]
        for _, image in images
    ]
    blocks = _block_bytes(images)
    objects = sum(blocks.get(kind, 0) * count for kind, count in _objects(app).items())
    code = max(each.code + each.constants for each in sizes)
    return Memory(code, objects, sum(task.stack_bytes for task in app.tasks))


def _block_bytes(images: Sequence[tuple[Case, Path]]) -> dict[str, int]:
    """Returns the size of the control block of each kind of kernel object. The sizes are collected
    from several images, because an image contains only structures that it uses."""
    found: dict[str, int] = {}
    for case, image in images:
        kinds = case.variant.kernel.objects
        if any(kind not in found for kind in kinds):
            found |= footprint.structure_bytes(image, kinds)
    return found


def _objects(app: Application) -> dict[str, int]:
    """Returns the number of control blocks of each kind that the application needs."""
    by_interrupt = len(app.tasks) - app.released_by_tick
    return {
        "task": len(app.tasks),
        "mutex": len(app.mutexes),
        "semaphore": by_interrupt + ("semaphore" in app.uses),
        "queue": int("queue" in app.uses),
    }
