# SPDX-License-Identifier: MIT
"""Counts how many instructions of a record each function takes, and finds its source file, for
`gate` and `baseline`."""

from __future__ import annotations

from pathlib import Path

from ticklab import names
from ticklab.description.model import Record, Run
from ticklab.explain import difference, replay, subjects
from ticklab.explain.answer import Explanation
from ticklab.measurement import rerecord
from ticklab.storage.store import Store


def count_instructions(
    store: Store, run: Run, record: Record, kernel: str | None = None
) -> dict[str, float]:
    """Returns instructions of each sample by function, without callees. Records the case if it was
    not recorded; `kernel` is the folder of a user's kernel. A figure computed from others has
    none. A sweep that the emulator made has those for which its worst position waited."""
    if record.formula:
        return {}
    known = store.measurement(str(record.measurement))
    if known and "pending" in known.determined_by and record.curve:
        return {name: float(count) for name, count in sorted(record.curve.functions.items())}
    if not store.recording(str(record.measurement)):
        rerecord.record(store, run, record, kernel)
    found = _explained(store, record)
    used = difference.functions(found, found.spans[0])
    return {name: use.cost.instructions for name, use in sorted(used.items())}


def source_file(store: Store, record: Record, function: str, kernel: Path) -> str | None:
    """Returns the source file of a function that `count_instructions` named, as a path from the
    current folder. Debug information has names of files without folders: the file is the only one
    of its name in the folder of the kernel, which must be below the current folder; otherwise
    None."""
    named = (each for each in _explained(store, record).functions if each.name == function)
    name = next((each.file for each in named if each.file), None)
    found = [file for file in kernel.resolve().rglob("*") if file.name == name]
    if len(found) != 1 or not found[0].is_relative_to(Path.cwd()):
        return None
    return found[0].relative_to(Path.cwd()).as_posix()


def _explained(store: Store, record: Record) -> Explanation:
    recording = subjects.open_recording(store, record)
    spans = {span.name: span for span in recording.about.spans}
    return replay.explain(recording, [names.choose("span", record.span, spans)])
