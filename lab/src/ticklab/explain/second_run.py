# SPDX-License-Identifier: MIT
"""Explains a run by a second run of the same image under the same plan, which the observer follows
(docs/reference/explain-format.md).

A run is deterministic, so only the event log of the first run is kept: the samples are found in
that log before the second run begins. The log of the second run must be the same, byte for byte.
"""

from __future__ import annotations

import filecmp
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ticklab.analysis import checks
from ticklab.description.machine import Emulated
from ticklab.description.model import Kernel, Span
from ticklab.errors import TicklabError
from ticklab.explain import answer
from ticklab.explain.answer import Explanation
from ticklab.explain.timeline import Clock, Event, EventKind, Timeline
from ticklab.targets import booted
from ticklab.targets.keeper import Keeper
from ticklab.targets.protocol import Cancel, ObservationPlan
from ticklab.targets.qemu import Qemu

TYPICAL, WORST = "typical", "worst"
Sample = str | int | None  # "typical" or "worst", or the number of a sample, from 1
NO_PAIRS: Mapping[str, Sequence[Sequence[int]]] = {}


@dataclass(frozen=True)
class About:
    """The facts about a measurement that are needed to find its samples in the event log
    (analysis/samples.py)."""

    spans: tuple[Span, ...]
    external: int | None  # external interrupts that belong to each sample; None: any number
    warm_up: int
    clock_hz: int  # of the board
    kernel: str | None  # name of the kernel whose rules divide instructions by kind of work
    # The functions that suspend and resume the kernel's scheduler (kernel.toml); empty if the
    # kernel has none or is unknown.
    suspension: Mapping[str, str] = field(default_factory=dict)
    # The board on which the run was repeated, if not the board of the measurement.
    board: str | None = None
    # For an image without a port, the samples of each span. A sample is given by the indices of its
    # first and last pass among the passes of all marks.
    pairs: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)


@dataclass(frozen=True)
class FirstRun:
    """A run that a second run can explain: image, plan, event log and the facts about its
    samples."""

    target: Qemu
    image: Path
    plan: ObservationPlan
    log: Path
    about: About


@dataclass(frozen=True)
class Pictures:
    """Files to write about the first span, in addition to the explanation: a flame graph, and
    collapsed stacks."""

    flame: Path | None = None
    collapsed: Path | None = None


def about(
    determined_by: Mapping[str, Any],
    kernel: Kernel,
    pairs: Mapping[str, Sequence[Sequence[int]]] = NO_PAIRS,
) -> About:
    """Returns the facts about a measurement from the values that determined it
    (observation.determined_by)."""
    return About(
        spans=tuple(map(decode_span, determined_by["spans"])),
        external=determined_by["expect"]["external"],
        warm_up=determined_by["plan"]["warm_up"],
        clock_hz=determined_by["clock_hz"],
        kernel=None if kernel.image else kernel.name,
        pairs=pairs,
        suspension=kernel.suspension,
    )


def decode_span(entry: Mapping[str, Any]) -> Span:
    return Span(**{**entry, "each": tuple(entry["each"])})


def of(keeper: Keeper, image: Path, about: About) -> FirstRun:
    """Returns the last run that a keeper observed as a run that can be explained."""
    assert keeper.plan
    return FirstRun(keeper.target, image, keeper.plan, keeper.log, about)


def explain(
    first: FirstRun,
    spans: Sequence[Span],
    sample: Sample | Sequence[Sample] = None,
    pictures: Pictures | None = None,
    alone: bool = False,
) -> Explanation:
    """Returns the explanation of `spans`. `sample` selects one sample of each span, whose
    instructions are listed. With `alone`, the figures of a span are those of its listed sample and
    not means."""
    each = [sample] * len(spans) if isinstance(sample, str | int | None) else sample
    drawn = pictures or Pictures()
    asked = [
        _span(span, first.about, one, alone and one is not None)
        for span, one in zip(spans, each, strict=True)
    ]
    files = {"flame": drawn.flame, "collapsed": drawn.collapsed}
    words = {name: str(file.absolute()) for name, file in files.items() if file}
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        return answer.parse(_ask(first, {"spans": asked, **words}, Path(scratch)))


def timeline(first: FirstRun, spans: Sequence[Span], clock: Clock) -> Timeline:
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        file = Path(scratch, "timeline.json")
        asked = [_span(span, first.about) for span in spans]
        _ask(first, {"spans": asked, "timeline": str(file)}, Path(scratch))
        return read_timeline(file, clock, first.about.clock_hz)


def read_timeline(file: Path, clock: Clock, clock_hz: int) -> Timeline:
    """Reads the observer's timeline."""
    content = json.loads(file.read_text())
    names, kinds = content["names"], list(EventKind)
    events = tuple(
        Event(kinds[kind], names[name], names[task], instructions, low, high)
        for kind, name, task, instructions, low, high in content["events"]
    )
    return Timeline(events, clock, clock_hz)


def _ask(first: FirstRun, request: Mapping[str, Any], scratch: Path) -> dict[str, Any]:
    """Runs the image again and returns the observer's explanation. An image without symbols runs
    twice: the first of these runs finds where functions begin."""
    found = _answer(first, request, scratch)
    if found["starts"] is None:
        return found
    return _answer(first, {**request, "starts": found["starts"]}, scratch)


def _answer(first: FirstRun, request: Mapping[str, Any], scratch: Path) -> dict[str, Any]:
    log, asked, said = (scratch / name for name in ("events.log", "request.json", "answer.json"))
    words = {"log": str(first.log), "json": str(said), "system": _system(first)}
    asked.write_text(json.dumps({**words, **request}))
    target = replace(first.target, log=log, request=asked)
    seen = target.observe(first.image, first.plan, Cancel())
    if not log.exists():
        why = seen.ending.detail or checks.end_reason(seen.ending)
        raise TicklabError(f"{first.image.name}: {why}")
    if not filecmp.cmp(first.log, log, shallow=False):
        raise TicklabError(
            f"{first.image.name} ran differently the second time: the event logs differ",
            "measure it again; if it happens again, report it",
        )
    found: dict[str, Any] = json.loads(said.read_text())
    return found


def _system(first: FirstRun) -> str | None:
    """Returns the file that lists the functions of the booted kernel under which the image runs as
    a program, or None."""
    plan = first.plan
    if plan.boot is None or not isinstance(plan.machine, Emulated):
        return None
    return str(booted.functions(booted.Machine(plan.boot, plan.core, plan.machine)))


def _span(span: Span, about: About, sample: Sample = None, alone: bool = False) -> dict[str, Any]:
    return {
        "name": span.name,
        "each": list(span.each),
        "from": span.start,
        "to": span.end,
        "pairs": about.pairs.get(span.name),
        "warm_up": about.warm_up,
        "external": span.inside(about.external),
        "ticks": span.ticks,
        "sample": sample,
        "alone": alone,
        "suspension": dict(about.suspension) or None,
    }
