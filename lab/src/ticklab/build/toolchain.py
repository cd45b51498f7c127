# SPDX-License-Identifier: MIT
"""The programs that build images, and what they call themselves."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ticklab import paths
from ticklab.bootstrap import system


@dataclass(frozen=True)
class Toolchain:
    compiler: Path
    version: str  # the compiler's own words, which tell vendors apart; no path is in them
    ninja: Path
    python: Path  # runs what a kernel generates its tables with


def find_toolchain() -> Toolchain:
    """The compiler on PATH, if it is recent enough, and the environment's Ninja."""
    system.require(system.COMPILER)
    compiler = Path(shutil.which(system.COMPILER.name) or system.COMPILER.name)
    answer = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)
    return Toolchain(
        compiler, answer.stdout.splitlines()[0], paths.tool("ninja"), paths.tool("python")
    )
