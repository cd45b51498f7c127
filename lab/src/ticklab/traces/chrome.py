# SPDX-License-Identifier: MIT
"""Chrome's trace event format in JSON ("Trace Event Format": Duration, Instant and Metadata
Events), which chrome://tracing and Speedscope read. Times are in microseconds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ticklab.explain.timeline import Phase, Timeline, TrackEvent, changes

_PROCESS = 1
_PHASES = {Phase.BEGIN: "B", Phase.END: "E", Phase.INSTANT: "i"}


def write(timeline: Timeline, file: Path) -> None:
    file.write_text(json.dumps(document(timeline)) + "\n", encoding="utf-8")


def document(timeline: Timeline) -> dict[str, Any]:
    return {
        "displayTimeUnit": "ns",
        "otherData": {"timeline": timeline.clock.value},
        "traceEvents": list(_events(timeline)),
    }


def _events(timeline: Timeline) -> Iterator[dict[str, Any]]:
    threads: dict[str, int] = {}
    for change in changes(timeline):
        if change.track not in threads:
            threads[change.track] = len(threads) + 1
            yield _thread_name(threads[change.track], change.track)
        yield _event(timeline, change, threads[change.track])


def _thread_name(thread: int, name: str) -> dict[str, Any]:
    place = {"pid": _PROCESS, "tid": thread}
    return {"name": "thread_name", "ph": "M", **place, "args": {"name": name}}


def _event(timeline: Timeline, change: TrackEvent, thread: int) -> dict[str, Any]:
    event = change.event
    return {
        "name": change.name,
        "ph": _PHASES[change.step],
        **({"s": "t"} if change.step is Phase.INSTANT else {}),
        "ts": timeline.nanoseconds(event) / 1000,
        "pid": _PROCESS,
        "tid": thread,
        "args": timeline.figures(event),
    }
