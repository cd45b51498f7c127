# SPDX-License-Identifier: MIT
"""The JSON file of a claim: the claim itself, and everything that `ticklab reproduce` needs to
measure its records again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from ticklab.comparison import compare
from ticklab.comparison.gate import identity
from ticklab.description.model import Run
from ticklab.errors import UsageError
from ticklab.site.claims import Claim
from ticklab.site.documents import SCHEMA
from ticklab.storage import baseline, sealed
from ticklab.storage.baseline import Baseline, BaselineEntry
from ticklab.views import json

_HINT = "get the file again from the site, or make the site again with 'ticklab site'"

# The baseline entry of each record of a run, by the identity of the record.
Entries = Mapping[tuple[object, ...], BaselineEntry]


def entries(kept: Baseline) -> Entries:
    return {identity(entry.record): entry for entry in kept.entries}


def text(claim: Claim, known: Entries) -> str:
    """Returns the text of a claim's JSON file."""
    return sealed.text_alone(_content(claim, known))


def can_be_measured(claim: Claim, known: Entries) -> bool:
    return all(known[identity(record)].plan for record in claim.records)


def command(claim: Claim) -> list[str]:
    return ["ticklab", "reproduce", f"{claim.name}.json"]


def read(file: Path) -> Baseline:
    """Returns the records of the claim in a file, with their sample plans."""
    if not file.is_file():
        raise UsageError(f"there is no file {file}", "save the JSON of a claim from its page")
    data = sealed.read_alone(file, (SCHEMA,), _HINT)
    if not isinstance(data.get("again"), dict) or not {"run", "provenance"} <= data.keys():
        raise sealed.damaged(file, "it is no claim", _HINT)
    whole = {**data["again"], "id": data["run"], "provenance": data["provenance"]}
    return baseline.parse(whole, file, _HINT)


def _content(claim: Claim, known: Entries) -> dict[str, Any]:
    run = replace(claim.run, records=claim.records, provenance=provenance(claim))
    run = replace(run, lanes={claim.suite.board: tuple(claim.suite.lanes)})
    held = baseline.content(
        Baseline(run, tuple(known[identity(record)] for record in claim.records))
    )
    return {
        "schema": SCHEMA,
        "name": claim.name,
        "kind": claim.kind.value,
        "sentence": claim.sentence,
        "run": claim.run.id,
        "page": claim.page,
        "badge": claim.file("svg"),
        "record": json.record_object(claim.record) if claim.record else None,
        "mean": json.mean_object(claim.suite.classes[claim.column], claim.entry)
        if claim.entry
        else None,
        "ratio": _ratio(claim),
        "provenance": run.provenance,
        "reproduce": command(claim) if can_be_measured(claim, known) else None,
        "again": {name: held[name] for name in held if name not in ("id", "provenance")},
    }


def _ratio(claim: Claim) -> dict[str, Any] | None:
    found = claim.comparison
    if found is None or claim.suite.answer is None:
        return None
    return {
        "reference": claim.suite.answer.label,
        "instructions": found.instructions,
        "cycles": to_builtins(found.cycles),
        "verdict": found.verdict.value if found.verdict else None,
    }


def provenance(claim: Claim) -> dict[str, Any]:
    """Returns the part of the run's provenance that concerns the claim."""
    wanted: Mapping[str, set[str]] = {
        "kernels": {one.kernel for one in claim.records},
        "subjects": {f"{one.kernel}/{one.config}" for one in claim.records},
        "boards": {claim.suite.board},
        "builds": {compare.build_key(one) for one in claim.records},
    }
    return {
        name: {key: value[key] for key in value if key in wanted[name]} if name in wanted else value
        for name, value in claim.run.provenance.items()
        if name != "footprints"
    }


def origin(run: Run) -> Mapping[str, str]:
    """Returns the commit of each kernel of a run."""
    kernels: Mapping[str, Mapping[str, str]] = run.provenance.get("kernels", {})
    return {name: str(kernel.get("commit", "unknown")) for name, kernel in kernels.items()}
