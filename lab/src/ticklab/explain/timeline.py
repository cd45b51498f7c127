# SPDX-License-Identifier: MIT
"""The timeline of a run, which every trace format shows: the events of the kernel and of the
benchmark in order of time. Each event has its time in instructions (exact) and in cycles (bounds).

A trace format needs one clock. `Clock.INSTRUCTIONS`, the default, is exact and counts an
instruction as a nanosecond. `Clock.MODELLED` is the high bound of the cycles at the board's clock.
Events carry instructions and both bounds with either clock. `Clock.TARGET` is for timelines of
events that the target's kernel recorded; `instructions` is then a time in counts of the target's
clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

NS_PER_S = 1_000_000_000


class EventKind(StrEnum):
    """The kinds of events. The comment on each kind says what the `name` of such an event is."""

    SWITCH = "task_switch"  # the task that runs next
    ENTER = "exception_enter"  # the exception
    LEAVE = "exception_leave"
    MASK = "interrupts_masked"  # the function that masks
    UNMASK = "interrupts_unmasked"
    CALL = "service_call"  # the service of the kernel
    RETURN = "service_return"
    MARK = "mark"  # the mark
    BEGIN = "span_begin"  # the span of the benchmark
    END = "span_end"
    KERNEL = "kernel_event"  # the event's name in the trace of the guest's kernel (kernel_trace.py)


class Clock(StrEnum):
    INSTRUCTIONS = "instructions"
    MODELLED = "modelled"
    TARGET = "target"  # the clock of the target itself: target_events.py


@dataclass(frozen=True)
class Event:
    kind: EventKind
    name: str
    task: str  # the running or interrupted task; for a switch, the task that ran before
    instructions: int  # or counts, with Clock.TARGET
    cycles_low: float
    cycles_high: float
    fields: Mapping[str, int | str] = field(default_factory=dict)  # fields of a kernel event


@dataclass(frozen=True)
class Timeline:
    events: tuple[Event, ...]  # in order of time
    clock: Clock
    clock_hz: int  # of the board

    @property
    def frequency_hz(self) -> int:
        """The number of units of `timestamp` per second."""
        return NS_PER_S if self.clock is Clock.INSTRUCTIONS else self.clock_hz

    def timestamp(self, event: Event) -> int:
        if self.clock is Clock.MODELLED:
            return int(event.cycles_high)
        return event.instructions

    @property
    def exact_figure(self) -> str:
        """Returns the name of the quantity in `Event.instructions`."""
        return "counts" if self.clock is Clock.TARGET else "instructions"

    def figures(self, event: Event) -> dict[str, int | float]:
        """Returns the figures that each event shows, by their names."""
        exact: dict[str, int | float] = {self.exact_figure: event.instructions}
        if self.clock is Clock.TARGET:
            return exact
        return exact | {"cycles_low": event.cycles_low, "cycles_high": event.cycles_high}

    def nanoseconds(self, event: Event) -> int:
        return self.timestamp(event) * NS_PER_S // self.frequency_hz


# --- Tracks: for formats that show slices instead of events ---------------------------------------


class Phase(StrEnum):
    BEGIN = "begin"
    END = "end"
    INSTANT = "instant"


@dataclass(frozen=True)
class TrackEvent:
    """The start or the end of a slice on a track, or an instant event."""

    track: str
    step: Phase
    name: str
    event: Event


TASKS, EXCEPTIONS, MASKS, MARKS, SPANS = "tasks", "exceptions", "masked", "marks", "spans"
FAULTS = "faults"
THREADS, INTERRUPTS, WAKE_UPS = "threads of the kernel", "interrupts of the kernel", "wake-ups"

_SLICES = {
    EventKind.ENTER: (EXCEPTIONS, Phase.BEGIN),
    EventKind.LEAVE: (EXCEPTIONS, Phase.END),
    EventKind.MASK: (MASKS, Phase.BEGIN),
    EventKind.UNMASK: (MASKS, Phase.END),
    EventKind.MARK: (MARKS, Phase.INSTANT),
    EventKind.BEGIN: (SPANS, Phase.BEGIN),
    EventKind.END: (SPANS, Phase.END),
}


def changes(timeline: Timeline) -> Iterator[TrackEvent]:
    """Yields the beginnings and ends of slices on each track. A slice that does not end is ended at
    the last event. The end of a slice that began before the timeline is left out."""
    opened: dict[str, list[str]] = {}
    for event in timeline.events:
        for change in _changes(event, opened):
            if change.step is Phase.BEGIN:
                opened.setdefault(change.track, []).append(change.name)
            elif change.step is Phase.END:
                if not opened.get(change.track):
                    continue
                change = replace(change, name=opened[change.track].pop())
            yield change
    for track, names in opened.items():
        for name in reversed(names):
            yield TrackEvent(track, Phase.END, name, timeline.events[-1])


def _changes(event: Event, opened: dict[str, list[str]]) -> Iterator[TrackEvent]:
    if event.kind is EventKind.SWITCH:
        yield from _switch(TASKS, event.name, event, opened)
    elif event.kind is EventKind.KERNEL:
        yield from _of_kernel(event, opened)
    elif event.kind in (EventKind.CALL, EventKind.RETURN):
        step = Phase.BEGIN if event.kind is EventKind.CALL else Phase.END
        yield TrackEvent(f"services of {event.task}", step, event.name, event)
    else:
        track, step = _SLICES[event.kind]
        yield TrackEvent(track, step, event.name, event)


def _switch(
    track: str, name: str, event: Event, opened: dict[str, list[str]]
) -> Iterator[TrackEvent]:
    if opened.get(track):
        yield TrackEvent(track, Phase.END, opened[track][-1], event)
    yield TrackEvent(track, Phase.BEGIN, name, event)


def _of_kernel(event: Event, opened: dict[str, list[str]]) -> Iterator[TrackEvent]:
    fields = event.fields
    match event.name:
        case "sched_switch":
            name = f"{fields['next_comm']} {fields['next_pid']}"
            yield from _switch(THREADS, name, event, opened)
        case "sched_wakeup":
            name = f"{fields['comm']} {fields['pid']}"
            yield TrackEvent(WAKE_UPS, Phase.INSTANT, name, event)
        case "irq_handler_entry":
            yield TrackEvent(INTERRUPTS, Phase.BEGIN, str(fields["name"]), event)
        case "irq_handler_exit":
            yield TrackEvent(INTERRUPTS, Phase.END, str(fields["irq"]), event)
        case "log":
            yield TrackEvent(
                f"log of {fields['process']}", Phase.INSTANT, str(fields["text"]), event
            )
        case "call":
            yield TrackEvent(
                f"calls of {fields['thread']}", Phase.INSTANT, str(fields["call"]), event
            )
        case "fault":
            yield TrackEvent(FAULTS, Phase.INSTANT, f"{fields['thread']}: {fields['kind']}", event)
        case name:
            yield TrackEvent(name, Phase.INSTANT, name, event)
