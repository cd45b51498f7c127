# SPDX-License-Identifier: MIT
"""Prints a run as CSV for spreadsheets: one row for each record. Columns are the fields of the
JSON.

A nested field becomes several columns (`instructions.mean`, `cycles.low.p50`), and the instructions
by kind of work become one column for each kind (`work.checks`). Lists and features, which have no
fixed length, become one cell of text. Null in JSON is an empty cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from msgspec import structs

from ticklab.description.model import CATEGORIES, Run, Stats, Work
from ticklab.summary.cause import UNASSIGNED
from ticklab.views.json import record_object
from ticklab.views.run_document import RecordFields

_STATS = tuple(field.name for field in fields(Stats))
_NESTED: Mapping[str, tuple[str, ...]] = {
    "instructions": _STATS,
    "interrupted": tuple(f"instructions.{name}" for name in _STATS),
    "cycles": (
        *(f"{bound}.{name}" for bound in ("low", "high", "exact") for name in _STATS),
        "profile",
    ),
    "score_30s": ("low", "high", "clock_hz"),
    "per_second": ("low", "high", "unit"),
    "reported": ("n", "min", "mean", "max", "resolution"),
    "curve": (
        *("position", "chosen_by", "cycles.low", "cycles.high"),
        *("pended_before", "pended_at", "held_until", "held_at"),
    ),
    "work": (*CATEGORIES, UNASSIGNED),
}


def dumps(run: Run) -> str:
    out = io.StringIO()
    rows = [dict(cells(record_object(record))) for record in run.records]
    if rows:
        writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()


def columns() -> list[str]:
    found = (field.name for field in structs.fields(RecordFields))
    nested = ([f"{name}.{path}" for path in _NESTED.get(name, ())] or [name] for name in found)
    return [column for columns in nested for column in columns]


def cells(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields (name, value) for each column of a record's row."""
    for name, value in record.items():
        if name == "work":
            yield from ((f"{name}.{kind}", _instructions(value, kind)) for kind in _NESTED[name])
        elif name in _NESTED:
            yield from ((f"{name}.{path}", _at(value, path)) for path in _NESTED[name])
        elif isinstance(value, Mapping):
            yield name, " ".join(f"{key}={inner}" for key, inner in value.items())
        elif isinstance(value, list):
            yield name, " ".join(map(str, value))
        else:
            yield name, value


def _instructions(work: Work | None, kind: str) -> int | float | None:
    """Returns the instructions of one kind of work, added up over all functions."""
    return None if work is None else sum(work.get(kind, {}).values())


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = None if value is None else value.get(name)
    return value
