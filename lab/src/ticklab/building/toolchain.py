# SPDX-License-Identifier: MIT
"""Finds the programs that build images, and their versions.

By default, each architecture uses the cross GCC on PATH. A user may choose another GCC or a Clang,
and add flags. Warnings then do not stop the build, because only the default compiler is tested to
give none for Ticklab's code. Code compiled by Clang is linked by the cross GCC, because the C
library and its start-up code belong to GCC.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ticklab import bootstrap, paths
from ticklab.bootstrap import system, tables
from ticklab.building import rust_library
from ticklab.description.architecture import architectures
from ticklab.errors import UsageError


@dataclass(frozen=True)
class Toolchain:
    compiler: Path
    version: str  # the version line of the compiler, which names the vendor and contains no path
    ninja: Path
    python: Path  # the Python that runs the generator of a static kernel's tables
    linker: Path  # a GCC, which knows where its libraries are
    added: tuple[str, ...] = ()  # follow all other flags of a compilation
    user: tuple[str, ...] = ()  # the part of `added` that the user gave
    # Differences between this toolchain and the default one.
    differences: Mapping[str, str] = field(default_factory=dict)
    arch: str = tables.DEFAULT
    asked: str | None = None  # the compiler as the user wrote it
    cargo: rust_library.Cargo = rust_library.NONE  # for kernels in Rust

    def of(self, arch: str) -> Toolchain:
        """Returns the toolchain for another architecture, with the user's choice of compiler and
        flags of this one."""
        return (
            self if arch == self.arch else find_toolchain(self.asked, shlex.join(self.user), arch)
        )

    @property
    def choice(self) -> dict[str, str]:
        """Returns the user's choice of compiler and flags for the provenance of a build, from which
        `as_of` restores the toolchain."""
        said = {"cc": self.asked, "cflags": shlex.join(self.user)}
        return {option: value for option, value in said.items() if value}

    @property
    def links_itself(self) -> bool:
        return self.compiler == self.linker

    @property
    def added_to_links(self) -> tuple[str, ...]:
        """Returns the user's flags for the link. They are empty if another family of compiler
        links: GCC does not know Clang's flags."""
        return self.user if self.links_itself else ()


def find_toolchain(
    compiler: str | None = None, cflags: str = "", arch: str = tables.DEFAULT
) -> Toolchain:
    """Finds the compiler that the user names, otherwise a recent enough one on PATH, and Ninja in
    the Python environment."""
    bootstrap.require([arch])
    gcc = system.compiler(arch)
    triple = architectures()[arch].compiler.triple
    system.require(gcc)
    own = Path(shutil.which(gcc.name) or gcc.name)
    chosen = _program(compiler) if compiler else own
    version = _first_line(chosen, "--version")
    clang = "clang" in version
    if not clang:
        _check_target(chosen, triple)
    user = _words(cflags)
    changes = {
        "compiler": (_first_line(own, "--version"), version),
        "cflags": ("(none)", shlex.join(user) or "(none)"),
    }
    return Toolchain(
        chosen,
        version,
        paths.tool("ninja"),
        paths.tool("python"),
        linker=own if clang else chosen,
        added=(
            *(_for_clang(own, triple) if clang else ()),
            *(("-w",) if compiler or user else ()),
            *user,
        ),
        user=user,
        differences={name: f"{old} -> {new}" for name, (old, new) in changes.items() if old != new},
        arch=arch,
        asked=compiler,
    )


def as_of(builds: Mapping[str, Mapping[str, Any]]) -> Toolchain:
    """Returns the toolchain of a stored run from the provenance of its builds, which all used the
    same."""
    chosen = next(iter(builds.values()), {}).get("toolchain", {})
    return find_toolchain(chosen.get("cc"), chosen.get("cflags", ""))


def _program(name: str) -> Path:
    found = shutil.which(name)
    if not found:
        raise UsageError(
            f"there is no compiler '{name}'", "give --cc a program on PATH or its path"
        )
    return Path(found)


def _check_target(compiler: Path, triple: str) -> None:
    target = _first_line(compiler, "-dumpmachine")
    if target != triple:
        raise UsageError(
            f"{compiler.name} compiles for {target}", f"name one for {triple}, or a clang"
        )


def _for_clang(gcc: Path, triple: str) -> tuple[str, ...]:
    """Returns the flags that make Clang compile for `triple` with the headers of GCC's C
    library."""
    library = Path(_first_line(gcc, "-print-file-name=libc.a")).resolve()
    return (f"--target={triple}", "-isystem", str(library.parent.parent / "include"))


def _words(cflags: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(cflags))
    except ValueError as error:
        raise UsageError(f"--cflags {cflags!r}: {error}", "quote as for a shell") from None


def _first_line(program: Path, option: str) -> str:
    try:
        answer = subprocess.run([program, option], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(f"{program} {option} fails: {error}", "is it a compiler?") from None
    return answer.stdout.splitlines()[0] if answer.stdout else ""
