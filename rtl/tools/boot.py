# SPDX-License-Identifier: MIT
"""Boots test programs on the simulated system, twice each, and compares the output of both runs
with the expected text. Boots one program on QEMU, too.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ticklab.building import program
from ticklab.building.program import Program
from ticklab.description import architecture
from tools import simulation, sources
from tools.shell import CheckError, run

CORE = architecture.cores()["ibex"]
LATENCIES = (0, 8, 300)
USUAL_LATENCY = 8
CYCLES = 2_000_000  # a program that takes more is considered to hang
MUTANT_CYCLES = 100_000  # on one node, where no program takes 6,000; a mutant's simulator is slow
LATENCIES_OF_MANY = (0, 8)  # for more than four nodes, which run longer: they contend for locks
# Each program and the lines that each node prints; {0} is the number of the node.
PROGRAMS = {
    "virt": ["hart {0} is well"],
    "core": ["core {0} is well"],
    "nodes": ["node {0} of {1} is well"],
}
# A core with banks of registers also runs this program, which prints the cycles of a task switch by
# a call and by an interrupt, with registers in memory and in banks.
BANKS = {
    "banks": [
        "call 45 cycles, with banks 17",
        "interrupt 80 cycles, with banks 24",
        "bank {0} is well",
    ]
}


def guest(root: Path, name: str) -> Path:
    """Builds a test program and returns the path of the image."""
    folder = root / "tb" / "guest"
    image = sources.HOME / "guest" / f"{name}.elf"
    image.parent.mkdir(parents=True, exist_ok=True)
    own = [path for path in (folder / f"{name}.c", folder / f"{name}.S") if path.exists()]
    parts = [folder / "start.S", *own]
    made = Program(program.freestanding(CORE), parts, folder / "link.ld")
    run(made.command(image), f"{name}.c does not build")
    return image


def _simulate(simulator: Path, image: Path, latency: int, tree: bool, cycles: int) -> list[str]:
    """Returns the program's output without node numbers, and the line of counts."""
    network = ["--tree"] if tree else []
    limits = ["--latency", str(latency), "--cycles", str(cycles)]
    command: list[str | Path] = [simulator, *limits, *network, image]
    failure = f"{image.stem} fails on {simulator.name} at latency {latency}"
    first = run(command, failure)
    if latency == USUAL_LATENCY and first != (second := run(command, failure)):
        raise CheckError(
            f"FAIL: {image.stem} is not deterministic on {simulator.name}: {first}\n{second}"
        )
    return first.splitlines()


def nodes(root: Path, count: int, core: str = "ibex") -> str:
    """Boots the programs on `count` nodes; each node must print that it is well."""
    return _boot(root, count, core, simulation.system(root, count, core))


def mutant(root: Path, core: str) -> str:
    """Boots the programs on one node whose sources contain a fault, built for a short run."""
    design = simulation.system(root, 1, core)
    arguments = ["-Wno-fatal", *design.arguments]
    design = replace(design, arguments=arguments, optimise_fast="-O0", has_twin=False)
    return _boot(root, 1, core, design, MUTANT_CYCLES)


def _boot(root: Path, count: int, core: str, design: simulation.Design, limit: int = CYCLES) -> str:
    simulator = simulation.build(root, design)
    cycles = []
    for name, lines in (PROGRAMS | (BANKS if core == "ibex-banks" else {})).items():
        for latency in LATENCIES if count <= 4 else LATENCIES_OF_MANY:
            *said, counts = _simulate(simulator, guest(root, name), latency, count > 4, limit)
            expected = sorted(
                f"[{node}] {line.format(node, count)}" for node in range(count) for line in lines
            )
            if sorted(said) != expected:
                place = f"{name} on {count} nodes at latency {latency}"
                raise CheckError(f"FAIL: {place} printed {said}, not {expected}")
            cycles.append(f"{name} L={latency} {counts.split()[0]}")
    return f"{count} nodes boot, cycles: {', '.join(cycles)}"


def qemu(root: Path) -> str:
    """Runs the image of a node, unchanged, on QEMU's `virt` machine."""
    machine = [CORE.arch.emulator.program, "-M", "virt", "-nographic", "-bios", "none"]
    icount = ["-icount", "shift=0,align=off,sleep=off"]  # virtual time counts instructions
    said = run([*machine, *icount, "-kernel", guest(root, "virt")], "virt fails on QEMU")
    if said.strip() != "hart 0 is well":
        raise CheckError(f"virt on QEMU printed {said!r}")
    return "the image of node 0 runs on QEMU too"
