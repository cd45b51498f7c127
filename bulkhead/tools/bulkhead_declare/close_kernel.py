# SPDX-License-Identifier: MIT
"""Links the kernel into one closed object: an object file whose symbols are local, so that
application code cannot replace them.

The kernel's objects, its tables, vectors and start-up code are linked with each other first. Then
every symbol becomes local except those that the interface (interface.py) lists. So a function of
the application cannot replace a kernel function of the same name. The kernel's sections are renamed
to `.kernel.…`, a name that the linker script matches only in this object.

The tool refuses:

- an object that was compiled for link-time optimisation, because the final link could then move
  kernel code into the code of processes;
- an object with a constructor, because the kernel calls none;
- a symbol that the kernel needs and that neither the kernel nor the interface has.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from bulkhead_declare import interface
from bulkhead_declare.elf import COMMON, UNDEFINED, Elf, ElfError
from bulkhead_declare.interface import ORIGIN, SECTION_PREFIX, Interface

_LTO = (".gnu.lto_", ".gnu.offload_lto_")
_CONSTRUCTORS = (".init_array", ".preinit_array", ".ctors", ".fini_array", ".dtors")


class ClosingError(Exception):
    """Raised if something cannot be part of the kernel. The message is one line that says what, and
    what to change."""


def close(objects: Sequence[Path], output: Path, allowed: Interface, linker: Sequence[str]) -> None:
    """Links the objects with each other and writes the closed object. Raises ClosingError."""
    for mistake in _mistakes_of_objects(objects):
        raise ClosingError(mistake)
    with tempfile.TemporaryDirectory() as folder:
        joined = Path(folder, "joined.o")
        _join(objects, joined, linker)
        for mistake in _mistakes_of_whole(joined, allowed):
            raise ClosingError(mistake)
        _localise(joined, output, allowed, linker)


def _mistakes_of_objects(objects: Iterable[Path]) -> Iterator[str]:
    for file in objects:
        for section in Elf(file).sections:
            if section.name.startswith(_LTO):
                yield f"{file} is compiled for link-time optimisation; compile it with -fno-lto"
            if section.name.startswith(_CONSTRUCTORS) and section.size:
                yield f"{file} has a constructor, which the kernel does not call; remove it"


def _mistakes_of_whole(joined: Path, allowed: Interface) -> Iterator[str]:
    for symbol in Elf(joined).symbols:
        if symbol.section == UNDEFINED and symbol.name not in allowed.imports:
            yield f"the kernel uses {symbol.name}, which it does not define; add the file that does"
        if symbol.section == COMMON:
            yield f"{symbol.name} is a common symbol of the kernel; compile it with -fno-common"
        if symbol.section != UNDEFINED and symbol.name in allowed.entries:
            yield f"a thread's entry {symbol.name} has the name of a kernel function; rename it"


def _join(objects: Sequence[Path], joined: Path, linker: Sequence[str]) -> None:
    script = joined.with_suffix(".ld")
    script.write_text("\n".join(("SECTIONS {", *_sections(objects), "}", "")))
    _run([
        *linker, "-r", "-nostdlib", "-nostartfiles", "-Wl,--unique,--no-gc-sections",
        f"-T{script}", *map(str, objects), "-o", str(joined),
    ])  # fmt: skip


def _sections(objects: Iterable[Path]) -> Iterator[str]:
    """Writes a rule for each section, which keeps the section separate so that the final link can
    leave it out if it is unused, and renames it. The new name contains the name of the source file:
    .kernel.text.f~core/thread.c.o."""
    for file in objects:
        origin = "_".join(str(file).split())  # a name of a section has no space
        for name in dict.fromkeys(each.name for each in Elf(file).sections if each.is_allocated):
            yield f'  "{SECTION_PREFIX}{name}{ORIGIN}{origin}" 0 : {{ "{file}"({name}) }}'


def _localise(joined: Path, output: Path, allowed: Interface, linker: Sequence[str]) -> None:
    objcopy = _run([linker[0], "-print-prog-name=objcopy"]).strip()
    kept = joined.with_suffix(".txt")
    kept.write_text("".join(f"{name}\n" for name in allowed.exports))
    _run([
        objcopy, f"--redefine-sym={allowed.entry}={interface.RESET}",
        f"--keep-global-symbols={kept}", str(joined), str(output),
    ])  # fmt: skip


def _run(command: Sequence[str]) -> str:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        told = [line for line in result.stderr.splitlines() if "error" in line or ": " in line]
        raise ClosingError("\n".join(told) or f"{command[0]} ended with status {result.returncode}")
    return result.stdout


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    interface.add_options(parser)
    parser.add_argument("--linker", required=True, help="the GCC that links")
    parser.add_argument(
        "--flag", action="append", default=[], help="an option of that GCC; repeatable"
    )
    parser.add_argument(
        "--export",
        action="append",
        default=[],
        help="for tests: one more symbol of the kernel that stays global; repeatable",
    )
    parser.add_argument("--output", type=Path, required=True, help="the closed object to write")
    parser.add_argument("objects", type=Path, nargs="+", help="the objects of the kernel")
    given = parser.parse_args(words)
    try:
        allowed = interface.read(given.interface).extended(given.export, given.imports)
        linker = [given.linker, *given.flag]
        close(given.objects, given.output, allowed, linker)
    except (ClosingError, ElfError, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
