# SPDX-License-Identifier: MIT
"""The examples as a user has them: configured and built by CMake outside this repository.

Each must print its expected.txt on the emulator. Needs cmake and ninja.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

BULKHEAD = Path(__file__).resolve().parents[1]
EXAMPLES = ("crash", "driver", "queue-server")

Run = Callable[[list[str | Path], dict[str, str]], str]  # what a command prints; it must succeed


def check(folder: Path, run: Run, emulator: list[str]) -> Iterator[str]:
    copy = folder / "examples"
    shutil.copytree(BULKHEAD / "examples", copy)
    for name in EXAMPLES:
        image = _build(copy / name, run)
        said = run([*emulator, "-kernel", image], dict(os.environ))
        if said != (copy / name / "expected.txt").read_text().strip():
            sys.exit(f"error: example {name} does not print its expected.txt, but:\n{said}")
        yield f"example {name}: {len(said.splitlines())} lines as expected"


def _build(source: Path, run: Run) -> Path:
    build = source / "build"
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # ninja may be there
    environment = {**os.environ, "PATH": tools}
    run([
        "cmake", "-G", "Ninja", "-S", source, "-B", build, "-D", f"Bulkhead_DIR={BULKHEAD}/cmake",
        "-D", f"CMAKE_TOOLCHAIN_FILE={BULKHEAD}/cmake/arm-none-eabi.cmake",
        "-D", "CMAKE_BUILD_TYPE=MinSizeRel", "-D", f"Python3_EXECUTABLE={sys.executable}",
    ], environment)  # fmt: skip
    run(["cmake", "--build", build, "-j", "2"], environment)
    return build / f"{source.name}.elf"
