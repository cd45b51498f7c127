# SPDX-License-Identifier: MIT
"""A baseline: a run with which later runs are compared, in one file that needs no other file.

The file has the records of the run, the sample plan of each record, and the instructions of each
function in a mean sample. So `gate` can name the function that caused a change even on a machine
that never had the old image.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ticklab.description.model import Record, Run, SamplePlan
from ticklab.errors import TicklabError
from ticklab.storage import records, sealed
from ticklab.storage.baseline_files import AGAIN, READ, SCHEMA

# The instructions of a mean sample by function. For a record with figures, a baseline has these and
# the sample plan.
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
            if record.measurement and (record.figures.instructions or record.figures.cycles)
            else BaselineEntry(record, None, {})
            for record in run.records
        ),
    )


# --- Files ----------------------------------------------------------------------------------------


def content(baseline: Baseline) -> dict[str, Any]:
    """Returns a baseline as plain JSON values."""
    return {
        "schema": SCHEMA,
        **records.encode_run(baseline.run),
        "entries": [
            {"plan": asdict(entry.plan) if entry.plan else None, "functions": entry.functions}
            for entry in baseline.entries
        ],
    }


def parse(data: Mapping[str, Any], file: Path, hint: str = AGAIN) -> Baseline:
    """Returns the baseline in `data`, the JSON values of `file`. Raises an error with `hint` if
    they are not a baseline."""
    try:
        run = records.decode_run(data)
        pairs = zip(run.records, data["entries"], strict=True)
        return Baseline(run, tuple(_entry(record, entry) for record, entry in pairs))
    except (ValueError, KeyError, TypeError) as error:
        raise sealed.damaged(file, f"no {error}", hint) from error


def write(baseline: Baseline, file: Path) -> None:
    try:
        sealed.write_alone(file, content(baseline))
    except OSError as error:
        raise TicklabError(
            f"cannot write baseline {file}: {error.strerror}", "name another file"
        ) from error


def read(file: Path) -> Baseline:
    return parse(sealed.read_alone(file, READ, AGAIN), file)


def _entry(record: Record, data: Mapping[str, Any]) -> BaselineEntry:
    plan = records.typed(data["plan"], SamplePlan | None, "plan")
    functions = records.typed(data["functions"], dict[str, float], "functions")
    return BaselineEntry(record, plan, functions)
