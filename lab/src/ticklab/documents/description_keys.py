# SPDX-License-Identifier: MIT
"""Generates the reference of the keys of description files and of the fields of JSON documents,
from the types with which Ticklab reads the files and writes the JSON. Each table or object has a
section with its keys or fields and their meanings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

from ticklab.description.machine import KINDS
from ticklab.description.mismatch import bare_type, is_table, words
from ticklab.description.table import Table
from ticklab.documents.schemas import DOCUMENTS, FILES, RUN
from ticklab.views.document import Part


def markdown(name: str) -> str:
    """Returns the reference of one kind of description file."""
    return "\n".join(_sections(FILES[name], ""))


def documents() -> str:
    """Returns a section for each document of `--json`, except that of a run, whose page has more
    than one section."""
    names = [name for name, each in DOCUMENTS.items() if each.commands and name != RUN]
    return "\n".join(line for name in names for line in _document(name))


def _document(name: str) -> Iterator[str]:
    kind, asked = DOCUMENTS[name].kind, DOCUMENTS[name].asked
    commands = [f"`ticklab {each} {asked}".strip() + "`" for each in DOCUMENTS[name].commands]
    yield from (f"## {' and '.join(commands)}", "")
    if _is_part(kind):
        yield from _objects(kind)
    else:
        yield from ("An object: the name of a measure → its value.", "")
    yield from (f"Schema: [{name}](schemas/{name}.schema.json).", "")


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Part)


def _objects(top: type[Part]) -> Iterator[str]:
    """Yields the table of fields of a document, then one table for each kind of object inside
    it."""
    for kind, paths in _by_kind(top).items():
        if kind is not top:
            yield from (f"### {', '.join(f'`{path}`' for path in paths)}", "")
        yield from (" ".join((kind.__doc__ or "").split()), "", fields(kind), "")


def _by_kind(top: type[Part]) -> dict[type[Part], list[str]]:
    """Returns the kinds of objects in a document, each with the paths at which it occurs. Leaves
    out what is inside objects that are documents themselves."""
    found: dict[type[Part], list[str]] = {top: [""]}
    others = {document.kind for document in DOCUMENTS.values()}
    waiting = [(top, "")]
    for kind, path in waiting:  # the loop appends to `waiting`
        for field in msgspec.structs.fields(kind):
            for inner, suffix in _parts_of(field.type):
                place = f"{path}.{field.encode_name}{suffix}".strip(".")
                found.setdefault(inner, []).append(place)
                waiting += [] if inner in others else [(inner, place)]
    return {kind: places for kind, places in found.items() if kind is top or kind not in others}


def _parts_of(kind: Any, suffix: str = "") -> Iterator[tuple[type[Part], str]]:
    """Yields the object types inside a type, with `[]` for lists of them."""
    if _is_part(kind):
        yield kind, suffix
    for each in get_args(kind):
        yield from _parts_of(each, "[]" if get_origin(kind) is list else suffix)


def fields(kind: type[msgspec.Struct]) -> str:
    """Returns the fields of an object of JSON as a table."""
    rows = [
        f"| `{field.encode_name}` | {_meaning(field)} |" for field in msgspec.structs.fields(kind)
    ]
    return "\n".join(("| field | meaning |", "|---|---|", *rows))


def _sections(kind: type[Table], path: str, note: str = "") -> Iterator[str]:
    """Yields the section about a TOML table, then the sections about the tables in it. `note` is
    the meaning of the key that contains the table."""
    fields = msgspec.structs.fields(kind)
    plain = [field for field in fields if not _inner(field)]
    if path:
        about = " ".join((kind.__doc__ or "").split())
        yield from (f"### `{path}`", "", f"{note} {about}".strip(), "")
    if plain:
        yield from ("| key | value | meaning |", "|---|---|---|", *map(_row, plain), "")
    for field in fields:
        for inner, place in _inner(field):
            yield from _sections(inner, _path(path, place), _sentence(_meaning(field)))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _inner(field: FieldInfo) -> list[tuple[type[Table], str]]:
    """Returns the tables inside a key, each with the form of its heading."""
    key, (bare, _) = field.encode_name, bare_type(field.type)
    if key == "target":
        return [(kind, f"[target.{name}]") for name, kind in KINDS.items()]
    if is_table(bare):
        return [(bare, f"[{key}]")]
    values = [value for value in get_args(bare) if is_table(bare_type(value)[0])]
    form = f"[{key}.NAME]" if get_origin(bare) is dict else f"[[{key}]]"
    return [(bare_type(value)[0], form) for value in values]


def _path(outer: str, place: str) -> str:
    return f"[{outer.strip('[]')}.{place.strip('[]')}]" if outer else place


def _row(field: FieldInfo) -> str:
    value = f"{words(field.type)}{_default(field)}".replace("|", "\\|")
    meaning = _meaning(field).replace("|", "\\|")
    return f"| `{field.encode_name}` | {value} | {meaning} |"


def _default(field: FieldInfo) -> str:
    if field.required:
        return "; required"
    empty: tuple[Any, ...] = (None, (), "", msgspec.NODEFAULT)
    if field.default in empty:
        return ""
    return f"; default `{_spelled(field.default)}`"


def _spelled(value: Any) -> str:
    """Returns a value as it is written in TOML."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_spelled, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _meaning(field: FieldInfo) -> str:
    """Returns the description of a key."""
    metas = getattr(field.type, "__metadata__", ())
    return next((meta.description for meta in reversed(metas) if meta.description), "")
