# SPDX-License-Identifier: MIT
"""JSON Schemas of the descriptions (docs/reference/schemas), for editors and other programs. They
are generated from the types with which Ticklab reads the files."""

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

FOLDER = paths.CHECKOUT / "docs" / "reference" / "schemas"

FILES: Mapping[str, type[Table]] = {
    "kernel": KernelFile,
    "suite": SuiteFile,
    "board": BoardFile,
    "core": CoreFile,
    "arch": ArchitectureFile,
    "recipe": RecipeFile,
}
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
    changed = [name for name in FILES if _present(name) != text(name)]
    for name in changed:
        file(name).write_text(text(name))
    return [str(file(name).relative_to(paths.CHECKOUT)) for name in changed]


def _present(name: str) -> str | None:
    return file(name).read_text() if file(name).is_file() else None


def schema(name: str) -> dict[str, Any]:
    """Returns the JSON Schema of a kind of description."""
    kind = FILES[name]
    machines = KINDS.values() if kind is BoardFile else ()
    _, tables = schema_components([kind, *machines], ref_template="#/$defs/{name}")
    if kind is BoardFile:
        _add_targets(tables["BoardFile"])
    whole = {title: _plain(table) for title, table in tables.items()}
    head = {"$schema": _DIALECT, "title": f"Ticklab: {name}"}
    return {**head, **whole.pop(kind.__name__), "$defs": whole, "title": head["title"]}


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
    if isinstance(part.get("description"), str):
        part["description"] = " ".join(part["description"].split())
    return part


def _without_null(part: dict[str, Any]) -> dict[str, Any]:
    choices = [each for each in part.pop("anyOf") if each != {"type": "null"}]
    return {**part, **choices[0]} if len(choices) == 1 else {**part, "anyOf": choices}
