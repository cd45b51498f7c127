# SPDX-License-Identifier: MIT
"""The checks of Bulkhead on several nodes, on the simulated hardware: test programs that must print
`well`, and figures that must stay within the limits of docs/explanation/multicore/figures.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tools import simulation, sources
from tools.shell import CheckError, run

from ticklab.building import program
from ticklab.building.program import Program
from ticklab.description import architecture

CORE = architecture.cores()["ibex"]
NODES = sources.RTL.parent / "bulkhead" / "nodes"

Check = Callable[[], str]

SCHEDULERS = ("central", "semi", "rtu")
LATENCIES = (0, 8, 300)
SHARE_LATENCIES = (0, 8, 100)
LIMIT_CYCLES = 5_000_000

# Latencies of the bus, in cycles, and for each service the most cycles that it may take on a node
# at a latency (docs/explanation/multicore/figures.md). `[1]` is node 1.
FIGURE_LATENCIES = (0, 8, 33, 100)
BOUNDS: dict[str, dict[str, Callable[[int], int]]] = {
    "central": {
        "[1] yield": lambda latency: 250 + 2 * latency,
        "[0] yield": lambda latency: 120,
        "[1] create": lambda latency: 300 + 2 * latency,
        "[1] round-trip": lambda latency: 650,
        "[1] bandwidth": lambda latency: 260_000,
    },
    "semi": {
        "[1] yield": lambda latency: 90,
        "[0] yield": lambda latency: 90,
        "[1] create": lambda latency: 100,
        "[1] round-trip": lambda latency: 450,
        "[1] bandwidth": lambda latency: 135_000,
    },
    "rtu": {
        "[1] yield": lambda latency: max(85, 60 + latency),
        "[0] yield": lambda latency: max(85, 60 + latency),
        "[1] create": lambda latency: 60 + latency,
        "[1] round-trip": lambda latency: 320,
        "[1] bandwidth": lambda latency: 72_000,
    },
}
ONLY_AT_8 = ("round-trip", "bandwidth")


@dataclass(frozen=True)
class Tree:
    """A tree of the kernel's sources, and the folder of the images that are built from it."""

    root: Path
    images: Path


def image(tree: Tree, guest: str, scheduler: str, protection: str, queue: str = "levels") -> Path:
    """Builds a test program with one scheduler, for all nodes."""
    devices = "on" if guest == "devices" else "off"
    name = f"{guest}-{scheduler}-{protection}-{queue}.elf"
    path, root = tree.images / name, tree.root
    path.parent.mkdir(parents=True, exist_ok=True)
    sleep = [] if scheduler == "rtu" else [root / "sleep"]  # with the RTU, the unit keeps time
    common, own, test = [root / "common", *sleep], root / scheduler, root / "test"
    folders = [root / "include", *common, own, NODES.parent / "core"]
    folders += [root / "queue" / queue, root / "protection" / protection]
    folders.append(root / "devices" / devices)
    files = [test / "start.S", test / f"{guest}.c"]
    files += [source for folder in common for source in sorted(folder.glob("*.[cS]"))]
    if guest != "declaration":  # the program `declaration` has no harness
        files.append(test / "harness.c")
    files += sorted(own.glob("*.c"))
    made = Program(
        program.freestanding(CORE), files, test / "link.ld", includes=folders, libraries=["-lgcc"]
    )
    run(made.command(path), f"{name} does not build")
    return path


def simulate(elf: Path, nodes: int, latency: int) -> list[str]:
    """Returns the output of the nodes, each line with its node."""
    simulator = simulation.build(sources.RTL, simulation.system(sources.RTL, nodes))
    options: list[str | Path] = ["--latency", str(latency), "--cycles", str(LIMIT_CYCLES)]
    *said, _ = run(
        [simulator, *options, elf], f"{elf.stem} fails on {nodes} nodes at latency {latency}"
    ).splitlines()
    return said


def says_well(elf: Path) -> str:
    for latency in LATENCIES:
        said = simulate(elf, 2, latency)
        if said != ["[0] well"]:
            raise CheckError(f"{elf.stem} printed {said} at latency {latency}")
    return f"{elf.stem} is well at latencies {', '.join(map(str, LATENCIES))}"


def services(tree: Tree, scheduler: str, protection: str, queue: str = "levels") -> str:
    return says_well(image(tree, "services", scheduler, protection, queue))


def mutex(tree: Tree, protection: str) -> str:
    return says_well(image(tree, "mutex", "rtu", protection))


def isolation(tree: Tree, scheduler: str) -> str:
    return says_well(image(tree, "isolation", scheduler, "on"))


def devices(tree: Tree, scheduler: str) -> str:
    return says_well(image(tree, "devices", scheduler, "off"))


def declaration(tree: Tree, scheduler: str) -> str:
    return says_well(image(tree, "declaration", scheduler, "on"))


def share(tree: Tree, scheduler: str) -> str:
    elf = image(tree, "share", scheduler, "off")
    said = [line for latency in SHARE_LATENCIES for line in simulate(elf, 4, latency)]
    shares = [int(re.sub(r"\D", "", line.partition("]")[2])) for line in said]
    sleep, call = (", ".join(map(str, shares[i::2])) for i in range(2))
    return (
        f"{scheduler}: of its time the master's task keeps {sleep} % while others sleep, "
        f"{call} % while they call, too"
    )


def figures(tree: Tree, scheduler: str) -> str:
    elf = image(tree, "figures", scheduler, "off")
    measured = []
    for latency in FIGURE_LATENCIES:
        lines = [line.rsplit(" ", 1) for line in map(str.rstrip, simulate(elf, 2, latency))]
        for name, cycles in lines:
            check_bound(scheduler, name, int(cycles), latency)
        measured.append(f"L={latency}: " + ", ".join(f"{name} {cycles}" for name, cycles in lines))
    return f"{scheduler}: {'; '.join(measured)}"


def check_bound(scheduler: str, name: str, cycles: int, latency: int) -> None:
    bound = BOUNDS[scheduler].get(name)
    if not bound or (latency != 8 and name.endswith(ONLY_AT_8)):
        return
    if cycles > bound(latency):
        raise CheckError(
            f"{scheduler}: {name} takes {cycles} cycles at latency {latency}, "
            f"more than {bound(latency)}"
        )


def checks(tree: Tree) -> Iterator[tuple[str, Check]]:
    """Yields the checks of a tree with their names."""
    for scheduler in SCHEDULERS:
        for name, check in (
            ("share", share),
            ("figures", figures),
            ("isolation", isolation),
            ("declaration", declaration),
            ("devices", devices),
        ):
            yield f"{name}/{scheduler}", partial(check, tree, scheduler)
        for protection in ("on", "off"):
            check = partial(services, tree, scheduler, protection)
            yield f"services/{scheduler}/{protection}", check
    for protection in ("on", "off"):
        yield f"mutex/{protection}", partial(mutex, tree, protection)
    yield "services/sorted", partial(services, tree, "central", "off", "sorted")
