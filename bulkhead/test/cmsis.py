# SPDX-License-Identifier: MIT
"""Tests the library of CMSIS-RTOS2: the documented semantics of each function, as an application
that CMake builds.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import examples
from build import BULKHEAD, Core


def check(core: Core, folder: Path) -> str:
    copies = folder / "original"
    shutil.copytree(BULKHEAD / "examples" / "console", copies / "console")
    shutil.copytree(BULKHEAD / "test" / "cmsis-rtos2", copies / "cmsis-rtos2")
    examples.require_expected(examples.moved(copies / "cmsis-rtos2", core, folder), core)
    return f"every case holds on {core.name}"
