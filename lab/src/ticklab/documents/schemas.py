# SPDX-License-Identifier: MIT
"""JSON Schemas of the files that users write and of the JSON of every command
(docs/reference/schemas), for editors and other programs. They are generated from the types that
read the files and write the JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.json import schema_components

from ticklab import paths
from ticklab.campaign.document import CampaignFields
from ticklab.description.application import ApplicationFile
from ticklab.description.architecture import ArchitectureFile, CoreFile
from ticklab.description.board import BoardFile
from ticklab.description.budget import Settings
from ticklab.description.campaign import CampaignFile
from ticklab.description.kernel_table import KnownFile
from ticklab.description.kernel_tables import KernelFile
from ticklab.description.machine import KINDS, Machine
from ticklab.description.recipe import RecipeFile
from ticklab.description.suite_tables import SuiteFile
from ticklab.description.table import Table
from ticklab.documents import declaration
from ticklab.quality.report import TestFields
from ticklab.site import documents as site
from ticklab.views.comparison_document import ComparisonFields, ComparisonsFields, PublishedFields
from ticklab.views.difference import DifferenceFields
from ticklab.views.estimate_document import EstimateFields
from ticklab.views.explanation import ExplanationFields
from ticklab.views.footprint import FootprintFields
from ticklab.views.gate import GateFields
from ticklab.views.history import HistoryFields
from ticklab.views.injected import InjectionFields
from ticklab.views.listing import ListFields
from ticklab.views.observed import ObservationFields
from ticklab.views.port import PortFields
from ticklab.views.profiled import ProfileFields
from ticklab.views.reproduction import ReproductionFields
from ticklab.views.run_document import RunFields
from ticklab.views.tuned import TuningFields

FOLDER = paths.CHECKOUT / "docs" / "reference" / "schemas"

FILES: Mapping[str, type[Table]] = {
    "kernel": KernelFile,
    "suite": SuiteFile,
    "board": BoardFile,
    "core": CoreFile,
    "arch": ArchitectureFile,
    "recipe": RecipeFile,
    "ticklab": Settings,
    "known-kernels": KnownFile,
    "system": declaration.system_file(),
    "app": ApplicationFile,
    "campaign": CampaignFile,
}


@dataclass(frozen=True)
class Document:
    """A kind of JSON document that commands write: its type, the commands that write it, and the
    arguments for commands that write several kinds."""

    kind: Any
    commands: tuple[str, ...] = ()
    asked: str = ""


RUN = "run"
DOCUMENTS: Mapping[str, Document] = {
    RUN: Document(RunFields, ("run", "show")),
    "comparison": Document(ComparisonFields, ("compare",), "A B"),
    "comparisons": Document(ComparisonsFields, ("compare",), "A B C…"),
    "published": Document(PublishedFields, ("compare",), "A published:NAME"),
    "explanation": Document(ExplanationFields, ("explain",), "A"),
    "difference": Document(DifferenceFields, ("explain",), "A B"),
    "gate": Document(GateFields, ("gate",)),
    "history": Document(HistoryFields, ("history",)),
    "reproduction": Document(ReproductionFields, ("reproduce", "verify")),
    "footprint": Document(FootprintFields, ("footprint",)),
    "observation": Document(ObservationFields, ("observe",)),
    "profile": Document(ProfileFields, ("profile",)),
    "injection": Document(InjectionFields, ("inject",)),
    "port-check": Document(PortFields, ("port check",)),
    "list": Document(ListFields, ("list",)),
    "bench": Document(dict[str, float], ("bench",)),
    "test": Document(TestFields, ("test",)),
    "estimate": Document(EstimateFields, ("estimate",)),
    "tuning": Document(TuningFields, ("tune",)),
    "campaign-state": Document(CampaignFields, ("campaign",)),
    "isolation": Document(declaration.isolation()),
    "events": Document(declaration.events()),
    "site": Document(site.IndexFields),
    "claim": Document(site.ClaimFields),
}
EVERY = (*FILES, *DOCUMENTS)
_SUFFIX = ".schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def file(name: str) -> Path:
    return FOLDER / (name + _SUFFIX)


def text(name: str) -> str:
    """Returns the text of a schema's file."""
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


def write() -> list[str]:
    """Writes the schemas and returns the names of the files that changed."""
    FOLDER.mkdir(exist_ok=True)
    changed = [name for name in EVERY if _present(name) != text(name)]
    for name in changed:
        file(name).write_text(text(name))
    return [str(file(name).relative_to(paths.CHECKOUT)) for name in changed]


def _present(name: str) -> str | None:
    return file(name).read_text() if file(name).is_file() else None


def schema(name: str) -> dict[str, Any]:
    """Returns the JSON Schema of a kind of file, or of a document of commands."""
    if name in DOCUMENTS:
        return _of_document(name, DOCUMENTS[name].kind)
    kind = FILES[name]
    machines = KINDS.values() if kind is BoardFile else ()
    _, tables = schema_components([kind, *machines], ref_template="#/$defs/{name}")
    if kind is BoardFile:
        _add_targets(tables["BoardFile"])
    return _whole(name, kind.__name__, {key: _plain(each) for key, each in tables.items()})


def _whole(name: str, top: str, tables: dict[str, Any]) -> dict[str, Any]:
    title = _title(name)
    head = {"$schema": _DIALECT, "title": title}
    tables = {name: _unfolded(table) for name, table in tables.items()}
    return {**head, **tables.pop(top), "$defs": tables, "title": title}


def _of_document(name: str, kind: Any) -> dict[str, Any]:
    """Returns the schema of a document. All fields of dataclasses are required, because the writer
    leaves out none. File names are texts."""
    (top, *machines), objects = schema_components(
        [kind, *(KINDS.values() if kind is ListFields else ())],
        schema_hook=lambda _: {"type": "string"},
        ref_template="#/$defs/{name}",
    )
    if machines:
        objects[Machine.__name__] = {"anyOf": machines}
    for each in objects.values():
        if "additionalProperties" not in each and "properties" in each:
            each |= {"required": list(each["properties"]), "additionalProperties": False}
    if "$ref" not in top:
        return {"$schema": _DIALECT, "title": _title(name), **top}
    return _whole(name, kind.__name__, objects)


def _title(name: str) -> str:
    return f"Ticklab: {name}"


def _unfolded(value: Any) -> Any:
    """Returns a part of a schema with each description on one line."""
    if isinstance(value, list):
        return [_unfolded(each) for each in value]
    if not isinstance(value, dict):
        return value
    part = {key: _unfolded(each) for key, each in value.items()}
    if isinstance(part.get("description"), str):
        part["description"] = " ".join(part["description"].split())
    return part


def _add_targets(board: dict[str, Any]) -> None:
    """Adds the rule that a board has exactly one target to the schema of board.toml."""
    kinds = {name: {"$ref": f"#/$defs/{kind.__name__}"} for name, kind in KINDS.items()}
    one = {"additionalProperties": False, "minProperties": 1, "maxProperties": 1}
    target = board["properties"]["target"]
    del target["default"]
    target |= {"properties": kinds, **one}
    board["required"].append("target")


def _plain(value: Any) -> Any:
    """Returns a part of a schema, adapted to TOML. Removes null, which TOML does not have. Also
    removes the list of required keys from tables that may extend another table, because that table
    may have the keys."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    part = {key: _plain(each) for key, each in value.items() if (key, each) != ("default", None)}
    if isinstance(part.get("anyOf"), list):
        part = _without_null(part)
    if "extends" in part.get("properties", ()):
        part.pop("required", None)
    return part


def _without_null(part: dict[str, Any]) -> dict[str, Any]:
    choices = [each for each in part.pop("anyOf") if each != {"type": "null"}]
    return {**part, **choices[0]} if len(choices) == 1 else {**part, "anyOf": choices}
