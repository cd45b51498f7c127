# SPDX-License-Identifier: MIT
"""A Rust toolchain: one that is there, else the distribution's, else one clear instruction.

Rust builds the observer and fetches kernel sources; nothing needs it once that is done.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
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
        """For cargo: its compiler, whatever else is on PATH, and its own subcommands."""
        folder = str(Path(self.cargo).parent)
        return {"RUSTC": self.rustc, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def provide(log: Log) -> Rust:
    """The newest toolchain found, installed by apt first if need be."""
    rust = find()
    if rust is None:
        system.prepare(log, _ADVICE)
        system.install(log, _packages())
        rust = find()
    if rust is None:
        raise TicklabError("the installed packages brought no recent Rust", _ADVICE)
    return rust


def find() -> Rust | None:
    """The first toolchain that is new enough, in order of preference."""
    for cargo, rustc in _candidates():
        version = _version(rustc)
        if version >= MINIMUM:
            return Rust(cargo, rustc, version)
    return None


_ADVICE = "install Rust 1.85 or later with rustup, and try again"


def _candidates() -> Iterator[tuple[str, str]]:
    home = Path(os.environ.get("CARGO_HOME", "~/.cargo")).expanduser() / "bin"
    for path in (None, str(home)):
        cargo, rustc = shutil.which("cargo", path=path), shutil.which("rustc", path=path)
        if cargo and rustc:
            yield cargo, rustc
    # Ubuntu's newer toolchains are installed side by side, under names with versions.
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
    """What to install: the distribution's Rust if recent, else its backport for browsers (Debian),
    else the newest versioned package (Ubuntu)."""
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
