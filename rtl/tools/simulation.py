# SPDX-License-Identifier: MIT
"""Lints, builds and runs the hardware with Verilator. Unchanged sources are built only once."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shlex
import shutil
import sys
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
    )  # the core's files, which a package pins, so that the build's key need not hash them
    has_twin: bool = False  # another design has the same hardware and another C++ program
    defines: Sequence[str] = ()  # macros for the C++: the sizes of its models
    optimise_fast: str = "-Os"  # optimisation of the C++ that runs in each cycle
    covers: bool = False  # counts how often cover statements are reached, and writes the counts


SMALL_RTU = {"NumTasks": 16, "NumSemaphores": 8}
SMALL_RTU_DEFINES = ("-DRTU_TASKS=16", "-DRTU_SEMAPHORES=8")
SMALL_MUTEXES = 4
SMALL_DEADLINES = 4  # bits, so that deadlines wrap around within a test
SMALL_NODES = 3
MOST_NODES = 16
TREE_NODES = 6  # in the random test of the tree: a full group of four nodes, and one of two


def rtu(root: Path) -> Design:
    tb = root / "tb"
    verilog = [tb / "rtu_observed.vlt", *sources.rtu(root)]
    return Design("rtu", "rtu", verilog, [tb / "rtu_tb.cpp", tb / "rtu_model.cpp"], covers=True)


def pipelined(root: Path) -> Design:
    """Returns the pipelined unit, with 16 tasks and 8 semaphores."""
    return _with_stages(root, "rtu-pipelined", 1)


def deep(root: Path) -> Design:
    """Returns the unit whose steps take two cycles, with 16 tasks and 8 semaphores."""
    return _with_stages(root, "rtu-deep", 2)


def large(root: Path) -> Design:
    """Returns the deep unit with 256 tasks, the most for an answer's bits, and 128 semaphores."""
    design = rtu(root)
    arguments = ["-Wno-fatal", "-GStages=2", "-GNumTasks=256", "-GNumSemaphores=128"]
    defines = ["-DRTU_STAGES=2", "-DRTU_TASKS=256", "-DRTU_SEMAPHORES=128"]
    return replace(design, name="rtu-large", arguments=arguments, defines=defines)


def mutexes(root: Path, stages: int) -> Design:
    """Returns the unit with mutexes; `stages` selects the plain, the pipelined or the deep form."""
    design = _with_stages(
        root, ("rtu-mutexes", "rtu-mutexes-pipelined", "rtu-mutexes-deep")[stages], stages
    )
    arguments = [*design.arguments, f"-GNumMutexes={SMALL_MUTEXES}"]
    return replace(
        design, arguments=arguments, defines=[*design.defines, f"-DRTU_MUTEXES={SMALL_MUTEXES}"]
    )


def deadlines(root: Path, stages: int) -> Design:
    """Returns the unit with mutexes and deadlines; `stages` as for mutexes()."""
    design = mutexes(root, stages)
    arguments = [*design.arguments, f"-GDeadlineWidth={SMALL_DEADLINES}"]
    defines = [*design.defines, f"-DRTU_DEADLINES={SMALL_DEADLINES}"]
    name = design.name.replace("mutexes", "deadlines")
    return replace(design, name=name, arguments=arguments, defines=defines)


def _with_stages(root: Path, name: str, stages: int) -> Design:
    design = small(rtu(root))
    arguments = [*design.arguments, f"-GStages={stages}"]
    defines = [*design.defines, f"-DRTU_STAGES={stages}"]
    return replace(design, name=name, arguments=arguments, defines=defines, covers=True)


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
    # Warnings are allowed, because the lint checks the design at its full size.
    arguments = ["-Wno-fatal", *(f"-G{name}={value}" for name, value in sizes.items())]
    name = f"{design.name}-small"
    # Some rules of the fabric are about accesses to absent nodes, which the full design lacks.
    covers = design.top == "fabric"
    return replace(design, name=name, arguments=arguments, defines=defines, covers=covers)


def _size(nodes: int) -> list[str]:
    """Returns Verilator's arguments for a number of nodes. A system of more than four nodes has an
    address map of its own (rtl/README.md), and contains a tree of buses as well as one bus."""
    many = ["-GHasTree=1'b1", *_map(MOST_NODES)] if nodes > 4 else []
    return [f"-GNumNodes={nodes}", *many]


def _map(places: int) -> list[str]:
    """Returns the arguments that select the address map with room for `places` nodes."""
    return [] if places == 4 else [f"-DSYSTEM_MAX_NODES={places}"]


def tree(root: Path) -> Design:
    """Returns the fabric of six nodes on a tree of buses, with the address map of 16 nodes."""
    design = small(fabric(root))
    sizes = {**SMALL_RTU, "NumNodes": TREE_NODES, "HasTree": "1'b1"}
    arguments = ["-Wno-fatal", *(f"-G{name}={value}" for name, value in sizes.items())]
    defines = [
        *SMALL_RTU_DEFINES,
        f"-DRTU_NODES={MOST_NODES}",
        f"-DFABRIC_PLACES={MOST_NODES}",
        f"-DFABRIC_NODES={TREE_NODES}",
        "-DFABRIC_TREE=1",
    ]
    arguments += _map(MOST_NODES)
    return replace(design, name="fabric-tree", arguments=arguments, defines=defines)


def system(root: Path, nodes: int, core: str = "ibex") -> Design:
    tb = root / "tb"
    return _with_cores(root, "system", nodes, core, [tb / "system_tb.cpp", tb / "image.cpp"])


def simulator(root: Path, nodes: int, core: str = "ibex") -> Design:
    """Returns the simulator with which the laboratory measures. It uses the compiled hardware of
    `system`, and its program switches the assertions off, so that they cost no time."""
    cpp = [*sorted((root / "sim").glob("*.cpp")), root / "tb" / "image.cpp"]
    return _with_cores(root, "simulator", nodes, core, cpp)


def _with_cores(root: Path, name: str, nodes: int, core: str, cpp: Sequence[Path]) -> Design:
    verilog = [root / "tb" / "system_memory.vlt", *sources.system(root, core)]
    arguments = [*_size(nodes), *sources.core_arguments(core)]
    # A system of 16 nodes is 45 MB of C++, which takes long to optimise, and its runs are short.
    fast = "-Os" if nodes <= 4 else "-O1"
    whole = f"{name}-{nodes}" if core == "ibex" else f"{name}-{core}-{nodes}"
    return Design(whole, "system", verilog, cpp, arguments, True, [f"-DSYSTEM_CORE={core}"], fast)


def verilator(root: Path, design: Design) -> list[str | Path]:
    waivers = root / "lint" / "waivers.vlt"
    common = ["verilator", "-Wall", f"-I{root / 'rtl'}", "--top-module", design.top]
    return [*common, waivers, *design.arguments, *design.verilog]


def lint(root: Path, design: Design) -> str:
    run([*verilator(root, design), "--lint-only"], f"lint of {design.name} is not clean")
    return f"lint of {design.name} is clean"


def _key(root: Path, design: Design, flags: Sequence[str]) -> str:
    """Returns a key of the simulator's inputs: the contents of the files and the flags, but not the
    paths of the files."""
    digest = hashlib.sha256(_version())
    headers = [
        *sorted({header for file in design.cpp for header in file.parent.glob("*.h")}),
        root / "rtl" / "assertions.svh",
        root / "lint" / "waivers.vlt",
    ]
    for path in [sources.RTL / "requirements.txt", *headers, *design.verilog, *design.cpp]:
        digest.update(path.read_bytes())
    digest.update(repr([design.name, design.covers, design.optimise_fast, *flags]).encode())
    return digest.hexdigest()[:16]


def build(root: Path, design: Design) -> Path:
    """Builds the simulator and returns its path. The build runs in a temporary folder of the
    system, because make fails in a folder whose real path has a space; then the result is moved.

    Code that runs only once, half of the code, is built with -O0. `optimise_fast`, which comes
    later on the command line, applies to code that runs in each cycle.
    """
    cover = ["--coverage-user"] if design.covers else []
    flags = ["--assert", *cover, "-O3", "--x-assign", "fast", "--x-initial", "fast"]
    cflags = ["-O0", "-std=c++17", "-Wall", "-Wextra", *design.defines]
    folder = sources.HOME / "build"
    simulator = folder / f"{design.name}-{_key(root, design, [*flags, *cflags])}"
    if simulator.exists():
        simulator.touch()
        return simulator
    folder.mkdir(parents=True, exist_ok=True)
    with sources.alone(simulator.name):
        if not simulator.exists():
            _make(root, design, flags, cflags, simulator)
    _prune(folder, KEPT_SIMULATORS)
    return simulator


def _make(root: Path, design: Design, flags: list[str], cflags: list[str], simulator: Path) -> None:
    failure = f"{design.name} does not build"
    with tempfile.TemporaryDirectory() as work:
        command = [*verilator(root, design), "--cc", "--exe", *flags, "-CFLAGS", " ".join(cflags)]
        run([*command, "--Mdir", work, "-o", "simulator", *design.cpp], failure)
        make = ["make", "-C", work, "-f", f"V{design.top}.mk", "-j", "2"]
        make += [f"OPT_FAST={design.optimise_fast}", f"OBJCACHE={_cache(root)}"]
        if design.optimise_fast == "-O0":
            make.append("VM_PARALLEL_BUILDS=0")  # one translation unit
        elif design.optimise_fast == "-Os":
            make += _joined(Path(work, f"V{design.top}_classes.mk"))
        twin = sources.alone(f"{design.top}-twin") if design.has_twin else contextlib.nullcontext()
        with twin:  # one after the other, so that the second twin uses the objects of the first
            run(make, failure)
        _put(Path(work, "simulator"), simulator)


def _joined(makefile: Path) -> list[str]:
    """Joins Verilator's C++ files to one translation unit for the code that runs in each cycle and
    one for the rest, because half of the compiler's time goes into headers. Returns the variables
    of make that name these units."""
    lines = makefile.read_text().replace("\\\n", " ")
    lists = dict(re.findall(r"^VM_(\w+) \+= (.*)$", lines, re.MULTILINE))
    variables = ["VM_PARALLEL_BUILDS=1"]
    for speed in ("FAST", "SLOW"):
        unit = f"joined_{speed.lower()}"
        names = f"{lists[f'CLASSES_{speed}']} {lists[f'SUPPORT_{speed}']}".split()
        text = "".join(f'#include "{name}.cpp"\n' for name in names)
        makefile.with_name(f"{unit}.cpp").write_text(text)
        variables += [f"VM_CLASSES_{speed}={unit}", f"VM_SUPPORT_{speed}="]
    return variables


def _cache(root: Path) -> str:
    """Returns the compiler launcher for the makefile. It reuses objects of earlier builds, for
    example of the same C++ file in another design, or of the hardware of a twin."""
    words = [sys.executable, "-I", "-S", sources.OBJECTS, sources.HOME.parent / "objects", root]
    return shlex.join(str(word) for word in words)


def _version() -> bytes:
    return run(["verilator", "--version"], "verilator does not start").encode()


def _put(built: Path, place: Path) -> None:
    """Moves a build to its final path by copying and then renaming it, because two builds may end
    at the same time, and the folders may be on different file systems."""
    beside = Path(tempfile.mkdtemp(dir=place.parent))
    Path(shutil.copy2(built, beside)).rename(place)
    beside.rmdir()


def _prune(folder: Path, kept: int) -> None:
    """Removes all but the `kept` entries of the folder that were used last."""
    found = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
    for old in found[:-kept]:
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)


def random_test(
    root: Path, design: Design, options: Sequence[str], coverage: Path | None = None
) -> str:
    simulator = build(root, design)
    environment = {"COVERAGE_FILE": str(coverage)} if coverage else {}
    failure = f"the random test of {design.name} fails"
    return run([simulator, *options], failure, environment=environment)
