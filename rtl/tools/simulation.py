# SPDX-License-Identifier: MIT
"""Lint and simulation, with Verilator. Each state of the sources is built once."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tools import sources
from tools.shell import run

KEPT_SIMULATORS = 40


@dataclass(frozen=True)
class Design:
    """The input of a Verilator build: a top module, its sources and the C++ that drives it."""

    name: str
    top: str
    verilog: Sequence[Path]
    cpp: Sequence[Path]
    arguments: Sequence[str | Path] = field(
        default_factory=tuple
    )  # for the core: not hashed, pinned
    asserts: bool = True
    defines: Sequence[str] = ()  # of the C++: the sizes that its models have
    optimise_fast: str = "-Os"  # of the C++ that runs in each cycle
    covers: bool = False  # counts the cover statements, and writes the counts


SMALL_RTU = {"NumTasks": 16, "NumSemaphores": 8}
SMALL_RTU_DEFINES = ("-DRTU_TASKS=16", "-DRTU_SEMAPHORES=8")
SMALL_NODES = 3


def rtu(root: Path) -> Design:
    tb = root / "tb"
    verilog = [tb / "rtu_observed.vlt", *sources.rtu(root)]
    return Design("rtu", "rtu", verilog, [tb / "rtu_tb.cpp", tb / "rtu_model.cpp"], covers=True)


def fabric(root: Path) -> Design:
    tb = root / "tb"
    verilog = [tb / "fabric_observed.vlt", *sources.fabric(root)]
    cpp = [
        tb / f"{name}.cpp" for name in ("fabric_tb", "fabric_bench", "fabric_model", "rtu_model")
    ]
    return Design("fabric", "fabric", verilog, cpp)


def small(design: Design) -> Design:
    """Returns the design with 16 tasks, 8 semaphores and one node fewer than the map has places
    for."""
    sizes = dict(SMALL_RTU)
    defines = list(SMALL_RTU_DEFINES)
    if design.top == "fabric":
        sizes["NumNodes"] = SMALL_NODES
        defines.append(f"-DFABRIC_NODES={SMALL_NODES}")
    # The lint checks the design at its full size.
    arguments = ["-Wno-fatal", *(f"-G{name}={value}" for name, value in sizes.items())]
    name = f"{design.name}-small"
    # Only with an absent node can all causes of the fabric's rules occur.
    covers = design.top == "fabric"
    return replace(design, name=name, arguments=arguments, defines=defines, covers=covers)


def system(root: Path, nodes: int) -> Design:
    tb = root / "tb"
    verilog = [tb / "system_memory.vlt", *sources.system(root)]
    arguments = [f"-GNumNodes={nodes}", *sources.ibex_arguments()]
    return Design(
        f"system-{nodes}", "system", verilog, [tb / "system_tb.cpp", tb / "image.cpp"], arguments
    )


def simulator(root: Path, nodes: int) -> Design:
    """Returns the design with which the laboratory measures."""
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
    """Returns a key of the simulator's inputs: contents and flags, but not the paths of the
    files."""
    digest = hashlib.sha256(run(["verilator", "--version"], "verilator does not start").encode())
    headers = [
        *sorted({header for file in design.cpp for header in file.parent.glob("*.h")}),
        root / "rtl" / "assertions.svh",
        root / "lint" / "waivers.vlt",
    ]
    for path in [sources.RTL / "requirements.txt", *headers, *design.verilog, *design.cpp]:
        digest.update(path.read_bytes())
    digest.update(repr([design.name, design.covers, design.optimise_fast, *flags]).encode())
    return digest.hexdigest()[:16]


def build(root: Path, design: Design, optimise: str = "-O0") -> Path:
    """Builds the simulator and returns its path. The build uses a folder of the system, because
    make refuses a folder whose real name has a space, and then renames the result into place.

    `optimise` is for code that runs once, half of the code. `optimise_fast`, which comes later on
    the command line, is for code that runs in each cycle.
    """
    checks = "--assert" if design.asserts else "--no-assert"
    cover = ["--coverage-user"] if design.covers else []
    flags = [checks, *cover, "-O3", "--x-assign", "fast", "--x-initial", "fast"]
    cflags = f"{optimise} -std=c++17 -Wall -Wextra {' '.join(design.defines)}"
    folder = sources.HOME / "build"
    simulator = folder / f"{design.name}-{_key(root, design, [*flags, cflags])}"
    if simulator.exists():
        simulator.touch()
        return simulator
    folder.mkdir(parents=True, exist_ok=True)
    with sources.alone(simulator.name):
        if not simulator.exists():
            _make(root, design, flags, cflags, simulator)
    _prune(folder)
    return simulator


def _make(root: Path, design: Design, flags: list[str], cflags: str, simulator: Path) -> None:
    failure = f"{design.name} does not build"
    with tempfile.TemporaryDirectory() as work:
        command = [*verilator(root, design), "--cc", "--exe", *flags, "-CFLAGS", cflags]
        run([*command, "--Mdir", work, "-o", "simulator", *design.cpp], failure)
        objects = sources.HOME / "objects" / _objects_key(design, Path(work), [*flags, cflags])
        for compiled in objects.glob("*.o"):
            shutil.copy(compiled, work)
        make = ["make", "-C", work, "-f", f"V{design.top}.mk", "-j", "2"]
        run([*make, f"OPT_FAST={design.optimise_fast}"], failure)
        _put(Path(work, "simulator"), simulator)
        _keep_objects(Path(work), objects)


def _objects_key(design: Design, work: Path, flags: Sequence[str]) -> str:
    """Returns a key of the objects that are not generated from Verilog. A test bench uses only the
    ports of the design, which the header of the top module declares."""
    headers = sorted({header for file in design.cpp for header in file.parent.glob("*.h")})
    digest = hashlib.sha256(run(["verilator", "--version"], "verilator does not start").encode())
    for path in [work / f"V{design.top}.h", *headers, *design.cpp]:
        digest.update(path.read_bytes())
    digest.update(repr(flags).encode())
    return digest.hexdigest()[:16]


def _keep_objects(work: Path, objects: Path) -> None:
    """Keeps the objects that the next build with the same test bench and ports can use again."""
    objects.mkdir(parents=True, exist_ok=True)
    for compiled in work.glob("[!V]*.o"):
        if not (objects / compiled.name).exists():
            _put(compiled, objects / compiled.name)


def _put(built: Path, place: Path) -> None:
    """Moves a build into place. Two builds may come at once, and the folders may be on two file
    systems."""
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


def random_test(
    root: Path, design: Design, options: Sequence[str], coverage: Path | None = None
) -> str:
    simulator = build(root, design)
    environment = {"COVERAGE_FILE": str(coverage)} if coverage else {}
    failure = f"the random test of {design.name} fails"
    return run([simulator, *options], failure, environment=environment)
