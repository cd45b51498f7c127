# SPDX-License-Identifier: MIT
"""Types of values that several descriptions use: texts, names, numbers, files, services."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

from msgspec import Meta

from ticklab.description import fields
from ticklab.description.table import Place

Text: TypeAlias = Annotated[str, Meta(pattern=r"\S")]
Name: TypeAlias = Annotated[
    str, Meta(pattern=fields.NAME_PATTERN, extra={"remedy": fields.NAME_RULE})
]
Texts: TypeAlias = tuple[str, ...]
Natural: TypeAlias = Annotated[int, Meta(ge=0)]
Positive: TypeAlias = Annotated[int, Meta(ge=1)]
PositiveNumber: TypeAlias = Positive | Annotated[float, Meta(gt=0)]
Scalar: TypeAlias = Annotated[
    str | int | float | bool, Meta(extra={"remedy": "it must be a text, a number, true or false"})
]
Scalars: TypeAlias = dict[str, Scalar]


def text(value: Scalar) -> str:
    """Returns a value as TOML writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def texts(values: Mapping[str, Scalar]) -> dict[str, str]:
    return {name: text(value) for name, value in values.items()}


def file(place: Place, key: str, folder: Path, named: str) -> Path:
    """Returns the path of a file that a key names, relative to the description."""
    found = folder / named
    if not found.is_file():
        place.fail(key, f"names {found}, which is no file", "paths are relative to the description")
    return found


def optional_file(place: Place, key: str, folder: Path, named: str | None) -> Path | None:
    return None if named is None else file(place, key, folder, named)


def sources(place: Place, key: str, folder: Path, named: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of sources unchanged. Raises an error for a name in the folder itself that
    no file has. `*` in a file name matches any text."""
    for name in named:
        path = folder / name
        if not name.startswith("@/") and not any(
            each.is_file() for each in path.parent.glob(path.name)
        ):
            place.fail(
                key,
                f"names {folder / name}, which is no file",
                "correct it, or write @/ before a path in the downloaded source",
            )
    return tuple(named)
