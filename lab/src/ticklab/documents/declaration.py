# SPDX-License-Identifier: MIT
"""Converts the tables of a Bulkhead declaration (system.toml), and of the JSON that Bulkhead's
tools print, to the form of Ticklab's own descriptions, so that schemas and reference pages are
generated in the same way.

The originals are bulkhead/tools/bulkhead_declare/tables.py and the modules bulkhead_draw and
bulkhead_log, which use only the standard library.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import types
from functools import cache
from typing import Annotated, Any, cast, get_args, get_origin, get_type_hints

import msgspec

from ticklab import bulkhead_tools
from ticklab.description.table import Table


@cache
def system_file() -> type[Table]:
    """Returns the type of a file system.toml."""
    return _table(bulkhead_tools.load("bulkhead_declare.tables").SystemFile)


@cache
def isolation() -> type[Table]:
    """Returns the type of the JSON of `ticklab bulkhead draw`."""
    return _table(bulkhead_tools.load("bulkhead_draw.isolation").Isolation)


@cache
def events() -> type[Table]:
    """Returns the type of the JSON of `ticklab bulkhead log`."""
    return _table(bulkhead_tools.load("bulkhead_log.reading").Reading)


def _table(kind: Any) -> type[Table]:
    hints = get_type_hints(kind, include_extras=True)
    fields = [_field(field, hints[field.name]) for field in dataclasses.fields(kind)]
    made: Any = msgspec.defstruct(
        kind.__name__,
        sorted(fields, key=len),  # dataclasses need fields without a default first
        bases=(Table,),
        namespace={"__doc__": kind.__doc__},
        frozen=True,
        forbid_unknown_fields=True,
    )
    return cast(type[Table], made)


def _field(field: dataclasses.Field[Any], hint: Any) -> tuple[Any, ...]:
    typed = _typed(hint)
    if field.default is dataclasses.MISSING:
        return field.name, typed
    return field.name, typed, field.default


def _typed(hint: Any) -> Any:
    """Returns the type of a key for msgspec: annotated with the key's meaning if the declaration
    states one, and with a converted class if the key is a table."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[_typed(parts[0]), msgspec.Meta(description=parts[1])]
    if origin is tuple and dataclasses.is_dataclass(parts[0]):
        return tuple[_table(parts[0]), ...]  # type: ignore[misc]
    if origin is types.UnionType:
        return functools.reduce(operator.or_, map(_typed, parts))
    return _table(hint) if dataclasses.is_dataclass(hint) else hint
