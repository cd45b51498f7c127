# SPDX-License-Identifier: MIT
"""The reference has each key that a description may have, and each field of the JSON of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from ticklab import paths
from ticklab.description.architecture import ArchitectureFile, CoreFile
from ticklab.description.board import BoardFile
from ticklab.description.kernel_tables import KernelFile
from ticklab.description.machine import KINDS
from ticklab.description.recipe import RecipeFile
from ticklab.description.suite_tables import SuiteFile

REFERENCE = paths.CHECKOUT / "docs" / "reference"
FIELD = re.compile(r"^ +\"(\w+)\": ", re.MULTILINE)


def source(folder: str, name: str) -> str:
    return (paths.CHECKOUT / "lab" / "src" / "ticklab" / folder / name).read_text()


def _keys(kind: Any) -> Iterator[str]:
    """Yields the keys of the tables that a type contains."""
    for part in get_args(kind):
        yield from _keys(part)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for field in msgspec.structs.fields(kind):
            yield field.encode_name
            yield from _keys(field.type)


def test_every_key_of_a_description_is_in_the_reference() -> None:
    files = (ArchitectureFile, CoreFile, BoardFile, KernelFile, SuiteFile, RecipeFile)
    keys = {key for kind in (*files, *KINDS.values()) for key in _keys(kind)}
    assert len(keys) > 90
    words = set(re.findall(r"\w+", (REFERENCE / "descriptions.md").read_text()))
    assert keys - words == set()


def test_every_field_of_the_json_is_in_the_reference() -> None:
    fields = set(FIELD.findall(source("views", "json.py")))
    assert len(fields) > 25
    words = set(re.findall(r"`(\w+)`", (REFERENCE / "json.md").read_text()))
    assert fields - words == set()
