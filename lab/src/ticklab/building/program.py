# SPDX-License-Identifier: MIT
"""Commands that build the programs other than the images of cases: the tests of Bulkhead, of the
software kernels for several nodes and of the simulated hardware, the guests of the laboratory's own
tests, and programs that run on this machine.

Each of them is described by a `Program`: sources, flags and linker script. The flags of a core come
from platform/cores, and all others from here or from flags.py. No other file starts a compiler,
which quality/compilers.py checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ticklab.building import flags
from ticklab.description.architecture import Core

Words = list[str | Path]

_OBJECTS = ("-std=c11", "-g", "-ffunction-sections")
_CPP_OBJECTS = ("-std=c++17", "-g", "-ffunction-sections", "-fno-exceptions", "-fno-rtti")
_BARE = ("-ffreestanding", "-nostdlib", "-nostartfiles")
_SANITISED = ("-std=c11", "-g", "-O1", "-fsanitize=address,undefined")
# Flags for a model of a kernel, which runs as a program on this machine. Its addresses fit in 32
# bits (-no-pie). Its threads have small stacks, so all symbols must be resolved at start (-z now).
_MODEL = (
    *("-std=gnu11", "-O2", "-no-pie", "-ffunction-sections", "-Wl,-z,now,--gc-sections"),
    *("-Wno-pointer-to-int-cast", "-Wno-int-to-pointer-cast"),
)

WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror")


@dataclass(frozen=True)
class Program:
    """A program that one compiler command builds from sources and object files."""

    tool: Words  # the command of a kind of program, made by one of the functions below
    parts: Sequence[str | Path]  # sources and objects, in the order of the link
    script: Path | None = None  # linker script
    options: Sequence[str] = ()
    includes: Sequence[Path] = ()  # folders of headers
    libraries: Sequence[str] = ()

    def command(self, output: str | Path) -> Words:
        """Returns the command that builds the program as the file `output`."""
        script: Words = [] if self.script is None else ["-T", self.script]
        includes = [f"-I{folder}" for folder in self.includes]
        parts = [*self.parts, *self.libraries]
        return [*self.tool, *self.options, *script, *includes, *parts, "-o", output]


def compiler(core: Core) -> Words:
    """Returns the command words for a C compiler, with the flags for the core and the headers of
    its C library."""
    return [core.arch.compiler.program, *core.flags, *core.arch.compiler.compile_flags]


def objects(core: Core, level: str, words: Sequence[str | Path], options: Words) -> Words:
    """Returns the command that compiles one file of a kernel. The flags `words` come before the
    optimisation level, and `options` after it."""
    return [*compiler(core), *_OBJECTS, *words, flags.of_level(level), *options]


def cpp_objects(core: Core, level: str, words: Sequence[str | Path], options: Words) -> Words:
    """Returns the command that compiles a file in C++, as `objects` does for a file in C."""
    return [*compiler(core), *_CPP_OBJECTS, *words, flags.of_level(level), *options]


# --- Kinds of programs ----------------------------------------------------------------------------


def image(core: Core, listing: Path) -> Words:
    """Returns the command that links an image from object files that contain their own start-up
    code. The linker writes its map to `listing`."""
    sections = ["-Wl,--gc-sections,--orphan-handling=error", f"-Wl,-Map={listing}"]
    return [*compiler(core), "-nostartfiles", *core.arch.compiler.link_flags, *sections]


def freestanding(core: Core) -> Words:
    """Returns the command that builds a program without a C library."""
    warnings = flags.warning_flags(True)
    link = "-Wl,--no-warn-rwx-segments"
    return [core.arch.compiler.program, "-O2", *core.flags, *_BARE, *warnings, link]


def guest(core: Core) -> Words:
    """Returns the command that builds a guest for a test. Warnings are off, because such guests
    contain faults on purpose."""
    return [core.arch.compiler.program, *core.flags, "-nostdlib"]


def sanitised(warnings: Sequence[str]) -> Words:
    """Returns the command that builds a program for this machine with the sanitizers of the
    compiler."""
    return [_NATIVE, *_SANITISED, *warnings]


def model(warnings: Sequence[str]) -> Words:
    """Returns the command that builds a model of a kernel, which runs on this machine."""
    return [_NATIVE, *warnings, *_MODEL]


def first_process(core: Core, source: Path) -> Words:
    """Returns the command that builds init, the first process of a booted kernel, from the
    architecture's folder. The addresses of its code differ from those of scenarios, so that init
    passes no mark of a scenario."""
    return [*_of_system(core, source, "init.c"), "-Wl,-Ttext-segment=0x5b000000"]


def list_of_functions(core: Core, source: Path) -> Words:
    """Returns the command that builds a program that lists the functions of a booted kernel."""
    return _of_system(core, source, "functions.c")


def layout_of_trace(core: Core, source: Path) -> Words:
    """Returns the command that builds a program that prints the format of a booted kernel's
    trace."""
    return _of_system(core, source, "tracepoints.c")


def _of_system(core: Core, source: Path, name: str) -> Words:
    files = [source / "console.c", source / "init" / name]
    options = ["-std=c11", "-O2", *WARNINGS, f"-I{source / 'include'}", "-static"]
    return [*compiler(core), *options, *files]


def verifier() -> Words:
    """Returns the command that builds the verifier that the model checker SPIN generates."""
    return [_NATIVE, "-O1", "-w", "-DSAFETY"]


_NATIVE = "gcc"
