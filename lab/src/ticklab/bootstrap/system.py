# SPDX-License-Identifier: MIT
"""The system programs that Ticklab needs, with their minimum versions and their packages. The
programs of an architecture are in its description (platform/arch/<name>/arch.toml).

The set-up installs missing programs with apt, after it has printed their names and, on a terminal,
asked the user (consent.py). With $TICKLAB_NO_INSTALL=1 it fails instead and names the missing
programs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ticklab.bootstrap import tables
from ticklab.bootstrap.step import Log, digest, say
from ticklab.errors import TicklabError

Version = tuple[int, ...]


@dataclass(frozen=True)
class Program:
    name: str
    packages: tuple[str, ...]
    minimum: Version
    purpose: str
    # For a compiler: the file by which its C library is found.
    library: str | None = None
    header: str | None = None  # for a compiler: a header that belongs to another package


LINKER = Program("cc", ("gcc", "libc6-dev"), (), "links the observer")

# Programs that are needed to build the simulators of rtl/.
RTL = (
    Program("verilator", ("verilator",), (5,), "compiles hardware to simulators"),
    Program(
        "g++", ("g++", "nlohmann-json3-dev"), (10,), "builds the simulators",
        header="nlohmann/json.hpp",
    ),
    Program("make", ("make",), (), "builds the simulators"),
)  # fmt: skip


def compiler(arch: str) -> Program:
    """Returns the compiler for the architecture named `arch`."""
    whole = tables.architecture(arch)
    found = whole["compiler"]
    purpose = f"compiles kernels and scenarios for {whole['title']}"
    return _program(f"{found['triple']}-gcc", found, purpose, found["library"])


def emulator(arch: str) -> Program:
    """Returns the emulator for the architecture named `arch`."""
    whole = tables.architecture(arch)
    found = whole["emulator"]
    return _program(found["program"], found, f"runs images for {whole['title']}")


def _program(
    name: str, table: Mapping[str, Any], purpose: str, library: str | None = None
) -> Program:
    packages, minimum = tuple(table["packages"]), tuple(table["minimum_version"])
    return Program(name, packages, minimum, purpose, library)


def always() -> tuple[Program, ...]:
    """Returns the programs that every command needs."""
    return (*of_architecture(tables.DEFAULT), LINKER)


def of_architecture(arch: str) -> tuple[Program, ...]:
    return (emulator(arch), compiler(arch))


def identity(programs: Sequence[Program]) -> str:
    """Returns a hash that changes if one of the programs is replaced. Fast: takes a few system
    calls and starts no program."""
    parts = []
    for program in programs:
        found = shutil.which(program.name)
        stat = Path(found).stat() if found else None
        parts.append(f"{found} {stat.st_size} {stat.st_mtime_ns}" if stat else f"{program.name} -")
        parts += program.packages  # so that an additional package changes the hash
    return digest(parts)


def present(programs: Sequence[Program]) -> bool:
    return all(shutil.which(program.name) for program in programs)


def provide(log: Log, programs: Sequence[Program]) -> None:
    """Installs the missing programs and raises an error for programs that are too old."""
    if packages := missing(programs):
        install(log, packages)
    for program in programs:
        require(program)


def require(program: Program) -> Version:
    """Returns the program's version. Raises an error if the program is missing, incomplete or too
    old."""
    packages = " ".join(program.packages)
    if _missing(program):
        raise TicklabError(
            f"{program.name} ({program.purpose}) is not on PATH, or incomplete",
            f"install {packages}, or put it on PATH",
        )
    found = version(program)
    if found < program.minimum:
        raise TicklabError(
            f"{shutil.which(program.name)} is version {dotted(found)}, "
            f"and Ticklab needs {dotted(program.minimum)} or later",
            f"install a newer {packages}, or put one first on PATH",
        )
    return found


def version(program: Program) -> Version:
    """Returns the version that the program reports, or () if it reports none."""
    result = subprocess.run([program.name, "--version"], capture_output=True, text=True)
    found = re.search(r"(?:version|Verilator|\)) (\d+(?:\.\d+)+)", result.stdout)
    return tuple(int(number) for number in found[1].split(".")) if found else ()


def dotted(numbers: Version) -> str:
    return ".".join(str(number) for number in numbers) or "unknown"


def install(log: Log, packages: Sequence[str]) -> None:
    """Installs packages of the distribution, as root or with sudo."""
    names = " ".join(packages)
    by_hand = f"install {names} and try again"
    with _apt:
        prepare(log, by_hand)
        say(f"installing system packages with apt: {names}")
        log.run("apt", [*_as_root(by_hand), *_APT, "install", *packages], by_hand)


def prepare(log: Log, by_hand: str) -> None:
    """Updates apt's package lists once in a set-up, because they are empty on a new machine. If
    Ticklab must not install packages, raises an error with the advice `by_hand`."""
    if not installs():
        raise TicklabError("programs are missing that Ticklab does not install here", by_hand)
    with _apt:
        if not _lists_are_read.is_set():
            say("reading package lists with apt")
            log.run("apt-get update", [*_as_root(by_hand), *_APT, "update"], by_hand)
            _lists_are_read.set()


def missing(programs: Sequence[Program]) -> list[str]:
    """Returns the packages of the programs that are missing or incomplete."""
    return [package for program in programs for package in _missing(program)]


def installs() -> bool:
    """Returns whether the set-up may install packages on this machine, and apt-get exists."""
    return not os.environ.get("TICKLAB_NO_INSTALL") and bool(shutil.which("apt-get"))


def _missing(program: Program) -> tuple[str, ...]:
    if not shutil.which(program.name):
        return program.packages
    is_whole = (not program.library or _has_library(program)) and (
        not program.header or _has_header(program)
    )
    return () if is_whole else program.packages[1:]


def _has_library(program: Program) -> bool:
    """Returns whether the compiler finds its C library, which Debian packages separately. Without
    the library, the compiler prints the file name without a folder."""
    command = [program.name, f"-print-file-name={program.library}"]
    answer = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return Path(answer).is_absolute()


def _has_header(program: Program) -> bool:
    test = f"#if !__has_include(<{program.header}>)\n#error\n#endif\n"
    command = [program.name, "-E", "-x", "c++", "-"]
    return not subprocess.run(command, input=test, capture_output=True, text=True).returncode


# The lock of the step that runs apt, which fails if another apt is running.
_apt = threading.RLock()
_lists_are_read = threading.Event()
_APT = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y", "--no-install-recommends")


def _as_root(hint: str) -> tuple[str, ...]:
    if os.geteuid() == 0:
        return ()
    if not shutil.which("sudo"):
        raise TicklabError(
            "installing packages needs root, and there is no sudo", f"as root, {hint}"
        )
    return ("sudo",)
