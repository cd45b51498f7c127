# SPDX-License-Identifier: MIT
"""Describes a kernel that the emulator boots (Linux), and the Debian package that contains it. Uses
the standard library alone, because the set-up fetches the package (bootstrap/debian.py)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ticklab import paths


@dataclass(frozen=True)
class PackageFile:
    """One file of a Debian package."""

    package: str  # path of the package in Debian's archive, from `pool/`
    sha256: str  # hash of the package
    file: str  # path of the file in the package

    @property
    def name(self) -> str:
        """Returns the name and the version of the package."""
        return " ".join(PurePosixPath(self.package).stem.split("_")[:2])

    @property
    def path(self) -> Path:
        """Returns the path of the file on this machine."""
        return paths.home() / "debian" / self.sha256[:16] / self.file


@dataclass(frozen=True)
class Boot:
    """A kernel that the emulator boots. Scenarios are programs that run as processes of this
    kernel."""

    kernel: PackageFile
    # Parameters on the kernel's command line, in addition to those that every run needs.
    parameters: str = ""
