# SPDX-License-Identifier: MIT
"""Tests traces: the programs and libraries that use the formats read them back."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

from ticklab.explain.timeline import Clock, Event, EventKind, Phase, Timeline, changes
from ticklab.traces import chrome, ctf, perfetto

SCRIPT = (
    (EventKind.SWITCH, "high", "low"),
    (EventKind.BEGIN, "wait-block", "high"),
    (EventKind.CALL, "bench_semaphore_take", "high"),
    (EventKind.MASK, "vPortEnterCritical", "high"),
    (EventKind.UNMASK, "vPortExitCritical", "high"),
    (EventKind.ENTER, "PendSV", "high"),
    (EventKind.LEAVE, "PendSV", "high"),
    (EventKind.SWITCH, "low", "high"),
    (EventKind.MARK, "signal.after", "low"),
    (EventKind.END, "wait-block", "low"),
)


def timeline(clock: Clock = Clock.INSTRUCTIONS) -> Timeline:
    events = tuple(
        Event(kind, name, task, 100 + 7 * i, 150 + 10.5 * i, 150 + 12.0 * i)
        for i, (kind, name, task) in enumerate(SCRIPT)
    )
    return Timeline(events, clock, 25_000_000)


@pytest.mark.parametrize("clock", Clock)
def test_babeltrace_reads_every_event_with_every_field(tmp_path: Path, clock: Clock) -> None:
    made = timeline(clock)
    ctf.write(made, tmp_path / "a trace")
    program = shutil.which("babeltrace2")
    assert program, "install babeltrace2; './ticklab test' does"
    options = ["--clock-cycles", "--names", "all", "--color", "never"]
    words = [program, *options, str(tmp_path / "a trace")]
    said = subprocess.run(words, capture_output=True, text=True, check=True)
    assert said.stderr == ""
    assert [_parsed(line) for line in said.stdout.splitlines()] == [
        (made.timestamp(e), e.kind.value, e.name, e.task, e.instructions, e.cycles_low,
         e.cycles_high)
        for e in made.events
    ]  # fmt: skip


def _parsed(line: str) -> tuple[Any, ...]:
    found = re.search(
        r"timestamp = (\d+).*?name = (\w+).*"
        r'name = "(.*?)", task = "(.*?)", instructions = (\d+), '
        r"cycles_low = (\S+), cycles_high = (\S+) }",
        line,
    )
    assert found, line
    stamp, kind, name, task, instructions, low, high = found.groups()
    return int(stamp), kind, name, task, int(instructions), float(low), float(high)


def test_perfetto_s_own_messages_hold_every_slice() -> None:
    made = timeline()
    trace = Trace.FromString(perfetto.encode(made))
    tracks = {p.track_descriptor.uuid: p.track_descriptor.name for p in trace.packet}
    types = {TrackEvent.TYPE_SLICE_BEGIN: Phase.BEGIN, TrackEvent.TYPE_SLICE_END: Phase.END,
             TrackEvent.TYPE_INSTANT: Phase.INSTANT}  # fmt: skip
    seen = [
        (p.timestamp, tracks[p.track_event.track_uuid], types[p.track_event.type])
        for p in trace.packet
        if p.HasField("track_event")
    ]
    assert seen == [(c.event.instructions, c.track, c.step) for c in changes(made)]
    begun = next(p.track_event for p in trace.packet if p.track_event.name == "PendSV")
    figures = {a.name: a.uint_value or a.double_value for a in begun.debug_annotations}
    assert figures == {"instructions": 135, "cycles_low": 202.5, "cycles_high": 210.0}


def test_chrome_s_slices_nest_and_its_tracks_have_names(tmp_path: Path) -> None:
    chrome.write(timeline(Clock.MODELLED), tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    named = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    assert set(named.values()) == {
        "tasks", "spans", "marks", "exceptions", "masked", "services of high"
    }  # fmt: skip
    opened: dict[int, list[str]] = {}
    for event in events:
        if event["ph"] == "B":
            opened.setdefault(event["tid"], []).append(event["name"])
        elif event["ph"] == "E":
            assert opened[event["tid"]].pop() == event["name"]
    assert not any(opened.values())
    pend_sv = next(e for e in events if e["name"] == "PendSV")
    assert pend_sv["ts"] == pytest.approx(210 / 25)  # cycles at 25 MHz, in microseconds


def test_a_slice_that_began_before_the_timeline_is_not_ended_in_it() -> None:
    orphan = Timeline((Event(EventKind.LEAVE, "PendSV", "a", 1, 1, 1),), Clock.INSTRUCTIONS, 1)
    assert list(changes(orphan)) == []


# --- Trace Compass --------------------------------------------------------------------------------
# Trace Compass is not installed here, so these tests apply the rules of its analysis to a trace.

ANALYSIS = Path(ctf.__file__).parents[1] / "data" / "trace-compass.xml"
Attribute = tuple[str, ...]  # its path


def test_trace_compass_knows_the_events_and_fields_that_exist() -> None:
    root = ElementTree.parse(ANALYSIS)
    handled = {handler.get("eventName") for handler in root.iter("eventHandler")}
    ours = {kind.value for kind in EventKind if kind not in (EventKind.MARK, EventKind.KERNEL)}
    assert handled == ours | {"irq_handler_entry", "irq_handler_exit"}
    fields = {a.get("value") for a in root.iter("stateAttribute") if a.get("type") == "eventField"}
    assert fields <= {"name", "task", "irq"}
    states = {value.get("value") for value in root.iter("stateValue")} - {None}
    assert states == {value.get("value") for value in root.iter("definedValue")}


def states_over(made: Timeline) -> dict[Attribute, list[tuple[int, str | None]]]:
    """Returns the states that Trace Compass's analysis makes of a trace: when each attribute took
    which value."""
    handlers = {h.get("eventName"): h for h in ElementTree.parse(ANALYSIS).iter("eventHandler")}
    found: dict[Attribute, list[tuple[int, str | None]]] = {}
    for event in made.events:
        for change in handlers.get(event.kind.value, ()):
            path = tuple(attribute(a, event) for a in change.iter("stateAttribute"))
            (value,) = change.iter("stateValue")
            found.setdefault(path, []).append((made.timestamp(event), value.get("value")))
    return found


def attribute(element: ElementTree.Element, event: Event) -> str:
    value = element.get("value") or ""
    return value if element.get("type") == "constant" else str(getattr(event, value))


def test_trace_compass_draws_the_slices_of_the_other_formats() -> None:
    """Each task, exception, span and service has a row, with the same slices of the same length as
    in the formats of Chrome and Perfetto."""
    made = timeline()
    drawn = {
        (path[-1], begin, end)
        for path, states in states_over(made).items()
        for (begin, value), (end, _) in pairwise([*states, (made.timestamp(made.events[-1]), None)])
        if value and path != ("masked",)
    }
    assert drawn == {one for one in slices(made) if one[0] != "vPortEnterCritical"}
    masked = [at for at, _ in states_over(made)[("masked",)]]
    assert masked == [121, 128]


def slices(made: Timeline) -> Iterator[tuple[str, int, int]]:
    opened: dict[str, list[tuple[str, int]]] = {}
    for change in changes(made):
        at = made.timestamp(change.event)
        if change.step is Phase.BEGIN:
            opened.setdefault(change.track, []).append((change.name, at))
        elif change.step is Phase.END:
            name, begin = opened[change.track].pop()
            yield name, begin, at


def test_every_attribute_that_a_trace_can_have_has_a_row_in_the_view() -> None:
    rows = set(entries(ElementTree.parse(ANALYSIS).getroot().find("timeGraphView")))
    for path in states_over(timeline()):
        assert any(fits(path, row) for row in rows), path


def entries(element: ElementTree.Element | None, above: Attribute = ()) -> Iterator[Attribute]:
    for entry in element.findall("entry") if element is not None else ():
        path = (*above, *(entry.get("path") or "").split("/"))
        yield path
        yield from entries(entry, path)


def fits(path: Attribute, row: Attribute) -> bool:
    return len(path) == len(row) and all(
        want in ("*", name) for name, want in zip(path, row, strict=True)
    )
