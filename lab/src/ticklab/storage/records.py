# SPDX-License-Identifier: MIT
"""Converts records to plain JSON values for the store and back. The values have every field, but no
time and no path.

A record is one flat object: its identity, and the fields of its result. The schema that users see
is in views/json.py; the schema here is internal to the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, get_type_hints

import msgspec

from ticklab.description.model import (
    Case,
    Computed,
    Lane,
    NotMeasured,
    Record,
    Result,
    Run,
    Sampled,
    Status,
    WorstCase,
)
from ticklab.storage import older
from ticklab.storage.origin import Origin

_IDENTITY = tuple(field.name for field in fields(Record) if field.name != "result")
_TYPES = get_type_hints(Record)


class _RunFields(msgspec.Struct):
    """The members of a stored run. The records are checked one by one, later."""

    id: str
    provenance: dict[str, Any]
    records: list[dict[str, Any]]
    lanes: dict[str, tuple[Lane, ...]]


def of_span(case: Case, span: str, result: Result) -> Record:
    return Record(
        kernel=case.variant.kernel.name,
        config=case.variant.config.name,
        optimise=case.variant.optimise,
        board=case.variant.board.name,
        suite=case.scenario.suite,
        scenario=case.scenario.name,
        span=span,
        params=dict(case.scenario.params),
        layout=case.variant.layout,
        result=result,
        features=dict(case.features),
        exercises_kernel=case.scenario.exercises_kernel,
    )


def encode(record: Record) -> dict[str, Any]:
    identity = {name: getattr(record, name) for name in _IDENTITY}
    if record.work is None:
        del identity["work"]
    return {**identity, **encode_result(record.result)}


def decode(data: Mapping[str, Any]) -> Record:
    """Returns a record from its JSON values. Raises KeyError, TypeError or ValueError if a field is
    missing or has a wrong value."""
    identity = {name: typed(data[name], _TYPES[name], name) for name in _IDENTITY if name in data}
    return Record(**identity, result=decode_result(data))


def encode_result(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(result)
    return found if isinstance(result, NotMeasured) else {"status": Status.PASS.value, **found}


def decode_result(data: Mapping[str, Any]) -> Result:
    """Returns the result of a span from its JSON values. Raises KeyError or ValueError if a field
    is missing or has a wrong value."""
    found: Result = typed(data, _kind(data), "result")
    return found


def _kind(data: Mapping[str, Any]) -> type[Result]:
    figures = ("instructions", "interrupted", "cycles")
    if data["status"] != Status.PASS or not any(map(data.get, figures)):
        return NotMeasured
    if data.get("formula"):
        return Computed
    return WorstCase if data.get("curve") else Sampled


def encode_run(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "provenance": run.provenance,
        "lanes": {name: encode_lanes(lanes) for name, lanes in run.lanes.items()},
        "records": [encode(record) for record in run.records],
    }


def decode_run(data: Mapping[str, Any]) -> Run:
    """Returns a run from its JSON values. Raises KeyError, TypeError or ValueError if a field is
    missing or has a wrong value."""
    try:
        today = older.with_levels_of_today(data)
    except AttributeError as error:
        raise ValueError(f"run as Ticklab wrote it: {error}") from error
    found: _RunFields = typed(today, _RunFields, "run")
    typed(found.provenance, Origin, "provenance")
    records = tuple(decode(record) for record in found.records)
    return Run(found.id, found.provenance, records, found.lanes)


def encode_lanes(lanes: tuple[Lane, ...]) -> list[dict[str, Any]]:
    return [asdict(lane) for lane in lanes]


def decode_lanes(data: Any) -> tuple[Lane, ...]:
    found: tuple[Lane, ...] = typed(data, tuple[Lane, ...], "lanes")
    return found


def typed(value: Any, kind: Any, what: str) -> Any:
    """Converts a stored value to the type `kind`. Raises ValueError, which names `what`, if the
    value does not fit."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(f"{what} as Ticklab writes it: {error}") from error
