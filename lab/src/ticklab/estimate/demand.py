# SPDX-License-Identifier: MIT
"""Combines an application with the costs of a kernel into the set of jobs and loads that bounds.py
analyses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ticklab.description.application import Application, Arrivals, Task
from ticklab.estimate.bounds import Curve, Job, Load, System
from ticklab.estimate.costs import Overheads


@dataclass(frozen=True)
class Conditions:
    """The conditions of an estimate: the clock, in units of time in a second, and a factor for all
    execution times."""

    clock_hz: int
    scale: float = 1.0


def system(app: Application, costs: Overheads, at: Conditions) -> System:
    """Returns the system for the analysis: the jobs, each with the costs that the kernel adds to
    it, and the tick and the releases as loads that preempt all jobs."""
    jobs = tuple(_job(app, task, costs, at) for task in app.tasks)
    tick = Load(Curve(tick_units(app, at.clock_hz)), costs.tick)
    return System(jobs, (tick, *_releases(app, costs, at)))


def tick_units(app: Application, clock_hz: int) -> int:
    return clock_hz // app.tick_hz


def application_share(app: Application, at: Conditions) -> float:
    """Returns the share of the processor that the application itself uses."""
    return sum(
        _work(task, at) / _curve(task.arrivals, at.clock_hz).least_period for task in app.tasks
    )


def _releases(app: Application, costs: Overheads, at: Conditions) -> Iterator[Load]:
    for task in app.tasks:
        work = costs.interrupt if task.interrupt else costs.release
        yield Load(_curve(task.arrivals, at.clock_hz), work)


def _job(app: Application, task: Task, costs: Overheads, at: Conditions) -> Job:
    after = costs.wait if task.interrupt else costs.completion
    calls = sum(costs.uses[name] * count for name, count in task.uses.items())
    locks = sum(_lock(app, task, each.mutex, costs) for each in task.sections)
    load = Load(_curve(task.arrivals, at.clock_hz), _work(task, at) + calls + locks + after)
    return Job(
        name=task.name,
        priority=task.priority,
        load=load,
        deadline=_floor(task.deadline_us, at.clock_hz),
        after=after,
        longest_call=max(after, *_calls(task, costs)),
        sections={
            each.mutex: _ceil(each.execution_us * at.scale, at.clock_hz) + costs.lock
            for each in sorted(task.sections, key=lambda one: one.execution_us)
        },
    )


def _calls(task: Task, costs: Overheads) -> list[int]:
    """Returns the lengths of the kernel calls in a job. A release may have to wait for one of them,
    because the kernel may mask interrupts during a call."""
    used = [costs.uses[name] for name in task.uses]
    return [0, *used, *([costs.longest_lock_call] if task.sections else [])]


def _lock(app: Application, task: Task, mutex: str, costs: Overheads) -> int:
    """Returns the cost of locking and unlocking a mutex. If a task of lower priority shares the
    mutex, this is the cost with a wait for the owner."""
    lower = (other for other in app.tasks if other.priority > task.priority)
    may_wait = any(each.mutex == mutex for other in lower for each in other.sections)
    return max(costs.lock, costs.contended) if may_wait else costs.lock


def _work(task: Task, at: Conditions) -> int:
    return _ceil(task.execution_us * at.scale, at.clock_hz)


def _curve(arrivals: Arrivals, clock_hz: int) -> Curve:
    return Curve(
        _floor(arrivals.period, clock_hz),
        _ceil(arrivals.jitter, clock_hz),
        arrivals.burst,
        _floor(arrivals.separation, clock_hz),
    )


def _ceil(micros: float, clock_hz: int) -> int:
    """Converts an execution time from microseconds to units of time, rounded up, so that the bound
    is safe."""
    return math.ceil(round(micros * clock_hz / 1e6, 6))


def _floor(micros: float, clock_hz: int) -> int:
    """Converts a period or a deadline from microseconds to units of time, rounded down, so that the
    bound is safe."""
    return math.floor(round(micros * clock_hz / 1e6, 6))
