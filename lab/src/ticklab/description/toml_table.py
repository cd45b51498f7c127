# SPDX-License-Identifier: MIT
"""Reads a TOML file key by key; each mistake becomes an error that names file, key and remedy.

A reader takes every key that it knows and then calls `end`, which refuses the rest, so that no
misspelt key is ignored. This module knows types, and not the meaning of keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from ticklab import names
from ticklab.errors import UsageError

Type = TypeVar("Type")

_KINDS = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


def read(file: Path) -> Table:
    """Reads a whole TOML file."""
    return Table(file, "", load(file))


def load(file: Path) -> dict[str, Any]:
    """Returns the entries of a TOML file."""
    try:
        with file.open("rb") as stream:
            return tomllib.load(stream)
    except OSError as error:
        raise UsageError(
            f"{file}: {error.strerror}",
            "docs/reference/descriptions.md lists the files of a description",
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: {error}", "the file must be TOML 1.0") from None


class Table:
    """One table of a file. `path` is its place in the file, "" for the whole file."""

    def __init__(self, file: Path, path: str, entries: dict[str, Any]) -> None:
        self.file = file
        self.entries = entries
        self._path = path
        self._taken: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def fail(self, key: str, what: str, hint: str = "") -> NoReturn:
        """Refuses the value of `key`, for a reason of the caller."""
        raise UsageError(f"{self.file}: {self._place(key)} {what}", hint)

    def text(self, key: str, default: str | None = None) -> str:
        value = self._value(key, str, default)
        return value if value.strip() else self.fail(key, "is empty")

    def choice(self, key: str, allowed: Sequence[str], default: str | None = None) -> str:
        value = self.text(key, default)
        if value not in allowed:
            self.fail(key, f"is '{value}'", f"it may be {' or '.join(allowed)}")
        return value

    def number(self, key: str, minimum: int = 0, default: int | None = None) -> int:
        value = self._value(key, int, default)
        if value < minimum:
            self.fail(key, f"is {value}", f"it must be {minimum} or more")
        return value

    def flag(self, key: str, default: bool | None = None) -> bool:
        return self._value(key, bool, default)

    def flag_or_text(self, key: str) -> bool | str:
        """Reads `true` or a text that says more. A text that means true or false is a mistake."""
        if not isinstance(self.entries.get(key), str):
            return self.flag(key)
        text = self.text(key)
        if text.strip().lower() in ("true", "false", "yes", "no", "on", "off", "none"):
            self.fail(key, f"is '{text}'", "write true or false, without quotes")
        return text

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        values = self._value(key, list, None if default is None else list(default))
        for value in values:
            if not isinstance(value, str):
                self.fail(key, f"holds {value!r}", "it must be a list of texts")
        return tuple(values)

    def numbers(self, key: str, count: int | None = None) -> tuple[int, ...]:
        values = self._value(key, list, None)
        if len(values) != (len(values) if count is None else count) or not all(
            type(value) is int and value >= 0 for value in values
        ):
            self.fail(key, f"is {values}", f"it must be a list of {count or ''} whole numbers")
        return tuple(values)

    def table(self, key: str, optional: bool = False) -> Table:
        path = f"{self._path}.{key}" if self._path else key
        return Table(self.file, path, self._value(key, dict, {} if optional else None))

    def tables(self, key: str) -> list[tuple[str, Table]]:
        """Reads the named tables inside table `key`; none if there is no such table."""
        inside = self.table(key, optional=True)
        return [(name, inside.table(name)) for name in inside.entries]

    def rows(self, key: str, default: Sequence[dict[str, Any]] | None = None) -> list[Table]:
        """Reads an array of tables, [[key]]."""
        rows = self._value(key, list, None if default is None else list(default))
        if not all(isinstance(row, dict) for row in rows):
            self.fail(key, "is not an array of tables", f"write [[{key}]]")
        return [Table(self.file, f"{key} {place}", row) for place, row in enumerate(rows, 1)]

    def mapping(self, key: str) -> dict[str, str]:
        """Reads a table of texts, numbers and flags, as texts; {} if there is none."""
        inside = self._value(key, dict, {})
        for name, value in inside.items():
            if not isinstance(value, str | int | float):
                self.fail(f"{key}.{name}", "must be a text, a number or true or false")
        return {name: _spelled(value) for name, value in inside.items()}

    def alternatives(self, key: str) -> dict[str, tuple[str, ...]]:
        """Reads a table of values and of lists of values, as texts; {} if there is none."""
        inside = self.table(key, optional=True)
        found = {}
        for name, value in inside.entries.items():
            values = value if isinstance(value, list) else [value]
            if not values or not all(isinstance(each, str | int) for each in values):
                inside.fail(name, f"is {value!r}", "it must be a text, a number or a list of them")
            found[name] = tuple(map(_spelled, values))
        return found

    def lists(self, key: str) -> tuple[tuple[str, ...], ...]:
        """Reads a list of lists of texts; empty if there is none."""
        found = self._value(key, list, [])
        if not all(isinstance(each, list) and set(map(type, each)) <= {str} for each in found):
            self.fail(key, f"is {found!r}", "it must be a list of lists of texts")
        return tuple(map(tuple, found))

    def end(self) -> None:
        """Refuses every key that the reader did not take."""
        for key in self.entries:
            if key not in self._taken:
                self.fail(key, "is no key", names.suggestion(key, self._taken))

    def _value(self, key: str, kind: type[Type], default: Type | None) -> Type:
        self._taken.add(key)
        value = self.entries.get(key, default)
        if value is None:
            raise UsageError(
                f"{self.file}: {self._place(key)} is missing", f"give it {_KINDS[kind]}"
            )
        # In Python `bool` is a subclass of `int`; in TOML it is not.
        if type(value) is not kind:
            self.fail(key, f"is {value!r}", f"it must be {_KINDS[kind]}")
        return value

    def _place(self, key: str) -> str:
        return f"[{self._path}] {key}" if self._path else f"[{key}]"


def _spelled(value: str | int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
