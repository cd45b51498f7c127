# SPDX-License-Identifier: MIT
"""Explains why a value of a TOML file does not fit its type: finds the innermost wrong key, and
says which values it may have.

msgspec rejects a whole file, and its error does not name the table. So this module descends into
the rejected part until it finds a part in which nothing is rejected. A key's `Meta.extra` may add
to the error: `remedy` says what to do, `refusal` what is wrong with a value of the right type.
"""

from __future__ import annotations

import datetime
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

from ticklab import names

_WORDS: Mapping[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    datetime.date: "a date",
}
_SERIES = (tuple, list, frozenset)


@dataclass(frozen=True)
class Mismatch:
    """A mistake in a TOML file: the wrong `key`, in the table at `path`."""

    path: tuple[str, ...]
    key: str
    what: str
    hint: str = ""


def find(entries: Mapping[str, Any], kind: type[msgspec.Struct]) -> Mismatch | None:
    """Returns the first mistake in a table, or None if the table fits its type."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    return (
        _missing(entries, fields)
        or _unknown(entries, fields, getattr(kind, "RENAMED", {}))
        or _first(_of_value(key, entries[key], fields[key].type) for key in entries)
    )


def fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind, str_keys=True)
    except msgspec.ValidationError:
        return False
    return True


def _first(found: Iterator[Mismatch | None]) -> Mismatch | None:
    return next((each for each in found if each), None)


def _missing(entries: Mapping[str, Any], fields: Mapping[str, FieldInfo]) -> Mismatch | None:
    for key, field in fields.items():
        if field.required and key not in entries:
            return Mismatch((), key, "is missing", f"give it {words(field.type)}")
    return None


def _unknown(
    entries: Mapping[str, Any], fields: Mapping[str, FieldInfo], renamed: Mapping[str, str]
) -> Mismatch | None:
    for key in entries:
        if key in renamed:
            return Mismatch((), key, "has another name now", f"write {renamed[key]}")
        if key not in fields:
            return Mismatch((), key, "is no key", names.suggestion(key, fields))
    return None


def _of_value(key: str, value: Any, kind: Any) -> Mismatch | None:
    """Returns the innermost mistake in the value of a key."""
    if fits(value, kind):
        return None
    bare, extra = bare_type(kind)
    inside = None
    if isinstance(value, dict):
        inside = _in_table(key, value, bare)
    elif isinstance(value, list) and get_origin(bare) in _SERIES:
        inside = _in_series(key, value, bare, extra)
    return inside or _refused(key, value, bare, extra)


def _in_table(key: str, value: dict[str, Any], bare: Any) -> Mismatch | None:
    found = None
    if is_table(bare):
        found = find(value, bare)
    elif get_origin(bare) is dict:
        (_, inner) = get_args(bare)
        found = _first(_of_value(name, each, inner) for name, each in value.items())
    return replace(found, path=(key, *found.path)) if found else None


def _in_series(key: str, values: list[Any], bare: Any, extra: Mapping[str, str]) -> Mismatch | None:
    item = get_args(bare)[0]
    inner, of_item = bare_type(item)
    for number, value in enumerate(values, 1):
        if fits(value, item):
            continue
        if is_table(inner):
            if not isinstance(value, dict):
                return Mismatch((), key, "is not an array of tables", f"write [[{key}]]")
            found = find(value, inner)
            return replace(found, path=(f"{key} {number}", *found.path)) if found else None
        if len(get_args(bare)) == 1 or get_args(bare)[-1] is Ellipsis:
            return _bad_item(key, value, bare, inner, {**extra, **of_item})
    return None


def _bad_item(key: str, value: Any, bare: Any, item: Any, extra: Mapping[str, str]) -> Mismatch:
    allowed = _literals(item)
    if isinstance(value, str) and allowed:
        return Mismatch((), key, f"names '{value}'", names.suggestion(value, allowed))
    if isinstance(value, str) and "refusal" in extra:
        return Mismatch((), key, extra["refusal"].format(value), extra.get("remedy", ""))
    what = "is empty" if _is_blank(value) else f"holds {value!r}"
    return Mismatch((), key, what, f"it must be {words(bare)}")


def _refused(key: str, value: Any, bare: Any, extra: Mapping[str, str]) -> Mismatch:
    if _is_blank(value):
        return Mismatch((), key, "is empty", extra.get("remedy", f"it must be {words(bare)}"))
    what = f"is '{value}'" if isinstance(value, str) else f"is {value!r}"
    if isinstance(value, str) and "refusal" in extra:
        what = extra["refusal"].format(value)
    verb = "may" if _literals(bare) else "must"
    minimum = extra.get("minimum")
    if minimum is not None and type(value) is int:
        return Mismatch((), key, what, f"it must be {minimum} or more")
    return Mismatch((), key, what, extra.get("remedy", f"it {verb} be {words(bare)}"))


def _is_blank(value: Any) -> bool:
    return value == [] or (isinstance(value, str) and not value.strip())


def is_table(bare: Any) -> bool:
    return isinstance(bare, type) and issubclass(bare, msgspec.Struct)


def bare_type(kind: Any) -> tuple[Any, dict[str, Any]]:
    """Returns the type without its annotations and without None, which TOML cannot write, and the
    texts that the annotations add to errors."""
    extra: dict[str, Any] = {}
    while True:
        if get_origin(kind) is Annotated:
            for meta in reversed(kind.__metadata__):
                own = {**(meta.extra or {}), **({} if meta.ge is None else {"minimum": meta.ge})}
                extra = {**own, **extra}
            kind = kind.__origin__
        elif len(parts := [part for part in _parts(kind) if part is not type(None)]) == 1:
            (kind,) = parts
        else:
            return kind, extra


def _parts(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else ()


def _literals(bare: Any) -> tuple[str, ...]:
    """Returns the words that a type permits; none for a type that permits other values."""
    if isinstance(bare, type) and issubclass(bare, Enum):
        return tuple(each.value for each in bare)
    return get_args(bare) if get_origin(bare) is Literal else ()


def words(kind: Any) -> str:
    """Returns a description of a type's values for an error message."""
    bare, _ = bare_type(kind)
    if parts := _parts(bare):
        return " or ".join(dict.fromkeys(words(part) for part in parts))
    if allowed := _literals(bare):
        return " or ".join(allowed)
    if get_origin(bare) in _SERIES:
        return _words_of_series(get_args(bare))
    return _WORDS.get(bare, "a table")


def _words_of_series(items: tuple[Any, ...]) -> str:
    """Returns a description of a list's type, for example "a list of 2 whole numbers"."""
    inner, _ = bare_type(items[0])
    if is_table(inner):
        return "an array of tables"
    count = f"{len(items)} " if len(items) > 1 and items[-1] is not Ellipsis else ""
    one = "text" if _literals(inner) else words(inner).removeprefix("a ")
    head, of, rest = one.partition(" of ")
    return f"a list of {count}{head}s{of}{rest}"
