# SPDX-License-Identifier: MIT
"""Generates random applications, which run under each kernel to test that no response time exceeds
its bound.

Utilisations are drawn by UUniFast (Bini and Buttazzo, "Measuring the Performance of Schedulability
Tests", 2005). An application depends only on its seed, so that it can be generated again.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from ticklab.description.application import (
    DEFAULT_BOARD,
    USED,
    Application,
    Arrivals,
    Section,
    Task,
)

KERNELS = ("freertos", "rt", "bulkhead")
CLOCK_HZ, TICK_HZ = 16_000_000, 1000
_TICK_US = 1e6 / TICK_HZ
_PERIODS_TICKS = (1, 2, 4, 5, 8, 10, 20)
_FEWEST, _MOST = 3, 8
_LEAST_SHARE, _GREATEST_SHARE = 0.3, 0.8
_LEAST_US = 20.0  # least execution time: kernel calls do not fit into a shorter job
_SHARED_PART = 0.3  # greatest part of a job during which it holds a mutex
_STACK_BYTES = 512


def make(seed: int, kernels: Sequence[str] = ()) -> Application:
    """Returns the application that belongs to a seed."""
    draw = random.Random(seed)
    count = draw.randint(_FEWEST, _MOST)
    shares = uunifast(draw, count, draw.uniform(_LEAST_SHARE, _GREATEST_SHARE))
    tasks = sorted((_task(draw, n, share) for n, share in enumerate(shares)), key=_period)
    tasks = [_ranked(task, place) for place, task in enumerate(tasks)]
    return _application(f"set-{seed}", tuple(tasks), kernels)


def every_service(kernels: Sequence[str]) -> Application:
    """Returns one application that uses each service and each feature that a random application
    may use, so that the costs measured for it are the costs of all random applications."""
    sections = (Section("m0", 1.0),)
    uses = dict.fromkeys(USED, 1)
    tick = Task("tick", 1, 10.0, Arrivals(_TICK_US), _TICK_US, _STACK_BYTES, uses, sections, None)
    line = Task("line", 2, 10.0, Arrivals(_TICK_US), _TICK_US, _STACK_BYTES, {}, (), "line")
    return _application("every-service", (tick, line), kernels)


def uunifast(draw: random.Random, count: int, whole: float) -> list[float]:
    """Divides the utilisation `whole` into `count` parts, with all divisions equally likely."""
    shares, left = [], whole
    for rest in range(count - 1, 0, -1):
        following = left * draw.random() ** (1 / rest)
        shares.append(left - following)
        left = following
    return [*shares, left]


def _application(name: str, tasks: tuple[Task, ...], kernels: Sequence[str]) -> Application:
    return Application(
        name=name,
        title=name,
        kernels=tuple(kernels),
        board=DEFAULT_BOARD,
        clock_hz=CLOCK_HZ,
        tick_hz=TICK_HZ,
        profile=None,
        optimise="O2",
        tasks=tasks,
    )


def _period(task: Task) -> float:
    return task.arrivals.period


def _ranked(task: Task, place: int) -> Task:
    """Returns the task with its rate-monotonic priority. `place` is the index of the task when all
    tasks are sorted by period."""
    return replace(task, priority=2 + 2 * place)


def _task(draw: random.Random, number: int, share: float) -> Task:
    """Returns a random task: one in four waits for an interrupt, one in two shares a mutex, one in
    three uses a service."""
    period = draw.choice(_PERIODS_TICKS) * _TICK_US
    execution = max(_LEAST_US, share * period)
    uses = {draw.choice(USED): draw.randint(1, 3)} if draw.random() < 1 / 3 else {}
    mutex = f"m{draw.randrange(2)}"
    held = max(1.0, draw.uniform(0.05, _SHARED_PART) * execution)
    sections = (Section(mutex, held),) if draw.random() < 1 / 2 else ()
    is_sporadic = number < 4 and draw.random() < 1 / 4
    return Task(
        name=f"task-{number}",
        priority=1,
        execution_us=execution,
        arrivals=Arrivals(period),
        deadline_us=period,
        stack_bytes=_STACK_BYTES,
        uses=uses,
        sections=sections,
        interrupt=f"line-{number}" if is_sporadic else None,
    )
