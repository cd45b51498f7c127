# SPDX-License-Identifier: MIT
"""The types of those entries of a run's provenance that Ticklab reads.

Provenance has no fixed set of keys: entries may be missing, and builds and targets add others. A
bundle, baseline or claim may come from anybody, so an entry that is read must have its type;
otherwise a forged file would cause an exception in the view that shows it.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from ticklab.description.features import Protection

_Hertz = Annotated[int, Meta(gt=0)]


class _Tool(Struct):
    version: str = ""
    commit: str = ""


class _Kernel(Struct):
    commit: str = ""


class _Subject(Struct):
    protection: Protection | None = None
    interest: str | None = None
    tasks: str | None = None


class _Board(Struct):
    core: str = ""
    clock_hz: _Hertz = 1
    tick_hz: _Hertz | None = None
    profile: str | None = None
    target: dict[str, Any] = field(default_factory=dict)


class _Build(Struct):
    compiler: str | None = ""  # None if an image does not say
    flags: list[str] = field(default_factory=list)
    config: dict[str, str] = field(default_factory=dict)
    differs_from_default: dict[str, str] = field(default_factory=dict)
    assertions: list[str] = field(default_factory=list)
    toolchain: dict[str, Any] = field(default_factory=dict)


class Origin(Struct):
    """The provenance of a run."""

    command: list[str] = field(default_factory=list)
    ticklab: _Tool = field(default_factory=_Tool)
    kernels: dict[str, _Kernel] = field(default_factory=dict)
    subjects: dict[str, _Subject] = field(default_factory=dict)
    boards: dict[str, _Board] = field(default_factory=dict)
    builds: dict[str, _Build] = field(default_factory=dict)
    footprints: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
