# SPDX-License-Identifier: MIT
"""Builds, with cargo, the static library of a kernel that is written in Rust.

The crates on which the kernel depends come from a crate registry and are pinned by the kernel's
Cargo.lock; a build uses no network. The set-up has chosen the versions of cargo and rustc
(bootstrap/rust.py).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ticklab import paths
from ticklab.bootstrap import rust
from ticklab.building import flags
from ticklab.building.edge import Edge
from ticklab.description.model import Case
from ticklab.errors import TicklabError

NAME = "librust_kernel.a"  # file name of a variant's copy of the library
_CONTRACT = paths.CHECKOUT / "bench" / "include" / "bench" / "port.rs"
_SOURCES = (".rs", ".toml", ".in", ".x")
_PROCESSOR = re.compile(r"-mcpu=([\w-]+)$")


@dataclass(frozen=True)
class Cargo:
    """The Rust toolchain that builds the libraries, and the folders of the crates that come from
    registries."""

    program: str
    rustc: str
    version: str  # of rustc and its LLVM
    crates: tuple[Path, ...]  # folders of the crates from registries
    missing: Mapping[Path, TicklabError]  # why the crate of a kernel cannot be built, by the crate


NONE = Cargo("cargo", "rustc", "no Rust", (), {})


# --- The Rust toolchain of this machine -----------------------------------------------------------


def find(cases: Iterable[Case]) -> Cargo:
    """Returns the toolchain for the Rust kernels among `cases`, and checks whether each crate can
    be built."""
    wanted = {(case.variant.kernel.rust, case.variant.core.rust_target) for case in cases}
    crates = sorted((crate, target or "") for crate, target in wanted if crate)
    found = rust.find() if crates else None
    if found is None:
        error = TicklabError("there is no Rust here", "run 'ticklab setup sources', or use rustup")
        return NONE if not crates else Cargo("", "", "", (), dict.fromkeys(dict(crates), error))
    read = {crate: _read(found, crate, target) for crate, target in crates}
    folders = {folder for each in read.values() if not isinstance(each, TicklabError)
               for folder in each}  # fmt: skip
    missing = {crate: each for crate, each in read.items() if isinstance(each, TicklabError)}
    return Cargo(found.cargo, found.rustc, _version(found.rustc), tuple(sorted(folders)), missing)


@cache
def _version(rustc: str) -> str:
    """Returns the version of rustc (first line) and of its LLVM, because both determine the
    code."""
    answer = subprocess.run([rustc, "-vV"], capture_output=True, text=True).stdout
    llvm = re.search(r"^LLVM version: (.*)$", answer, flags=re.MULTILINE)
    return f"{answer.partition(chr(10))[0]}, LLVM {llvm[1] if llvm else 'unknown'}"


@cache
def _read(found: rust.Rust, crate: Path, target: str) -> frozenset[Path] | TicklabError:
    """Returns the folders that contain the crate's dependencies, or the reason why a build would
    fail."""
    if not target:
        return TicklabError(
            f"crate {crate}: rustc has no target for the core of this board", "choose a board"
        )
    if not rust.has_target(found, target):
        return TicklabError(
            f"{found.rustc} has no library for {target}", f"run 'rustup target add {target}'"
        )
    manifest = crate / "Cargo.toml"
    options = ["--offline", "--locked", f"--filter-platform={target}", "--format-version=1"]
    answer = subprocess.run(
        [found.cargo, "metadata", *options, f"--manifest-path={manifest}"],
        capture_output=True,
        text=True,
        env={**os.environ, **found.environment},
    )
    return _folders(answer.stdout) if answer.returncode == 0 else _refusal(manifest, answer.stderr)


def _folders(metadata: str) -> frozenset[Path]:
    packages: list[dict[str, Any]] = json.loads(metadata)["packages"]
    return frozenset(
        Path(package["manifest_path"]).parent.parent for package in packages if package["source"]
    )


def _refusal(manifest: Path, said: str) -> TicklabError:
    """Returns an error with cargo's message in one line, and what to do."""
    if "--locked" in said or "lock file" in said:
        remedy = f"run 'cargo update --workspace --manifest-path {manifest}' and look at the change"
        return TicklabError(f"{manifest.with_name('Cargo.lock')} does not fit {manifest}", remedy)
    if "--offline" in said or "offline mode" in said:
        remedy = f"run 'cargo fetch --locked --manifest-path {manifest}'"
        return TicklabError(f"a crate of {manifest} is not on this machine", remedy)
    lines = [line for line in said.splitlines() if line.startswith("error")] or ["no reason given"]
    return TicklabError(f"cargo refuses {manifest}: {lines[0]}", "correct the manifest")


# --- Steps and names of the build, which depend on no machine -------------------------------------


def identity(case: Case, cargo: Cargo) -> tuple[str, ...]:
    """Returns the words that distinguish a variant's library from other libraries of the same
    kernel. Empty for kernels in other languages."""
    return () if case.variant.kernel.rust is None else (cargo.version, *_features(case))


def edges(case: Case, folder: str, cargo: Cargo) -> list[Edge]:
    """Returns the edge that builds the library into `folder`, which belongs to a variant, or to a
    scenario if the library contains the scenario. Empty for kernels in other languages. All
    libraries of a kernel share cargo's folder, so that cargo compiles a crate once for each target,
    level and set of features."""
    crate = case.variant.kernel.rust
    if crate is None:
        return []
    target = case.variant.core.rust_target or ""
    made = paths.builds() / folder_of(case)
    features = ",".join(_features(case))
    words = (
        *(f"{name}={value}" for name, value in _environment(case, cargo).items()),
        *(cargo.program, "build", "--release", "--locked", "--offline", "--quiet"),
        *(f"--manifest-path={crate / 'Cargo.toml'}", f"--target={target}"),
        *(f"--target-dir={made}", *((f"--features={features}",) if features else ())),
    )
    own = sorted(file for file in crate.rglob("*") if file.suffix in _SOURCES)
    inputs = (*own, *_contained(case).values())
    product = made / target / "release" / f"lib{_library(crate)}.a"
    return [Edge("cargo", f"{folder}/{NAME}", inputs, words, product=product)]


def folder_of(case: Case) -> str:
    """Returns cargo's folder for all variants of a kernel, relative to the folder of builds."""
    return f"rust/{case.variant.kernel.name}"


def _environment(case: Case, cargo: Cargo) -> dict[str, str]:
    return {
        "RUSTC": cargo.rustc,
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join((*_flags(case), *_prefix_maps(case, cargo))),
        "CARGO_PROFILE_RELEASE_OPT_LEVEL": _level(case),
        "CARGO_TERM_COLOR": "never",
        **{name: str(file) for name, file in _contained(case).items()},
    }


def _contained(case: Case) -> dict[str, Path]:
    """Returns the files that are compiled into a crate which contains the scenario. The keys are
    the environment variables by which the crate finds them."""
    scenario = case.scenario.async_form
    if scenario is None or not case.variant.kernel.is_async:
        return {}
    return {"TICKLAB_CONTRACT": _CONTRACT, "TICKLAB_SCENARIO": scenario}


def provenance(case: Case, cargo: Cargo) -> dict[str, Any]:
    """Returns the provenance of the library, in terms that mean the same on every machine."""
    crate = case.variant.kernel.rust
    if crate is None:
        return {}
    manifest = tomllib.loads((crate / "Cargo.toml").read_text())
    locked = tomllib.loads((crate / "Cargo.lock").read_text())["package"]
    return {
        "compiler": cargo.version,
        "target": case.variant.core.rust_target,
        "flags": [*_flags(case), f"-Copt-level={_level(case)}"],
        "profile": manifest.get("profile", {}).get("release", {}),
        "features": list(_features(case)),
        "crates": {each["name"]: each["version"] for each in locked if "source" in each},
    }


def _library(crate: Path) -> str:
    """Returns the file name that cargo gives to the crate's library."""
    manifest = tomllib.loads((crate / "Cargo.toml").read_text())
    name = manifest.get("lib", {}).get("name") or manifest["package"]["name"]
    return str(name).replace("-", "_")


def _features(case: Case) -> tuple[str, ...]:
    parts = case.variant.kernel.parts(case.variant.core)
    return (*(name for part in parts for name in part.rust_features),
            *case.variant.config.rust_features)  # fmt: skip


def _level(case: Case) -> str:
    """Returns the optimisation level as cargo names it: 2 for O2, s for Os."""
    return flags.of_level(case.variant.optimise).removeprefix("-O")


def _flags(case: Case) -> tuple[str, ...]:
    """Returns rustc's flag for the processor, the same processor as for C."""
    named = map(_PROCESSOR.match, case.variant.core.flags)
    return tuple(f"-Ctarget-cpu={each[1]}" for each in named if each)


def _prefix_maps(case: Case, cargo: Cargo) -> tuple[str, ...]:
    """Returns the rustc flags that remove this machine's paths from the library. If several flags
    match a path, rustc applies the last."""
    kernel = case.variant.kernel
    places = [
        (paths.CHECKOUT, "."),
        (kernel.folder, f"kernels/{kernel.name}"),
        *((folder, "crates") for folder in cargo.crates),
    ]
    return tuple(f"--remap-path-prefix={place}={name}" for place, name in places)
