# SPDX-License-Identifier: MIT
"""How many instructions each function takes of a record: what a change is laid at the door of."""

from __future__ import annotations

from ticklab import names
from ticklab.explain import difference, replay, rerecord, subjects
from ticklab.model import Record, Run
from ticklab.store import Store


def count_instructions(
    store: Store, run: Run, record: Record, kernel: str | None = None
) -> dict[str, float]:
    """Instructions a sample by function, without what each calls. Records the case if need be;
    `kernel` is its folder then, if it is a user's own. A figure computed from others has none."""
    if record.formula:
        return {}
    if not store.recording(str(record.measurement)):
        rerecord.record(store, run, record, kernel)
    recording = subjects.open_recording(store, record)
    spans = {span.name: span for span in recording.about.spans}
    found = replay.explain(recording, [names.choose("span", record.span, spans)])
    used = difference.functions(found, found.spans[0])
    return {name: use.cost.instructions for name, use in sorted(used.items())}
