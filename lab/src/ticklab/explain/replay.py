# SPDX-License-Identifier: MIT
"""Runs `ticklab-explain` on a recording (docs/reference/explain-format.md)."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ticklab import paths
from ticklab.description.model import Span
from ticklab.errors import TicklabError
from ticklab.explain import answer
from ticklab.explain.answer import Explanation
from ticklab.explain.timeline import Clock, Event, EventKind, Timeline
from ticklab.storage.recordings import About, Recording

TYPICAL, WORST = "typical", "worst"
Sample = str | int | None  # one of the two, or its number, from 1


@dataclass(frozen=True)
class Pictures:
    """Files to write besides the answer, about the first span."""

    flame: Path | None = None
    collapsed: Path | None = None


def explain(
    recording: Recording,
    spans: Sequence[Span],
    sample: Sample | Sequence[Sample] = None,
    pictures: Pictures | None = None,
    alone: bool = False,
) -> Explanation:
    """Returns the answer about `spans`. `sample` adds the listing of one sample of each span;
    `alone` answers about this sample instead of the mean."""
    each = [sample] * len(spans) if isinstance(sample, str | int | None) else sample
    words = []
    if pictures and pictures.flame:
        words += ["--flame", str(pictures.flame)]
    if pictures and pictures.collapsed:
        words += ["--collapsed", str(pictures.collapsed)]
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        file = Path(scratch, "answer.json")
        about = recording.about
        asked = [_span(span, about, one, alone) for span, one in zip(spans, each, strict=True)]
        _ask(recording, asked, Path(scratch), ["--json", str(file), *words])
        return answer.parse(json.loads(file.read_text()))


def timeline(recording: Recording, spans: Sequence[Span], clock: Clock) -> Timeline:
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        file = Path(scratch, "timeline.json")
        asked = [_span(span, recording.about) for span in spans]
        _ask(recording, asked, Path(scratch), ["--timeline", str(file)])
        content = json.loads(file.read_text())
    names, kinds = content["names"], list(EventKind)
    events = tuple(
        Event(kinds[kind], names[name], names[task], instructions, low, high)
        for kind, name, task, instructions, low, high in content["events"]
    )
    return Timeline(events, clock, recording.about.clock_hz)


def _ask(
    recording: Recording, spans: Sequence[Mapping[str, Any]], scratch: Path, outputs: list[str]
) -> None:
    plan = scratch / "spans.json"
    plan.write_text(json.dumps(spans))
    asked = [str(recording.image), str(recording.blocks), "--spans", str(plan), *outputs]
    said = subprocess.run([str(paths.explainer()), *asked], capture_output=True, text=True)
    if said.returncode:
        words = (said.stderr.strip().splitlines() or [f"status {said.returncode}"])[-1]
        words = words.removeprefix("ticklab-explain: ").removeprefix("error: ")
        hint = "" if ";" in words else "record the run again"  # unless the error says what to do
        raise TicklabError(f"recording {recording.folder}: {words}", hint)


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
