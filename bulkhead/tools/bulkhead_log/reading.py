# SPDX-License-Identifier: MIT
"""Reads the logs and the trace of a system from its memory, with the names of its image."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from bulkhead_log import rings
from bulkhead_log.image import Image, LogError, Place
from bulkhead_log.rings import RawEvent

SCHEMA = 1
START = 1
_KINDS = {START: "start", 2: "switch", 3: "call", 4: "fault"}  # enum bulkhead_trace_kind
_FAULTS = {  # enum bulkhead_fault_kind
    1: "data", 2: "code", 3: "stack", 4: "instruction", 5: "breakpoint", 6: "late",
}  # fmt: skip
_CONVERSION = re.compile("%([udxc%])")
_SIGN, _WORDS = 1 << 31, 1 << 32

Memory = Callable[[int, int], bytes]  # (address, count): returns `count` bytes; raises LogError


@dataclass(frozen=True)
class Entry:
    """An entry that a process wrote into its log."""

    ticks: Annotated[int, "ticks since the kernel started, as the process says"]
    thread: Annotated[str, "the thread of the process that wrote it; `?` if it names no such one"]
    text: Annotated[str, "the text with its values"]
    is_current: Annotated[
        bool,
        "false if its time is after the present, or after that of a later entry: it is of an "
        "earlier start, or one of them is untrue",
    ]


@dataclass(frozen=True)
class Log:
    """The log of a process, oldest entry first."""

    process: Annotated[str, "the process, which alone writes it"]
    entries: Annotated[tuple[Entry, ...], "the entries that are kept"]
    lost: Annotated[
        int,
        "entries after the oldest kept one that were not written to their end; older ones, "
        "which were overwritten, are not counted",
    ]


@dataclass(frozen=True)
class Event:
    """An event of the kernel's trace."""

    start: Annotated[int, "the start of the kernel that it is of: 0 is the latest one, -1 before"]
    ticks: Annotated[int, "ticks since that start"]
    counts: Annotated[int, "counts of the tick's clock since that start, but for a constant"]
    kind: Annotated[str, "`start`, `switch`, `call` or `fault`"]
    thread: Annotated[str, "the thread that ran; of a fault, the one that faulted"]
    what: Annotated[str, "switch: the next thread; call: the call; fault: its kind"]
    address: Annotated[int | None, "fault: the address, otherwise null"] = None
    pc: Annotated[int | None, "fault: of the instruction, otherwise null"] = None


@dataclass(frozen=True)
class Trace:
    """The trace of the kernel, oldest event first."""

    events: Annotated[tuple[Event, ...], "the events that are kept"]
    lost: Annotated[
        int, "events after the oldest kept one that are damaged; older ones are not counted"
    ]
    tick_counts: Annotated[int, "counts of the clock in a tick"]


@dataclass(frozen=True)
class Reading:
    """All logs and the trace that were found in the memory of a system."""

    schema: Annotated[int, "the version of this document"]
    ticks: Annotated[
        int | None, "ticks since the kernel started, at the present; null if they were not saved"
    ]
    logs: Annotated[tuple[Log, ...], "the log of each process that has one"]
    trace: Annotated[Trace | None, "null without a trace"]


def read(image: Image, memory: Memory) -> Reading:
    now = _now(image, memory)
    logs = tuple(_log(image, process, memory, place, now) for process, place in image.logs)
    trace = None if image.trace is None else _trace(image, memory, image.trace)
    return Reading(SCHEMA, now, logs, trace)


def _now(image: Image, memory: Memory) -> int | None:
    try:
        (now,) = struct.unpack("<I", memory(image.page + 4, 4))
    except LogError:
        return None  # on RV32 the page is not in the memory for data, which a dump contains
    return int(now)


def _ring(memory: Memory, place: Place) -> rings.Ring:
    return rings.decode(memory(place.address, rings.size(place.events)), place.events)


def dump(origin: int, content: bytes) -> Memory:
    """Returns a function that reads from a saved memory, whose first byte has the address
    `origin`."""

    def part(address: int, count: int) -> bytes:
        at = address - origin
        if not 0 <= at <= len(content) - count:
            raise LogError(
                f"the memory at {address:#x} is not in the file, which has {len(content)} bytes "
                f"from {origin:#x} on; save all data of the declaration"
            )
        return content[at : at + count]

    return part


# --- Logs -----------------------------------------------------------------------------------------


def _log(image: Image, process: int, memory: Memory, place: Place, now: int | None) -> Log:
    ring = _ring(memory, place)
    found = [_entry(image, process, each, now) for each in ring.events]
    return Log(image.processes[process], tuple(_of_this_start(found)), ring.lost)


def _of_this_start(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yields the entries, and marks those that an earlier start of the system wrote: those before
    the last decrease of the time, because the time of a log decreases only at a start."""
    ticks = [entry.ticks for entry in entries]
    last = max((i for i in range(1, len(ticks)) if _is_after(ticks[i - 1], ticks[i])), default=0)
    for index, entry in enumerate(entries):
        yield replace(entry, is_current=entry.is_current and index >= last)


def _is_after(ticks: int, other: int) -> bool:
    """Returns whether a time is after another one. The ticks wrap, so this is right for times that
    are less than 2^31 ticks apart."""
    return 0 < (ticks - other) % _WORDS < _SIGN


def _entry(image: Image, process: int, event: RawEvent, now: int | None) -> Entry:
    text = image.text(event.what)
    shown = _unknown(event) if text is None else formatted(text, event.values)
    is_past = now is None or not _is_after(event.ticks, now)
    return Entry(event.ticks, image.writer(event.thread, process), shown, is_past)


def _unknown(event: RawEvent) -> str:
    return f"no text is at {event.what:#x}: {' '.join(f'{each:#x}' for each in event.values)}"


def formatted(text: str, values: Sequence[int]) -> str:
    """Returns a text with its values inserted. A conversion without a value stays as it is."""
    left = list(values)

    def shown(found: re.Match[str]) -> str:
        if found[1] == "%":
            return "%"
        return _value(found[1], left.pop(0)) if left else found[0]

    return _printable(_CONVERSION.sub(shown, text))


def _value(conversion: str, value: int) -> str:
    match conversion:
        case "d":
            return str(value - _WORDS if value & _SIGN else value)
        case "x":
            return f"{value:x}"
        case "c":
            return chr(value) if value < 128 else "?"
    return str(value)


def _printable(text: str) -> str:
    """Replaces characters that a terminal would interpret."""
    return "".join(each if each.isprintable() else "?" for each in text)


# --- The trace ------------------------------------------------------------------------------------


def _trace(image: Image, memory: Memory, place: Place) -> Trace:
    ring = _ring(memory, place)
    starts = sum(each.what == START for each in ring.events[1:])
    events: list[Event] = []
    clock = _Clock(ring.tick_counts)
    for index, raw in enumerate(ring.events):
        if raw.what == START and index > 0:
            starts -= 1
            clock = _Clock(ring.tick_counts)
        events.append(_event(image, raw, -starts, clock.counts(raw)))
    return Trace(tuple(events), ring.lost, ring.tick_counts)


class _Clock:
    """Computes the time of the events of one start, in counts since that start. The counter of the
    clock wraps; the number of ticks in each event says how often. The counter may have begun before
    the kernel did, so its value at the first event may be any."""

    def __init__(self, tick_counts: int) -> None:
        self._tick_counts = tick_counts
        self._began: int | None = None

    def counts(self, event: RawEvent) -> int:
        if event.what == START:
            return 0  # the clock has not begun
        part = event.values[0] - event.ticks * self._tick_counts
        if self._began is None:
            self._began = 0 if 0 <= part <= 2 * self._tick_counts else part
        passed = (part - self._began + _SIGN) % _WORDS - _SIGN
        return max(0, event.ticks * self._tick_counts + passed)


def _event(image: Image, raw: RawEvent, start: int, counts: int) -> Event:
    kind, thread = _KINDS.get(raw.what, "unknown"), image.thread(raw.thread)
    _, a, b, c = raw.values
    event = Event(start, raw.ticks, counts, kind, thread, "")
    match kind:
        case "switch":
            return replace(event, what=image.thread(a))
        case "call":
            return replace(event, what=image.call(raw.thread, a, b))
        case "fault":
            return replace(event, what=_FAULTS.get(a, f"kind {a}"), address=b, pc=c)
    return event
