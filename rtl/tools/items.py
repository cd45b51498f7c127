# SPDX-License-Identifier: MIT
"""The checks of the hardware, `./ticklab test rtl`: lint, random tests, proofs, booting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ticklab.quality.item import Item, ItemOptions
from tools import boot, formal, mutants, properties, simulation, sources

INPUTS = ("platform", "rtl")
VERILATOR = ("verilator", "g++")
YOSYS = ("yosys", "z3")
RISCV = ("riscv64-unknown-elf-gcc",)

CI_CALLS, LONG_CALLS = 100_000, 10_000_000
CI_LARGE_CALLS = 50_000  # of the unit at its full size, which is simulated more slowly
CI_ACCESSES, LONG_ACCESSES = 100_000, 10_000_000
CI_TREE_ACCESSES = 20_000
CI_QUEUES, LONG_QUEUES = (4, 8), (4, 8, 16)
CI_NODES, LONG_NODES, LINT_NODES = (4, 1), (4, 2, 1, 16), (1, 4, 16)


def items(choice: ItemOptions) -> Iterator[Item]:
    root = sources.RTL
    for nodes in LONG_NODES if choice.long else CI_NODES:
        boots = partial(boot.nodes, root, nodes)
        yield _item(f"boot/{nodes}", boots, 25, (*VERILATOR, *RISCV))
    yield _item("qemu", partial(boot.qemu, root), 1, (*RISCV, "qemu-system-riscv32"), fast=True)
    yield from _random(choice)
    yield _item("properties", partial(properties.require_current, root), 1, fast=True)
    yield from _proofs(choice.long)
    for nodes in LINT_NODES:
        lint = partial(_lint, nodes)
        yield _item(f"lint/{nodes}", lint, 8, VERILATOR, fast=nodes == 4)
    yield from mutants.area().items(choice)


def _lint(nodes: int) -> str:
    return simulation.lint(sources.RTL, simulation.system(sources.RTL, nodes))


def _random(choice: ItemOptions) -> Iterator[Item]:
    root = sources.RTL
    for design, option, short, full in (
        (simulation.rtu(root), "--calls", CI_LARGE_CALLS, LONG_CALLS),
        (simulation.small(simulation.rtu(root)), "--calls", CI_CALLS, CI_CALLS),
        (simulation.pipelined(root), "--calls", CI_CALLS, LONG_CALLS),
        (simulation.fabric(root), "--accesses", CI_ACCESSES, LONG_ACCESSES),
        (simulation.small(simulation.fabric(root)), "--accesses", CI_ACCESSES, CI_ACCESSES),
        (simulation.tree(root), "--accesses", CI_TREE_ACCESSES, LONG_ACCESSES),
    ):
        options = [option, str(full if choice.long else short), "--seed", str(choice.seed)]
        run = partial(properties.random_test, root, design, options)
        yield _item(f"random/{design.name}", run, 20, VERILATOR, options=" ".join(options))


def _proofs(long: bool) -> Iterator[Item]:
    root = sources.RTL
    proofs = [formal.rtu(root), formal.delays(root), formal.arbiter(root)]
    proofs += [formal.pipelined(root)] if long else []
    proofs += [formal.queue(root, depth) for depth in (LONG_QUEUES if long else CI_QUEUES)]
    for proof in proofs:
        name = proof.name.replace(" ", "-").lower()
        yield Item(
            f"rtl/prove/{name}",
            partial(_prove, proof),
            INPUTS,
            YOSYS,
            seconds=20,
            fast=name == "bus-arbiter",
        )


def _prove(proof: formal.Proof, folder: Path) -> str:
    return formal.prove(sources.RTL, proof, folder)


def _item(
    name: str,
    run: Callable[[], str],
    seconds: float,
    tools: tuple[str, ...] = (),
    *,
    fast: bool = False,
    options: str = "",
) -> Item:
    return Item(f"rtl/{name}", lambda _: run(), INPUTS, tools, seconds, fast, options=options)
