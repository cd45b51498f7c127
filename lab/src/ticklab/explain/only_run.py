# SPDX-License-Identifier: MIT
"""Explains the whole of one run of an image, from reset to its end
(docs/reference/explain-format.md).

Because the whole run is one span, neither marks nor a first run are needed, and the observer
follows each block at full speed.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ticklab.analysis import checks
from ticklab.description.machine import Emulated
from ticklab.errors import TicklabError
from ticklab.explain import answer, second_run
from ticklab.explain.answer import Explanation
from ticklab.explain.timeline import Clock, Timeline
from ticklab.targets import qemu
from ticklab.targets.protocol import Cancel, Observation, ObservationPlan
from ticklab.targets.qemu import Qemu

_SPAN = {"name": "whole", "whole": True}


@dataclass(frozen=True)
class Followed:
    """A run that the observer explained while it ran. The explanation has one span, the whole
    run."""

    explanation: Explanation
    timeline: Timeline | None
    observation: Observation


def follow(
    target: Qemu,
    image: Path,
    plan: ObservationPlan,
    flame: Path | None = None,
    timeline_hz: int | None = None,
) -> Followed:
    """Runs an image and explains the run. `flame` is the file for a flame graph; `timeline_hz` is
    the clock frequency for a timeline. Each is made only if it is given."""
    asked: dict[str, Any] = {"log": None, "spans": [_SPAN]}
    if flame:
        asked["flame"] = str(flame.absolute())
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        run = _Run(target, image, plan, Path(scratch))
        if timeline_hz:
            asked["timeline"] = str(run.timeline)
        said, seen = run.ask(asked)
        if said["starts"] is not None:
            said, seen = run.ask({**asked, "starts": said["starts"]})
        events = None
        if timeline_hz:
            events = second_run.read_timeline(run.timeline, Clock.INSTRUCTIONS, timeline_hz)
    return Followed(answer.parse(said), events, seen)


@dataclass(frozen=True)
class _Run:
    target: Qemu
    image: Path
    plan: ObservationPlan
    scratch: Path

    @property
    def timeline(self) -> Path:
        return self.scratch / "timeline.json"

    def ask(self, request: Mapping[str, Any]) -> tuple[dict[str, Any], Observation]:
        """Runs the image while QEMU traces few kinds of events, and again with more kinds until the
        latencies of all interrupts are exact. Few are traced at first, because each line of the
        trace takes more time than the rest of an interrupt."""
        for events, traced in self._sets_of_events():
            said, seen = self._ask({"events": events, **request}, traced)
            if not said["needs_more_events"]:
                break
        return said, seen

    def _sets_of_events(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yields the sets of events to trace, the smallest first: the name of the set, and its
        events."""
        emulator = self.plan.core.arch.emulator
        if few := emulator.few_interrupt_events if self._has_one_timer else ():
            if derived := emulator.derived_interrupt_event:
                yield "least", tuple(event for event in few if event != derived)
            yield "few", few
        yield "all", emulator.interrupt_events

    def _traced(self, trace: int) -> dict[str, Any]:
        """Returns the part of the request that tells the observer how to read QEMU's trace."""
        machine = self.plan.machine
        assert isinstance(machine, Emulated)
        return {
            "interrupts": qemu.path_of(trace),
            "controller": self.plan.core.arch.emulator.interrupt_controller,
            "instruction_ns": 1 << machine.icount_shift,
        }

    @property
    def _has_one_timer(self) -> bool:
        """Returns whether the core has one system timer. A core with a Secure state has two, which
        QEMU's trace does not distinguish."""
        return not any(name.startswith("Armv8-M") for name in self.plan.core.executes)

    def _ask(
        self, request: Mapping[str, Any], events: tuple[str, ...]
    ) -> tuple[dict[str, Any], Observation]:
        log, asked, said = (
            self.scratch / name for name in ("events.log", "request.json", "answer.json")
        )
        with _trace(events) as trace:
            traced = {} if trace is None else self._traced(trace)
            asked.write_text(json.dumps({"json": str(said), **traced, **request}))
            target = replace(self.target, log=log, request=asked, interrupts=trace, events=events)
            seen = target.observe(self.image, self.plan, Cancel())
        if not log.exists():
            why = seen.ending.detail or checks.end_reason(seen.ending)
            raise TicklabError(f"{self.image.name}: {why}")
        return json.loads(said.read_text()), seen


@contextmanager
def _trace(events: tuple[str, ...]) -> Iterator[int | None]:
    """Opens the file to which QEMU traces the states of interrupts, if `events` is not empty. The
    file is in memory only, because QEMU writes a line for each change, and a line takes a third of
    the time that it takes on a disk."""
    if not events:
        yield None
        return
    trace = os.memfd_create("trace")
    try:
        yield trace
    finally:
        os.close(trace)
