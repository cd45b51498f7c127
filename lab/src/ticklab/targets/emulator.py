# SPDX-License-Identifier: MIT
"""The part of QEMU's command line that describes a machine, which is the same in every use of
QEMU."""

from __future__ import annotations

import shutil
from pathlib import Path

from ticklab.description.architecture import Core
from ticklab.description.machine import Emulated


def program(core: Core) -> str:
    name = core.arch.emulator.program
    return shutil.which(name) or name


def machine(core: Core, emulated: Emulated) -> list[str]:
    """Returns the options that describe the machine. The emulated time is counted in
    instructions."""
    return [
        *("-M", emulated.name, "-nographic", "-monitor", "none", "-nic", "none"),
        *core.arch.emulator.options,
        *emulated.options,
        *("-icount", f"shift={emulated.icount_shift},align=off,sleep=off"),
    ]


def escaped(path: Path) -> str:
    """Returns a path for an option of QEMU. Doubles its commas, because QEMU separates options with
    commas."""
    return str(path).replace(",", ",,")
