# SPDX-License-Identifier: MIT
"""Compiles a source, or copies the object that an earlier command made of the same inputs.

An object is used again if the command is the same but for warnings, the compiler is the same file,
the source and all headers that the compiler read have the same contents, and the macros of the
command that these mention have the same values. So most images of Bulkhead's tests compile only
their own files, a mutant only what it changes, and two simulators share a test bench.

Makefiles of Verilator start this file in place of a compiler (rtl/tools/simulation.py), so it
imports nothing of Ticklab.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

Command = Sequence[str | Path]

KEPT = 40  # objects in each of 256 folders: those that were used last


class Objects:
    """The objects of earlier commands, in a folder that all processes share."""

    def __init__(self, kept: Path, roots: Mapping[str, Path], keeps: bool = True) -> None:
        self._kept = kept
        self._roots = roots  # names for folders that differ from command to command
        self._keeps = keeps  # a command without warnings must not hide them from others

    def compile(
        self, make: Callable[[Command], object], compiler: Command, source: Path, output: Path
    ) -> None:
        """Compiles `source` with `make`, or copies an object that is the same."""
        words = [str(word) for word in compiler]
        key = self._key(words, source)
        folder = self._kept / key[:2]
        for entry in sorted(folder.glob(f"{key}-*.json")):
            if self._is_same(entry, words) and _copy(entry.with_suffix(".o"), output):
                return
        listing = output.with_suffix(".d")
        make([*words, "-MD", "-MF", listing, "-c", source, "-o", output])
        if self._keeps:
            self._keep(folder, key, self._inputs(words, _read(listing)), output)

    def _key(self, words: Sequence[str], source: Path) -> str:
        fixed = [self._name(word) for word in words if not word.startswith(("-D", "-W", "-w"))]
        built = self._roots.get("built")
        generated = sorted(file.name for file in built.glob("*.h")) if built else []
        known = (_identity(words[0]), fixed, self._name(str(source)), generated)
        return _hash(repr(known).encode())

    def _is_same(self, entry: Path, words: Sequence[str]) -> bool:
        try:
            kept = json.loads(entry.read_text())
        except FileNotFoundError:  # pruned
            return False
        files = [(self._place(name), contents) for name, contents in kept["files"]]
        if any(_contents(file) != contents for file, contents in files):
            return False
        return bool(kept["macros"] == _macros(words, [file for file, _ in files]))

    def _inputs(self, words: Sequence[str], files: Sequence[Path]) -> str:
        named = [(self._name(str(file)), _contents(file)) for file in files]
        return json.dumps({"files": named, "macros": _macros(words, files)})

    def _keep(self, folder: Path, key: str, inputs: str, output: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / f"{key}-{_hash(inputs.encode())}"
        with tempfile.TemporaryDirectory(dir=folder) as beside:
            Path(shutil.copy(output, beside)).rename(place.with_suffix(".o"))
            (Path(beside) / "entry").write_text(inputs)
            (Path(beside) / "entry").rename(place.with_suffix(".json"))
        _prune(folder)

    def _name(self, text: str) -> str:
        for name, root in self._roots.items():
            text = text.replace(f"{root}", f"<{name}>")
        return text

    def _place(self, text: str) -> Path:
        for name, root in self._roots.items():
            text = text.replace(f"<{name}>", f"{root}")
        return Path(text)


def _copy(kept: Path, output: Path) -> bool:
    """Copies an object, unless another process removed it."""
    try:
        shutil.copy(kept, output)
        os.utime(kept)
    except FileNotFoundError:
        return False
    return True


def _prune(folder: Path) -> None:
    """Keeps what was used last. Another process may do the same."""
    with suppress(FileNotFoundError):
        for file in sorted(folder.glob("*.o"), key=lambda each: each.stat().st_mtime)[:-KEPT]:
            file.with_suffix(".json").unlink(missing_ok=True)
            file.unlink(missing_ok=True)


def _macros(words: Sequence[str], files: Sequence[Path]) -> list[str]:
    """Returns the macros of the command whose names are in the files."""
    macros = [word for word in words if word.startswith("-D")]
    names = [word[2:].partition("=")[0].encode() for word in macros]
    texts = [_text(file) for file in files] if macros else []
    return [
        macro
        for macro, name in zip(macros, names, strict=True)
        if any(name in text for text in texts)
    ]


def _read(listing: Path) -> list[Path]:
    """Returns the files of a rule that the compiler wrote for make."""
    text = listing.read_text().replace("\\\n", " ").partition(": ")[2]
    return [Path(word.replace("\\ ", " ")) for word in re.split(r"(?<!\\)\s+", text) if word]


@cache
def _text(file: Path) -> bytes:
    return file.read_bytes()


@cache
def _contents(file: Path) -> str:
    return _hash(_text(file)) if file.is_file() else ""


@cache
def _identity(compiler: str) -> tuple[str, int, int]:
    """Returns what changes with another version of the compiler."""
    found = Path(shutil.which(compiler) or compiler).stat()
    return Path(compiler).name, found.st_size, found.st_mtime_ns


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def main(kept: str, root: str, *command: str) -> int:
    """Runs the command of a makefile: COMPILER OPTIONS -c -o OUTPUT SOURCE. `root` is the folder
    whose place does not matter."""
    *words, _, _, output, source = (word for word in command if word != "-MMD")
    make = partial(subprocess.run, check=True)
    try:
        Objects(Path(kept), {"root": Path(root)}).compile(make, words, Path(source), Path(output))
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
