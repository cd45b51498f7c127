# SPDX-License-Identifier: MIT
"""Remembers which items passed with which inputs, so that they need not run again with the same
inputs.

The inputs of an item are the contents of its files, the versions of its tools, the Python that runs
it, and its options. Only files count that git tracks or would track.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from ticklab import digest, paths
from ticklab.errors import TicklabError
from ticklab.quality import rules
from ticklab.quality.item import Item
from ticklab.quality.runner import ItemResult

# Files that run the items. They count as inputs of every item.
_RUNNER = ("lab/src/ticklab/quality", "lab/requirements-dev.txt")
# The record of long tests, which lab/release.py writes while they run. No item reads it.
RECORD = "lab/long-tests.json"
KEPT = 8000


class PassedItems:
    """The results of items that passed, stored in a folder. Without a git checkout, nothing is
    stored."""

    def __init__(self, folder: Path, files: Mapping[str, str]) -> None:
        self._folder = folder
        self._files = files
        self._stamps = {name: _stamp(name) for name in files}
        self._keys: dict[str, str] = {}

    def key(self, item: Item) -> str:
        """Returns the hash of an item's inputs as they were at the start of the run."""
        if item.name not in self._keys:
            self._keys[item.name] = self._key(item)
        return self._keys[item.name]

    def _key(self, item: Item) -> str:
        chosen = (*_RUNNER, *item.inputs)
        contents = [pair for pair in self._files.items() if _is_in(pair[0], chosen)]
        versions = [version(tool) for tool in item.tools]
        system = (platform.python_version(), platform.machine())
        return digest.hash_json([item.name, item.options, contents, versions, system])

    def find(self, item: Item) -> ItemResult | None:
        """Returns the earlier result of an item with the same inputs, or None."""
        place = self._folder / self.key(item)
        try:
            found = json.loads(place.read_text())
        except (OSError, ValueError):
            return None
        place.touch()
        return ItemResult(item.name, True, True, 0, 0, str(found["output"]))

    def changed(self, item: Item) -> list[str]:
        """Returns the inputs of an item that changed since the start of the run. Then the item may
        have read some files before and others after the change."""
        chosen = (*_RUNNER, *item.inputs)
        moved = (name for name in self._stamps if _stamp(name) != self._stamps[name])
        return [name for name in moved if _is_in(name, chosen) and self._is_other(name)]

    def _is_other(self, name: str) -> bool:
        file = paths.CHECKOUT / name
        return not file.is_file() or digest.hash_file(file) != self._files[name]

    def keep(self, item: Item, result: ItemResult) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        beside = self._folder / f"{os.getpid()}.new"
        beside.write_text(json.dumps({"name": result.name, "output": result.output}))
        beside.rename(self._folder / self.key(item))

    def prune(self) -> None:
        """Removes the oldest results, by their last use."""
        if self._folder.is_dir():
            found = sorted(self._folder.iterdir(), key=lambda file: file.stat().st_mtime)
            for file in found[:-KEPT]:
                file.unlink(missing_ok=True)


def opened() -> PassedItems | None:
    """Returns the stored results for this checkout, or None if it is no git checkout."""
    try:
        return PassedItems(paths.home() / "test" / "passed", hashes())
    except TicklabError:
        return None


def hashes() -> dict[str, str]:
    """Returns the hash of each file of the checkout that may be an input, by its path."""
    names = {str(file.relative_to(paths.CHECKOUT)): file for file in rules.files()}
    return {name: digest.hash_file(file) for name, file in names.items() if name != RECORD}


def _stamp(name: str) -> tuple[int, int]:
    """Returns the size and the time of a file, which change when the file is written. Hashing all
    files for each item would take too long."""
    try:
        found = (paths.CHECKOUT / name).stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _is_in(name: str, chosen: Iterable[str]) -> bool:
    return any(name == each or each in ("", ".") or name.startswith(f"{each}/") for each in chosen)


@cache
def version(tool: str) -> str:
    """Returns the version of a tool: what the program prints, or the hash of a file."""
    if Path(tool).is_file() and not shutil.which(tool):
        return digest.hash_file(Path(tool))
    try:
        said = subprocess.run(
            [tool, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        ).stdout
    except OSError:
        return "missing"
    return hashlib.sha256(said).hexdigest()
