# SPDX-License-Identifier: MIT
"""Counts how many instructions of a record each function takes, and finds its source file, for
`gate` and `baseline`."""

from __future__ import annotations

from pathlib import Path

from ticklab import names
from ticklab.description.model import Record, Run
from ticklab.explain import difference, second_run
from ticklab.explain.answer import Explanation
from ticklab.measurement import repeating
from ticklab.storage.store import Store


def count_instructions(
    store: Store, run: Run, record: Record, kernel: str | None = None
) -> dict[str, float]:
    """Returns the instructions of the mean sample by function, without callees. For a sweep by the
    emulator, returns the instructions that ran while the interrupt of the worst position waited.
    Returns none for a figure that is computed from others. `kernel` is the folder of a user's
    kernel."""
    if record.formula:
        return {}
    known = store.measurement(str(record.measurement))
    if known and "pending" in known.determined_by and record.curve:
        return {name: float(count) for name, count in sorted(record.curve.functions.items())}
    found = _explained(store, run, record, kernel)
    used = difference.functions(found, found.spans[0])
    return {name: use.cost.instructions for name, use in sorted(used.items())}


def source_file(
    store: Store, run: Run, record: Record, function: str, folder: Path, kernel: str | None = None
) -> str | None:
    """Returns the source file of a function that `count_instructions` named, as a path relative to
    the current folder. Debug information names files without folders, so the file is found only if
    it is the only one with its name in the kernel's `folder` and this folder is below the current
    one; otherwise None. `kernel` is the folder of a user's kernel."""
    found = _explained(store, run, record, kernel)
    named = (each for each in found.functions if each.name == function)
    name = next((each.file for each in named if each.file), None)
    files = [file for file in folder.resolve().rglob("*") if file.name == name]
    if len(files) != 1 or not files[0].is_relative_to(Path.cwd()):
        return None
    return files[0].relative_to(Path.cwd()).as_posix()


def _explained(store: Store, run: Run, record: Record, kernel: str | None) -> Explanation:
    with repeating.repeated(store, run, record, kernel) as first:
        spans = {span.name: span for span in first.about.spans}
        return second_run.explain(first, [names.choose("span", record.span, spans)])
