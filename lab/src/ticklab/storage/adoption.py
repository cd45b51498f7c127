# SPDX-License-Identifier: MIT
"""Copies the content of another store into a store. Each folder is copied as a whole, after its
checksums were verified."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ticklab.storage import sealed
from ticklab.storage.store import Store

_KEPT = ("measurements", "images", "work")


def adopt(store: Store, other: Store) -> int:
    """Adds the measurements of another store, with their images and their instructions by kind of
    work. Returns how many folders were new."""
    added = 0
    for kept in _KEPT:
        for folder in _folders(other.root / kept):
            place = store.root / kept / folder.name
            if not place.exists():
                sealed.check_all(folder)
                store.publish(place, partial(_copy, folder))
                added += 1
    return added


def _copy(source: Path, beside: Path) -> None:
    for name in sealed.listed(source):
        shutil.copyfile(source / name, beside / name)


def _folders(parent: Path) -> Iterator[Path]:
    if parent.is_dir():
        yield from (each for each in sorted(parent.iterdir()) if not each.name.startswith("."))
