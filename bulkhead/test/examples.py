# SPDX-License-Identifier: MIT
"""Builds the examples as a user does: CMake configures and builds them outside this repository.

Each example must print its expected.txt on the emulator.
Needs cmake and ninja.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import events
from build import BULKHEAD, CORTEX_M4F, Core, TestError, emulator, run

from ticklab import __version__

EXAMPLES = ("crash", "driver", "lease", "queue-server", "cpp", "libc")
STRICT = "-Wall -Wextra -Werror"
_BUILT = shutil.ignore_patterns("build")


def check(folder: Path) -> str:
    copy = folder / "examples"
    shutil.copytree(BULKHEAD / "examples", copy)
    _require_same_anywhere(folder, copy)
    for name in EXAMPLES:
        require_expected(copy / name)
    _require_threads_of_a_log(copied(folder / "logged", EXAMPLES[0]))
    return f"{', '.join(EXAMPLES)} print what is expected"


def _require_threads_of_a_log(example: Path) -> None:
    """Tests that a reader of a log finds the names of threads in an image that the package builds,
    although that link removes data without references."""
    log = ('name = "steady"\n\n', 'name = "steady"\nlog_events = 4\n\n')
    _replace(example / "system.toml", [log, ("bytes = 64", "bytes = 256")])
    found = events.load("image").read(build(example))
    if not found.logs or len(found.identities) != len(found.threads):
        raise TestError(f"of {found.threads} an image with a log has {found.identities}")


def require_expected(example: Path, core: Core = CORTEX_M4F) -> Path:
    """Builds and runs an example, and returns its image."""
    built = build(example, core=core)
    said = run([*emulator(core), "-kernel", built])
    if said != (example / "expected.txt").read_text().strip():
        raise TestError(f"{example.name} on {core.name} does not print expected.txt, but:\n{said}")
    return built


def moved(example: Path, core: Core, folder: Path) -> Path:
    """Returns a copy of the example with the settings for another core."""
    copy = folder / example.name
    shutil.copytree(example, copy, ignore=_BUILT)
    shutil.copytree(example.parent / "console", folder / "console")
    targets = [str(each.described.rust_target) for each in (CORTEX_M4F, core)]
    cpu = (f"CPU {CORTEX_M4F.name}", f"CPU {core.name}")
    _replace(copy / "CMakeLists.txt", [cpu, (f"TARGET {targets[0]}", f"TARGET {targets[1]}")])
    _replace(copy / "system.toml", core.declared)
    return copy


def _replace(file: Path, changes: Iterable[tuple[str, str]]) -> None:
    text = file.read_text()
    for old, new in changes:
        text = text.replace(old, new)
    file.write_text(text)


def _require_same_anywhere(folder: Path, examples: Path) -> None:
    """Tests that an image does not depend on the folders of the kernel and the project, byte for
    byte: the other kernel is an installed one, which has a version.
    """
    kernel = _installed(folder / "some" / "where else")
    project = folder / "a project"
    shutil.copytree(examples, project)
    versioned = (
        "find_package(Bulkhead REQUIRED)",
        f"find_package(Bulkhead {__version__} REQUIRED)",
    )
    _replace(project / EXAMPLES[0] / "CMakeLists.txt", [versioned])
    there = build(project / EXAMPLES[0], kernel)
    if there.read_bytes() != build(examples / EXAMPLES[0]).read_bytes():
        raise TestError(f"the image of {EXAMPLES[0]} depends on the folders that it is built in")
    other = folder / "another version"
    shutil.copytree(project / EXAMPLES[0], other / "project", ignore=_BUILT)
    later = versioned[1].replace(__version__, "99.0")
    _replace(other / "project" / "CMakeLists.txt", [(versioned[1], later)])
    try:
        _configure(other / "project", kernel, CORTEX_M4F)
    except TestError as error:
        if "99.0" in str(error):
            return
    raise TestError("a project that asks for version 99 of Bulkhead finds another one")


def _installed(prefix: Path) -> Path:
    """Installs Bulkhead, and returns the folder of the installed kernel."""
    made = prefix.with_name("installation")
    run(["cmake", "-S", BULKHEAD, "-B", made, f"--install-prefix={prefix}"])
    run(["cmake", "--install", made])
    return prefix / "share" / "bulkhead"


def copied(folder: Path, name: str) -> Path:
    """Copies an example, with the console files that it includes. Returns the copy's folder."""
    for each in ("console", name):
        shutil.copytree(BULKHEAD / "examples" / each, folder / each)
    return folder / name


def build(source: Path, bulkhead: Path = BULKHEAD, core: Core = CORTEX_M4F) -> Path:
    environment = _configure(source, bulkhead, core)
    run(["cmake", "--build", source / "build", "-j", "2"], environment)
    return source / "build" / f"{source.name}.elf"


def _configure(source: Path, bulkhead: Path, core: Core) -> dict[str, str]:
    """Configures a project, and returns the environment of its build."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # ninja may be there
    environment = {**os.environ, "PATH": tools}
    triple = core.described.arch.compiler.triple
    run([
        "cmake", "-G", "Ninja", "-S", source, "-B", source / "build",
        "-D", f"Bulkhead_DIR={bulkhead}/cmake",
        "-D", f"CMAKE_TOOLCHAIN_FILE={bulkhead}/cmake/{triple}.cmake",
        "-D", f"CMAKE_C_FLAGS={STRICT}", "-D", f"CMAKE_CXX_FLAGS={STRICT}",
        "-D", "CMAKE_BUILD_TYPE=MinSizeRel", "-D", f"Python3_EXECUTABLE={sys.executable}",
    ], environment)  # fmt: skip
    return environment
