# SPDX-License-Identifier: MIT
"""The programs other than the images of cases: the tests of Bulkhead, of the nodes and of the
simulated hardware, guests of the laboratory's own tests, and programs of this machine.

Each is a Program: its parts, flags and linker script. The flags of a core come from platform/cores,
and the others from here or from flags.py. No other file starts a compiler (quality/compilers.py).
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
# The addresses of a model have 32 bits (no-pie), and the stacks of its threads are small (now).
_MODEL = (
    *("-std=gnu11", "-O2", "-no-pie", "-ffunction-sections", "-Wl,-z,now,--gc-sections"),
    *("-Wno-pointer-to-int-cast", "-Wno-int-to-pointer-cast"),
)

WARNINGS = ("-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror")


@dataclass(frozen=True)
class Program:
    """A program that one command builds from sources and objects."""

    tool: Words  # the compiler with the flags of a kind of program, one of the functions below
    parts: Sequence[str | Path]  # sources and objects, in the order of the link
    script: Path | None = None  # of the linker
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
    """Returns the compiler, and the flags that choose the core and the headers of its library."""
    return [core.arch.compiler.program, *core.flags, *core.arch.compiler.compile_flags]


def objects(core: Core, level: str, words: Sequence[str | Path], options: Words) -> Words:
    """Returns the command that compiles a file of a kernel. `words` come before the level, and
    `options` after it."""
    return [*compiler(core), *_OBJECTS, *words, flags.of_level(level), *options]


def cpp_objects(core: Core, level: str, words: Sequence[str | Path], options: Words) -> Words:
    """Returns the command that compiles a file in C++, as `objects` does for one in C."""
    return [*compiler(core), *_CPP_OBJECTS, *words, flags.of_level(level), *options]


# --- Kinds of programs ----------------------------------------------------------------------------


def image(core: Core, listing: Path) -> Words:
    """An image, linked from objects, with a start of its own. `listing` is the map that the linker
    writes."""
    sections = ["-Wl,--gc-sections,--orphan-handling=error", f"-Wl,-Map={listing}"]
    return [*compiler(core), "-nostartfiles", *core.arch.compiler.link_flags, *sections]


def freestanding(core: Core) -> Words:
    """A program without a C library."""
    warnings = flags.warning_flags(True)
    link = "-Wl,--no-warn-rwx-segments"
    return [core.arch.compiler.program, "-O2", *core.flags, *_BARE, *warnings, link]


def guest(core: Core) -> Words:
    """A guest of a test, which may have any fault."""
    return [core.arch.compiler.program, *core.flags, "-nostdlib"]


def sanitised(warnings: Sequence[str]) -> Words:
    """A program of this machine under the sanitizers."""
    return [_NATIVE, *_SANITISED, *warnings]


def model(warnings: Sequence[str]) -> Words:
    """A model of a kernel on this machine."""
    return [_NATIVE, *warnings, *_MODEL]


def first_process(core: Core, source: Path) -> Words:
    """Returns the command that builds the first process of a booted kernel, from the folder of its
    architecture. It has other addresses than scenarios, so that it passes none of their marks."""
    return [*_of_system(core, source, "init.c"), "-Wl,-Ttext-segment=0x5b000000"]


def list_of_functions(core: Core, source: Path) -> Words:
    """Returns the command that builds the program that lists the functions of a booted kernel."""
    return _of_system(core, source, "functions.c")


def layout_of_trace(core: Core, source: Path) -> Words:
    """Returns the command that builds the program that prints how a booted kernel lays out its
    trace."""
    return _of_system(core, source, "tracepoints.c")


def _of_system(core: Core, source: Path, name: str) -> Words:
    files = [source / "console.c", source / "init" / name]
    options = ["-std=c11", "-O2", *WARNINGS, f"-I{source / 'include'}", "-static"]
    return [*compiler(core), *options, *files]


def verifier() -> Words:
    """The verifier that SPIN generates."""
    return [_NATIVE, "-O1", "-w", "-DSAFETY"]


_NATIVE = "gcc"
