# SPDX-License-Identifier: MIT
"""Runs an application under a kernel and compares the response times with their bounds.

Time is counted in instructions: the emulator derives its tick from instructions, and one
instruction stands for one cycle of the clock. The bounds use costs in instructions, too, which are
counted. A response time above its bound is an error of the estimate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ticklab import digest, paths
from ticklab.analysis import checks, samples
from ticklab.description.application import Application
from ticklab.description.model import (
    Case,
    End,
    Expectation,
    Image,
    SamplePlan,
    Scenario,
    Variant,
)
from ticklab.description.span import ENTRY
from ticklab.errors import TicklabError, UsageError
from ticklab.estimate import bounds, costs, demand, generate
from ticklab.estimate.bounds import Load, Response, System
from ticklab.estimate.candidates import Candidate
from ticklab.estimate.costs import Costs, Overheads, Unit
from ticklab.estimate.demand import Conditions
from ticklab.measurement.environment import Environment
from ticklab.measurement.support import unsupported_reason
from ticklab.targets import protocol
from ticklab.targets.eventlog import EventLog
from ticklab.targets.protocol import Cancel, ObservationPlan, Target

TICK = ENTRY + "systick"
# How long the application runs: this many times the longest period, but at most this many
# instructions.
_PERIODS, _MOST_INSTRUCTIONS = 12, 60_000_000
_Times = NDArray[np.int64]


@dataclass(frozen=True)
class Checked:
    """A task with its bound and its observed response times, in instructions."""

    name: str
    bound: int | None
    jobs: int
    longest: int | None

    @property
    def exceeded(self) -> bool:
        return self.bound is not None and self.longest is not None and self.longest > self.bound

    @property
    def tightness(self) -> float | None:
        """Returns the longest response time divided by its bound: 1 if the bound was reached."""
        return self.longest / self.bound if self.bound and self.longest else None


@dataclass(frozen=True)
class Verification:
    """The response times and bounds of all tasks under one kernel."""

    subject: str
    tasks: tuple[Checked, ...]

    @property
    def exceeded(self) -> bool:
        return any(task.exceeded for task in self.tasks)


@dataclass(frozen=True)
class Observed:
    """The observations of a run: the response times of each task, in order, and the greatest number
    of instructions that the injection of an interrupt took."""

    responses: Mapping[str, Sequence[int]]
    injection: int


def case(app: Application, variant: Variant, at: Conditions) -> Case:
    """Returns the case that runs the application. Writes its scenario to the folder of builds."""
    tick = tick_instructions(app, variant, at.clock_hz)
    made = generate.scenario(app, tick, at.clock_hz, at.scale)
    name = f"{app.name}-{digest.hash_json(made.text)[:12]}"
    file = paths.builds() / "applications" / f"{name}.c"
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != made.text:
        file.write_text(made.text)
    config = replace(variant.config, tick_hz=app.tick_hz)
    scenario = Scenario(
        name=name,
        suite="application",
        file=file,
        services=made.services,
        spans=(),
        expect=Expectation(external=None),
        plan=SamplePlan(0, 1, 0),
        threads=(),
        score=False,
    )
    return Case(replace(variant, config=config, clock_hz=at.clock_hz), scenario)


def tick_instructions(app: Application, variant: Variant, clock_hz: int) -> int:
    """Returns the period of the tick in instructions. Raises UsageError if the timer cannot keep it
    exactly, or if time is not counted in instructions."""
    if variant.board.machine.is_clocked:
        raise UsageError(
            f"{variant.board.name} counts cycles, and jobs are made of instructions",
            "leave --verify out, or name an emulated board",
        )
    counted = app.tick_hz * variant.board.cycles_per_count
    if clock_hz % counted:
        better = max(counted, round(clock_hz / counted) * counted)
        raise UsageError(
            f"{variant.board.name} has no exact tick of {app.tick_hz} Hz at {clock_hz} Hz",
            f"verify it with --clock {better}",
        )
    return clock_hz // app.tick_hz


def observe(app: Application, built: Case, image: Image, target: Target) -> Observed:
    """Runs the application and returns its response times."""
    observation = target.observe(image.path, _plan(app, built), Cancel())
    if observation.log is None or observation.ending.end is not End.INSTRUCTIONS:
        reason = checks.guest_verdict(observation.ending.console)
        raise TicklabError(
            f"{app.name} under {built.variant.subject}: "
            f"{reason or checks.end_reason(observation.ending)}",
            "give the tasks more stack_bytes if they need it",
        )
    return responses(app, observation.log, built.variant.clock_hz // app.tick_hz)


def _plan(app: Application, built: Case) -> ObservationPlan:
    longest = max(task.arrivals.period for task in app.tasks)
    wanted = math.ceil(_PERIODS * longest * built.variant.clock_hz / 1e6)
    plan = protocol.until_instructions(built.variant.board, min(wanted, _MOST_INSTRUCTIONS))
    return replace(plan, core=built.variant.core, entries=("systick",))


# --- Response times -------------------------------------------------------------------------------


def responses(app: Application, log: EventLog, tick: int) -> Observed:
    """Returns the response times of all jobs in a log, each from its release to its end. A tick
    releases jobs at its nominal time. The nominal times of all ticks are derived from the earliest
    entry of the tick handler."""
    times = _Log(log)
    entries = times.of(TICK)
    if not len(entries):
        raise TicklabError(f"no tick came while {app.name} ran", "report this as a fault")
    first = int((entries - np.arange(len(entries)) * tick).min())
    found = {}
    for index, task in enumerate(app.tasks):
        done = times.completions(index)
        if task.interrupt:
            releases = times.of(generate.PENDED)
        else:
            step = round(task.arrivals.period * app.tick_hz / 1e6)
            ticks = generate.FIRST_TICK - 1 + step * np.arange(len(done))
            releases = first + ticks * tick
        count = min(len(done), len(releases))
        found[task.name] = (done[:count] - releases[:count]).tolist()
    return Observed(found, _injection(times))


def _injection(times: _Log) -> int:
    injected, pended = times.of(generate.INJECTED), times.of(generate.PENDED)
    count = min(len(injected), len(pended))
    # The instruction that returns from the handler belongs to the injection, too.
    return int((pended[:count] - injected[:count]).max()) + 1 if count else 0


class _Log:
    """The times at which marks were passed in a log."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        column = log.records["tally"][:, log.lane(samples.time_lane(log.lanes))]
        self._times = np.cumsum(column.astype(np.int64))

    def of(self, mark: str) -> _Times:
        return np.asarray(self._times[samples.passes(self._log, (mark,))])

    def completions(self, task: int) -> _Times:
        """Returns when the jobs of a task completed: the first pass of mark `done` after each pass
        of `begin`. Passes of `done` before the first `begin` are ignored, because the mark may be
        where the task waits for its next job."""
        begun, done = self.of(f"begin.{task}"), self.of(f"done.{task}")
        places = np.searchsorted(done, begun)
        return np.asarray(done[places[places < len(done)]])


# --- The comparison -------------------------------------------------------------------------------


def system(app: Application, found: Costs, at: Conditions, injection: int) -> System:
    """Returns the system whose bounds apply to the run: that of the estimate, plus the cost of the
    test harness."""
    overheads = costs.overheads(app, found, Unit.INSTRUCTIONS)
    return with_harness(app, overheads, at, injection)


def with_harness(app: Application, overheads: Overheads, at: Conditions, injection: int) -> System:
    """Adds to a system the time that the injection of interrupts takes."""
    armed = replace(overheads, wait=overheads.wait + generate.ARMING_INSTRUCTIONS)
    whole = demand.system(app, armed, at)
    sporadic = [task for task in app.tasks if task.interrupt]
    if not sporadic:
        return whole
    period = max(task.arrivals.period for task in sporadic)
    curve = bounds.Curve(math.floor(period * at.clock_hz / 1e6))
    return replace(whole, above=(*whole.above, Load(curve, max(1, injection))))


def verify(
    app: Application, candidate: Candidate, at: Conditions, lab: Environment
) -> Verification:
    """Builds and runs the application for a candidate that has costs, and compares response times
    with bounds."""
    assert candidate.variant
    built = case(app, candidate.variant, at)
    if lack := unsupported_reason(built):
        raise TicklabError(f"{app.name} cannot be verified: {lack}", "leave the kernel out")
    image = lab.build([built])[0]
    if isinstance(image, TicklabError):
        raise image
    return checked(app, candidate, at, lab, built, image)


def checked(
    app: Application,
    candidate: Candidate,
    at: Conditions,
    lab: Environment,
    built: Case,
    image: Image,
) -> Verification:
    """Runs the built image of an application and compares response times with bounds."""
    found = observe(app, built, image, lab.target(built))
    analysed = system(app, candidate.costs, at, found.injection)
    return compare(candidate.subject, found, bounds.responses(analysed))


def compare(subject: str, found: Observed, bounded: Sequence[Response]) -> Verification:
    return Verification(subject, tuple(_checked(found, bounded)))


def _checked(found: Observed, bounded: Sequence[Response]) -> Iterator[Checked]:
    for response in bounded:
        times = found.responses[response.name]
        yield Checked(response.name, response.bound, len(times), max(times, default=None))
