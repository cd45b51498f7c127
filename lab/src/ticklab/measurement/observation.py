# SPDX-License-Identifier: MIT
"""Measures one image under one plan: collects everything that determines the figures, decides how
long to observe, and computes the figures from the event log.

The length of an observation is a number of instructions, because QEMU derives ticks from
instructions. It is chosen so that the wanted ticks occur. If there are too few samples, a longer
observation replaces the first, so that the last log alone determines the figures.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ticklab import digest
from ticklab.analysis import checks, injection, program_results, statistics, ticks
from ticklab.analysis.pairing import Pairs
from ticklab.analysis.samples import Samples, extract
from ticklab.building import elf
from ticklab.description.model import (
    Case,
    Cycles,
    End,
    Image,
    Lane,
    NotMeasured,
    Pending,
    Profile,
    Record,
    Sampled,
    Scenario,
    Span,
    Status,
    Watch,
    WorstCase,
    is_clocked,
)
from ticklab.explain import port_code
from ticklab.measurement import guest_programs, injecting, observing
from ticklab.measurement.observing import Watched
from ticklab.storage import records
from ticklab.storage.store import Measurement
from ticklab.targets import booted, mark_resolver, replay
from ticklab.targets.eventlog import EventLog
from ticklab.targets.mark_resolver import Marks
from ticklab.targets.protocol import Cancel, Observation, ObservationPlan, Target

# Increase this number if samples, checks or statistics change their meaning, or if the schema of
# the store changes, so that older figures are not reused.
ANALYSIS = 6

# A guest that passes no mark for this long has stalled: 100 times the longest sample of any suite.
STALL_INSTRUCTIONS = 20_000_000
# Simulated hardware that passes no mark for this number of cycles (16 ticks) has stalled.
STALL_CYCLES = 4_000_000
# A guest on a booted kernel that passes no mark for this long (80 ticks) has stalled. The kernel's
# calls take up to 30 times as long as those of other kernels.
BOOTED_STALL_INSTRUCTIONS = 16 * STALL_INSTRUCTIONS
# A guest that ends by itself must do so within this number of stall lengths.
STALLS = 5

# Instructions for a sweep: 8 positions take one tick period, so this suffices for more than 5000
# positions at the slowest tick.
SWEEP_INSTRUCTIONS = 200_000_000


@dataclass(frozen=True)
class Found:
    """The result of one observation. A result without a log is not stored."""

    records: tuple[Record, ...]
    lanes: tuple[Lane, ...]
    console: str
    samples: tuple[Samples, ...] | None
    # For an image without a port, the samples of each span, as indices of first and last pass among
    # the passes of all marks.
    pairs: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)
    # Raw counters of a board on the desk, from which all figures are computed.
    counters: bytes | None = None


def determined_by(
    case: Case, image: Image, profile: Profile | None, identity: Mapping[str, str]
) -> dict[str, Any]:
    """Returns everything on which the figures depend, whose hash is the key of the measurement."""
    scenario, boot = case.scenario, case.variant.boot
    machine = case.variant.board.machine.identity(case.nodes, case.bus_latency)
    return {
        "analysis": ANALYSIS,
        "image": image.sha256,
        "target": dict(identity),
        "board": [machine, case.variant.core.name, case.variant.board.vectors],
        "clock_hz": case.variant.clock_hz,
        "tick_hz": case.variant.tick_hz,
        "model": None if profile is None else {"name": profile.name, **profile.data},
        "spans": [asdict(span) for span in scenario.spans],
        "expect": _expectation(case),
        "plan": asdict(scenario.plan),
        "threads": list(scenario.threads),
        "score": scenario.score,
        **({"boot": booted.identity(boot, case.variant.core)} if boot else {}),
        **({"sweep": asdict(scenario.sweep)} if scenario.sweep else {}),
        **({"program_marks": dict(scenario.program.marks)} if scenario.program else {}),
        **({"marks": dict(scenario.workload.marks)} if scenario.workload else {}),
        **({"watch": _watch(scenario.watch)} if scenario.watch else {}),
        **({"pending": asdict(scenario.pending)} if scenario.pending else {}),
        **({"rate": scenario.workload.unit} if scenario.workload and scenario.rate else {}),
    }


def _watch(watch: Watch) -> dict[str, Any]:
    """Returns the marks of an image without a port, and the selection of its samples, if any."""
    found = asdict(watch)
    return found if watch.selected else {k: v for k, v in found.items() if k != "selected"}


def key(determinants: Mapping[str, Any]) -> str:
    return digest.hash_json(determinants)[:32]


def take(
    case: Case, image: Image, profile: Profile | None, target: Target, cancel: Cancel
) -> Found:
    """Observes a case until it has enough samples and ticks, or a longer run would give no more."""
    if case.scenario.pending:
        return _swept_from_outside(case, image, case.scenario.pending)
    plan = plan_of(case, image, profile)
    kept = -1
    while True:
        observation = _without_hang(target.observe(image.path, plan, cancel))
        samples = _samples(case, image, observation.log)
        longer = _longer(case, plan, observation, samples)
        if longer is None or _kept(samples) <= kept:
            return _judge(case, image, profile, observation, samples)
        plan, kept = replace(plan, instructions=longer), _kept(samples)


def _swept_from_outside(case: Case, image: Image, pending: Pending) -> Found:
    """Returns the sweep of an image without a port, which a debugger makes by stepping."""
    span = injecting.places(elf.read(image.path), pending)
    found = injecting.sweep(image.path, case.variant.board, pending.line, span)
    (name,) = (span.name for span in case.scenario.spans)
    record = records.of_span(case, name, injecting.result(found))
    return Found((record,), (), "", (injecting.samples(found, name),))


def _without_hang(observation: Observation) -> Observation:
    """Removes the log of a guest that hung or printed too much, because both may depend on the
    speed of this machine. Without a log, nothing is stored."""
    is_stopped = observation.ending.end in (End.TIMED_OUT, End.FLOODED)
    return replace(observation, log=None) if is_stopped else observation


def to_store(key: str, determinants: Mapping[str, Any], found: Found) -> Measurement:
    findings = {record.span: records.encode_result(record.result) for record in found.records}
    return Measurement(key, determinants, found.lanes, findings, found.console)


def from_store(case: Case, measurement: Measurement) -> tuple[Record, ...]:
    return tuple(
        records.of_span(case, span, records.decode_result(findings))
        for span, findings in measurement.findings.items()
    )


# --- How long to observe ----------------------------------------------------------------------


def plan_of(case: Case, image: Image, profile: Profile | None) -> ObservationPlan:
    until, passes = _end(case)
    marks = marks_at_places(case, image.path)
    return ObservationPlan(
        machine=case.variant.board.machine,
        core=case.variant.core,
        vectors=case.variant.board.vectors,
        until_marks=until,
        passes=passes,
        instructions=_budget(case),
        stall_instructions=_stall(case),
        bus_latency=case.bus_latency,
        marks=marks.places,
        entries=tuple(dict.fromkeys((*case.scenario.entries, *marks.entries))),
        port=port_code.ranges(image.path, case.variant.kernel.categories)
        if _has_port(case)
        else (),
        calls=marks.calls,
        profile=None if profile is None else profile.data,
        boot=case.variant.boot,
    )


def _has_port(case: Case) -> bool:
    """Returns whether the port's instructions can be counted separately: not in an image that
    Ticklab did not build, and not on a target that cannot count them."""
    is_built = not case.variant.kernel.image
    return is_built and bool(case.scenario.spans) and case.variant.board.machine.counts_port


def _end(case: Case) -> tuple[str | None, int]:
    """Returns the mark that ends the observation, and how many passes of it. If no tick is wanted,
    this is the end of the last sample. 0 passes: the budget ends the observation."""
    scenario, plan = case.scenario, case.scenario.plan
    if not _is_short(scenario):
        return None, 0
    return scenario.spans[0].end, plan.warm_up + plan.samples


def _is_short(scenario: Scenario) -> bool:
    """Returns whether the observation ends as soon as there are enough samples."""
    if scenario.program or scenario.plan.ticks or (scenario.watch and scenario.watch.selected):
        return False
    return len(scenario.spans) == 1 and bool(scenario.spans[0].end)


def marks_at_places(case: Case, image: Path) -> Marks:
    """Returns the marks that the image does not declare: at handlers of a sweep's interrupt, in a
    workload, and in an image without a port."""
    sweep, workload, watch = case.scenario.sweep, case.scenario.workload, case.scenario.watch
    if sweep:
        return Marks(injection.places(sweep, elf.read(image), case.variant.kernel))
    if case.scenario.program:
        return Marks(guest_programs.marks(case.scenario.program))
    if workload:
        places = mark_resolver.resolve(Watch(workload.marks), elf.read(image)).places
        return Marks(places)
    if watch:
        return mark_resolver.resolve(
            watch, elf.read(image), case.variant.board.machine.follows_calls
        )
    return Marks(())


def _budget(case: Case) -> int:
    """Returns the number of instructions after which the observation ends: for a guest that ends by
    itself, a limit; otherwise enough for the wanted ticks."""
    if case.scenario.sweep:
        return SWEEP_INSTRUCTIONS
    if case.scenario.program:
        return guest_programs.INSTRUCTIONS
    ends_early = not case.scenario.spans or _is_short(case.scenario)
    stall = BOOTED_STALL_INSTRUCTIONS if case.variant.boot else STALL_INSTRUCTIONS
    return STALLS * stall if ends_early else _for_ticks(case)


def _stall(case: Case) -> int:
    if case.scenario.program:
        return guest_programs.INSTRUCTIONS
    if case.variant.boot:
        return BOOTED_STALL_INSTRUCTIONS
    return STALL_CYCLES if case.variant.board.machine.is_clocked else STALL_INSTRUCTIONS


def _longer(
    case: Case, plan: ObservationPlan, observation: Observation, samples: tuple[Samples, ...]
) -> int | None:
    """Returns the length of a longer observation in instructions; None if this one suffices or the
    guest ended."""
    if observation.ending.end is not End.INSTRUCTIONS or not samples or case.scenario.sweep:
        return None
    if not _kept(samples):
        return plan.instructions + 2 * _stall(case)
    wanted = case.scenario.plan.samples
    if not checks.enough(samples, case.scenario.plan):
        # 10 % longer than the samples suggest, because samples differ and start-up takes time.
        return math.ceil(plan.instructions * 1.1 * wanted / _kept(samples))
    lacking = _lacking_for_ticks(case, samples[0])
    return plan.instructions + lacking if lacking > 0 else None


def _lacking_for_ticks(case: Case, samples: Samples) -> int:
    """Returns the instructions until the wanted ticks occur; 0 or less if they have occurred. Also
    0 if the span does not cover the whole time: the number of ticks in samples is then random."""
    if not case.scenario.spans[0].each:
        return 0
    if samples.lane("systick")[samples.kept].sum() >= case.scenario.plan.ticks:
        return 0
    return _for_ticks(case) - int(samples.duration[samples.kept].sum())


def _for_ticks(case: Case) -> int:
    return (case.scenario.plan.ticks + 1) * (case.variant.clock_hz // case.variant.tick_hz)


def _kept(samples: tuple[Samples, ...]) -> int:
    return min((int(of_span.kept.sum()) for of_span in samples), default=0)


def _samples(case: Case, image: Image, log: EventLog | None) -> tuple[Samples, ...]:
    if log is None:
        return ()
    if case.scenario.watch:
        return tuple(samples for _, samples, _ in _watched(case, image, log))
    return tuple(_of_span(case, log, span) for span in case.scenario.spans)


def _expectation(case: Case) -> dict[str, Any]:
    """Returns the expectation without `traps` if it is 0, so that the keys of older measurements
    stay valid."""
    expect = asdict(case.expect)
    rare = {name for name in ("traps", "least_external") if not expect[name]}
    return {name: value for name, value in expect.items() if name not in rare}


def _of_span(case: Case, log: EventLog, span: Span) -> Samples:
    samples = extract(log, span, case.expect.external, case.scenario.plan.warm_up)
    match span.ticks:
        case "cost":
            return ticks.cost(samples)
        case "jitter":
            return ticks.jitter(samples, case.variant.clock_hz // case.variant.tick_hz)
        case "included":
            return ticks.included(samples)
    return samples


def _watched(
    case: Case, image: Image, log: EventLog
) -> Iterator[tuple[Watched, Samples, Pairs | None]]:
    """Yields the spans of an image without a port, with their samples and how passes were
    paired."""
    scenario, guest = case.scenario, elf.read(image.path)
    assert scenario.watch
    marks, follows = marks_at_places(case, image.path), case.variant.board.machine.follows_calls
    for each in observing.watched(scenario.spans, scenario.watch, marks, guest, follows):
        external, warm_up = scenario.expect.external, scenario.plan.warm_up
        yield each, *observing.extract(log, guest, each, external, warm_up)


def found(
    case: Case, image: Image, observation: Observation, profile: Profile | None
) -> Iterator[observing.Found]:
    """Yields the figures of each span of an image without a port. Raises an error if the samples do
    not permit figures."""
    assert observation.log  # otherwise, the missing passes have raised an error
    guest = elf.read(image.path)
    for watched, samples, pairs in _watched(case, image, observation.log):
        observing.require_sound(watched, pairs, observation.log, guest)
        observing.require_samples(samples, case.scenario.plan.warm_up)
        figures = summary(samples, profile)
        yield observing.Found(samples.span, figures, samples, pairs, watched.selection)


# --- Records of an observation ----------------------------------------------------------------


def _judge(
    case: Case,
    image: Image,
    profile: Profile | None,
    observation: Observation,
    samples: tuple[Samples, ...],
) -> Found:
    log, ending = observation.log, observation.ending
    pairs = _paired(case, image, observation)
    reason = _verdict(case, image, observation, samples)
    lanes = log.lanes if log else ()
    stored = samples if log else None
    if reason or log is None:
        return Found(failed(case, reason or "no log"), lanes, ending.console, stored)
    results = _results(case, image, profile, observation, log, samples)
    passed = tuple(
        records.of_span(case, of_span.span, result)
        for of_span, result in zip(samples, results, strict=True)
    )
    nothing_timed = (records.of_span(case, "", NotMeasured(Status.PASS)),)
    counters = replay.counters_of(observation)
    return Found(passed or nothing_timed, lanes, ending.console, stored, pairs, counters)


def _paired(
    case: Case, image: Image, observation: Observation
) -> Mapping[str, Sequence[Sequence[int]]]:
    """Returns the paired samples of an image without a port. Raises an error if a mark was never
    passed, or if most passes belong to no sample."""
    if not case.scenario.watch or observation.log is None:
        return {}
    observing.passes(observation, list(observing.names(case.scenario.spans)))
    found, guest = list(_watched(case, image, observation.log)), elf.read(image.path)
    for each, _, pairs in found:
        observing.require_sound(each, pairs, observation.log, guest)
    by_span = {samples.span: pairs for _, samples, pairs in found}
    return observing.numbered(observation.log, by_span)


def _results(
    case: Case,
    image: Image,
    profile: Profile | None,
    observation: Observation,
    log: EventLog,
    samples: tuple[Samples, ...],
) -> Iterator[Sampled]:
    """Yields the figures of each span of a scenario that passed."""
    counts, seen = checks.per_thread(log, samples, case.scenario.threads), _ticks_seen(case, log)
    guest = elf.read(image.path) if case.scenario.sweep else None
    for of_span in samples:
        console = observation.ending.console
        found = replace(_figures(case, profile, of_span, counts, console), ticks_seen_hz=seen)
        yield _swept(found, of_span, observation.ending.console, guest) if guest else found


def _ticks_seen(case: Case, log: EventLog) -> float | None:
    """Returns the tick rate in the log. Returns None for an image without a port, which declares no
    rate, and if the processor sleeps until a tick (in sweeps with delays, and where each tick
    releases the only task), because instructions do not show how long it slept."""
    scenario = case.scenario
    is_idle = scenario.expect.asleep or (scenario.sweep and "delay" in scenario.services)
    if scenario.watch or is_idle or any(span.ticks == "jitter" for span in scenario.spans):
        return None
    return ticks.rate_hz(log, case.variant.clock_hz, case.variant.clock_hz // case.variant.tick_hz)


def _verdict(
    case: Case, image: Image, observation: Observation, samples: tuple[Samples, ...]
) -> str | None:
    scenario, ending = case.scenario, observation.ending
    reason = checks.verdict(observation.log, samples, case.expect, scenario.plan, ending)
    if scenario.program and not checks.finished(ending.console):
        reason = reason or checks.end_reason(ending)
    if scenario.sweep is None:
        return reason
    if reason:
        return injection.located(reason, ending.console, elf.read(image.path))
    assert observation.log  # otherwise, `reason` is set
    return injection.verdict(observation.log, samples, ending.console)


def _swept(figures: Sampled, samples: Samples, console: str, guest: elf.Elf) -> WorstCase:
    """Returns the figures of a sweep: adds the curve, and replaces the mean by the worst
    position."""
    worst = injection.worst(samples)
    of_worst = {
        "lanes": worst,
        "exceptions": worst["entered"],
        "reads": worst["reads"],
        "writes": worst["writes"],
        "curve": injection.curve(samples, console, guest),
    }
    return WorstCase(**{**vars(figures), **of_worst})


def failed(case: Case, reason: str, status: Status = Status.FAIL) -> tuple[Record, ...]:
    """Returns for each span a record without figures, with the reason."""
    spans = [span.name for span in case.scenario.spans] or [""]
    return tuple(records.of_span(case, span, NotMeasured(status, reason)) for span in spans)


def _figures(
    case: Case,
    profile: Profile | None,
    samples: Samples,
    counts: tuple[int, ...] | None,
    console: str,
) -> Sampled:
    scenario = case.scenario
    score = statistics.score_30s(samples, case.variant.clock_hz, case.variant.tick_hz)
    rate = statistics.rate(score, scenario.workload.unit) if scenario.workload else None
    return replace(
        summary(samples, profile, has_port=_has_port(case)),
        reported=program_results.read(console) if scenario.program else None,
        score_30s=score if scenario.score else None,
        per_second=rate if scenario.rate else None,
        per_thread=counts,
        deterministic=checks.deterministic(counts),
    )


def summary(samples: Samples, profile: Profile | None, has_port: bool = False) -> Sampled:
    """Returns the figures from samples alone. `has_port` says whether the log counts the port's
    instructions."""
    means = statistics.mean_tally(samples, samples.clean)
    if not has_port:
        means.pop("port", None)
    counted = samples.length if samples.counts("instructions") else samples.length[:0]
    disturbed = samples.kept & ~samples.clean
    return Sampled(
        instructions=statistics.summarise(counted[samples.clean[: len(counted)]]),
        interrupted=statistics.summarise(counted[disturbed[: len(counted)]]),
        exceptions=means.get("entered"),
        reads=means.get("reads"),
        writes=means.get("writes"),
        cycles=_cycles(samples, profile),
        lanes=means,
    )


def _cycles(samples: Samples, profile: Profile | None) -> Cycles | None:
    if is_clocked(samples.lanes):
        exact = statistics.summarise(samples.lane("cycles")[samples.clean])
        return Cycles(exact, exact, None) if exact else None
    if profile is None or not statistics.is_modelled(samples.lanes):
        return None
    low = statistics.cycles(samples, statistics.low_weights(samples.lanes))
    high = statistics.cycles(samples, statistics.high_weights(samples.lanes))
    of_low = statistics.summarise(low[samples.clean])
    of_high = statistics.summarise(high[samples.clean])
    return Cycles(of_low, of_high, profile.name) if of_low and of_high else None
