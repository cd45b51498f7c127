# SPDX-License-Identifier: MIT
"""An edge of the build graph: one command, with its inputs and its output."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Edge:
    """An output file and the command that makes it."""

    rule: str  # "compile", "cargo", "generate", "close", "join", "link", "link_checked", "macros"
    output: str  # relative to the folder of builds
    inputs: tuple[Path | str, ...]
    flags: tuple[str, ...]
    depends: tuple[Path | str, ...] = ()  # inputs that are not on the command line
    others: tuple[str, ...] = ()  # other outputs of the same command
    # The program that checks the linked output, and its arguments; empty: no check.
    check: tuple[str, ...] = ()
    product: Path | None = None  # the file that cargo makes, which is copied to the output
