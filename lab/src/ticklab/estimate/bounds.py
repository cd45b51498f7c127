# SPDX-License-Identifier: MIT
"""Computes upper bounds of the response times of tasks under fixed priorities. Times are whole
numbers of any unit. The module depends on no kernel and no file.

The analysis is that of the package response-time-analysis (Bozhko and Brandenburg, "Abstract
Response-Time Analysis: A Formal Foundation for the Busy-Window Principle", 2020). This module adds
blocking at mutexes with priority inheritance (Sha, Rajkumar and Lehoczky, "Priority Inheritance
Protocols: An Approach to Real-Time Synchronization", 1990) and work that preempts every task:
ticks, and releases in interrupts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from response_time_analysis import fp, model

_ANALYSED, _INTERFERING, _BLOCKING = model.Priority(1), model.Priority(2), model.Priority(0)
# The analysis fails if a busy window is longer than this many times the longest period or deadline.
_LONGEST_BUSY_WINDOW = 20


@dataclass(frozen=True)
class Curve:
    """A bound on how often work arrives: at most `burst` arrivals, at least `separation` apart, in
    each `period`; or periodic arrivals with jitter."""

    period: int
    jitter: int = 0
    burst: int = 1
    separation: int = 0

    @property
    def least_period(self) -> float:
        """Returns the shortest mean time between arrivals that the curve allows."""
        return self.period / self.burst


@dataclass(frozen=True)
class Load:
    """Work that arrives repeatedly, with its arrival curve."""

    curve: Curve
    work: int

    @property
    def share(self) -> float:
        return self.work / self.curve.least_period


@dataclass(frozen=True)
class Job:
    """A task in the analysis. `after` is the work that the job still causes after its completion,
    the moment at which its response time ends. `longest_call` is the longest kernel call that the
    job makes."""

    name: str
    priority: int  # 1 is the highest
    load: Load
    deadline: int
    after: int = 0
    longest_call: int = 0
    # For each mutex, the longest time for which the job holds it.
    sections: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class System:
    """All work on one processor. The loads `above` (ticks and releases) preempt every job."""

    jobs: tuple[Job, ...]
    above: tuple[Load, ...] = ()

    @property
    def share(self) -> float:
        """Returns the share of the time in which the processor is busy; 1 means always."""
        return sum(load.share for load in (*self.above, *(job.load for job in self.jobs)))


@dataclass(frozen=True)
class Response:
    """The response-time bound of a job. The bound is None if the analysis found none, because the
    processor may be overloaded."""

    name: str
    bound: int | None
    deadline: int
    blocking: int

    @property
    def slack(self) -> int | None:
        return None if self.bound is None else self.deadline - self.bound

    @property
    def fits(self) -> bool:
        return self.bound is not None and self.bound <= self.deadline


def responses(system: System) -> tuple[Response, ...]:
    """Returns the bound of every job."""
    return tuple(_response(system, job) for job in system.jobs)


def all_fit(system: System) -> bool:
    return system.share < 1 and all(_response(system, job).fits for job in system.jobs)


def blocking(system: System, job: Job) -> int:
    """Returns the longest time for which jobs of lower priority delay `job` in a busy window. This
    is at most one critical section of each lower job and of each mutex whose priority ceiling is at
    least the job's priority, and one kernel call in progress when the window begins."""
    lower = [other for other in system.jobs if other.priority > job.priority]
    ceilings = _ceilings(system.jobs)
    held = [
        {name: units for name, units in other.sections.items() if ceilings[name] <= job.priority}
        for other in lower
    ]
    by_job = sum(max(each.values(), default=0) for each in held)
    mutexes = {name for each in held for name in each}
    by_mutex = sum(max(each.get(name, 0) for each in held) for name in mutexes)
    return min(by_job, by_mutex) + max((other.longest_call for other in lower), default=0)


def _ceilings(jobs: Sequence[Job]) -> dict[str, int]:
    """Returns the priority ceiling of each mutex: the highest priority of the jobs that use it."""
    found: dict[str, int] = {}
    for job in jobs:
        for name in job.sections:
            found[name] = min(job.priority, found.get(name, job.priority))
    return found


def _response(system: System, job: Job) -> Response:
    delay = blocking(system, job)
    if _relevant_share(system, job) >= 1:
        return Response(job.name, None, job.deadline, delay)
    analysed = _task(job.load, _ANALYSED)
    found = fp.rta(
        model.taskset([analysed, *_interfering(system, job), _blocker(delay)]),
        analysed,
        model.IdealProcessor(),
        horizon=_LONGEST_BUSY_WINDOW * _longest(system),
    )
    bound = found.response_time_bound
    return Response(job.name, None if bound is None else bound - job.after, job.deadline, delay)


def _relevant_share(system: System, job: Job) -> float:
    jobs = (other.load for other in system.jobs if other.priority <= job.priority)
    return sum(load.share for load in (*system.above, *jobs))


def _interfering(system: System, job: Job) -> Iterator[model.Task]:
    """Yields the tasks that may delay a job at any time. Each gets a priority of its own, because
    the analysis package confuses tasks with equal parameters."""
    jobs = (other for other in system.jobs if other is not job and other.priority <= job.priority)
    for load in (*system.above, *(other.load for other in jobs)):
        if load.work:
            yield _task(load, _INTERFERING)


def _task(load: Load, priority: model.Priority) -> model.Task:
    work = model.FullyPreemptive(model.WCET(load.work))
    return model.Task(_arrivals(load.curve), work, priority=priority)


def _blocker(units: int) -> model.Task:
    """Returns a task that stands for blocking: it delays each busy window (an interval in which the
    analysed job, or work of higher priority, is always pending) once, by `units`. The analysis
    package takes the longest non-preemptive segment minus one as the delay, hence `units + 1`."""
    segment = model.FloatingNonPreemptive(model.WCET(units + 1), units + 1)
    return model.Task(model.Sporadic(1), segment, priority=_BLOCKING)


def _arrivals(curve: Curve) -> model.ArrivalModel:
    if curve.burst > 1:
        steps = _burst(curve)
        return model.ArrivalCurvePrefix(curve.period, steps)
    if curve.jitter:
        return model.PeriodicWithJitter(curve.period, curve.jitter)
    return model.Periodic(curve.period)


def _burst(curve: Curve) -> list[tuple[int, int]]:
    """Returns the steps of an arrival curve with bursts, as pairs: the length of a time window, and
    the greatest number of arrivals in it."""
    if curve.separation == 0:
        return [(1, curve.burst)]
    return [(1 + number * curve.separation, number + 1) for number in range(curve.burst)]


def _longest(system: System) -> int:
    return max(max(job.deadline, job.load.curve.period) for job in system.jobs)
