# SPDX-License-Identifier: MIT
"""The checks of Bulkhead on several nodes that `./ticklab test nodes` runs: programs on the
simulated hardware (nodes.py) and models (../model), and mutants of both.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import models
import nodes
from tools import simulation, sources
from tools.shell import CheckError

from ticklab.quality.item import Item, ItemOptions
from ticklab.quality.mutants import Area, Mutant, read

INPUTS = ("bulkhead/nodes", "bulkhead/core", "platform", "rtl")
TOOLS = ("verilator", "g++", "riscv64-unknown-elf-gcc")
SIMULATORS = {2: "nodes/simulator/2", 4: "nodes/simulator/4"}


def items(choice: ItemOptions) -> Iterator[Item]:
    for count, name in SIMULATORS.items():
        yield Item(name, partial(_build, count), ["rtl"], TOOLS, seconds=12)
    for name, _ in nodes.checks(_ours(Path())):
        after = (SIMULATORS[4 if name.startswith("share") else 2],)
        yield Item(f"nodes/{name}", partial(_check, name), INPUTS, TOOLS, 3, after=after)
    yield from _area().items(choice)
    for model, macros in models.MUTANTS.items():
        yield _model(f"nodes/model/{model}", partial(models.holds, model))
        for macro in macros:
            short = macro.lower().replace("_", "-")
            run = partial(models.caught, model, macro)
            yield _model(f"mutants/models/{model}/{short}", run)


def _model(name: str, run: partial[str]) -> Item:
    return Item(name, lambda folder: run(folder), INPUTS[:1], ("spin", "gcc"), seconds=1)


def _build(count: int, _folder: Path) -> str:
    """Builds a simulator before checks that run side by side need it."""
    return simulation.build(sources.RTL, simulation.system(sources.RTL, count)).name


def _ours(folder: Path) -> nodes.Tree:
    return nodes.Tree(nodes.NODES, folder)


def _check(name: str, folder: Path) -> str:
    return dict(nodes.checks(_ours(folder)))[name]()


def attempt(mutant: Mutant, folder: Path) -> str | None:
    """Returns the failure of the check on a mutant, or None if the check passes."""
    copy = folder / "nodes"
    shutil.copytree(nodes.NODES, copy)
    mutant.plant(copy)
    try:
        dict(nodes.checks(nodes.Tree(copy, folder)))[mutant.caught_by]()
    except CheckError as error:
        if "does not build" in str(error):
            raise CheckError(f"{mutant.what} is no kernel: {error}") from error
        return str(error).splitlines()[-1]
    return None


def _area() -> Area:
    return Area(
        "nodes",
        nodes.NODES,
        read("nodes", (nodes.NODES / "test" / "mutants").glob("*.toml")),
        attempt,
        INPUTS,
        TOOLS,
        seconds=lambda _: 6,
        after=tuple(SIMULATORS.values()),
    )
