# SPDX-License-Identifier: MIT
"""Records as columns of a table for DuckDB and Parquet: the fields of the JSON of a record, with
`_` in place of the dots of nested fields. Maps and lists are JSON texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ticklab.description.model import Record
from ticklab.views import csv
from ticklab.views.json import record_object

Arrays = Mapping[str, "np.ndarray[Any, Any]"]
Row = Mapping[str, Any]

_JSON = ("params", "features", "doubts", "per_thread")
_BOOLEAN = ("deterministic", "exercises_kernel")
_TEXT = frozenset((
    "run", "key", "compiler", "measurement", *_JSON, "kernel", "config", "optimise", "board",
    "suite", "scenario", "span", "status", "reason", "formula", "cycles_profile",
    "per_second_unit", "curve_chosen_by", "curve_pended_before", "curve_pended_at",
    "curve_held_until", "curve_held_at",
))  # fmt: skip
_OF_A_RUN = ("run",)


def names(more: tuple[str, ...] = _OF_A_RUN) -> list[str]:
    """Returns the names of all columns, also for a table without rows. The columns `more` come
    first."""
    return [*more, "measurement", *map(_name, csv.columns())]


def row(record: Record) -> Row:
    found = record_object(record)
    cells = {_name(name): value for name, value in csv.cells(found)}
    texts = {name: _text(found[name]) for name in _JSON}
    return {"measurement": record.measurement, **cells, **texts}


def arrays(rows: Iterable[Row], more: tuple[str, ...] = _OF_A_RUN) -> Arrays:
    every = list(rows)
    return {name: _column(name, [each.get(name) for each in every]) for name in names(more)}


def typed(more: tuple[str, ...] = _OF_A_RUN) -> str:
    """Returns the SQL expression of each column for SELECT. It states a type for the column, so
    that the type does not depend on the values."""
    return ", ".join(f'CAST("{name}" AS {_type(name)}) AS "{name}"' for name in names(more))


def _name(column: str) -> str:
    """Returns the column's name in a form that SQL accepts without quotes."""
    return re.sub(r"[.-]", "_", column)


def _text(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _type(name: str) -> str:
    if name in _TEXT:
        return "VARCHAR"
    return "BOOLEAN" if name in _BOOLEAN else "DOUBLE"


def _column(name: str, values: list[Any]) -> np.ndarray[Any, Any]:
    if name in _TEXT:
        return np.array(values, dtype=object)
    missing = [value is None for value in values]
    plain = [0 if value is None else value for value in values]
    return np.ma.masked_array(np.array(plain, np.float64), mask=missing)
