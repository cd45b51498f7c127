# SPDX-License-Identifier: MIT
"""Prints a run as JSON, schema 1, for programs: every field is always there, and null if empty.

Two runs of the same images give the same `records`, byte for byte: no record depends on time, on
the machine or on the place of files.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from ticklab.description.model import Cycles, Record, Run, Score, Stats

SCHEMA = 1


def document(run: Run) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": run.id,
        "provenance": run.provenance,
        "records": [record_object(record) for record in run.records],
    }


def dumps(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def record_object(record: Record) -> dict[str, Any]:
    return {
        "kernel": record.kernel,
        "config": record.config,
        "optimise": record.optimise,
        "board": record.board,
        "suite": record.suite,
        "scenario": record.scenario,
        "span": record.span,
        "params": dict(record.params),
        "layout": record.layout,
        "status": record.status.value,
        "reason": record.reason,
        "instructions": _stats(record.instructions),
        "interrupted": (
            {"instructions": _stats(record.interrupted)} if record.interrupted else None
        ),
        "exceptions": record.exceptions,
        "reads": record.reads,
        "writes": record.writes,
        "cycles": _cycles(record.cycles),
        "score_30s": _score(record.score_30s),
        "per_second": dataclasses.asdict(record.per_second) if record.per_second else None,
        "per_thread": None if record.per_thread is None else list(record.per_thread),
        "deterministic": record.deterministic,
        "ticks_seen_hz": record.ticks_seen_hz,
        "features": dict(record.features),
        "doubts": dict(record.doubts),
        "curve": dataclasses.asdict(record.curve) if record.curve else None,
        "formula": record.formula,
        "exercises_kernel": record.exercises_kernel,
    }


def _score(score: Score | None) -> dict[str, Any] | None:
    return dataclasses.asdict(score) if score else None


def _stats(stats: Stats | None) -> dict[str, float] | None:
    return dataclasses.asdict(stats) if stats else None


def _cycles(cycles: Cycles | None) -> dict[str, Any] | None:
    if cycles and cycles.exact:
        return {"exact": dataclasses.asdict(cycles.exact)}
    return dataclasses.asdict(cycles) if cycles else None
