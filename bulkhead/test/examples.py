# SPDX-License-Identifier: MIT
"""Builds the examples as a user does: CMake configures and builds them outside this repository.

Each example must print its expected.txt on the emulator, and the first one on other cores, too.
Needs cmake and ninja.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from build import BULKHEAD, CORTEX_M4F, CORTEX_M7F, CORTEX_M33F, Core, TestError, emulator, run

EXAMPLES = ("crash", "driver", "queue-server", "cpp")
STRICT = "-Wall -Wextra -Werror"
OTHER_CORES = (CORTEX_M7F, CORTEX_M33F)


def check(folder: Path) -> str:
    copy = folder / "examples"
    shutil.copytree(BULKHEAD / "examples", copy)
    _require_same_anywhere(folder, copy)
    for name in EXAMPLES:
        _require_expected(copy / name)
    for core in OTHER_CORES:
        _require_expected(_moved(copy / EXAMPLES[0], core, folder / core.name), core)
    return f"{', '.join(EXAMPLES)} print what is expected"


def _require_expected(example: Path, core: Core = CORTEX_M4F) -> None:
    said = run([*emulator(core), "-kernel", build(example)])
    if said != (example / "expected.txt").read_text().strip():
        raise TestError(f"{example.name} on {core.name} does not print expected.txt, but:\n{said}")


def _moved(example: Path, core: Core, folder: Path) -> Path:
    """Returns a copy of the example for another core."""
    copy = folder / example.name
    shutil.copytree(example, copy, ignore=shutil.ignore_patterns("build"))
    shutil.copytree(example.parent / "console", folder / "console")
    _replace(copy / "CMakeLists.txt", [(f"CPU {CORTEX_M4F.name}", f"CPU {core.name}")])
    _replace(copy / "system.toml", core.declared)
    return copy


def _replace(file: Path, changes: Iterable[tuple[str, str]]) -> None:
    text = file.read_text()
    for old, new in changes:
        text = text.replace(old, new)
    file.write_text(text)


def _require_same_anywhere(folder: Path, examples: Path) -> None:
    """Tests that an image does not depend on the folders of the kernel and the project, byte for
    byte.
    """
    kernel = folder / "some" / "where else" / "kernel"
    shutil.copytree(BULKHEAD, kernel, ignore=shutil.ignore_patterns("__pycache__"))
    project = folder / "a project"
    shutil.copytree(examples, project)
    there = build(project / EXAMPLES[0], kernel)
    if there.read_bytes() != build(examples / EXAMPLES[0]).read_bytes():
        raise TestError(f"the image of {EXAMPLES[0]} depends on the folders that it is built in")


def build(source: Path, bulkhead: Path = BULKHEAD) -> Path:
    build = source / "build"
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # ninja may be there
    environment = {**os.environ, "PATH": tools}
    run([
        "cmake", "-G", "Ninja", "-S", source, "-B", build, "-D", f"Bulkhead_DIR={bulkhead}/cmake",
        "-D", f"CMAKE_TOOLCHAIN_FILE={bulkhead}/cmake/arm-none-eabi.cmake",
        "-D", f"CMAKE_C_FLAGS={STRICT}", "-D", f"CMAKE_CXX_FLAGS={STRICT}",
        "-D", "CMAKE_BUILD_TYPE=MinSizeRel", "-D", f"Python3_EXECUTABLE={sys.executable}",
    ], environment)  # fmt: skip
    run(["cmake", "--build", build, "-j", "2"], environment)
    return build / f"{source.name}.elf"
