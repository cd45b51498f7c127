# SPDX-License-Identifier: MIT
"""Lint and simulation: Verilator's part. Each state of the sources is built once."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools import sources
from tools.shell import run

KEPT_SIMULATORS = 40


@dataclass(frozen=True)
class Design:
    """What Verilator builds: a top module, what it is made of and the C++ that drives it."""

    name: str
    top: str
    verilog: Sequence[Path]
    cpp: Sequence[Path]
    arguments: Sequence[str | Path] = field(
        default_factory=tuple
    )  # for the core: not hashed, pinned
    asserts: bool = True


def rtu(root: Path) -> Design:
    tb = root / "tb"
    verilog = [tb / "rtu_observed.vlt", *sources.rtu(root)]
    return Design("rtu", "rtu", verilog, [tb / "rtu_tb.cpp", tb / "rtu_model.cpp"])


def fabric(root: Path) -> Design:
    tb = root / "tb"
    cpp = [tb / "fabric_tb.cpp", tb / "fabric_model.cpp", tb / "rtu_model.cpp"]
    return Design("fabric", "fabric", sources.fabric(root), cpp)


def system(root: Path, nodes: int) -> Design:
    tb = root / "tb"
    verilog = [tb / "system_memory.vlt", *sources.system(root)]
    arguments = [f"-GNumNodes={nodes}", *sources.ibex_arguments()]
    return Design(
        f"system-{nodes}", "system", verilog, [tb / "system_tb.cpp", tb / "image.cpp"], arguments
    )


def simulator(root: Path, nodes: int) -> Design:
    """What the laboratory measures with."""
    sim = root / "sim"
    verilog = [root / "tb" / "system_memory.vlt", *sources.system(root)]
    arguments = [f"-GNumNodes={nodes}", *sources.ibex_arguments()]
    cpp = [*sorted(sim.glob("*.cpp")), root / "tb" / "image.cpp"]
    return Design(f"simulator-{nodes}", "system", verilog, cpp, arguments, asserts=False)


def verilator(root: Path, design: Design) -> list[str | Path]:
    waivers = root / "lint" / "waivers.vlt"
    common = ["verilator", "-Wall", f"-I{root / 'rtl'}", "--top-module", design.top]
    return [*common, waivers, *design.arguments, *design.verilog]


def lint(root: Path, design: Design) -> str:
    run([*verilator(root, design), "--lint-only"], f"lint of {design.name} is not clean")
    return f"lint of {design.name} is clean"


def _key(root: Path, design: Design, flags: Sequence[str]) -> str:
    """What determines the simulator: contents and flags, and not where the files are."""
    digest = hashlib.sha256(run(["verilator", "--version"], "verilator does not start").encode())
    headers = [
        *sorted({header for file in design.cpp for header in file.parent.glob("*.h")}),
        root / "rtl" / "assertions.svh",
        root / "lint" / "waivers.vlt",
    ]
    for path in [sources.RTL / "requirements.txt", *headers, *design.verilog, *design.cpp]:
        digest.update(path.read_bytes())
    digest.update(repr([design.name, *flags]).encode())
    return digest.hexdigest()[:16]


def build(root: Path, design: Design, optimise: str = "-O0") -> Path:
    """The simulator's path. Built in a folder of the system's, for make refuses one whose real name
    has a space, and renamed into place.

    `optimise` is for what runs once, half of the code: what runs in each cycle Verilator itself
    compiles with -Os, behind it on the command line.
    """
    checks = "--assert" if design.asserts else "--no-assert"
    flags = [checks, "-O3", "--x-assign", "fast", "--x-initial", "fast"]
    cflags = f"{optimise} -std=c++17 -Wall -Wextra"
    folder = sources.HOME / "build"
    simulator = folder / f"{design.name}-{_key(root, design, [*flags, cflags])}"
    if simulator.exists():
        simulator.touch()
        return simulator
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        command = [
            *verilator(root, design),
            "--cc",
            "--exe",
            "--build",
            "-j",
            "2",
            *flags,
            "-CFLAGS",
            cflags,
        ]
        run(
            [*command, "--Mdir", work, "-o", "simulator", *design.cpp],
            f"{design.name} does not build",
        )
        _put(Path(work, "simulator"), simulator)
    _prune(folder)
    return simulator


def _put(built: Path, place: Path) -> None:
    """Two builders may come at once, and the folders may be of two file systems."""
    beside = Path(tempfile.mkdtemp(dir=place.parent))
    Path(shutil.copy2(built, beside)).rename(place)
    beside.rmdir()


def _prune(folder: Path) -> None:
    """Keeps the simulators that were used last: two states of the sources and their mutants."""
    simulators = sorted(
        (path for path in folder.iterdir() if path.is_file()), key=lambda path: path.stat().st_mtime
    )
    for old in simulators[:-KEPT_SIMULATORS]:
        old.unlink(missing_ok=True)


def random_test(root: Path, design: Design, options: Sequence[str]) -> str:
    simulator = build(root, design)
    return run([simulator, *options], f"the random test of {design.name} fails")
