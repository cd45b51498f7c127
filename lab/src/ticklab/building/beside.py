# SPDX-License-Identifier: MIT
"""Finds the parts of an image that come from programs of other projects: the sources of a workload
that runs beside the kernel, and the executable files of a program that runs under a booted kernel
(bench/suites/rt-tests).

The functions read no file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ticklab import paths
from ticklab.description.model import Case, GuestProgram, Workload

# The assembler file in the scenario's folder that includes the executable files as data.
_LIST = "files.S"


# --- A workload, compiled into the image ----------------------------------------------------------


def root(workload: Workload) -> Path:
    return paths.package(workload.source.package) / workload.source.folder


def sources(workload: Workload) -> list[Path]:
    return [root(workload) / name.removeprefix("@/") for name in workload.sources]


def flags(workload: Workload) -> tuple[str, ...]:
    """Returns the compiler flags of the workload's sources."""
    defines = [f"-D{name}={value}" for name, value in workload.defines.items()]
    return (*_includes(workload, "-I"), *defines, *workload.flags)


def _includes(workload: Workload, option: str) -> tuple[str, ...]:
    folders = (root(workload) / name.removeprefix("@/") for name in workload.includes)
    return tuple(word for folder in folders for word in (option, str(folder)))


# --- A program, whose files are data of the image -------------------------------------------------


def list_of_files(case: Case) -> Path:
    return case.scenario.file.with_name(_LIST)


def files(program: GuestProgram) -> tuple[Path, ...]:
    """Returns the executable files that the image contains, which were extracted from packages."""
    return tuple(each.path for each in (program.file, *program.others))


def file_flags(program: GuestProgram, triple: str) -> tuple[str, ...]:
    """Returns the flags for the assembler file that includes the executable files. The assembler
    looks for them in the folders for headers. The guest's C library comes from the compiler's
    packages (Debian's folder for `triple`)."""
    library = f"/usr/{triple}/lib"
    folders = dict.fromkeys((*(str(file.parent) for file in files(program)), library))
    return (*(f"-I{folder}" for folder in folders), f'-DPROGRAM="{program.file.path.name}"')


def _arguments(program: GuestProgram) -> Iterator[str]:
    """Yields the arguments of the program as C string literals."""
    for word in program.arguments:
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        yield f'"{escaped}"'


# --- Workloads and programs -----------------------------------------------------------------------


def of_scenario(case: Case) -> tuple[str, ...]:
    """Returns the compiler flags of a scenario that runs a workload or a program."""
    workload, program = case.scenario.workload, case.scenario.program
    includes = _includes(workload, "-isystem") if workload else ()
    return (*includes, *_defines(program)) if program else includes


def _defines(program: GuestProgram) -> tuple[str, ...]:
    return (f"-DPROGRAM_ARGUMENTS={', '.join(_arguments(program))}",)
