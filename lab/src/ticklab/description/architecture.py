# SPDX-License-Identifier: MIT
"""Reads platform/arch/<name>/arch.toml and platform/cores/<name>.toml, which describe an
instruction set and a processor core (docs/reference/descriptions.md explains the keys).

The set-up also reads the names of programs and packages from arch.toml (bootstrap/tables.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal, TypeVar

from msgspec import Meta

from ticklab import names, paths
from ticklab.description import folders, table
from ticklab.description.keys import Natural, Text, Texts
from ticklab.description.table import Place, Table

Thing = TypeVar("Thing")

_MINIMUM = "the least version, as a list of numbers"


class Compiler(Table, frozen=True):
    """The GCC that compiles for an architecture, with its C library."""

    triple: Annotated[Text, Meta(description="prefix of the programs of GCC and of binutils")]
    minimum_version: Annotated[tuple[Natural, ...], Meta(description=_MINIMUM)]
    packages: Annotated[
        Texts, Meta(description="Debian's packages: the compiler, then its C library")
    ]
    library: Annotated[Text, Meta(description="the file by which the compiler finds its C library")]
    compile_flags: Annotated[
        Texts, Meta(description="compiler flags that select the headers of the C library")
    ] = ()
    link_flags: Annotated[Texts, Meta(description="linker flags that select the C library")] = ()
    hosted: Annotated[
        bool,
        Meta(
            description="whether images are programs of a system: the C library starts them, and "
            "the architecture's linker script adds to that of the linker"
        ),
    ] = False

    @property
    def program(self) -> str:
        return f"{self.triple}-gcc"


class Emulator(Table, frozen=True):
    """The QEMU that emulates an architecture. Text that the guest prints goes to the character
    device `con`."""

    program: Annotated[Text, Meta(description="the QEMU of this architecture")]
    minimum_version: Annotated[tuple[Natural, ...], Meta(description=_MINIMUM)]
    packages: Annotated[Texts, Meta(description="Debian's packages")]
    options: Annotated[
        Texts, Meta(description="how the guest's text reaches the character device `con`")
    ]
    interrupt_controller: Annotated[
        Literal["nvic", "gic", "aclint"],
        Meta(
            description="the interrupt controller whose events `interrupt_events` names (default "
            "nvic)"
        ),
    ] = "nvic"
    interrupt_events: Annotated[
        Texts,
        Meta(
            description="QEMU's trace events of the interrupt controller, from which `profile` "
            "computes latencies of interrupts; without any, `profile` shows no "
            "latencies"
        ),
    ] = ()
    few_interrupt_events: Annotated[
        Texts,
        Meta(
            description="a smaller set of QEMU's trace events, which takes less time. `profile` "
            "uses these events first, and repeats the run with `interrupt_events` if "
            "the latencies are not exact, for example because a handler serves several "
            "interrupts or the vector table changes; without any, `profile` always uses "
            "`interrupt_events`"
        ),
    ] = ()
    derived_interrupt_event: Annotated[
        Text | None,
        Meta(
            description="the event of `few_interrupt_events` that reports the guest's writes to "
            "the interrupt controller. The observer can derive these writes from the code "
            "if it stores constants, so `profile` first leaves this event out"
        ),
    ] = None


class Architecture(Table, frozen=True):
    """One instruction set: platform/arch/<name>/arch.toml."""

    name: Annotated[Text, Meta(description="name of the folder")]
    title: Annotated[Text, Meta(description="name for people")]
    elf_machine: Annotated[
        Text, Meta(description="the machine of its ELF files: `e_machine` without `EM_`")
    ]
    has_reset_vectors: Annotated[
        bool,
        Meta(
            description="whether a core loads its stack and its first instruction from a table at "
            "the board's `vectors`; images are checked for the table"
        ),
    ]
    compiler: Compiler
    emulator: Emulator
    faults: Annotated[
        dict[Natural, Text], Meta(description="exception number → name of the fault")
    ] = {}

    @property
    def objdump(self) -> str:
        return f"{self.compiler.triple}-objdump"


class ArchitectureFile(Table, frozen=True):
    """The file arch.toml: what the host tool knows about an instruction set."""

    arch: Architecture


class CoreTable(Table, frozen=True):
    """One processor core: platform/cores/<name>.toml."""

    name: Annotated[Text, Meta(description="name of the file")]
    title: Annotated[Text, Meta(description="name for people")]
    arch: Annotated[Text, Meta(description="a folder of `platform/arch`")]
    has_fpu: Annotated[bool, Meta(description="whether code may use floating-point registers")]
    has_cycle_model: Annotated[
        bool,
        Meta(
            description="whether the observer has a cycle model of it; otherwise figures are "
            "counted only"
        ),
    ]
    executes: Annotated[
        Texts,
        Meta(
            description="the architectures of images that it executes, as their attributes name "
            "them"
        ),
    ]
    flags: Annotated[
        Texts,
        Meta(description="the compiler's flags that choose the core and the floating-point ABI"),
    ]
    rust_target: Annotated[
        Text | None,
        Meta(description="rustc's target for the core; without it, no kernel in Rust runs on it"),
    ] = None


class CoreFile(Table, frozen=True):
    """A file in platform/cores, which describes one processor core."""

    core: CoreTable


@dataclass(frozen=True)
class Core:
    """One processor core, with its architecture."""

    name: str
    title: str
    arch: Architecture
    has_fpu: bool
    has_cycle_model: bool  # in observer/; without a model, figures of the core are counted only
    # Architectures whose images the core executes, named as in the attributes of an image.
    executes: tuple[str, ...]
    flags: tuple[str, ...]  # compiler flags that choose the core
    rust_target: str | None = None  # name of the target for rustc


@cache
def architectures() -> Mapping[str, Architecture]:
    """Returns the architectures of this checkout, by name."""
    return {
        name: table.read(folder / folders.ARCHITECTURES.file, ArchitectureFile)[0].arch
        for name, folder in folders.ARCHITECTURES.every().items()
    }


@cache
def cores() -> Mapping[str, Core]:
    """Returns the cores of this checkout, by name."""
    files = sorted((paths.CHECKOUT / "platform" / "cores").glob("*.toml"))
    return {file.stem: _core(*table.read(file, CoreFile)) for file in files}


def of_machine(elf_machine: str) -> Architecture:
    """Returns an architecture whose images have this machine name in their ELF header. All
    architectures with one machine name have the same compiler."""
    return next(each for each in architectures().values() if each.elf_machine == elf_machine)


def fault_names(core: str) -> Mapping[int, str]:
    """Returns the names of a core's faults, by exception number; none for an unknown core."""
    return cores()[core].arch.faults if core in cores() else {}


def choose_core(place: Place, key: str, name: str) -> Core:
    """Returns the core that `key` names, or raises an error with a suggestion."""
    return choose(place, key, name, cores())


def choose(place: Place, key: str, name: str, known: Mapping[str, Thing]) -> Thing:
    """Returns the entry of `known` with this name. Raises an error with a suggestion, which names
    the key, if there is none."""
    if name not in known:
        place.fail(key, f"names '{name}'", names.suggestion(name, known))
    return known[name]


def _core(whole: CoreFile, place: Place) -> Core:
    found = whole.core
    arch = choose(place.inside("core"), "arch", found.arch, architectures())
    return Core(
        found.name, found.title, arch, found.has_fpu, found.has_cycle_model, found.executes,
        found.flags, found.rust_target,
    )  # fmt: skip
