# SPDX-License-Identifier: MIT
"""Reads the parts of descriptions that the set-up needs: the programs of an architecture, the
packages of prebuilt kernels, and the steps that a board needs.

Uses the standard library alone, because the set-up installs all other packages. Checks only the
keys that it reads; description/table.py checks the whole files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from ticklab import paths
from ticklab.description import extends, folders, toml_file
from ticklab.errors import UsageError

# The architecture of the default board; the set-up always installs its programs.
DEFAULT = "armv7-m"

EVERY = "all"  # in place of the names of suites on the command line: all suites

# Additional set-up steps for each kind of target. The processor cores of rtl/ come from packages.
_OF_TARGETS = {"rtl": ("sources", "rtl")}

_KEYS = (
    "arch.title", "arch.compiler.triple", "arch.compiler.minimum_version",
    "arch.compiler.packages", "arch.compiler.library", "arch.emulator.program",
    "arch.emulator.minimum_version", "arch.emulator.packages",
)  # fmt: skip


def architectures() -> list[str]:
    """Returns the names of the architectures of this checkout."""
    return list(folders.ARCHITECTURES.every())


def architecture(name: str) -> dict[str, Any]:
    """Returns the table [arch] of an architecture, and raises an error if a key that the set-up
    reads is missing."""
    file = folders.ARCHITECTURES.find(name) / folders.ARCHITECTURES.file
    entries = toml_file.load(file)
    for keys in _KEYS:
        _require(file, entries, keys)
    found: dict[str, Any] = entries["arch"]
    return found


def needs(
    boards: Iterable[str], kernels: Collection[str] = (), suites: Collection[str] = ()
) -> list[str]:
    """Returns the set-up steps that `boards` need in addition to those that every board needs.
    `kernels` are the kernels that the user named; if there are none, all kernels of this checkout
    may run. Suites with packages need a step of their own if one of the boards runs a prebuilt
    kernel."""
    written = [step_of_crate(name) for name in rust_crates() if name in _named(kernels)]
    found = [folders.BOARDS.find(name) for name in boards]
    booted = _booted(kernels) if any(map(_architecture_of, found)) else {}
    of_suites = [name for name in packages() if {name, EVERY}.intersection(suites)]
    of_boards = [
        step
        for board in found
        for step in (
            *needs_of(board),
            *(step_of(name) for name, archs in booted.items() if _architecture_of(board) in archs),
        )
    ]
    is_booted = any(step_of(name) in of_boards for name in booted)
    return [*of_boards, *written, *(step_of_suite(name) for name in of_suites if is_booted)]


def step_of(kernel: str) -> str:
    """Returns the step of the set-up that fetches a kernel from a package of Debian."""
    return f"kernel-{kernel}"


def step_of_crate(kernel: str) -> str:
    """Returns the step of the set-up that fetches the crates from which a kernel in Rust is
    built."""
    return f"rust-{kernel}"


def rust_crates() -> dict[str, Path]:
    """Returns the manifests of the kernels of this checkout that are written in Rust. Such kernels
    run only if the user names them, so that no Rust target is installed without need."""
    every = folders.KERNELS.every()
    read = {name: _table(extends.read(folder), "kernel") for name, folder in every.items()}
    return {
        name: every[name] / str(_table(entries, "rust").get("manifest", "Cargo.toml"))
        for name, entries in read.items()
        if "rust" in entries
    }


def rust_targets(kernel: str) -> list[str]:
    """Returns rustc's targets of the cores on which a kernel in Rust runs."""
    return targets_of(_table(extends.read(folders.KERNELS.every()[kernel]), "core"))


def targets_of(cores: Iterable[str]) -> list[str]:
    """Returns rustc's targets for the named cores."""
    found = (_core(name).get("rust_target") for name in cores)
    return list(dict.fromkeys(str(target) for target in found if target))


def _named(kernels: Collection[str]) -> set[str]:
    """Returns the names of the kernels on a command line. A word may be KERNEL or
    KERNEL/CONFIGURATION."""
    return {word.partition("/")[0] for word in kernels}


def step_of_suite(suite: str) -> str:
    """Returns the step of the set-up that fetches the packages of a suite."""
    return f"programs-{suite}"


def packages() -> dict[str, list[dict[str, Any]]]:
    """Returns the tables [[package]] by suite, for those suites of this checkout that have some."""
    every = {name: folder / folders.SUITES.file for name, folder in folders.SUITES.every().items()}
    read = {name: toml_file.load(file).get("package") for name, file in every.items()}
    return {name: found for name, found in read.items() if isinstance(found, list)}


def boots() -> dict[str, dict[str, Any]]:
    """Returns the tables [boot] of the prebuilt kernels of this checkout, by kernel."""
    every = {name: extends.read(folder) for name, folder in folders.KERNELS.every().items()}
    return {name: _table(entries, "boot") for name, entries in every.items() if "boot" in entries}


def _booted(kernels: Collection[str]) -> dict[str, set[str]]:
    """Returns the prebuilt kernels that may run, each with its architectures. If `kernels` is
    empty, all of them may run, otherwise those that it names, with or without a configuration."""
    named = _named(kernels)
    found = [name for name in boots() if not named or name in named]
    every = folders.KERNELS.every()
    return {name: set(_table(extends.read(every[name]), "arch")) for name in found}


def needs_of(board: Path) -> tuple[str, ...]:
    """Returns the steps of the set-up that the board in the folder `board` needs."""
    arch = _architecture_of(board)
    targets = _table(toml_file.load(board / folders.BOARDS.file), "target")
    steps = tuple(step for kind in targets for step in _OF_TARGETS.get(kind, ()))
    return (*(() if arch in (None, DEFAULT) else (str(arch),)), *steps)


def _architecture_of(board: Path, follow: bool = True) -> str | None:
    """Returns the architecture of a board's core. If the board's description names no core, this is
    the architecture of the board that `same_images_as` names. Returns None if the description has
    neither; the reader of whole descriptions reports this error."""
    found = _table(toml_file.load(board / folders.BOARDS.file), "board")
    core, same = found.get("core"), found.get("same_images_as")
    if core is None and follow and same in folders.BOARDS.every():
        return _architecture_of(folders.BOARDS.every()[same], follow=False)
    arch = _core(core).get("arch")
    return arch if arch in architectures() else None


def _core(name: object) -> dict[str, Any]:
    """Returns the table [core] of a core; an empty one if there is no such core."""
    file = paths.CHECKOUT / "platform" / "cores" / f"{name}.toml"
    return _table(toml_file.load(file), "core") if file.is_file() else {}


def _table(entries: dict[str, Any], key: str) -> dict[str, Any]:
    found = entries.get(key)
    return found if isinstance(found, dict) else {}


def _require(file: Path, entries: dict[str, Any], keys: str) -> None:
    """Raises an error if the file lacks the key at the path `keys` (names separated by dots)."""
    *path, key = keys.split(".")
    for each in path:
        entries = _table(entries, each)
    if key not in entries:
        raise UsageError(f"{file}: [{'.'.join(path)}] {key} is missing", "give it a value")
