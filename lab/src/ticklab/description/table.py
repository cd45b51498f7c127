# SPDX-License-Identifier: MIT
"""Reads a TOML file into a typed table. Each mistake becomes an error that names file, key and
remedy.

A table is a class: its fields are the keys, each with its type and its meaning. The classes are
also the source of the published schemas (docs/reference/schemas) and of the reference of keys
(docs/reference/descriptions.md). Checks that a type cannot express, for example that a file exists,
are in the reader of each description, which gets a `Place` of the table for its errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NoReturn, TypeVar

import msgspec

from ticklab.description import mismatch, toml_file
from ticklab.errors import UsageError


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a TOML file. A key that is not a field of the class is an error."""

    # Keys of earlier versions, each with what to write instead.
    RENAMED: ClassVar[Mapping[str, str]] = {}


SomeTable = TypeVar("SomeTable", bound=Table)


@dataclass(frozen=True)
class Place:
    """The place of a table in a file, for error messages. `path` has the names of the tables down
    to it, separated by dots; it is "" for the whole file."""

    file: Path
    path: str = ""

    def inside(self, key: str) -> Place:
        """Returns the place of the table `key` in this table. In a list of tables, `key 2` is the
        second."""
        return Place(self.file, f"{self.path}.{key}" if self.path else key)

    def fail(self, key: str, what: str, hint: str = "") -> NoReturn:
        """Raises an error about the value of `key`."""
        place = f"[{self.path}] {key}" if self.path else f"[{key}]"
        raise UsageError(f"{self.file}: {place} {what}", hint)


def read(file: Path, kind: type[SomeTable]) -> tuple[SomeTable, Place]:
    """Reads a whole file as a table of the class `kind`. Raises UsageError for the first
    mistake."""
    place = Place(file)
    return convert(toml_file.load(file), kind, place), place


def convert(entries: Mapping[str, Any], kind: type[SomeTable], place: Place) -> SomeTable:
    """Converts the entries of a table to its class. Raises UsageError for the first mistake."""
    try:
        return msgspec.convert(entries, kind, str_keys=True)
    except msgspec.ValidationError as error:
        _explain(mismatch.find(entries, kind), place, error)


def _explain(
    found: mismatch.Mismatch | None, place: Place, error: msgspec.ValidationError
) -> NoReturn:
    if found is None:
        raise UsageError(f"{place.file}: {error}") from error
    for key in found.path:
        place = place.inside(key)
    place.fail(found.key, found.what, found.hint)
