# SPDX-License-Identifier: MIT
"""Finds a Rust toolchain that can build for an Arm target without an operating system. It needs the
library `core` for that target, either installed by rustup, or built from the sources that some
packages contain (Debian's cargo-web and rust-web-src)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Rust:
    cargo: Path
    options: tuple[str, ...]  # options for `cargo build`
    environment: Mapping[str, str]
    has_target: bool  # False: cargo must build `core`

    @property
    def rustc(self) -> Path:
        return self.cargo.with_name("rustc")


def find(target: str) -> Rust:
    """Returns a Rust for the target; without one, skips the test."""
    for program in _cargos():
        answer = subprocess.run(
            [program.with_name("rustc"), "--print=sysroot"], capture_output=True, text=True
        )
        libraries = Path(answer.stdout.strip(), "lib", "rustlib")
        own = {"RUSTC": str(program.with_name("rustc"))}
        if (libraries / target).exists():
            return Rust(program, (), own, True)
        if (libraries / "src/rust/library").exists():
            return Rust(program, ("-Zbuild-std=core",), {**own, "RUSTC_BOOTSTRAP": "1"}, False)
    pytest.skip(f"no Rust has core for {target}: try 'rustup target add {target}'")


def _cargos() -> Iterator[Path]:
    for folder in (*os.environ["PATH"].split(os.pathsep), "/usr/bin"):
        if (found := Path(folder, "cargo")).exists():
            yield found
