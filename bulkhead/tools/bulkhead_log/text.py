# SPDX-License-Identifier: MIT
"""Shows logs and a trace, as text (one line for each event, oldest first) or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict

from bulkhead_log.reading import Entry, Event, Log, Reading, Trace


def text(reading: Reading) -> str:
    lines = [line for log in reading.logs for line in _log(log)]
    if reading.trace:
        lines += _trace(reading.trace)
    return "\n".join((*lines, ""))


def _log(log: Log) -> Iterator[str]:
    yield f"log of {log.process}: {_counted(len(log.entries), log.lost, 'entries')}"
    yield from map(_entry, log.entries)


def _counted(kept: int, lost: int, what: str) -> str:
    return f"{kept} {what}" + (f", {lost} lost" if lost else "")


def _entry(entry: Entry) -> str:
    when = f"tick {entry.ticks}" if entry.is_current else f"earlier start, tick {entry.ticks}"
    return f"  {when}  {entry.thread}: {entry.text}"


def _trace(trace: Trace) -> Iterator[str]:
    yield f"trace: {_counted(len(trace.events), trace.lost, 'events')}"
    yield from map(trace_line, trace.events)


def trace_line(event: Event) -> str:
    when = f"tick {event.ticks}  count {event.counts}"
    if event.start:
        when = f"start {event.start}, {when}"
    return f"  {when}  {_said(event)}"


def _said(event: Event) -> str:
    match event.kind:
        case "switch":
            return f"{event.thread}: switch to {event.what}"
        case "call":
            return f"{event.thread}: call {event.what}"
        case "fault":
            return f"{event.thread}: fault of {event.what} at {event.address:#x}, pc {event.pc:#x}"
    return f"the kernel: {event.kind}"


def _json(reading: Reading) -> str:
    return json.dumps(asdict(reading), indent=1) + "\n"


FORMATS: Mapping[str, Callable[[Reading], str]] = {"text": text, "json": _json}
