# SPDX-License-Identifier: MIT
"""Measures the memory of a kernel: the bytes of an image by owner, and the bytes of each kind of
object.

The map of the linker lists the sections of each object file in the image; dropped sections cost
nothing. The control blocks of objects are structures, whose sizes are in the debug information.
Figures are counted, in bytes. With link-time optimisation, sections have no object file, and so no
owner. Services of the port that are inlined are code of the scenario.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from ticklab import paths
from ticklab.building import rust_library
from ticklab.building.plan import JOINED
from ticklab.description.model import Case
from ticklab.errors import TicklabError

# Two scenarios that every kernel runs: one only switches tasks, and one uses an object.
SCENARIOS = ("cooperative-scheduling", "message-processing")


class Owner(StrEnum):
    """The owner of a section of the image."""

    KERNEL = "kernel"
    PORT = "port"  # implementation of port.h for the kernel
    REST = "rest"  # scenario, harness, platform and library


@dataclass(frozen=True)
class Footprint:
    """Bytes. Initial values lie in code memory and are copied into variables at start."""

    code: int = 0
    constants: int = 0
    initial: int = 0
    variables: int = 0  # initialised or not, with stacks and heaps

    def __add__(self, other: Footprint) -> Footprint:
        return Footprint(
            self.code + other.code,
            self.constants + other.constants,
            self.initial + other.initial,
            self.variables + other.variables,
        )


@dataclass(frozen=True)
class InputSection:
    """An input section as the linker placed it."""

    section: str
    bytes: int
    file: str
    output: str  # section of the image


def measure_image(image: Path, owner: Callable[[str], Owner]) -> Mapping[Owner, Footprint]:
    """Adds up an image. `owner` returns the owner of an object file. The map of the linker lies
    beside the image."""
    found = dict.fromkeys(Owner, Footprint())
    kinds = _kinds(image)
    origins = _origins(image.parent.parent / JOINED)
    for piece in pieces(_map_of(image).read_text(errors="replace")):
        kind = kinds.get(piece.output)
        if kind:
            part = owner(_origin_of(piece, origins))
            found[part] = found[part] + _sized(piece, kind)
    return found


def by_build(images: Iterable[tuple[Case, Path]]) -> dict[str, dict[str, dict[str, int]]]:
    """Returns bytes by scenario for each build ("kernel/config/optimise/board") with a kernel of
    its own: of SCENARIOS if the build has them, otherwise of its first scenario. A prebuilt kernel,
    and one that is part of the scenario's object, has no footprint."""
    builds: dict[str, dict[str, Path]] = {}
    for case, path in images:
        if case.variant.kernel.libraries or case.variant.kernel.is_async:
            continue
        builds.setdefault(case.variant.build, {}).setdefault(case.scenario.name, path)
    found = {build: dict(_summaries(scenarios)) for build, scenarios in builds.items()}
    return {build: scenarios for build, scenarios in found.items() if scenarios}


def _summaries(scenarios: Mapping[str, Path]) -> Iterator[tuple[str, dict[str, int]]]:
    for name in [name for name in SCENARIOS if name in scenarios] or list(scenarios)[:1]:
        parts = measure_image(scenarios[name], owner_by_folder)
        if any(asdict(parts[Owner.KERNEL]).values()):
            yield name, summary(parts)


def summary(parts: Mapping[Owner, Footprint]) -> dict[str, int]:
    """Returns bytes of the kernel's code, constants and variables, of its port, and of all code."""
    kernel = parts[Owner.KERNEL]
    return {
        "code": kernel.code,
        "constants": kernel.constants,
        "variables": kernel.variables,
        "port": parts[Owner.PORT].code,
        "image": sum(part.code for part in parts.values()),
    }


_RUNTIME_OF_RUST = "compiler_builtins"


def owner_by_folder(file: str) -> Owner:
    """Finds the owner by the folders of a build (build/plan.py): objects of a kernel are in
    `kernel`, generated ones in `generated`; files of a port have `port` in their name and come from
    the folder of the kernel, or from that of a kernel beside it (`up/NAME`). The library of a
    kernel in Rust has parts of the language's runtime."""
    parts = Path(file).parts
    if f"{rust_library.NAME}({_RUNTIME_OF_RUST}" in file:
        return Owner.REST
    if "kernel" not in parts[3:4] and "generated" not in parts:
        return Owner.REST
    is_in_folder = len(parts) == 5 or (len(parts) == 7 and parts[4] == "up" != parts[5])
    return Owner.PORT if is_in_folder and "port" in parts[-1] else Owner.KERNEL


# --- The scenario and the port, which are one object ----------------------------------------------

# The map of the join names its inputs; link-time optimisation renames a local object of the port if
# the scenario has one of the same name.
_INPUT = re.compile(r"^LOAD (\S+\.c\.o)$", re.MULTILINE)
_RENAMED = re.compile(r"\.lto_priv\.\d+$")


def _origin_of(piece: InputSection, origins: Mapping[str, str]) -> str:
    """Returns the object file whose source defines the section: a part of the joined object."""
    if PurePosixPath(piece.file).name != JOINED:
        return piece.file
    return origins.get(_RENAMED.sub("", piece.section), piece.file)


def _origins(joined: Path) -> dict[str, str]:
    """Returns the object of each section of a joined object; empty if the image has none. Each
    function and each variable has its own section, in the parts as in the whole."""
    file = joined.with_name(f"{joined.name}.map")
    if not file.is_file():
        return {}
    parts = _INPUT.findall(file.read_text(errors="replace"))
    return {section: part for part in parts for section in _sections(paths.builds() / part)}


def _sections(file: Path) -> list[str]:
    with file.open("rb") as stream:
        return [section.name for section in ELFFile(stream).iter_sections()]


# --- The linker's map -----------------------------------------------------------------------------

_BEGIN = "Linker script and memory map"
_OUTPUT = re.compile(r"^(?P<name>[.\w][^\s]*)")
_PIECE = re.compile(r"^ (?P<name>[.\w]\S*)\s+0x[0-9a-f]+\s+0x(?P<bytes>[0-9a-f]+) (?P<file>\S.*)$")


def pieces(text: str) -> Iterator[InputSection]:
    """Reads the map of GNU ld, which puts a long name on a line before its numbers."""
    output = ""
    for line in _joined(text.partition(_BEGIN)[2].splitlines()):
        if piece := _PIECE.match(line):
            section, file = _origin(piece["name"], piece["file"])
            yield InputSection(section, int(piece["bytes"], 16), file, output)
        elif name := _OUTPUT.match(line):
            output = name["name"]


def _origin(section: str, file: str) -> tuple[str, str]:
    """Splits the name of a section in a kernel that is one closed object (build/plan.py), for
    example `.kernel.text.f~core/thread.c.o`, into its original section and object."""
    name, _, origin = section.partition("~")
    return (name.removeprefix(".kernel"), origin) if origin else (section, file)


def _joined(lines: list[str]) -> Iterator[str]:
    name = ""
    for line in lines:
        if re.fullmatch(r" ?[.\w]\S*", line):
            name = line
            continue
        yield name + line if name and line.startswith("   ") else line
        name = ""


def _kinds(image: Path) -> Mapping[str, str]:
    """Returns the kind of each section of the image that is loaded."""
    with image.open("rb") as stream:
        sections = list(ELFFile(stream).iter_sections())
    found = {}
    for section in sections:
        flags = section["sh_flags"]
        if flags & SH_FLAGS.SHF_ALLOC:
            stored = section["sh_type"] != "SHT_NOBITS"
            if flags & SH_FLAGS.SHF_WRITE:
                found[section.name] = "initial" if stored else "zero"
            else:
                found[section.name] = "code" if flags & SH_FLAGS.SHF_EXECINSTR else "constants"
    return found


# Of sections that the linker places in code.
_CONSTANTS = (".rodata", ".srodata", ".ARM", ".init_array", ".fini_array", ".eh_frame")


def _sized(piece: InputSection, kind: str) -> Footprint:
    if piece.section.startswith((".bss", ".noinit", ".stack", "COMMON")) or kind == "zero":
        return Footprint(variables=piece.bytes)
    if kind == "initial":
        return Footprint(initial=piece.bytes, variables=piece.bytes)
    if kind == "constants" or piece.section.startswith(_CONSTANTS):
        return Footprint(constants=piece.bytes)
    return Footprint(code=piece.bytes)


def _map_of(image: Path) -> Path:
    file = image.with_name(image.name + ".map")
    if not file.is_file():
        raise TicklabError(f"no linker map beside {image}", "build it again")
    return file


# --- Objects --------------------------------------------------------------------------------------


def structure_bytes(image: Path, names: Mapping[str, str]) -> dict[str, int]:
    """Returns sizes by kind of object. `names` gives the structure of each kind. Kinds that the
    image does not use are missing."""
    sizes = _structures(image, set(names.values()))
    return {kind: sizes[name] for kind, name in names.items() if name in sizes}


def _structures(image: Path, wanted: set[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    with image.open("rb") as stream:
        file = ELFFile(stream)
        if not file.has_dwarf_info():
            raise TicklabError(f"{image} has no debug information", "build it with -g")
        for unit in file.get_dwarf_info().iter_CUs():
            if len(found) < len(wanted):
                found |= _structures_of(unit, wanted)
    return found


def _structures_of(unit: CompileUnit, wanted: set[str]) -> dict[str, int]:
    found = {}
    for entry in _definitions(unit.get_top_DIE()):
        name = entry.attributes.get("DW_AT_name")
        size = entry.attributes.get("DW_AT_byte_size")  # a definition
        if name and size and entry.tag == "DW_TAG_structure_type":
            text = name.value.decode(errors="replace")
            if text in wanted:
                found[text] = size.value
    return found


def _definitions(parent: DIE) -> Iterator[DIE]:
    """Yields what a unit defines: in Rust, inside the namespaces of its modules."""
    for entry in parent.iter_children():
        if entry.tag == "DW_TAG_namespace":
            yield from _definitions(entry)
        else:
            yield entry
