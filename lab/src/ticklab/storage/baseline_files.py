# SPDX-License-Identifier: MIT
"""Finds the files of baselines, and reads the boards that a baseline names.

Uses the standard library alone, because the set-up for `gate` depends on the boards. A name stands
for a file in the folder `baselines` of the store. A path that ends in `.json` is used as it is, so
that a kernel's repository can contain its baseline.
"""

from __future__ import annotations

from pathlib import Path

from ticklab import names
from ticklab.errors import UsageError
from ticklab.storage import older, sealed

SCHEMA = 3
READ = (SCHEMA, older.SCHEMA)
SUFFIX = ".json"
AGAIN = "save it again: 'ticklab baseline save'"


def path(name: str, store: Path) -> Path:
    if name.endswith(SUFFIX):
        return Path(name)
    if not name or "/" in name or name.startswith("."):
        raise UsageError(f"'{name}' is not a name of a baseline", "name a word, or a file *.json")
    return _folder(store) / (name + SUFFIX)


def saved(store: Path) -> list[str]:
    """Returns the names of the baselines in the store."""
    files = _folder(store).glob(f"[!.]*{SUFFIX}")
    return sorted(file.stem for file in files if file.is_file())


def find(name: str, store: Path) -> Path:
    file = path(name, store)
    if file.is_file():
        return file
    known = saved(store)
    if name.endswith(SUFFIX) or not known:
        raise UsageError(
            f"there is no baseline '{name}'", "save one with 'ticklab baseline save NAME'"
        )
    raise names.unknown("baseline", name, known)


def boards(file: Path) -> list[str]:
    """Returns the names of the boards on which the figures of a baseline were measured."""
    content = sealed.read_alone(file, READ, AGAIN)
    try:
        return list(content["provenance"]["boards"])
    except (KeyError, TypeError) as error:
        raise sealed.damaged(file, f"no {error}", AGAIN) from error


def _folder(store: Path) -> Path:
    return store / "baselines"
