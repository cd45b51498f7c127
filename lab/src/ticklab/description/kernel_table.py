# SPDX-License-Identifier: MIT
"""Recognises the kernel of an image by its symbols, from a table that users can extend
(data/kernels.toml has the form)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ticklab.description import toml_table
from ticklab.description.toml_table import Table

_OURS = Path(__file__).parents[1] / "data" / "kernels.toml"


@dataclass(frozen=True)
class Known:
    name: str
    symbols: frozenset[str]  # an image of the kernel has all of them
    functions: tuple[str, ...]  # patterns of the names of the kernel's functions

    def owns(self, function: str) -> bool:
        return any(fnmatchcase(function, pattern) for pattern in self.functions)


def recognise(symbols: Collection[str], users: Path | None = None) -> Known | None:
    """Returns the first kernel that fits; `users` is a table that is searched first."""
    tables = [*(_read(users) if users else ()), *_read(_OURS)]
    return next((each for each in tables if each.symbols.issubset(symbols)), None)


def _read(file: Path) -> list[Known]:
    whole = toml_table.read(file)
    found = [_known(row) for row in whole.rows("kernel")]
    whole.end()
    return found


def _known(table: Table) -> Known:
    symbols = frozenset(table.texts("symbols"))
    if not symbols:
        table.fail("symbols", "is empty", "name symbols that only this kernel has")
    found = Known(table.text("name"), symbols, table.texts("functions"))
    table.end()
    return found
