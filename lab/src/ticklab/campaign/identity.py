# SPDX-License-Identifier: MIT
"""The identity of a machine: everything on it that determines figures, such as sources, compilers,
emulators and the observer.

The identity is part of the key of each observation, so that one store never mixes observations of
different tools. A worker whose identity differs from that of the campaign is rejected.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ticklab import building, digest, paths, targets
from ticklab.description import catalogue

Identity = Mapping[str, str]

# Folders whose content determines figures. The targets give the identity of the observer and of the
# simulators.
_MEASURED = ("bench", "bulkhead", "kernels", "marks", "platform", "lab/src/ticklab")


@dataclass(frozen=True)
class Means:
    """The boards, compilers and folders that a campaign uses, by names that mean the same on any
    machine."""

    boards: tuple[str, ...]
    compilers: tuple[str | None, ...]
    foreign: tuple[str, ...]  # files and folders that are not in the checkout


@cache
def of_this_machine(means: Means) -> Identity:
    boards = {name: catalogue.find_board(name) for name in means.boards}
    found = {"sources": _tree(*(paths.CHECKOUT / name for name in _MEASURED))}
    for name, board in boards.items():
        target = targets.of(board, board.machine.nodes).identity()
        found |= {f"{part} of {name}": text for part, text in target.items()}
    for compiler in means.compilers:
        for arch in sorted({board.core.arch.name for board in boards.values()}):
            version = building.find_toolchain(compiler, arch=arch).version
            found[f"compiler {compiler or 'default'} for {arch}"] = version
    return found | {name: _tree(Path(name)) for name in means.foreign}


def difference(ours: Identity, theirs: Identity) -> str:
    """Returns the names of the parts in which two identities differ, as text."""
    names = {*ours, *theirs}
    return ", ".join(sorted(name for name in names if ours.get(name) != theirs.get(name)))


def _tree(*roots: Path) -> str:
    """Returns a hash of the names and contents of all files that are not hidden."""
    parts = {
        f"{root.name}/{file.relative_to(root)}": digest.hash_file(file)
        for root in roots
        for file in _files(root)
    }
    return digest.hash_json(parts)[:32]


def _files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        yield from (Path(folder) / name for name in files if not name.startswith("."))
