# SPDX-License-Identifier: MIT
"""Makes a timeline from what a system on Bulkhead recorded itself since the latest start of its
kernel: the logs of its processes and the trace of its kernel (bulkhead/tools/bulkhead_log).

Trace events have times of the tick's clock. Log entries have the number of a tick, which the
process itself wrote, and are shown at the beginning of that tick. Entries from an earlier start are
left out, and so are entries later than the present time of the system. If the present time was not
saved, an entry later than the last trace event is shown at that event, with its tick in the text.
So a wrong tick cannot stretch the timeline, and no correct entry is lost. Without the present time
and without a trace, times are not limited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ticklab.errors import TicklabError
from ticklab.explain.timeline import Clock, Event, EventKind, Timeline

_Fields = Mapping[str, int | str]


def timeline(reading: Any, tick_hz: int) -> Timeline:
    """Returns the timeline of what bulkhead_log read. The system has `tick_hz` ticks in a
    second."""
    trace = reading.trace
    tick_counts = max(1, trace.tick_counts) if trace else 1
    found = [*(_traced(trace) if trace else ()), *_logged(reading, tick_counts)]
    if not found:
        raise TicklabError(
            "nothing was written into the logs since the latest start", "let the system run"
        )
    found.sort(key=lambda event: event.instructions)
    return Timeline(tuple(found), Clock.TARGET, tick_counts * tick_hz)


def _event(name: str, task: str, counts: int, fields: _Fields) -> Event:
    return Event(EventKind.KERNEL, name, task, counts, counts, counts, fields)


def _traced(trace: Any) -> Iterator[Event]:
    numbers: dict[str, int] = {}
    for each in trace.events:
        if each.start == 0:
            name = "sched_switch" if each.kind == "switch" else each.kind
            yield _event(name, each.thread, each.counts, _fields(each, numbers))


def _fields(each: Any, numbers: dict[str, int]) -> _Fields:
    """Returns the fields of an event. Task switches get the fields of Linux's event, which viewers
    know and which need a number for each thread."""
    match each.kind:
        case "switch":
            before, after = (
                numbers.setdefault(name, len(numbers)) for name in (each.thread, each.what)
            )
            named = {"prev_comm": each.thread, "next_comm": each.what}
            return {**named, "prev_pid": before, "next_pid": after}
        case "call":
            return {"thread": each.thread, "call": each.what}
        case "fault":
            place = {"address": each.address, "pc": each.pc}
            return {"thread": each.thread, "kind": each.what, **place}
    return {"thread": each.thread}


def _logged(reading: Any, tick_counts: int) -> Iterator[Event]:
    latest = reading.ticks
    if latest is None and reading.trace:
        latest = max((each.ticks for each in reading.trace.events if each.start == 0), default=None)
    for log in reading.logs:
        for each in log.entries:
            if each.is_current:
                is_bounded = latest is None or each.ticks <= latest
                at, text = (
                    (each.ticks, each.text)
                    if is_bounded
                    else (latest, f"{each.text} [tick {each.ticks}]")
                )
                fields = {"process": log.process, "thread": each.thread, "text": text}
                yield _event("log", each.thread, at * tick_counts, fields)
