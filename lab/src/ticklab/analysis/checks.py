# SPDX-License-Identifier: MIT
"""Compares an event log with what the scenario expects, to decide whether the kernel did the work.

The first fault found becomes the reason of the failure. The checks run in this order: the verdict
that the guest printed, because the guest saw the data; the marks and exceptions; the end of the
observation, which is often only a consequence of an earlier fault. Fairness between threads is a
result (`deterministic`), not a failure, and is not checked here.
"""

from __future__ import annotations

import re

import numpy as np

from ticklab.analysis.samples import Flag, Samples, passes
from ticklab.description.architecture import fault_names
from ticklab.description.model import End, Expectation, SamplePlan
from ticklab.targets.eventlog import KIND_FAULT, EventLog
from ticklab.targets.protocol import Ending

# The lines that bench/src/verdict.c prints. With several nodes, the output of node 1 begins with
# `[1] `.
_FINISHED = re.compile(r"^(?:\[\d+\] )?\s*ticklab: finished\s*$", re.MULTILINE)
_FAILED = re.compile(r"^(?:\[(\d+)\] )?ticklab: fail: (.*)$", re.MULTILINE)

FLOODED = "the guest flooded its console: its verdict may be in what was discarded"


def verdict(
    log: EventLog | None,
    samples: tuple[Samples, ...],
    expect: Expectation,
    plan: SamplePlan,
    ending: Ending,
) -> str | None:
    """Returns why the scenario failed, or None if the kernel did the work."""
    reason = guest_verdict(ending.console) or (fault(log, expect) if log else None)
    if ending.flooded:
        reason = reason or FLOODED
    if reason or log is None:
        return reason or end_reason(ending)
    if not samples:  # a scenario without samples
        return uninterrupted(log, expect) if finished(ending.console) else end_reason(ending)
    for of_span in samples:
        reason = reason or order(log, of_span, expect) or interrupts(of_span, expect)
        reason = reason or trapped(of_span, expect) or unfaulted(of_span, expect)
    if enough(samples, plan):
        return reason or unclean(samples)
    never = uninterrupted(log, expect)
    return reason or (f"{never}; {end_reason(ending)}" if never else end_reason(ending))


def guest_verdict(console: str) -> str | None:
    """Returns the error that the guest itself printed."""
    failed = _FAILED.search(console)
    if not failed:
        return None
    node, reason = failed.groups()
    return f"node {node}: {reason.strip()}" if node else str(reason.strip())


def finished(console: str) -> bool:
    return bool(_FINISHED.search(console))


def fault(log: EventLog, expect: Expectation) -> str | None:
    if expect.faults != 0:
        return None
    taken = faults(log)
    if not taken:
        return None
    node = int(log.records["node"][log.records["kind"] == KIND_FAULT][0])
    subject = f"node {node}" if log.records["node"].any() else "the guest"
    return f"fault: {subject} took a {taken[0]}"


def faults(log: EventLog) -> tuple[str, ...]:
    """Returns the names of all faults that the guest took, in order."""
    names = fault_names(log.core)
    numbers = log.records["id"][log.records["kind"] == KIND_FAULT].tolist()
    return tuple(names.get(number, f"fault (exception {number})") for number in numbers)


def end_reason(ending: Ending) -> str:
    words = {
        End.STALLED: "stalled: no mark was passed any more",
        End.INSTRUCTIONS: "the instruction budget was spent before there were enough samples",
        End.EXIT: "the guest ended without a verdict",
        End.LOCKUP: "lockup: a fault inside a fault handler",
        End.TIMED_OUT: "hang: the guest makes no progress",
        End.ABORTED: "the target died",
        End.REFUSED: "refused",
        End.FLOODED: "flood: the guest was stopped",
        End.MARKS: "too few samples",
    }
    return words[ending.end] + ending.place + (f": {ending.detail}" if ending.detail else "")


def order(log: EventLog, samples: Samples, expect: Expectation) -> str | None:
    """Checks that the marks were passed in the declared cyclic order. Checks only the last whole
    cycle without an interrupt, because after a tick has preempted a task between two marks, the
    task passes the second mark only when it runs again."""
    if not expect.order or not len(samples):
        return None
    at = passes(log, expect.order)
    ids = log.records["id"][at]
    inside = np.searchsorted(samples.last, at[1:])  # sample in which each step ended
    known = inside < len(samples)
    disturbed = np.ones(len(inside), np.bool_)
    disturbed[known] = samples.flags[inside[known]] != 0
    wrong = ~_successor(log, expect)[ids[:-1], ids[1:]]
    for step in np.flatnonzero(wrong & ~disturbed):
        if not disturbed[max(0, step - len(expect.order)) : step].any():
            return _wrong_order(log, expect, ids[step : step + 2], int(inside[step]))
    return None


def interrupts(samples: Samples, expect: Expectation) -> str | None:
    """Returns a reason of failure if a sample contains fewer external interrupts than the scenario
    requests, although the guest continued as if they had been taken. Additional interrupts are not
    a failure: their samples are labelled as interrupted, see `unclean`."""
    if not samples.counts("external"):
        return None
    taken = samples.lane("external")
    expected = samples.external or expect.least_external
    missing = np.flatnonzero(samples.kept & (taken < expected))
    if not len(missing):
        return None
    at = int(missing[0])
    return (
        "handler run as a plain call, or not at all: "
        f"{_external(int(taken[at]))} in sample {at + 1}, "
        f"expected {expected}"
    )


def trapped(samples: Samples, expect: Expectation) -> str | None:
    """Returns a reason of failure if a sample contains fewer system calls (SVC exceptions) than the
    scenario requests, although the guest continued as if they had been taken."""
    if not samples.counts("svcall"):
        return None
    missing = np.flatnonzero(samples.kept & (samples.lane("svcall") < expect.traps))
    if not len(missing):
        return None
    at = int(missing[0])
    taken = int(samples.lane("svcall")[at])
    return f"trap not taken: {taken} service calls in sample {at + 1}, expected {expect.traps}"


def unfaulted(samples: Samples, expect: Expectation) -> str | None:
    """Returns a reason of failure if the number of faults differs from the number that the scenario
    provokes."""
    if not samples.counts("faults"):
        return None
    taken = samples.lane("faults")
    wrong = np.flatnonzero(samples.kept & (taken != expect.faults))
    if not expect.faults or not len(wrong):
        return None
    at = int(wrong[0])
    return f"{int(taken[at])} faults in sample {at + 1}, expected {expect.faults}"


def uninterrupted(log: EventLog, expect: Expectation) -> str | None:
    """Returns a reason of failure if the guest waits for ever for an interrupt that it requested,
    or finished without taking it."""
    external = expect.external or expect.least_external
    for expected, lane in ((external, "external"), (expect.traps, "svcall")):
        if not expected or not log.counts(lane):
            continue
        if not int(log.records["tally"][:, log.lane(lane)].sum(dtype=np.uint64)):
            kind = "service calls" if expect.traps else "external exceptions"
            return f"interrupt never taken: 0 {kind} in the whole run"
    return None


def enough(samples: tuple[Samples, ...], plan: SamplePlan) -> bool:
    return all(int(of_span.kept.sum()) >= plan.samples for of_span in samples)


def unclean(samples: tuple[Samples, ...]) -> str | None:
    """Returns a reason of failure if every sample of a span was interrupted, because such a span
    has no figure."""
    for of_span in samples:
        if len(of_span) and not of_span.clean.any():
            foreign = bool((of_span.flags & Flag.FOREIGN).any())
            what = "an unexpected external interrupt" if foreign else "a tick"
            return f"no undisturbed sample: every {of_span.span} had {what} inside"
    return None


def per_thread(
    log: EventLog, samples: tuple[Samples, ...], threads: tuple[str, ...]
) -> tuple[int, ...] | None:
    """Counts how often each thread passed its mark between the end of the warm-up and the last
    sample. Passes in samples with ticks count, too."""
    kept = [of_span for of_span in samples if of_span.kept.any()]
    if not threads or not kept:
        return None
    begin = min(int(of_span.first[of_span.kept][0]) for of_span in kept)
    end = max(int(of_span.last[-1]) for of_span in kept)
    every = (passes(log, (thread,)) for thread in threads)
    return tuple(int(((at > begin) & (at <= end)).sum()) for at in every)


def deterministic(counts: tuple[int, ...] | None) -> bool | None:
    """Applies Thread-Metric's rule of fairness: the counters of the threads differ by at most one.

    Returns None for a single thread.
    """
    return max(counts) - min(counts) <= 1 if counts and len(counts) > 1 else None


def _successor(
    log: EventLog, expect: Expectation
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Returns which mark may follow which, as a square matrix over the ids of the log."""
    allowed = np.zeros((len(log.marks), len(log.marks)), np.bool_)
    for name, following in zip(expect.order, expect.order[1:] + expect.order[:1], strict=True):
        if name in log.marks and following in log.marks:
            allowed[log.marks.index(name), log.marks.index(following)] = True
    return allowed


def _wrong_order(
    log: EventLog, expect: Expectation, ids: np.ndarray[tuple[int], np.dtype[np.uint32]], at: int
) -> str:
    name, came = (log.marks[i] for i in ids)
    steps = zip(expect.order, expect.order[1:] + expect.order[:1], strict=True)
    expected = " or ".join(b for a, b in steps if a == name)
    return f"order: after {name} came {came}, expected {expected} (sample {at + 1})"


def _external(count: int) -> str:
    return f"{count} external exception{'' if count == 1 else 's'}"
