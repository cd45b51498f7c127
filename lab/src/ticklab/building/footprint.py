# SPDX-License-Identifier: MIT
"""Measures the memory of a kernel: the bytes of an image by owner (kernel, port or rest), and the
bytes of each kind of kernel object.

The linker's map lists the sections that each object file contributes to the image; sections that
the linker dropped cost nothing. The control blocks of kernel objects are structures, whose sizes
are in the debug information. Figures are counted, in bytes. Under link-time optimisation, sections
belong to no object file, and so have no owner. Services of the port that are inlined count as code
of the scenario.
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

# The image of each of these scenarios is measured. Every kernel runs both: the first only switches
# tasks, and the second uses a kernel object.
SCENARIOS = ("cooperative-scheduling", "message-processing")


class Owner(StrEnum):
    """The owner of a section of the image: the kernel, its port, or the rest."""

    KERNEL = "kernel"
    PORT = "port"  # implementation of port.h for the kernel
    REST = "rest"  # scenario, harness, platform and library


@dataclass(frozen=True)
class Footprint:
    """Sizes in bytes. The initial values of variables count as code memory, from which they are
    copied into RAM at start."""

    code: int = 0
    constants: int = 0
    initial: int = 0
    variables: int = 0  # initialised or not, stacks and heaps included

    def __add__(self, other: Footprint) -> Footprint:
        return Footprint(
            self.code + other.code,
            self.constants + other.constants,
            self.initial + other.initial,
            self.variables + other.variables,
        )


@dataclass(frozen=True)
class InputSection:
    """A section of an object file, as the linker placed it in the image."""

    section: str
    bytes: int
    file: str
    output: str  # section of the image


def measure_image(image: Path, owner: Callable[[str], Owner]) -> Mapping[Owner, Footprint]:
    """Returns the footprint of each owner in an image. `owner` maps the name of an object file to
    its owner. The linker's map must lie beside the image."""
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
    """Returns the bytes of each part of the image, by scenario, for each build
    ("kernel/config/optimise/board"). Uses the scenarios of SCENARIOS if the build has them,
    otherwise its first scenario. Leaves out prebuilt kernels, and kernels that are compiled
    together with the scenario."""
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
    """Returns the bytes of the kernel's code, constants and variables, of its port's code, and of
    all code."""
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
    """Returns the owner of an object file by its folder in the build (building/plan.py). Object
    files of a kernel are in the folder `kernel`, and generated object files in `generated`. Object
    files of a port have `port` in their names and come from the kernel's folder, or from the folder
    of a kernel beside it (`up/NAME`). For a kernel in Rust, parts of the language's runtime count
    as kernel, too."""
    parts = Path(file).parts
    if f"{rust_library.NAME}({_RUNTIME_OF_RUST}" in file:
        return Owner.REST
    if "kernel" not in parts[3:4] and "generated" not in parts:
        return Owner.REST
    is_in_folder = len(parts) == 5 or (len(parts) == 7 and parts[4] == "up" != parts[5])
    return Owner.PORT if is_in_folder and "port" in parts[-1] else Owner.KERNEL


# --- The scenario and the port, which are one object ----------------------------------------------

# Matches the names of the joined object files in the linker map of the join. Link-time optimisation
# renames a local symbol of the port if the scenario has a local symbol with the same name.
_INPUT = re.compile(r"^LOAD (\S+\.c\.o)$", re.MULTILINE)
_RENAMED = re.compile(r"\.lto_priv\.\d+$")


def _origin_of(piece: InputSection, origins: Mapping[str, str]) -> str:
    """Returns the object file that defines a section. For a section of the object that joins
    scenario and port, this is the original object file, before the join."""
    if PurePosixPath(piece.file).name != JOINED:
        return piece.file
    return origins.get(_RENAMED.sub("", piece.section), piece.file)


def _origins(joined: Path) -> dict[str, str]:
    """Returns the original object file of each section of a joined object; empty if the image has
    no joined object. The join keeps the names of sections, and each function and each variable has
    a section of its own."""
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
    """Parses the linker map of GNU ld. After a long section name, the numbers are on the next
    line."""
    output = ""
    for line in _joined(text.partition(_BEGIN)[2].splitlines()):
        if piece := _PIECE.match(line):
            section, file = _origin(piece["name"], piece["file"])
            yield InputSection(section, int(piece["bytes"], 16), file, output)
        elif name := _OUTPUT.match(line):
            output = name["name"]


def _origin(section: str, file: str) -> tuple[str, str]:
    """Splits the name of a section of a kernel that is linked into one closed object
    (building/plan.py), for example `.kernel.text.f~core/thread.c.o`, into the original section and
    object file."""
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
    """Returns for each loaded section of the image whether it is code, constants or variables."""
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


# Names of sections with constants, which the linker also places in code memory.
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
    """Returns the size in bytes of each kind of kernel object. `names` maps a kind to the name of
    its structure. The result has no entry for a kind whose structure the image does not contain."""
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
        # Only definitions have this attribute; declarations have none.
        size = entry.attributes.get("DW_AT_byte_size")
        if name and size and entry.tag == "DW_TAG_structure_type":
            text = name.value.decode(errors="replace")
            if text in wanted:
                found[text] = size.value
    return found


def _definitions(parent: DIE) -> Iterator[DIE]:
    """Yields the definitions in a compilation unit. In Rust, they are nested in the namespaces of
    modules."""
    for entry in parent.iter_children():
        if entry.tag == "DW_TAG_namespace":
            yield from _definitions(entry)
        else:
            yield entry
