# SPDX-License-Identifier: MIT
"""Provides a Rust toolchain: an installed one if it is new enough, otherwise the distribution's. If
there is none, the error says how to install one.

Rust builds the observer and the kernels that are written in Rust, and cargo downloads the sources
of kernels."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ticklab.bootstrap import system
from ticklab.bootstrap.step import Log
from ticklab.errors import TicklabError

MINIMUM = (1, 85)


@dataclass(frozen=True)
class Rust:
    cargo: str
    rustc: str
    version: system.Version

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment in which cargo uses its own compiler and subcommands, regardless of
        PATH."""
        folder = str(Path(self.cargo).parent)
        return {"RUSTC": self.rustc, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def provide(log: Log) -> Rust:
    """Returns the first toolchain that is new enough. Installs one with apt if there is none."""
    rust = find()
    if rust is None:
        system.prepare(log, _ADVICE)
        system.install(log, _packages())
        rust = find()
    if rust is None:
        raise TicklabError("the installed packages contain no recent Rust", _ADVICE)
    return rust


def find() -> Rust | None:
    """Returns the first toolchain that is new enough, in order of preference, or None."""
    for cargo, rustc in _candidates():
        version = _version(rustc)
        if version >= MINIMUM:
            return Rust(cargo, rustc, version)
    return None


def missing() -> list[str]:
    """Returns the packages that `provide` would install. The exact names may differ: they depend on
    apt's package lists, which are not read yet."""
    return [] if find() else ["rustc", "cargo"]


def has_target(rust: Rust, target: str) -> bool:
    """Returns whether the compiler has the library `core` of a target."""
    answer = subprocess.run([rust.rustc, "--print=sysroot"], capture_output=True, text=True)
    return Path(answer.stdout.strip(), "lib", "rustlib", target).is_dir()


def provide_targets(log: Log, rust: Rust, targets: Iterable[str]) -> None:
    """Installs the precompiled library `core` for those targets for which the compiler lacks it.
    Only a compiler from rustup can get it."""
    wanted = [target for target in targets if not has_target(rust, target)]
    if not wanted:
        return
    rustup = shutil.which("rustup", path=rust.environment["PATH"])
    if rustup is None or os.environ.get("TICKLAB_NO_INSTALL"):
        names = " ".join(wanted)
        raise TicklabError(
            f"{rust.rustc} has no library for {names}", f"with rustup, 'rustup target add {names}'"
        )
    log.run("installing targets of Rust", [rustup, "target", "add", *wanted], _NETWORK)


_NETWORK = "check the network and try again"
_ADVICE = "install Rust 1.85 or later with rustup, and try again"


def _candidates() -> Iterator[tuple[str, str]]:
    home = Path(os.environ.get("CARGO_HOME", "~/.cargo")).expanduser() / "bin"
    for path in (None, str(home)):
        cargo, rustc = shutil.which("cargo", path=path), shutil.which("rustc", path=path)
        if cargo and rustc:
            yield cargo, rustc
    # Ubuntu installs newer compilers beside the default one, with the version in the program's
    # name.
    for rustc in sorted(map(str, Path("/usr/bin").glob("rustc-1.*")), reverse=True):
        cargo = rustc.replace("rustc-", "cargo-")
        if Path(cargo).exists():
            yield cargo, rustc


def _version(rustc: str) -> system.Version:
    answer = subprocess.run([rustc, "--version"], capture_output=True, text=True).stdout
    return _numbers(answer)


def _numbers(text: str) -> system.Version:
    found = re.search(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else ()


def _packages() -> list[str]:
    """Returns the packages to install: the distribution's Rust if it is new enough, otherwise its
    backport for browsers (Debian), otherwise the newest versioned package (Ubuntu)."""
    for compiler, cargo in (("rustc", "cargo"), ("rustc-web", "cargo-web")):
        if _offered(compiler) >= MINIMUM:
            return [compiler, cargo]
    command = ["apt-cache", "search", "--names-only", r"^rustc-1\.[0-9]+$"]
    names = subprocess.run(command, capture_output=True, text=True).stdout.split()
    versions = sorted(v for v in map(_numbers, names) if v >= MINIMUM)
    if not versions:
        raise TicklabError(
            "there is no Rust here, and no recent one in this system's packages", _ADVICE
        )
    newest = system.dotted(versions[-1])
    return [f"rustc-{newest}", f"cargo-{newest}"]


def _offered(package: str) -> system.Version:
    answer = subprocess.run(["apt-cache", "policy", package], capture_output=True, text=True).stdout
    return _numbers(answer.partition("Candidate:")[2])
