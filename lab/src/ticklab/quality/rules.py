# SPDX-License-Identifier: MIT
"""Rules of docs/reference/style.md that no formatter or linter checks: language (prose.py), licence
lines, line widths, file lengths, layers (layers.py), labels (numeric_labels.py), and links between
documents."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from ticklab import paths
from ticklab.errors import TicklabError
from ticklab.quality import (
    compilers,
    core_calls,
    core_flags,
    layers,
    machines,
    numeric_labels,
    prose,
)

MAX_COLUMNS = 100
MAX_LINES = 500

# Files in formats of their own, which programs generated, or texts of licences.
GENERATED = frozenset((
    "Cargo.lock", "LICENSE", "requirements.txt", "requirements-campaign.txt",
    "requirements-dev.txt", "requirements-docs.txt",
))  # fmt: skip
# Suffixes of documents, notebooks and data, which need no licence line and have no limits of width
# and length. (A line break in a template would be in its page.)
_FREE = frozenset((".cff", ".ipynb", ".jinja", ".json", ".md", ".svg", ".txt", ".xml", "ignore"))

# Licences by folder; MIT elsewhere. A QEMU plugin is legally a part of QEMU.
_LICENCES = {
    "observer/qemu-plugin/": "GPL-2.0-or-later",
    "observer/guest-tests/count.c": "GPL-2.0-or-later",
}
_LICENCE = "MIT"

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


def violations() -> Iterator[str]:
    """Yields one line per broken rule."""
    for file in files():
        if file.name not in GENERATED:
            yield from of_text(str(file.relative_to(paths.CHECKOUT)), file.read_text())
        if file.suffix == ".md":
            yield from broken_links(file)
    core = (paths.CHECKOUT / core_calls.CORE).glob("*.c")
    yield from core_calls.violations({file.name: file.read_text() for file in core})


def broken_links(document: Path) -> Iterator[str]:
    """Yields the links of a document whose files do not exist."""
    for number, line in enumerate(document.read_text().splitlines(), 1):
        for target in _LINK.findall(line):
            if not (document.parent / target).exists():
                yield f"{document}:{number}: links to {target}, which does not exist"


def of_text(name: str, text: str) -> Iterator[str]:
    """Yields the rules that file `name` breaks."""
    lines = text.splitlines()
    yield from prose.violations(name, lines)
    if not name.endswith(tuple(_FREE)):
        yield from _licence(name, lines)
        yield from _size(name, lines)
        yield from layers.violations(name, text)
        yield from core_flags.violations(name, text)
        yield from compilers.violations(name, text)
        yield from machines.violations(name, text)
        yield from numeric_labels.violations(name, text)
    if text and not text.endswith("\n"):
        yield f"{name}: does not end with a line feed"


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
