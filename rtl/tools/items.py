# SPDX-License-Identifier: MIT
"""The checks of the hardware, `./ticklab test rtl`: lint, random tests, proofs, booting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ticklab.quality.item import Item, ItemOptions
from tools import boot, formal, mutants, properties, simulation, sources, timing

INPUTS = ("platform", "rtl")
VERILATOR = ("verilator", "g++")
YOSYS = ("yosys", "z3")
RISCV = ("riscv64-unknown-elf-gcc",)

CI_CALLS, LONG_CALLS = 100_000, 10_000_000
CI_LARGE_CALLS = 50_000  # for a unit whose simulation is slower
LONG_CYCLES = 100_000_000
STEP_S = 7e-6  # estimated processor time of simulating a call or an access
CI_ACCESSES, LONG_ACCESSES = 100_000, 10_000_000
CI_TREE_ACCESSES = 20_000
CI_QUEUES, LONG_QUEUES = (4, 8), (4, 8, 16)
CI_NODES, LONG_NODES, LINT_NODES = (4, 1), (4, 2, 1, 16), (1, 4, 16)


def items(choice: ItemOptions) -> Iterator[Item]:
    root = sources.RTL
    for nodes in LONG_NODES if choice.long else CI_NODES:
        boots = partial(boot.nodes, root, nodes)
        yield _item(f"boot/{nodes}", boots, 20, (*VERILATOR, *RISCV))
    if choice.long:
        for core in ("cv32e40s", "ibex-banks"):
            boots = partial(boot.nodes, root, 1, core)
            yield _item(f"boot/{core}", boots, 27, (*VERILATOR, *RISCV))
    yield _item("qemu", partial(boot.qemu, root), 1, (*RISCV, "qemu-system-riscv32"), fast=True)
    yield from _random(choice)
    yield _item("properties", partial(properties.require_current, root), 1, fast=True)
    check = partial(timing.check, root, choice.long)
    yield _item("timing", check, 10, ("yosys",), options=f"long={choice.long}")
    if choice.long:
        yield _item("timing/16", partial(timing.check_clock, root), 45, ("yosys",))
    yield from _proofs(choice.long)
    for nodes in LINT_NODES:
        yield _item(f"lint/{nodes}", partial(_lint, nodes, "ibex"), 3, VERILATOR, fast=nodes == 4)
    for core in ("cv32e40s", "ibex-banks"):
        yield _item(f"lint/{core}", partial(_lint, 1, core), 2, VERILATOR)
    needs = (*VERILATOR, *YOSYS)
    yield Item("rtl/unusable-mutants", mutants.require_errors, INPUTS, needs, seconds=5)
    yield from mutants.area().items(choice)


def _lint(nodes: int, core: str) -> str:
    return simulation.lint(sources.RTL, simulation.system(sources.RTL, nodes, core))


def _random(choice: ItemOptions) -> Iterator[Item]:
    """Yields the random tests of the unit and of the fabric. Without --long, each number of stages,
    the mutexes and the deadlines are in one of the units, and the fabrics are those of an odd
    number of nodes and of the tree; the boot tests have a fabric of four nodes."""
    root = sources.RTL
    units = [simulation.mutexes(root, 2), simulation.deadlines(root, 1)]
    small = [simulation.small(simulation.rtu(root)), simulation.large(root)]
    if choice.long:
        units += [simulation.pipelined(root), simulation.deep(root)]
        units += [simulation.mutexes(root, stages) for stages in (0, 1)]
        units += [simulation.deadlines(root, stages) for stages in (0, 2)]
    full = [*_size("--calls", LONG_CALLS), *_size("--cycles", LONG_CYCLES)]
    for design, calls in (
        (simulation.rtu(root), CI_LARGE_CALLS),
        *((unit, CI_CALLS) for unit in units),
    ):
        yield _random_item(choice, design, full if choice.long else _size("--calls", calls))
    for design in small if choice.long else ():
        yield _random_item(choice, design, _size("--calls", CI_CALLS))
    if choice.long:
        accesses = _size("--accesses", LONG_ACCESSES)
        yield _random_item(choice, simulation.fabric(root), accesses)
    for design, short, most in (
        (simulation.small(simulation.fabric(root)), CI_ACCESSES, CI_ACCESSES),
        (simulation.tree(root), CI_TREE_ACCESSES, LONG_ACCESSES),
    ):
        yield _random_item(choice, design, _size("--accesses", most if choice.long else short))


def _size(option: str, number: int) -> list[str]:
    return [option, str(number)]


def _random_item(choice: ItemOptions, design: simulation.Design, sizes: list[str]) -> Item:
    options = [*sizes, "--seed", str(choice.seed)]
    run = partial(properties.random_test, sources.RTL, design, options)
    seconds = 8 + STEP_S * int(sizes[1])
    return _item(f"random/{design.name}", run, seconds, VERILATOR, options=" ".join(options))


def _proofs(long: bool) -> Iterator[Item]:
    root = sources.RTL
    proofs = [formal.rtu(root), formal.delays(root), formal.arbiter(root)]
    proofs += [formal.turns(root), formal.banks(root)]
    proofs += [formal.deep_queue(root), formal.deadline_queue(root), formal.deep_delays(root)]
    inductive = [formal.pipelined(root), formal.deep(root), formal.mutexes(root)] if long else []
    inductive += [formal.deadlines(root)] if long else []
    proofs += inductive
    proofs += [formal.queue(root, depth) for depth in (LONG_QUEUES if long else CI_QUEUES)]
    for proof in proofs:
        name = proof.name.replace(" ", "-").lower()
        yield Item(
            f"rtl/prove/{name}",
            partial(_prove, proof),
            INPUTS,
            YOSYS,
            seconds=60 if proof in inductive else 20 if name == "rtu" else 3,
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
