# SPDX-License-Identifier: MIT
"""Writes the site to a folder. It is an error if the folder holds anything other than a site. If it
holds an older site, files that the new one does not have are removed from the folders of the site;
other files, such as CNAME and .git, stay."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ticklab.errors import TicklabError, UsageError
from ticklab.site.documents import GENERATOR
from ticklab.site.pages import File

_INDEX = "index.json"
OWN = ("claims", "kernels", "runs", "scenarios", "services")  # folders of which nothing else is in


def require(folder: Path) -> None:
    """Raises an error if `folder` is a file, or a folder with content that is no site."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no folder", "name a folder for the site")
    if folder.is_dir() and not _is_site(folder):
        others = [entry.name for entry in folder.iterdir() if not entry.name.startswith(".")]
        if others:
            raise UsageError(
                f"{folder} contains {min(others)}, and is not a site",
                "name an empty or a new folder",
            )


def _is_site(folder: Path) -> bool:
    try:
        found = json.loads((folder / _INDEX).read_text())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("generator") == GENERATOR


def write(files: Iterable[File], folder: Path) -> int:
    """Writes the files, removes those of an older site, and returns the number of files."""
    require(folder)
    try:
        written = {_write(folder / path, content) for path, content in files}
        _remove_others(folder, written)
    except OSError as error:
        raise TicklabError(
            f"cannot write the site {folder}: {error.strerror}", "make room, or name another folder"
        ) from error
    return len(written)


def _write(path: Path, content: bytes) -> Path:
    """Writes a file, unless the existing file has the same content, so that the time of the file
    says when it changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not (path.is_file() and path.read_bytes() == content):
        path.write_bytes(content)
    return path


def _remove_others(folder: Path, written: set[Path]) -> None:
    for own in OWN:
        entries = sorted((folder / own).rglob("*"), reverse=True)  # content before its folder
        for entry in entries:
            if entry.is_dir() and not any(entry.iterdir()):
                entry.rmdir()
            elif not entry.is_dir() and entry not in written:
                entry.unlink()
