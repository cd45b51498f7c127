# SPDX-License-Identifier: MIT
"""Compiles a source once for all images of a run for which the object is the same.

An object is used again if the command is the same but for warnings, the source and all headers that
the compiler read have the same contents, and the macros of the command that these mention have the
same values. So most images compile only their own files, and a mutant only what it changes.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

Command = Sequence[str | Path]


class Objects:
    """The objects of a run, in a folder that its images share."""

    def __init__(self, kept: Path, roots: Mapping[str, Path], keeps: bool) -> None:
        self._kept = kept
        self._roots = roots  # names for folders that differ from image to image
        self._keeps = keeps  # a command without warnings must not hide them from others

    def compile(
        self, make: Callable[[Command], None], compiler: Command, source: Path, output: Path
    ) -> None:
        """Compiles `source` with `make`, or copies an object that is the same."""
        words = [str(word) for word in compiler]
        entries = self._kept / self._key(words, source)
        for entry in sorted(entries.glob("*.json")):
            if self._is_same(json.loads(entry.read_text()), words):
                shutil.copy(entry.with_suffix(".o"), output)
                return
        listing = output.with_suffix(".d")
        make([*words, "-MD", "-MF", listing, "-c", source, "-o", output])
        if self._keeps:
            self._keep(entries, words, _read(listing), output)

    def _key(self, words: Sequence[str], source: Path) -> str:
        fixed = [self._name(word) for word in words if not word.startswith(("-D", "-W", "-w"))]
        generated = sorted(file.name for file in self._roots["built"].glob("*.h"))
        return _hash(repr((fixed, self._name(str(source)), generated)).encode())

    def _is_same(self, entry: Mapping[str, list[list[str]]], words: Sequence[str]) -> bool:
        files = [(self._place(name), contents) for name, contents in entry["files"]]
        if any(_contents(file) != contents for file, contents in files):
            return False
        return entry["macros"] == [list(_macros(words, [file for file, _ in files]))]

    def _keep(
        self, entries: Path, words: Sequence[str], files: Sequence[Path], output: Path
    ) -> None:
        entries.mkdir(parents=True, exist_ok=True)
        text = {
            "files": [[self._name(str(file)), _contents(file)] for file in files],
            "macros": [list(_macros(words, files))],
        }
        beside = Path(tempfile.mkdtemp(dir=entries))
        name = _hash(json.dumps(text).encode())
        Path(shutil.copy(output, beside)).rename(entries / f"{name}.o")
        (beside / "entry").write_text(json.dumps(text))
        (beside / "entry").rename(entries / f"{name}.json")
        beside.rmdir()

    def _name(self, text: str) -> str:
        for name, root in self._roots.items():
            text = text.replace(f"{root}", f"<{name}>")
        return text

    def _place(self, text: str) -> Path:
        for name, root in self._roots.items():
            text = text.replace(f"<{name}>", f"{root}")
        return Path(text)


def _macros(words: Sequence[str], files: Sequence[Path]) -> Iterator[str]:
    """Yields the macros of the command that the files mention."""
    for word in words:
        if word.startswith("-D"):
            name = word[2:].partition("=")[0]
            if any(name in _words(file) for file in files):
                yield word


def _read(listing: Path) -> list[Path]:
    """Returns the files of a rule that the compiler wrote for make."""
    text = listing.read_text().replace("\\\n", " ").partition(": ")[2]
    return [Path(word.replace("\\ ", " ")) for word in re.split(r"(?<!\\)\s+", text) if word]


@cache
def _words(file: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", file.read_text(errors="replace")))


@cache
def _contents(file: Path) -> str:
    return _hash(file.read_bytes()) if file.is_file() else ""


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
