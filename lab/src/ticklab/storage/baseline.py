# SPDX-License-Identifier: MIT
"""A run with which later runs are compared, in one file that needs no other file.

The file holds the records of the run, the sample plan of each record, and how many instructions
each function takes of each sample. So `gate` can name the function that caused a change on a
machine that never had the old image. A name stands for a file in the folder `baselines` of the
store. A path that ends in `.json` stands for itself, so that the repository of a kernel can hold
its baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ticklab import names
from ticklab.description.model import Record, Run, SamplePlan
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import records, sealed

SCHEMA = 2
SUFFIX = ".json"
_AGAIN = "save it again: 'ticklab baseline save'"

# Instructions of each sample by function, and the sample plan, of a record with figures.
Functions = Mapping[str, float]


@dataclass(frozen=True)
class BaselineEntry:
    record: Record
    plan: SamplePlan | None  # None for a record without figures
    functions: Functions


@dataclass(frozen=True)
class Baseline:
    run: Run
    entries: tuple[BaselineEntry, ...]


def make(
    run: Run, plan: Callable[[Record], SamplePlan], functions: Callable[[Record], Functions]
) -> Baseline:
    """Makes a baseline of a run. `plan` and `functions` are called for records with figures."""
    return Baseline(
        run,
        tuple(
            BaselineEntry(record, plan(record), functions(record))
            if record.measurement and record.figures.instructions
            else BaselineEntry(record, None, {})
            for record in run.records
        ),
    )


# --- Files ----------------------------------------------------------------------------------------


def path(name: str, store: Path) -> Path:
    if name.endswith(SUFFIX):
        return Path(name)
    if not name or "/" in name or name.startswith("."):
        raise UsageError(f"'{name}' is not a name of a baseline", "name a word, or a file *.json")
    return _folder(store) / (name + SUFFIX)


def saved(store: Path) -> list[str]:
    """Returns the names of the baselines in the store."""
    files = _folder(store).glob(f"[!.]*{SUFFIX}")
    return sorted(file.stem for file in files if file.is_file())


def find(name: str, store: Path) -> Path:
    file = path(name, store)
    if file.is_file():
        return file
    known = saved(store)
    if name.endswith(SUFFIX) or not known:
        raise UsageError(f"no baseline '{name}'", "save one with 'ticklab baseline save NAME'")
    raise names.unknown("baseline", name, known)


def write(baseline: Baseline, file: Path) -> None:
    content = {
        "schema": SCHEMA,
        **records.encode_run(baseline.run),
        "entries": [
            {"plan": asdict(entry.plan) if entry.plan else None, "functions": entry.functions}
            for entry in baseline.entries
        ],
    }
    try:
        sealed.write_alone(file, content)
    except OSError as error:
        raise TicklabError(
            f"cannot write baseline {file}: {error.strerror}", "name another file"
        ) from error


def read(file: Path) -> Baseline:
    data = sealed.read_alone(file, SCHEMA, _AGAIN)
    try:
        run = records.decode_run(data)
        pairs = zip(run.records, data["entries"], strict=True)
        return Baseline(run, tuple(_entry(record, entry) for record, entry in pairs))
    except (ValueError, KeyError, TypeError) as error:
        raise sealed.damaged(file, f"no {error}", _AGAIN) from error


def _entry(record: Record, data: Mapping[str, Any]) -> BaselineEntry:
    plan = SamplePlan(**data["plan"]) if data["plan"] else None
    return BaselineEntry(record, plan, data["functions"])


def _folder(store: Path) -> Path:
    return store / "baselines"
