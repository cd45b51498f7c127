# SPDX-License-Identifier: MIT
"""Resolves the key `extends` of kernel.toml, by which a description extends the description in
another folder, and a configuration extends another configuration of its kernel.

Works on the values as the TOML parser returns them, before their types are checked. Tables are
merged key by key. Lists are joined, with the entries of the extended description first; only in a
list of header folders do they come last, so that the new headers replace them. Any other value
replaces the extended one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ticklab import names
from ticklab.description import toml_file
from ticklab.errors import UsageError

Entries = dict[str, Any]

FILE = "kernel.toml"

# Keys that a description never takes from the description that it extends, because they identify
# the kernel.
_OWN_OF_KERNEL = ("name", "title")
_OWN_OF_CONFIG = ("reason",)

_FRONT = "includes"
_FILES = frozenset({
    "apart", "close", "generate", "header", _FRONT, "libraries", "linker_script", "manifest",
    "port", "sources", "user_sources",
})  # fmt: skip


def read(folder: Path) -> Entries:
    """Returns the entries of kernel.toml in `folder`, merged with the entries of the descriptions
    that it extends."""
    entries = _kernel(folder, ())
    configs = entries.get("config")
    if isinstance(configs, dict):
        entries["config"] = {name: _config(folder, configs, name, ()) for name in configs}
    return entries


def _kernel(folder: Path, extended_by: tuple[Path, ...]) -> Entries:
    entries = toml_file.load(folder / FILE)
    kernel = _table(entries, "kernel")
    base = kernel.pop("extends", None)
    if base is None:
        return entries
    place = f"{folder / FILE}: [kernel] extends"
    if not isinstance(base, str):
        raise UsageError(f"{place} {base!r}, which is no text", "name a folder")
    other = Path(os.path.normpath(folder / base))
    if other in (*extended_by, folder):
        raise UsageError(f"{place} {base!r}, which extends it", "name the folder of another kernel")
    if not (other / FILE).is_file():
        raise UsageError(
            f"{place} {base!r}, which has no {FILE}", "name a folder, relative to this description"
        )
    inherited: Entries = _moved(_kernel(other, (*extended_by, folder)), other, folder)
    inherited["kernel"] = _without(_table(inherited, "kernel"), _OWN_OF_KERNEL)
    return _merged(inherited, entries)


def _config(folder: Path, configs: Entries, name: str, extended_by: tuple[str, ...]) -> Entries:
    own = dict(_table(configs, name))
    base = own.pop("extends", None)
    if base is None:
        return own
    place = f"{folder / FILE}: [config.{name}] extends {base!r}"
    others = sorted(set(configs) - {*extended_by, name})
    if base in (*extended_by, name):
        raise UsageError(f"{place}, which extends it", names.suggestion(base, others))
    if base not in others:
        raise UsageError(f"{place}, which is no configuration", names.suggestion(str(base), others))
    inherited = _config(folder, configs, base, (*extended_by, name))
    return _merged(_without(inherited, _OWN_OF_CONFIG), own)


def _table(entries: Entries, key: str) -> Entries:
    """Returns the table `key`, or an empty table if the key is missing or is no table. In the
    second case, the reader of the description reports the error."""
    found = entries.get(key)
    return found if isinstance(found, dict) else {}


def _without(table: Entries, keys: tuple[str, ...]) -> Entries:
    return {key: value for key, value in table.items() if key not in keys}


def _merged(base: Entries, own: Entries) -> Entries:
    joined = {key: _joined(key, base[key], own[key]) for key in base.keys() & own.keys()}
    return {**base, **own, **joined}


def _joined(key: str, base: Any, own: Any) -> Any:
    if isinstance(base, dict) and isinstance(own, dict):
        return _merged(base, own)
    if isinstance(base, list) and isinstance(own, list):
        return [*own, *base] if key == _FRONT else [*base, *own]
    return own


def _moved(value: Any, origin: Path, folder: Path, key: str = "") -> Any:
    """Returns the value of a key, with paths relative to `folder` in place of paths relative to
    `origin`."""
    if isinstance(value, dict):
        return {name: _moved(each, origin, folder, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_moved(each, origin, folder, key) for each in value]
    if key in _FILES and isinstance(value, str) and not value.startswith("@/"):
        return os.path.relpath(origin / value, folder)
    return value
