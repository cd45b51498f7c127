# SPDX-License-Identifier: MIT
"""Reads the tables of system calls, core/calls/*.toml. calls.toml says what the keys mean."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

TABLE = Path(__file__).resolve().parents[1] / "core" / "calls"
METHODS = 8  # entries in the table of methods of every kind of object; a power of two
_ENTRIES = ("compact", "deferring", "switching", "words")
_RESULTS = ("TIMED_OUT", "REFUSED", "DENIED", "PEER_LOST")


class TableError(Exception):
    """A mistake in the tables. The text says what is wrong and what to change."""


@dataclass(frozen=True)
class Method:
    """A method of a kind of object. calls.toml says what the fields mean."""

    name: str
    object: str = ""
    number: int = 0
    call: str | None = None
    result: str = "enum bulkhead_result"
    arguments: str = ""
    functions: list[str] | None = None
    frame: bool | None = None
    entry: str = "compact"
    by_hand: tuple[str, ...] = ()
    not_in: tuple[str, ...] = ()
    option: str = ""
    body: str = ""
    local: bool = False
    right: str = ""
    cost: str = ""
    text: str = ""
    errors: tuple[str, ...] = ()

    @property
    def constant(self) -> str:
        return f"BULKHEAD_{self.object}_{self.name}".upper()

    @property
    def function(self) -> str:
        """Returns the name of the function for applications; "" if the method has none of its
        own."""
        return f"bulkhead_{self.object}_{self.name}" if self.call is None else self.call

    @property
    def work(self) -> list[str]:
        """Returns the names of the kernel functions that carry out the method."""
        return [f"{self.object}_{self.name}"] if self.functions is None else self.functions

    @property
    def takes_frame(self) -> bool:
        return bool(self.arguments) if self.frame is None else self.frame

    @property
    def values(self) -> list[str]:
        return [each.strip() for each in self.arguments.split(",") if each]


@dataclass(frozen=True)
class Object:
    """A kind of object, with its methods and the tables that a right may point to."""

    name: str
    title: str
    text: str
    rights: dict[str, list[str]]
    methods: tuple[Method, ...]
    type: str = ""
    apart: dict[str, list[str]] = field(default_factory=dict)
    needs: str = ""

    def method(self, name: str) -> Method:
        for each in self.methods:
            if each.name == name:
                return each
        names = ", ".join(each.name for each in self.methods)
        raise TableError(f"a right of {self.name} has a method {name}; use one of {names}")

    def option(self, right: str) -> str:
        """Returns the option of the kernel to which a table of methods belongs; "" if every system
        has the table."""
        if self.needs:
            return self.needs
        names = (each.partition(":")[0] for each in self.rights[right])
        return next((self.method(name).option for name in names if self.method(name).option), "")


@dataclass(frozen=True)
class Calls:
    """All kinds of objects, and the fast paths of each architecture."""

    objects: tuple[Object, ...]
    fast_paths: dict[str, list[str]]

    def label(self, kind: Object, entry: str, architecture: str) -> str:
        """Returns the label at which a method of a right ("name" or "name:label") begins."""
        name, _, label = entry.partition(":")
        method = kind.method(name)
        if architecture in method.not_in:
            return "denied"
        is_fast = any(label in each for each in self.fast_paths.values())
        if label and (not is_fast or label in self.fast_paths[architecture]):
            return label
        return f"enter_{method.work[0]}"


def read(folder: Path = TABLE) -> Calls:
    whole = tomllib.loads((folder / "calls.toml").read_text())
    return Calls(tuple(_object(folder, name) for name in whole["objects"]), whole["fast_paths"])


def _object(folder: Path, name: str) -> Object:
    row = tomllib.loads((folder / f"{name}.toml").read_text())
    rows = row.pop("method")
    methods = tuple(_method(name, number, each) for number, each in enumerate(rows))
    if len(methods) > METHODS:
        raise TableError(f"{name} has {len(methods)} methods; there is room for {METHODS}")
    return Object(name=name, **row, methods=methods)


def _method(kind: str, number: int, row: dict[str, Any]) -> Method:
    what = f"method {row.get('name', number)} of {kind}"
    for key in row:
        if key not in Method.__dataclass_fields__ or key in ("object", "number"):
            raise TableError(f"{what} has a key {key}; use a key that calls.toml explains")
    for error in row.get("errors", ()):
        if error not in _RESULTS:
            raise TableError(f"{what} has the error {error}; use {', '.join(_RESULTS)}")
    if row.get("entry", "compact") not in _ENTRIES:
        raise TableError(f"{what} has the entry {row['entry']}; use {', '.join(_ENTRIES)}")
    return replace(Method(**row), object=kind, number=number)
