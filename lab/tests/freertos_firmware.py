# SPDX-License-Identifier: MIT
"""Builds docs/examples/firmware, a FreeRTOS firmware that knows nothing of Ticklab, for the core
and the memories of a board, as its authors would build it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ticklab import paths
from ticklab.building.program import Program, guest
from ticklab.description import catalogue

FIRMWARE = paths.CHECKOUT / "docs" / "examples" / "firmware"
# For each board: the folder of FreeRTOS's port for its core, and further settings of the kernel's
# configuration.
_ARMV8 = (
    *("configENABLE_MPU=0", "configENABLE_FPU=1", "configENABLE_TRUSTZONE=0"),
    *("configRUN_FREERTOS_SECURE_ONLY=1", "configENABLE_MVE=0"),
)
BOARDS: Mapping[str, tuple[str, ...]] = {
    "lm3s6965evb": ("ARM_CM3",),
    "mps2-an385": ("ARM_CM3",),
    "mps2-an386": ("ARM_CM4F",),
    "mps2-an500": ("ARM_CM4F",),
    "mps2-an505": ("ARM_CM33_NTZ/non_secure", *_ARMV8),
    "mps2-an511": ("ARM_CM3",),
    "mps2-an521": ("ARM_CM33_NTZ/non_secure", *_ARMV8),
    "mps3-an547": ("ARM_CM55_NTZ/non_secure", *_ARMV8),
    "netduinoplus2": ("ARM_CM4F",),
    "stm32vldiscovery": ("ARM_CM3", "configTOTAL_HEAP_SIZE=4096"),
}


def build(board: str, folder: Path, application: Path | None = None, *defines: str) -> Path:
    """Builds the firmware, or another application, in `folder`. `defines` are macros for the
    kernel's configuration."""
    found, (port, *others) = catalogue.find_board(board), BOARDS[board]
    kernel = paths.home() / "sources" / "freertos-next" / "FreeRTOS-Kernel"
    ports = kernel / "portable" / "GCC" / port
    _configure(folder, (*others, *defines))
    sources = [application or FIRMWARE / "firmware.c", FIRMWARE / "startup.c"]
    sources += [*ports.glob("port*.c"), kernel / "portable" / "MemMang" / "heap_4.c"]
    sources += [kernel / name for name in ("tasks.c", "queue.c", "list.c")]
    made = Program(
        guest(found.core),
        sources,
        _script(folder, found.memory),
        options=["-O2", "-g"],
        includes=[folder, kernel / "include", ports],
        libraries=["-lc", "-lgcc"],
    )
    image = folder / "firmware.elf"
    subprocess.run(made.command(image), check=True)
    return image


def _configure(folder: Path, defines: tuple[str, ...]) -> None:
    lines = [f'#include "{FIRMWARE / "FreeRTOSConfig.h"}"']
    for name, value in (each.split("=") for each in defines):
        lines += [f"#undef {name}", f"#define {name} {value}"]
    (folder / "FreeRTOSConfig.h").write_text("\n".join([*lines, ""]))


def _script(folder: Path, memory: Mapping[str, tuple[int, int]]) -> Path:
    text = (FIRMWARE / "firmware.ld").read_text()
    for name in ("code", "data"):
        origin, length = memory[name]
        place = f"ORIGIN = {origin:#x}, LENGTH = {length:#x}"
        text = re.sub(rf"({name} \(\w+\) : ).*", rf"\g<1>{place}", text)
    script = folder / "firmware.ld"
    script.write_text(text)
    return script
