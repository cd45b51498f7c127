# SPDX-License-Identifier: MIT
"""Converts records to plain JSON values for the store and back: every field, no time and no path.

views/json.py has the schema that users see; this one may change with the store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from ticklab.description.model import (
    Bound,
    Call,
    Case,
    Curve,
    Cycles,
    Interval,
    Lane,
    Rate,
    Record,
    Run,
    Score,
    Stats,
    Status,
)

# The identity of a record, and its doubts. All other fields are findings, which depend on the image
# and the plan only.
IDENTITY = (
    "kernel",
    "config",
    "optimise",
    "board",
    "suite",
    "scenario",
    "span",
    "params",
    "layout",
    "features",
    "doubts",
    "exercises_kernel",
)


def blank(case: Case, span: str, status: Status = Status.PASS, reason: str | None = None) -> Record:
    """Returns the record of a span without findings."""
    return Record(
        kernel=case.kernel.name,
        config=case.config.name,
        optimise=case.optimise,
        board=case.board.name,
        suite=case.scenario.suite,
        scenario=case.scenario.name,
        span=span,
        params=dict(case.scenario.params),
        layout=case.layout,
        status=status,
        reason=reason,
        features=dict(case.features),
        exercises_kernel=case.scenario.exercises_kernel,
    )


def encode(record: Record) -> dict[str, Any]:
    return asdict(record)


def decode(data: Mapping[str, Any]) -> Record:
    identity = {name: data[name] for name in IDENTITY}
    return with_findings(Record(**identity, status=Status.PASS), data)


def findings(record: Record) -> dict[str, Any]:
    """Returns the findings, without the identity: two configurations may share an image, and so a
    measurement."""
    return {name: value for name, value in encode(record).items() if name not in IDENTITY}


def with_findings(record: Record, data: Mapping[str, Any]) -> Record:
    """Returns `record` with the findings of a measurement."""
    names = {field.name for field in fields(Record)} - set(IDENTITY)
    return replace(record, **{name: _value(name, data[name]) for name in names if name in data})


def encode_run(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "provenance": run.provenance,
        "lanes": {name: encode_lanes(lanes) for name, lanes in run.lanes.items()},
        "records": [encode(record) for record in run.records],
    }


def decode_run(data: Mapping[str, Any]) -> Run:
    """Raises KeyError, TypeError or ValueError if a field is missing or has a wrong value."""
    return Run(
        id=data["id"],
        provenance=data["provenance"],
        records=tuple(decode(record) for record in data["records"]),
        lanes={board: decode_lanes(lanes) for board, lanes in data["lanes"].items()},
    )


def encode_lanes(lanes: tuple[Lane, ...]) -> list[dict[str, Any]]:
    return [asdict(lane) for lane in lanes]


def decode_lanes(data: list[dict[str, Any]]) -> tuple[Lane, ...]:
    return tuple(Lane(**lane) for lane in data)


def _value(name: str, value: Any) -> Any:
    if value is None:
        return None
    match name:
        case "status":
            return Status(value)
        case "instructions" | "interrupted":
            return Stats(**value)
        case "cycles":
            return Cycles(Stats(**value["low"]), Stats(**value["high"]), value["profile"])
        case "score_30s":
            return Score(**value)
        case "per_second":
            return Rate(**value)
        case "per_thread":
            return tuple(value)
        case "curve":
            return _curve(value)
    return value


def _curve(value: Mapping[str, Any]) -> Curve:
    known = dict(value)
    known["instructions"] = tuple(value["instructions"])
    known["calls"] = tuple(Call(**call) for call in value["calls"])
    known["chosen_by"] = Bound(value["chosen_by"])
    known["cycles"] = Interval(**value["cycles"]) if value["cycles"] else None
    return Curve(**known)
