# SPDX-License-Identifier: MIT
"""Rules of docs/reference/style.md that no formatter or linter checks: licence lines, line widths,
file lengths, and in documents a few words and the links between files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from ticklab import paths
from ticklab.errors import TicklabError
from ticklab.quality import layers

MAX_COLUMNS = 100
MAX_LINES = 500

SOURCES = frozenset(
    (".py", ".rs", ".c", ".h", ".cpp", ".S", ".sv", ".ld", ".toml", ".sh", ".j2", ".css", ".js")
)
# Programs write these files, in their own format.
GENERATED = frozenset(
    ("Cargo.lock", "requirements.txt", "requirements-dev.txt", "requirements-docs.txt")
)

# A QEMU plugin is legally a part of QEMU.
_LICENCES = {
    "observer/qemu-plugin/": "GPL-2.0-or-later",
    "observer/guest-tests/count.c": "GPL-2.0-or-later",
}
_LICENCE = "MIT"

# Words that docs/reference/style.md replaces in documents.
_WORDS = {"behind": "after", "anew": "again", "amid": "in", "whoever": "the noun"}
_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b", re.IGNORECASE)
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
_HEAD_LINES = 3  # an interpreter line or an encoding may precede the licence


def files(*suffixes: str) -> list[Path]:
    """Returns the files that git tracks or would track, with one of `suffixes` if any are given."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    answer = subprocess.run(command, cwd=paths.CHECKOUT, capture_output=True, text=True)
    if answer.returncode:
        raise TicklabError(f"{paths.CHECKOUT} is no git checkout", "clone the repository with git")
    found = [paths.CHECKOUT / name for name in sorted(set(answer.stdout.split("\0"))) if name]
    return [file for file in found if file.is_file() and (not suffixes or file.suffix in suffixes)]


def complaints() -> Iterator[str]:
    """Yields one line per broken rule."""
    for file in files():
        if file.name not in GENERATED and (file.suffix in SOURCES or file.suffix == ".md"):
            yield from of_text(str(file.relative_to(paths.CHECKOUT)), file.read_text())
        if file.suffix == ".md":
            yield from broken_links(file)


def broken_links(document: Path) -> Iterator[str]:
    """Yields the links of a document to files that do not exist."""
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for target in _LINK.findall(line):
            if not (document.parent / target).exists():
                yield f"{document}:{number}: links to {target}, which does not exist"


def of_text(name: str, text: str) -> Iterator[str]:
    """Yields the rules that file `name` breaks. Markdown has no limits of width and length."""
    lines = text.splitlines()
    if name.endswith(".md"):
        yield from _words(name, lines)
    else:
        yield from _licence(name, lines)
        yield from _size(name, lines)
        yield from layers.complaints(name, text)
    if text and not text.endswith("\n"):
        yield f"{name}: does not end with a line feed"


def _words(name: str, lines: list[str]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        for word in _WORD.findall(line):
            better = _WORDS[word.lower()]
            yield f"{name}:{number}: says '{word}'; write {better} (docs/reference/style.md)"


def _size(name: str, lines: list[str]) -> Iterator[str]:
    if len(lines) > MAX_LINES:
        yield f"{name}: has {len(lines)} lines; {MAX_LINES} at most: split it"
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            yield f"{name}:{number}: has {len(line)} columns; {MAX_COLUMNS} at most"


def _licence(name: str, lines: list[str]) -> Iterator[str]:
    expected = next(
        (licence for folder, licence in _LICENCES.items() if name.startswith(folder)), _LICENCE
    )
    line = f"SPDX-License-Identifier: {expected}"
    if not any(line in head for head in lines[:_HEAD_LINES]):
        yield f"{name}:1: does not begin with '{line}'"
