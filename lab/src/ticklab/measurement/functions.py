# SPDX-License-Identifier: MIT
"""Counts how many instructions of a record each function takes, for `gate` and `baseline`."""

from __future__ import annotations

from ticklab import names
from ticklab.description.model import Record, Run
from ticklab.explain import difference, replay, subjects
from ticklab.measurement import rerecord
from ticklab.storage.store import Store


def count_instructions(
    store: Store, run: Run, record: Record, kernel: str | None = None
) -> dict[str, float]:
    """Returns instructions of each sample by function, without callees. Records the case if it was
    not recorded; `kernel` is the folder of a user's kernel. A figure computed from others has
    none."""
    if record.formula:
        return {}
    if not store.recording(str(record.measurement)):
        rerecord.record(store, run, record, kernel)
    recording = subjects.open_recording(store, record)
    spans = {span.name: span for span in recording.about.spans}
    found = replay.explain(recording, [names.choose("span", record.span, spans)])
    used = difference.functions(found, found.spans[0])
    return {name: use.cost.instructions for name, use in sorted(used.items())}
