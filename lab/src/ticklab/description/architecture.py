# SPDX-License-Identifier: MIT
"""Reads platform/arch/<name>/arch.toml and platform/cores/<name>.toml: all that the host tool knows
of an instruction set and of a core (docs/reference/descriptions.md explains the keys).

Uses the standard library alone, because the set-up takes the names of programs and packages from
these tables before it can install anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from ticklab import names, paths
from ticklab.description import toml_table
from ticklab.description.toml_table import Table

Thing = TypeVar("Thing")

# The architecture of the default board; the set-up always installs its programs.
DEFAULT = "armv7-m"


@dataclass(frozen=True)
class Compiler:
    """The GCC of an architecture, with its C library."""

    triple: str  # the prefix of its programs
    minimum_version: tuple[int, ...]
    packages: tuple[str, ...]  # of the compiler, then of its C library
    library: str  # the file by which the compiler finds its C library
    compile_flags: tuple[str, ...]  # that select the headers of the C library
    link_flags: tuple[str, ...]  # that select the C library

    @property
    def program(self) -> str:
        return f"{self.triple}-gcc"


@dataclass(frozen=True)
class Emulator:
    """The QEMU of an architecture. Text of the guest goes to the character device `con`."""

    program: str
    minimum_version: tuple[int, ...]
    packages: tuple[str, ...]
    options: tuple[str, ...]


@dataclass(frozen=True)
class Architecture:
    """One instruction set: platform/arch/<name>/arch.toml."""

    name: str
    title: str
    elf_machine: str  # e_machine without EM_
    has_reset_vectors: bool  # the core loads its stack and first instruction from a table
    compiler: Compiler
    emulator: Emulator
    faults: Mapping[int, str]  # exception number -> name

    @property
    def objdump(self) -> str:
        return f"{self.compiler.triple}-objdump"


@dataclass(frozen=True)
class Core:
    """One processor core: platform/cores/<name>.toml."""

    name: str
    title: str
    arch: Architecture
    has_fpu: bool
    has_cycle_model: bool  # in observer/; otherwise its figures are counted only
    executes: tuple[str, ...]  # architectures of images, as their attributes name them
    flags: tuple[str, ...]  # of the compiler, which choose the core


@cache
def architectures() -> Mapping[str, Architecture]:
    """Returns the architectures of this checkout, by name."""
    files = sorted((paths.CHECKOUT / "platform" / "arch").glob("*/arch.toml"))
    return {file.parent.name: _architecture(toml_table.read(file)) for file in files}


@cache
def cores() -> Mapping[str, Core]:
    """Returns the cores of this checkout, by name."""
    files = sorted((paths.CHECKOUT / "platform" / "cores").glob("*.toml"))
    return {file.stem: _core(toml_table.read(file)) for file in files}


def of_machine(elf_machine: str) -> Architecture:
    """Returns the architecture of an ELF file."""
    return next(each for each in architectures().values() if each.elf_machine == elf_machine)


def fault_names(core: str) -> Mapping[int, str]:
    """Returns the names of a core's faults, by exception number; none for an unknown core."""
    return cores()[core].arch.faults if core in cores() else {}


def choose_core(table: Table, key: str, name: str) -> Core:
    """Returns the core that `key` names, or raises an error with a suggestion."""
    return _choose(table, key, name, cores())


def _choose(table: Table, key: str, name: str, known: Mapping[str, Thing]) -> Thing:
    if name not in known:
        table.fail(key, f"names '{name}'", names.suggestion(name, known))
    return known[name]


def _architecture(whole: Table) -> Architecture:
    table = whole.table("arch")
    architecture = Architecture(
        name=table.text("name"),
        title=table.text("title"),
        elf_machine=table.text("elf_machine"),
        has_reset_vectors=table.flag("has_reset_vectors"),
        compiler=_compiler(table.table("compiler")),
        emulator=_emulator(table.table("emulator")),
        faults={int(number): name for number, name in table.mapping("faults").items()},
    )
    table.end()
    whole.end()
    return architecture


def _compiler(table: Table) -> Compiler:
    compiler = Compiler(
        triple=table.text("triple"),
        minimum_version=table.numbers("minimum_version"),
        packages=table.texts("packages"),
        library=table.text("library"),
        compile_flags=table.texts("compile_flags", ()),
        link_flags=table.texts("link_flags", ()),
    )
    table.end()
    return compiler


def _emulator(table: Table) -> Emulator:
    emulator = Emulator(
        program=table.text("program"),
        minimum_version=table.numbers("minimum_version"),
        packages=table.texts("packages"),
        options=table.texts("options"),
    )
    table.end()
    return emulator


def _core(whole: Table) -> Core:
    table = whole.table("core")
    core = Core(
        name=table.text("name"),
        title=table.text("title"),
        arch=_choose(table, "arch", table.text("arch"), architectures()),
        has_fpu=table.flag("has_fpu"),
        has_cycle_model=table.flag("has_cycle_model"),
        executes=table.texts("executes"),
        flags=table.texts("flags"),
    )
    table.end()
    whole.end()
    return core
