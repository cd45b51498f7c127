# SPDX-License-Identifier: MIT
"""Programs of other projects that scenarios run, unmodified. The types belong to those of
model.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ticklab.description.boot import PackageFile


@dataclass(frozen=True)
class PackageSource:
    """A package of sources in Python's package registry, pinned by rtl/requirements.txt."""

    package: str
    version: str
    folder: str  # inside the package


@dataclass(frozen=True)
class Workload:
    """A published program, unmodified, that runs beside a kernel in the scenarios of a suite."""

    source: PackageSource
    sources: tuple[str, ...]  # "@/" stands for the folder of the package's sources
    includes: tuple[str, ...]
    defines: Mapping[str, str]
    flags: tuple[str, ...]
    # The function at whose first instruction each mark lies, by the mark's name.
    marks: Mapping[str, str]
    unit: str  # name of one pass, in the plural


@dataclass(frozen=True)
class GuestProgram:
    """A program from a Debian package that a scenario runs as a process of the booted system."""

    file: PackageFile
    others: tuple[PackageFile, ...]  # libraries and other files that the program loads
    arguments: tuple[str, ...]
    marks: Mapping[str, int]  # offset of each mark in the program's file, by the mark's name
