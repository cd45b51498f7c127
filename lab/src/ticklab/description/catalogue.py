# SPDX-License-Identifier: MIT
"""Finds kernels, boards, suites and timing profiles by name or folder, and reads them.

This module names no kernel, board or suite itself.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path
from typing import Annotated, TypeVar

from msgspec import Meta

from ticklab import names, paths
from ticklab.description import table, toml_file
from ticklab.description.board import read_board
from ticklab.description.folders import BOARDS, KERNELS, SUITES, Kind
from ticklab.description.kernel import read_kernel
from ticklab.description.keys import Text
from ticklab.description.model import Board, Config, Kernel, Profile, Suite
from ticklab.description.suite import read_suite
from ticklab.errors import UsageError

Description = TypeVar("Description", Kernel, Board, Suite)


def kernels(among: Container[str] | None = None) -> dict[str, Kernel]:
    """Returns the kernels of this checkout, by name. `among` selects some by name; None selects
    all."""
    return _read(KERNELS, read_kernel, among)


def boards() -> dict[str, Board]:
    return _read(BOARDS, read_board)


def suites(among: Container[str] | None = None) -> dict[str, Suite]:
    """Returns the suites of this checkout, by name. `among` selects some by name; None selects
    all."""
    return _read(SUITES, read_suite, among)


def profiles() -> dict[str, Profile]:
    """Returns the timing profiles of this checkout, by name."""
    return {name: read_profile(file) for name, file in _profile_files().items()}


def find_kernel(name: str) -> Kernel:
    """Returns a kernel of this checkout by its name, or any kernel by its folder."""
    return read_kernel(KERNELS.find(name))


def find_board(name: str) -> Board:
    return read_board(BOARDS.find(name))


def find_suite(name: str) -> Suite:
    return read_suite(SUITES.find(name))


def find_profile(name: str) -> Profile:
    """Returns a timing profile of this checkout by its name, or any profile by its file."""
    if name.endswith(".toml"):
        return read_profile(Path(name))
    return read_profile(names.choose("timing profile", name, _profile_files()))


def timing(board: Board, wanted: str | None) -> str | None:
    """Returns the name of the timing profile that the cycle model uses: `wanted`, or the board's
    default profile. Returns None if the board has exact cycles, or its core has no cycle model."""
    if board.machine.is_clocked:
        return None
    if wanted and not board.core.has_cycle_model:
        raise UsageError(
            f"core {board.core.name} of board {board.name} has no cycle model",
            "leave --profile out, or choose another --board",
        )
    return (wanted or board.profile) if board.core.has_cycle_model else None


def find_config(kernel: Kernel, name: str) -> Config:
    """Returns a configuration of `kernel` by its name, or a user's header by its path."""
    if name not in kernel.configs and (Path(name).suffix == ".h" or Path(name).exists()):
        return _own_config(kernel, Path(name))
    return names.choose(f"configuration of {kernel.name}", name, kernel.configs)


def _own_config(kernel: Kernel, header: Path) -> Config:
    if not header.is_file():
        raise UsageError(f"no configuration file {header}", "give the path of a C header")
    if not kernel.configs["default"].header.is_file():
        raise UsageError(
            f"kernel '{kernel.name}' takes no configuration file", "leave out --config"
        )
    defines = kernel.configs["default"].defines
    return Config(str(header), header.resolve(), "the user's own", defines)


def _read(
    kind: Kind, read: Callable[[Path], Description], among: Container[str] | None = None
) -> dict[str, Description]:
    every = kind.every().items()
    return {name: read(folder) for name, folder in every if among is None or name in among}


# --- Timing profiles ------------------------------------------------------------------------------


class ProfileFile(table.Table, frozen=True, forbid_unknown_fields=False):
    """A file in platform/profiles. This class reads only the title; the cycle model reads and
    checks the other keys."""

    title: Annotated[Text, Meta(description="name for people")]


def read_profile(file: Path) -> Profile:
    """Reads the title of a timing profile. The cycle model reads and checks the other keys."""
    entries = toml_file.load(file)
    whole = table.convert(entries, ProfileFile, table.Place(file))
    return Profile(file.stem, whole.title, entries)


def _profile_files() -> dict[str, Path]:
    files = sorted((paths.CHECKOUT / "platform" / "profiles").glob("*.toml"))
    return {file.stem: file for file in files}
