# SPDX-License-Identifier: MIT
"""Finds the folders of descriptions by name. Reads no description, and uses the standard library
alone, because the set-up needs the folder of a board before it installs anything."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ticklab import names, paths
from ticklab.errors import UsageError


@dataclass(frozen=True)
class Kind:
    """A kind of description, for example of kernels. Each description is a folder in `parent` that
    contains the file `file`."""

    name: str
    parent: str
    file: str

    def every(self) -> dict[str, Path]:
        """Returns all folders of this kind in this checkout, by name."""
        found = sorted((paths.CHECKOUT / self.parent).glob(f"*/{self.file}"))
        return {description.parent.name: description.parent for description in found}

    def find(self, name: str) -> Path:
        """Returns a folder of this checkout by its name, or any folder that contains the file, by
        its path."""
        known = self.every()
        if name not in known and (Path(name) / self.file).is_file():
            return Path(name).resolve()
        if name not in known and Path(name).is_dir():
            raise UsageError(
                f"folder {name} has no {self.file}",
                "see docs/reference/descriptions.md for what it must hold",
            )
        return names.choose(self.name, name, known)


KERNELS = Kind("kernel", "kernels", "kernel.toml")
BOARDS = Kind("board", "platform/boards", "board.toml")
SUITES = Kind("suite", "bench/suites", "suite.toml")
ARCHITECTURES = Kind("architecture", "platform/arch", "arch.toml")
