# SPDX-License-Identifier: MIT
"""Adds the trace of a Linux kernel to the observer's timeline, at exact times.

The kernel stamps its events with its own clock: nanoseconds of virtual time, in steps of 16. The
observer counts instructions. The kernel calls one function to reserve room for each event, and the
observer sees each call of this function, so the instruction count of each event is known exactly.
Calls and events are paired from the end of the run, because the kernel may have overwritten its
first events.

The stamps are used only to check the pairs. One instruction takes one nanosecond of virtual time,
so the difference between a stamp and the instruction count is constant, except that it grows while
the processor is idle.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ticklab.description.machine import Emulated
from ticklab.description.model import Boot, Span
from ticklab.errors import TicklabError
from ticklab.explain import ring_buffer, second_run
from ticklab.explain.ring_buffer import KernelEvent
from ticklab.explain.second_run import FirstRun
from ticklab.explain.timeline import Clock, Event, EventKind, Timeline
from ticklab.targets import booted
from ticklab.targets.protocol import AddedMark, Cancel

_RESERVES = "trace_event_buffer_reserve"  # Linux calls this function first for each event
_MARK = "ticklab.kernel-event"
# The number of instructions from the call that reserves room to the reading of the clock varies by
# at most this much.
_UNTIL_STAMP = 600
_SWITCH, _IDLE = "sched_switch", 0  # the idle thread has number 0


def is_traced(boot: Boot | None) -> bool:
    """Returns whether a kernel traces events."""
    return boot is not None and "trace_event=" in boot.parameters


def timeline(first: FirstRun, spans: Sequence[Span], clock: Clock) -> Timeline:
    """Returns the timeline of a run, which includes the events that the kernel traced."""
    plan = first.plan
    assert plan.boot
    assert isinstance(plan.machine, Emulated)
    machine = booted.Machine(plan.boot, plan.core, plan.machine)
    layout = ring_buffer.parse_layout(booted.layout_of_trace(machine).read_text())
    marked = replace(plan, marks=(*plan.marks, AddedMark(_MARK, _address(machine))))
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        log, memory = Path(scratch, "marked.log"), Path(scratch, "memory")
        replace(first.target, log=log).observe(first.image, marked, Cancel())
        target = replace(first.target, memory=memory)
        again = replace(first, target=target, plan=marked, log=log)
        made = second_run.timeline(again, spans, clock)
        return merged(made, ring_buffer.read(memory, layout))


def _address(machine: booted.Machine) -> int:
    for line in booted.functions(machine).read_text().splitlines():
        address, _, name = line.partition(" ")
        if name == _RESERVES:
            return int(address, 16)
    raise TicklabError(
        f"{machine.boot.kernel.name} has no function {_RESERVES}, which its events would call",
        "name a kernel for which the tests pass, such as the one of kernels/linux",
    )


def merged(observed: Timeline, traced: Sequence[KernelEvent]) -> Timeline:
    """Returns the observed timeline with the kernel's events in place of the calls that reserve
    room for them, and with the kernel's names of threads."""
    calls = [event for event in observed.events if _is_call(event)]
    paired = {id(call): event for call, event in _pairs(calls, traced)}
    events = (
        _event(event, paired.get(id(event))) if _is_call(event) else event
        for event in observed.events
    )
    return replace(observed, events=tuple(_named(list(filter(None, events)))))


def _named(events: Sequence[Event]) -> Iterator[Event]:
    """Yields the events, each with the kernel's current thread as its task. The observer sees that
    another thread continues, but not which one."""
    switches = (event for event in events if event.name == _SWITCH)
    running = seen = _thread(next(switches, None), "prev")
    for event in events:
        if event.kind is EventKind.SWITCH:
            if running != seen:
                yield replace(event, name=running, task=seen)
            seen = running
        else:
            yield replace(event, task=running)
        if event.name == _SWITCH:
            running = _thread(event, "next")


def _thread(switch: Event | None, side: str) -> str:
    return f"{switch.fields[f'{side}_comm']} {switch.fields[f'{side}_pid']}" if switch else ""


def _is_call(event: Event) -> bool:
    return event.kind is EventKind.MARK and event.name == _MARK


def _event(call: Event, traced: KernelEvent | None) -> Event | None:
    if traced is None:
        return None
    fields = {**traced.fields, "guest_ns": traced.guest_ns}
    return replace(call, kind=EventKind.KERNEL, name=traced.name, fields=fields)


def _pairs(
    calls: Sequence[Event], traced: Sequence[KernelEvent]
) -> list[tuple[Event, KernelEvent]]:
    """Returns each call that reserves room, with its event. If the run ended between the last call
    and its event, leaves that call out."""
    for unfinished in (0, 1):
        ended = calls[: len(calls) - unfinished]
        count = min(len(ended), len(traced))
        pairs = list(zip(ended[len(ended) - count :], traced[len(traced) - count :], strict=True))
        if count and all(_agree(pairs)):
            return pairs
    if not calls:
        return []
    raise TicklabError(
        "the kernel's trace does not belong to this run: its times differ from the observer's",
        "report it with the version of the kernel",
    )


def _agree(pairs: Sequence[tuple[Event, KernelEvent]]) -> Iterator[bool]:
    """Yields for each pair whether its event belongs to its call: the two clocks differ by as much
    as in the pair before, or by more after the processor was idle."""
    expected, may_sleep = None, True
    for call, event in pairs:
        difference = event.guest_ns - call.instructions
        if expected is None or (may_sleep and difference > expected):
            expected = difference
        yield abs(difference - expected) <= _UNTIL_STAMP
        if event.name == _SWITCH:
            may_sleep = event.fields["next_pid"] == _IDLE
