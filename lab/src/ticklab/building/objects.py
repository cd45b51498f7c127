# SPDX-License-Identifier: MIT
"""Compiles a source file, or copies the object file that an earlier command made from the same
inputs.

An object file is used again under four conditions. The command is the same except for warnings and
for folders that have none of the headers, with the same programs and environment. The source and
all headers that the compiler read have the same contents. No new file has come to a folder in which
the compiler looks for their names. The macros of the command that these files mention have the same
values. So most images of Bulkhead's tests compile only their own files, a mutant compiles only what
it changes, and two simulators share a test bench.

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
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

Command = Sequence[str | Path]

KEPT = 40  # objects in each of 256 folders: those that were used last
# Environment variables that change an object file and are not in the command.
_SEARCHED = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_ENVIRONMENT = (*_SEARCHED, "COMPILER_PATH", "GCC_EXEC_PREFIX", "SOURCE_DATE_EPOCH")
_PROGRAMS = ("cc1", "cc1plus", "as")  # that a compiler starts
_APART = re.compile(r"-D|-w$|-W(?![ap],)")  # macros, compared by use; warnings; words of the link
_FOLDER = re.compile(r"-(I|isystem|iquote|idirafter)(.*)")
_ASKED = re.compile(rb"__has_include\w*\s*\(\s*[<\"]([^>\"]+)")


class Objects:
    """The object files of earlier commands, in a folder that all processes share."""

    def __init__(self, kept: Path, roots: Mapping[str, Path], keeps: bool = True) -> None:
        self._kept = kept
        self._roots = roots  # names for folders that differ from command to command
        self._keeps = keeps  # a command without warnings must not hide them from others

    def compile(
        self, make: Callable[[Command], object], compiler: Command, source: Path, output: Path
    ) -> None:
        """Compiles `source` by calling `make`, or copies an object file that the command would make
        again."""
        words = [str(word) for word in compiler]
        key = self._key(words, source)
        folder = self._kept / key[:2]
        for entry in sorted(folder.glob(f"{key}-*.json")):
            if self._is_same(entry, words) and _copy(entry.with_suffix(".o"), output):
                return
        listing = output.with_suffix(".d")
        listing.touch()
        started_ns = listing.stat().st_mtime_ns  # by the clock of the files
        make([*words, "-MD", "-MF", listing, "-c", source, "-o", output])
        if self._keeps:
            texts = {file: file.read_bytes() for file in _read(listing)}
            inputs = json.dumps(self._inputs(words, texts))
            if all(file.stat().st_mtime_ns < started_ns for file in texts):  # compiled as read
                self._keep(folder, key, inputs, output)

    def _key(self, words: Sequence[str], source: Path) -> str:
        fixed = [self._name(word) for word in _fixed(words)]
        known = (_identity(words[0]), fixed, self._name(str(source)), _environment(_ENVIRONMENT))
        return _hash(repr(known).encode())

    def _is_same(self, entry: Path, words: Sequence[str]) -> bool:
        """Returns whether a kept object file is that of the command. Compares what costs least
        first: most entries differ in the contents of a file."""
        try:
            kept = json.loads(entry.read_text())
            named = {self._place(name): known for name, known in kept["files"].items()}
            if any(_known(file)[1] != known for file, known in named.items()):
                return False
            texts = {file: _known(file)[0] for file in named}
        except FileNotFoundError:  # pruned, or an input is gone
            return False
        if kept["macros"] != _macros(words, texts.values()):
            return False
        return bool(kept["search"] == self._search(words, texts))

    def _inputs(self, words: Sequence[str], texts: Mapping[Path, bytes]) -> dict[str, object]:
        """Returns everything on which an object file depends in addition to its command, given the
        contents of the files that the compiler read."""
        return {
            "files": {self._name(str(file)): _hash(text) for file, text in texts.items()},
            "search": self._search(words, texts),
            "macros": _macros(words, texts.values()),
        }

    def _search(self, words: Sequence[str], texts: Mapping[Path, bytes]) -> list[list[str]]:
        """Returns what determines which files the compiler reads: the folders of the command that
        have one of their names, in order, and other files with these names."""
        tails = _tails(texts)
        folders = [
            f"{option} {self._name(str(folder))}"
            for option, folder in _folders(words)
            if _first_parts(folder) & tails.keys() or any(folder in file.parents for file in texts)
        ]
        return [folders, sorted(self._name(file) for file in _others(words, texts, tails))]

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
    """Copies an object file. Returns False if another process has removed it."""
    try:
        shutil.copy(kept, output)
        os.utime(kept)
    except FileNotFoundError:
        return False
    return True


def _prune(folder: Path) -> None:
    """Removes the object files that were not used for the longest time. Another process may do the
    same at the same time."""
    with suppress(FileNotFoundError):
        for file in sorted(folder.glob("*.o"), key=lambda each: each.stat().st_mtime)[:-KEPT]:
            file.with_suffix(".json").unlink(missing_ok=True)
            file.unlink(missing_ok=True)


def _macros(words: Sequence[str], texts: Collection[bytes]) -> list[str]:
    """Returns the macros of the command whose names are in the files, or in the values of such
    macros."""
    names = {word: re.split(r"\W", word[2:])[0] for word in words if word.startswith("-D")}
    used: set[str] = set()
    found = {each for each, name in names.items() if any(name.encode() in text for text in texts)}
    while found - used:
        used |= found
        found = {each for each, name in names.items() if any(name in word[2:] for word in used)}
    return [word for word in words if word in used]


def _fixed(words: Sequence[str]) -> list[str]:
    """Returns the words of a command that are no macros, warnings or folders of headers."""
    pairs = pairwise(["", *words])
    return [
        word
        for before, word in pairs
        if not (_APART.match(word) or _FOLDER.match(word))
        and not ((found := _FOLDER.match(before)) and not found[2])
    ]


def _folders(words: Sequence[str]) -> list[tuple[str, Path]]:
    """Returns the option and the path of each folder of headers in a command."""
    named = [(_FOLDER.match(word), after) for word, after in pairwise([*words, ""])]
    return [(found[1], Path(found[2] or after)) for found, after in named if found]


def _tails(texts: Mapping[Path, bytes]) -> dict[str, set[str]]:
    """Returns the names by which the compiler may have looked for the files that it read or asked
    for, by the first part of each name."""
    asked = {Path(name.decode()) for text in texts.values() for name in _ASKED.findall(text)}
    tails: dict[str, set[str]] = {}
    for file in {*texts, *asked}:
        for start, first in enumerate(file.parts):
            tails.setdefault(first, set()).add("/".join(file.parts[start:]))
    return tails


def _first_parts(folder: Path) -> set[str]:
    return {entry.name for entry in os.scandir(folder)} if folder.is_dir() else set()


def _others(
    words: Sequence[str], texts: Mapping[Path, bytes], tails: Mapping[str, set[str]]
) -> set[str]:
    """Returns the files that the compiler would read in place of one that it read or looked for, if
    they came first in the search path."""
    folders = {folder for _, folder in _folders(words)}
    folders |= {Path(each) for each in os.pathsep.join(_environment(_SEARCHED)).split(os.pathsep)}
    folders |= {file.parent for file in texts}
    placed = {
        f"{folder}/{tail}".removeprefix("./")
        for folder in folders
        for first in tails.keys() & _first_parts(folder)
        for tail in tails[first]
    }
    return {file for file in placed.difference(map(str, texts)) if Path(file).is_file()}


def _environment(names: Collection[str]) -> list[str]:
    return [os.environ.get(name, "") for name in names]


def _read(listing: Path) -> list[Path]:
    """Returns the file names in the dependency rule that the compiler wrote for make."""
    text = listing.read_text().replace("\\\n", " ").partition(": ")[2]
    return [Path(word.replace("\\ ", " ")) for word in re.split(r"(?<!\\)\s+", text) if word]


def _known(file: Path) -> tuple[bytes, str]:
    """Returns the contents of a file and their hash."""
    stat = file.stat()
    return _known_at(file, stat.st_mtime_ns, stat.st_size)


@cache
def _known_at(file: Path, _time_ns: int, _size: int) -> tuple[bytes, str]:
    text = file.read_bytes()
    return text, _hash(text)


@cache
def _identity(compiler: str) -> list[tuple[str, int, int]]:
    """Returns the names, sizes and times of the compiler's file and of the programs that it starts,
    which change with their versions."""
    asked = [[compiler, f"-print-prog-name={name}"] for name in _PROGRAMS]
    started = [subprocess.check_output(command, text=True).strip() for command in asked]
    found = [Path(shutil.which(name) or name) for name in (compiler, *started)]
    stats = [(file.name, file.stat()) for file in found if file.exists()]
    return [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def main(kept: str, root: str, *command: str) -> int:
    """Runs the command of a makefile: COMPILER OPTIONS -c -o OUTPUT SOURCE. The object file does
    not depend on where the folder `root` is."""
    *words, _, _, output, source = (word for word in command if word != "-MMD")
    make = partial(subprocess.run, check=True)
    try:
        Objects(Path(kept), {"root": Path(root)}).compile(make, words, Path(source), Path(output))
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
