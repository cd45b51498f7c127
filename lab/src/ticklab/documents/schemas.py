# SPDX-License-Identifier: MIT
"""JSON Schemas of the descriptions and of JSON outputs (docs/reference/schemas), for editors and
other programs. Those of descriptions are generated from the types that read the files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.json import schema_components

from ticklab import paths
from ticklab.description.architecture import ArchitectureFile, CoreFile
from ticklab.description.board import BoardFile
from ticklab.description.kernel_tables import KernelFile
from ticklab.description.machine import KINDS
from ticklab.description.recipe import RecipeFile
from ticklab.description.suite_tables import SuiteFile
from ticklab.description.table import Table
from ticklab.site import documents as site
from ticklab.views.run_document import Part, RunFields

FOLDER = paths.CHECKOUT / "docs" / "reference" / "schemas"

FILES: Mapping[str, type[Table]] = {
    "kernel": KernelFile,
    "suite": SuiteFile,
    "board": BoardFile,
    "core": CoreFile,
    "arch": ArchitectureFile,
    "recipe": RecipeFile,
}
RUN = "run"
OUTPUTS: Mapping[str, type[Part]] = {
    RUN: RunFields,
    "site": site.IndexFields,
    "claim": site.ClaimFields,
}
EVERY = (*FILES, *OUTPUTS)
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
    """Returns the JSON Schema of a kind of description, or of an output."""
    if name in OUTPUTS:
        return _whole(name, OUTPUTS[name].__name__, _of_output(OUTPUTS[name]))
    kind = FILES[name]
    machines = KINDS.values() if kind is BoardFile else ()
    _, tables = schema_components([kind, *machines], ref_template="#/$defs/{name}")
    if kind is BoardFile:
        _add_targets(tables["BoardFile"])
    return _whole(name, kind.__name__, {key: _plain(each) for key, each in tables.items()})


def _whole(name: str, top: str, tables: dict[str, Any]) -> dict[str, Any]:
    title = f"Ticklab: {name}"
    head = {"$schema": _DIALECT, "title": title}
    tables = {name: _unfolded(table) for name, table in tables.items()}
    return {**head, **tables.pop(top), "$defs": tables, "title": title}


def _of_output(kind: type[Part]) -> dict[str, Any]:
    """Returns the objects of an output. The writer leaves out no field of a dataclass."""
    _, objects = schema_components([kind], ref_template="#/$defs/{name}")
    for each in objects.values():
        if "additionalProperties" not in each and "properties" in each:
            each |= {"required": list(each["properties"]), "additionalProperties": False}
    return objects


def _unfolded(value: Any) -> Any:
    """Returns a part of a schema with each description in one line."""
    if isinstance(value, list):
        return [_unfolded(each) for each in value]
    if not isinstance(value, dict):
        return value
    part = {key: _unfolded(each) for key, each in value.items()}
    if isinstance(part.get("description"), str):
        part["description"] = " ".join(part["description"].split())
    return part


def _add_targets(board: dict[str, Any]) -> None:
    """Adds to the schema of board.toml that a board has exactly one of the targets."""
    kinds = {name: {"$ref": f"#/$defs/{kind.__name__}"} for name, kind in KINDS.items()}
    one = {"additionalProperties": False, "minProperties": 1, "maxProperties": 1}
    target = board["properties"]["target"]
    del target["default"]
    target |= {"properties": kinds, **one}
    board["required"].append("target")


def _plain(value: Any) -> Any:
    """Returns a part of a schema as it is for TOML: without null, which TOML does not have, and
    without required keys in a table that can extend another one, which may have them."""
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
