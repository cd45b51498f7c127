# SPDX-License-Identifier: MIT
"""Builds the examples as a user does: CMake configures and builds them outside this repository.

Each example must print its expected.txt on the emulator. Needs cmake and ninja.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

BULKHEAD = Path(__file__).resolve().parents[1]
EXAMPLES = ("crash", "driver", "queue-server")

Run = Callable[[list[str | Path], dict[str, str]], str]  # runs a command; returns its output


def check(folder: Path, run: Run, emulator: list[str]) -> Iterator[str]:
    copy = folder / "examples"
    shutil.copytree(BULKHEAD / "examples", copy)
    yield _is_same_anywhere(folder, copy, run)
    for name in EXAMPLES:
        image = _build(copy / name, run)
        said = run([*emulator, "-kernel", image], dict(os.environ))
        if said != (copy / name / "expected.txt").read_text().strip():
            sys.exit(f"error: example {name} does not print its expected.txt, but:\n{said}")
        yield f"example {name}: {len(said.splitlines())} lines as expected"


def _is_same_anywhere(folder: Path, examples: Path, run: Run) -> str:
    """Tests that an image does not depend on the folders of the kernel and the project, byte for
    byte.
    """
    kernel = folder / "some" / "where else" / "kernel"
    shutil.copytree(BULKHEAD, kernel, ignore=shutil.ignore_patterns("__pycache__"))
    project = folder / "a project"
    shutil.copytree(examples, project)
    there = _build(project / EXAMPLES[0], run, kernel)
    if there.read_bytes() != _build(examples / EXAMPLES[0], run).read_bytes():
        sys.exit(f"error: the image of {EXAMPLES[0]} depends on the folders that it is built in")
    return f"example {EXAMPLES[0]}: the same bytes in other folders"


def _build(source: Path, run: Run, bulkhead: Path = BULKHEAD) -> Path:
    build = source / "build"
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # ninja may be there
    environment = {**os.environ, "PATH": tools}
    run([
        "cmake", "-G", "Ninja", "-S", source, "-B", build, "-D", f"Bulkhead_DIR={bulkhead}/cmake",
        "-D", f"CMAKE_TOOLCHAIN_FILE={bulkhead}/cmake/arm-none-eabi.cmake",
        "-D", "CMAKE_BUILD_TYPE=MinSizeRel", "-D", f"Python3_EXECUTABLE={sys.executable}",
    ], environment)  # fmt: skip
    run(["cmake", "--build", build, "-j", "2"], environment)
    return build / f"{source.name}.elf"
