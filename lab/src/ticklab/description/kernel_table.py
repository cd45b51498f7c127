# SPDX-License-Identifier: MIT
"""Recognises the kernel in an image by its symbols, from a table to which users can add rows
(data/kernels.toml has the form)."""

from __future__ import annotations

import fnmatch
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from ticklab.description import table
from ticklab.description.keys import Text, Texts
from ticklab.description.table import Table

_OURS = Path(__file__).parents[1] / "data" / "kernels.toml"


class Known(Table, frozen=True):
    """A row of the table: a kernel, and the symbols by which it is recognised."""

    name: Annotated[Text, Meta(description="name of the kernel")]
    symbols: Annotated[
        frozenset[str],
        Meta(
            description="symbols that only this kernel has, `*` is any text; its images have all",
            min_length=1,
            extra={"remedy": "name symbols that only this kernel has"},
        ),
    ]
    functions: Annotated[Texts, Meta(description="patterns of the names of the kernel's functions")]

    def owns(self, function: str) -> bool:
        return any(fnmatch.fnmatchcase(function, pattern) for pattern in self.functions)


class KnownFile(Table, frozen=True):
    """The file of kernels that `profile` recognises by their symbols; they are tried in the file's
    order."""

    kernel: tuple[Known, ...]


def recognise(symbols: Collection[str], users: Path | None = None) -> Known | None:
    """Returns the first kernel in the tables whose symbols are all in the image. The table in the
    file `users` is searched before Ticklab's own."""
    tables = [*(_read(users) if users else ()), *_read(_OURS)]
    return next((each for each in tables if _has_all(symbols, each.symbols)), None)


def _has_all(symbols: Collection[str], patterns: Collection[str]) -> bool:
    return all(
        pattern in symbols or ("*" in pattern and fnmatch.filter(symbols, pattern))
        for pattern in patterns
    )


def _read(file: Path) -> tuple[Known, ...]:
    return table.read(file, KnownFile)[0].kernel
