# SPDX-License-Identifier: MIT
"""The system programs that Ticklab needs: their minimum versions and their packages.

Set-up installs missing ones with apt, after it has printed their names and, on a terminal, asked
(consent.py). With $TICKLAB_NO_INSTALL=1 it fails instead and names them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ticklab.bootstrap.step import Log, digest, say
from ticklab.errors import TicklabError

Version = tuple[int, ...]


@dataclass(frozen=True)
class Program:
    name: str
    packages: tuple[str, ...]
    minimum: Version
    purpose: str


QEMU = Program("qemu-system-arm", ("qemu-system-arm",), (7, 2), "runs the images")
COMPILER = Program(
    "arm-none-eabi-gcc",
    ("gcc-arm-none-eabi", "libnewlib-arm-none-eabi"),
    (10,),
    "compiles kernels and scenarios",
)
RISCV_COMPILER = Program(
    "riscv64-unknown-elf-gcc",
    ("gcc-riscv64-unknown-elf", "picolibc-riscv64-unknown-elf"),
    (10,),
    "compiles kernels and scenarios for RV32",
)
LINKER = Program("cc", ("gcc", "libc6-dev"), (), "links the observer")
PROGRAMS = (QEMU, COMPILER, LINKER)

# RISC-V boards need these; QEMU or a register-transfer-level simulation runs their images.
RISCV_PROGRAMS = (
    RISCV_COMPILER,
    Program("qemu-system-riscv32", ("qemu-system-misc",), (7, 2), "runs images for RV32"),
    Program("verilator", ("verilator",), (5,), "compiles hardware to simulators"),
    Program("g++", ("g++",), (10,), "builds the simulators"),
    Program("make", ("make",), (), "builds the simulators"),
)

# The file by which a compiler finds its C library.
_SPECS = {COMPILER: "nano.specs", RISCV_COMPILER: "picolibc.specs"}


def identity(programs: Sequence[Program] = PROGRAMS) -> str:
    """Returns a hash that changes when one of the programs is replaced; costs a few system
    calls."""
    parts = []
    for program in programs:
        found = shutil.which(program.name)
        stat = Path(found).stat() if found else None
        parts.append(f"{found} {stat.st_size} {stat.st_mtime_ns}" if stat else f"{program.name} -")
    return digest(parts)


def present(programs: Sequence[Program] = PROGRAMS) -> bool:
    return all(shutil.which(program.name) for program in programs)


def provide(log: Log, programs: Sequence[Program] = PROGRAMS) -> None:
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
    prepare(log, by_hand)
    say(f"installing system packages with apt: {names}")
    log.run("apt", [*_as_root(by_hand), *_APT, "install", *packages], by_hand)


def prepare(log: Log, by_hand: str) -> None:
    """Updates apt's package lists. Raises an error with the advice `by_hand` if Ticklab may not
    install."""
    if not installs():
        raise TicklabError("programs are missing that Ticklab does not install here", by_hand)
    _refresh(log, by_hand)


def missing(programs: Sequence[Program] = PROGRAMS) -> list[str]:
    """Returns the packages of the programs that are missing or incomplete."""
    return [package for program in programs for package in _missing(program)]


def installs() -> bool:
    """Whether the set-up may install packages here, and can."""
    return not os.environ.get("TICKLAB_NO_INSTALL") and bool(shutil.which("apt-get"))


def _missing(program: Program) -> tuple[str, ...]:
    if not shutil.which(program.name):
        return program.packages
    if program in _SPECS and not _has_library(program):
        return program.packages[1:]
    return ()


def _has_library(program: Program) -> bool:
    """Whether the compiler has its C library, which Debian packages separately: without it, the
    compiler prints a bare file name."""
    command = [program.name, f"-print-file-name={_SPECS[program]}"]
    answer = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return Path(answer).is_absolute()


_APT = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y", "--no-install-recommends")


@cache
def _refresh(log: Log, by_hand: str) -> None:
    """Updates the package lists, which are empty on a new machine."""
    say("reading package lists with apt")
    log.run("apt-get update", [*_as_root(by_hand), *_APT, "update"], by_hand)


def _as_root(hint: str) -> tuple[str, ...]:
    if os.geteuid() == 0:
        return ()
    if not shutil.which("sudo"):
        raise TicklabError(
            "installing packages needs root, and there is no sudo", f"as root, {hint}"
        )
    return ("sudo",)
