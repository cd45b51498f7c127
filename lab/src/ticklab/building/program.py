# SPDX-License-Identifier: MIT
"""The commands that compile programs other than the images of cases: the tests of Bulkhead, of the
nodes and of the simulated hardware, guests of the laboratory's own tests, and programs of this
machine.

The flags of a core come from platform/cores, and the others from here or from flags.py. No other
file starts a compiler (quality/compilers.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ticklab.building import flags
from ticklab.description.architecture import Core

Words = list[str | Path]

_OBJECTS = ("-std=c11", "-g", "-ffunction-sections")
_BARE = ("-ffreestanding", "-nostdlib", "-nostartfiles")
_SANITISED = ("-std=c11", "-g", "-O1", "-fsanitize=address,undefined")
# The addresses of a model have 32 bits (no-pie), and the stacks of its threads are small (now).
_MODEL = (
    *("-std=gnu11", "-O2", "-no-pie", "-ffunction-sections", "-Wl,-z,now,--gc-sections"),
    *("-Wno-pointer-to-int-cast", "-Wno-int-to-pointer-cast"),
)

WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror")


def compiler(core: Core) -> Words:
    """Returns the compiler, and the flags that choose the core and the headers of its library."""
    return [core.arch.compiler.program, *core.flags, *core.arch.compiler.compile_flags]


def objects(core: Core, level: str, words: Sequence[str | Path], options: Words) -> Words:
    """Returns the command that compiles a file of a kernel. `words` come before the level, and
    `options` after it."""
    return [*compiler(core), *_OBJECTS, *words, flags.of_level(level), *options]


def image(core: Core, options: Sequence[str], script: Path, listing: Path) -> Words:
    """Returns the command that links objects to an image with a start of its own. `listing` is the
    map that the linker writes."""
    sections = ["-Wl,--gc-sections,--orphan-handling=error", f"-Wl,-Map={listing}"]
    library = core.arch.compiler.link_flags
    return [*compiler(core), *options, "-nostartfiles", *library, *sections, f"-T{script}"]


def freestanding(core: Core, script: Path, level: str = "O2") -> Words:
    """Returns the command that builds a program without a C library."""
    link = f"-Wl,-T,{script},--no-warn-rwx-segments"
    warnings = flags.warning_flags(True)
    program = core.arch.compiler.program
    return [program, flags.of_level(level), *core.flags, *_BARE, *warnings, link]


def guest(core: Core) -> Words:
    """Returns the command that builds a guest of a test, which may have any fault."""
    return [core.arch.compiler.program, *core.flags, "-nostdlib"]


def sanitised(warnings: Sequence[str]) -> Words:
    """Returns the command that builds a program of this machine under the sanitizers."""
    return [_NATIVE, *_SANITISED, *warnings]


def model(warnings: Sequence[str]) -> Words:
    """Returns the command that builds a model of a kernel on this machine."""
    return [_NATIVE, *warnings, *_MODEL]


def verifier(source: str, program: str) -> Words:
    """Returns the command that compiles the verifier that SPIN generates."""
    return [_NATIVE, "-O1", "-w", "-DSAFETY", "-o", program, source]


_NATIVE = "gcc"
