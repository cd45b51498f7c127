# SPDX-License-Identifier: MIT
"""Prints a run as JSON, schema 1, for programs. Every field is always present, and null if it has
no value.

Two runs of the same images give the same `records`, byte for byte: no record depends on the time,
on the machine or on the folder in which files lie.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from msgspec import Struct, to_builtins

from ticklab.description.features import Protection
from ticklab.description.model import Cycles, Figures, Record, Run, Sampled
from ticklab.summary.answer import Answer, RankedKernel, Unit, answers
from ticklab.summary.matrix import row_label
from ticklab.views import sentence

SCHEMA = 1


def document(run: Run, reference: str | None = None) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": run.id,
        "provenance": run.provenance,
        "records": [record_object(record) for record in run.records],
        "summary": [_summary(answer) for answer in answers(run, reference)],
    }


def _summary(answer: Answer) -> dict[str, Any]:
    unit = answer.unit(Unit.CYCLES)
    return {
        "suite": answer.matrix.suite,
        "board": answer.matrix.board,
        "reference": answer.label,
        "tests": [row_label(row, answer.matrix.rows) for row in answer.tests],
        "sentence": sentence.whole(answer, unit),
        "means": [
            mean_object(group.protection, entry)
            for group in answer.groups
            for entry in group.entries
        ],
    }


def mean_object(protection: Protection, entry: RankedKernel) -> dict[str, Any]:
    return {
        **asdict(entry.column),
        "protection": protection.value,
        "over_tests": entry.mean.tests,
        "instructions_ratio": entry.mean.instructions,
        "cycles_ratio": to_builtins(entry.mean.cycles),
        "standing": entry.standing.value if entry.standing else None,
    }


def dumps(value: Any) -> str:
    """Returns the JSON text of a document, which is an object of document.py or a plain value."""
    plain = to_builtins(value) if isinstance(value, Struct) else value
    return json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


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
        **figures_object(record.figures, record.sampled),
        "features": dict(record.features),
        "doubts": dict(record.doubts),
        "curve": to_builtins(record.curve),
        "formula": record.formula,
        "exercises_kernel": record.exercises_kernel,
        "work": to_builtins(record.work),
    }


def figures_object(figures: Figures, sampled: Sampled) -> dict[str, Any]:
    others = {"instructions": to_builtins(sampled.interrupted)} if sampled.interrupted else None
    return {
        "instructions": to_builtins(figures.instructions),
        "interrupted": others,
        "exceptions": figures.exceptions,
        "reads": figures.reads,
        "writes": figures.writes,
        "port": figures.port,
        "marks": figures.marks,
        "cycles": _cycles(figures.cycles),
        "score_30s": to_builtins(sampled.score_30s),
        "per_second": to_builtins(figures.per_second),
        "reported": to_builtins(figures.reported),
        "per_thread": to_builtins(sampled.per_thread),
        "deterministic": sampled.deterministic,
        "ticks_seen_hz": sampled.ticks_seen_hz,
    }


def _cycles(cycles: Cycles | None) -> dict[str, Any] | None:
    if cycles and cycles.exact:
        return {"exact": to_builtins(cycles.exact)}
    found: dict[str, Any] | None = to_builtins(cycles)
    return found
