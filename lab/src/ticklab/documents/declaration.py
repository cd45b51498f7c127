# SPDX-License-Identifier: MIT
"""The tables of a declaration of Bulkhead (system.toml), as tables of descriptions, so that the
schema and the reference of the declaration are made as those of the descriptions are.

The definition is bulkhead/tools/bulkhead_declare/tables.py, which uses the standard library alone.
"""

from __future__ import annotations

import dataclasses
import sys
from functools import cache
from typing import Annotated, Any, cast, get_args, get_origin, get_type_hints

import msgspec

from ticklab import paths
from ticklab.description.table import Table

TOOLS = paths.CHECKOUT / "bulkhead" / "tools"


@cache
def system_file() -> type[Table]:
    """Returns the type of a file system.toml."""
    sys.path.insert(0, str(TOOLS))
    try:
        from bulkhead_declare.tables import SystemFile
    finally:
        sys.path.remove(str(TOOLS))
    return _table(SystemFile)


def _table(kind: Any) -> type[Table]:
    hints = get_type_hints(kind, include_extras=True)
    fields = [_field(field, hints[field.name]) for field in dataclasses.fields(kind)]
    made: Any = msgspec.defstruct(
        kind.__name__,
        sorted(fields, key=len),  # those without a default first
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
    """Returns the type of a key, for msgspec: with its meaning if the declaration states one, and
    with a class of its own for a table."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return Annotated[parts[0], msgspec.Meta(description=parts[1])]
    return tuple[_table(parts[0]), ...] if origin is tuple else _table(hint)  # type: ignore[misc]
