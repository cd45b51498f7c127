# SPDX-License-Identifier: MIT
"""Makes cases for tests, which are never compiled, and event logs as an image of two threads would
give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from logs import Writer

from ticklab.description.architecture import Architecture, Compiler, Core, Emulator
from ticklab.description.machine import Emulated
from ticklab.description.model import (
    Board,
    Case,
    Config,
    End,
    Expectation,
    Image,
    Kernel,
    Profile,
    SamplePlan,
    Scenario,
    Span,
    Variant,
)
from ticklab.targets.protocol import Ending, Observation, ObservationPlan


class Uncounted(Emulated, frozen=True):
    """A machine for images that are no ELF files, so that no instruction is known to belong to the
    port."""

    counts_port = False


THREADS = ("iteration.0", "iteration.1")
CONFIG = Config("default", Path("default.h"), "the only one")
ARCH = Architecture(
    name="arch",
    title="An architecture",
    elf_machine="ARM",
    has_reset_vectors=False,
    compiler=Compiler("triple", (), (), "", (), ()),
    emulator=Emulator("qemu", (), (), ()),
    faults={3: "HardFault"},
)
CORE = Core("core", "A core", ARCH, True, True, (), ())
KERNEL = Kernel(
    name="kernel",
    title="A kernel",
    version="1",
    folder=Path("kernels/kernel"),
    source=None,
    sources=(),
    includes=(),
    by_arch={},
    by_core={},
    defines={},
    interface="bench",
    services=frozenset({"yield"}),
    features={"isolation": False},
    configs={"default": CONFIG},
    ranked=("default",),
    facts=(),
    cores=frozenset({"core"}),
)
BOARD = Board(
    name="board",
    title="A board",
    folder=Path("boards/board"),
    core=CORE,
    clock_hz=100_000,
    tick_hz=100,
    machine=Uncounted("machine"),
    memory={},
    vectors=0,
    profile="zero-wait",
)
SCENARIO = Scenario(
    name="switch",
    suite="suite",
    file=Path("switch.c"),
    services=frozenset({"yield"}),
    spans=(Span("iteration", each=THREADS),),
    expect=Expectation(order=THREADS),
    plan=SamplePlan(warm_up=2, samples=20, ticks=2),
    threads=THREADS,
    score=True,
)
PROOF = replace(
    SCENARIO,
    name="proof",
    suite="conformance",
    spans=(),
    expect=Expectation(),
    proves=SCENARIO.services,
)
PROFILE = Profile("zero-wait", "Zero wait states", {"wait_states": 0})
CASE = Case(Variant(KERNEL, CONFIG, BOARD, "O2", BOARD.clock_hz), SCENARIO)


def case(scenario: Scenario = SCENARIO, kernel: str = "kernel") -> Case:
    return replace(CASE.varied(kernel=replace(KERNEL, name=kernel)), scenario=scenario)


def image(of: Case) -> Image:
    name = f"{of.variant.kernel.name}-{of.variant.optimise}-{of.scenario.name}"
    return Image(Path(name), f"hash of {name}", {"compiler": "cc 1"})


def images(cases: Sequence[Case]) -> list[Image]:
    return [image(each) for each in cases]


def switching(
    plan: ObservationPlan, length: int = 10, period: int = 1000, start: int = 0
) -> Observation:
    """Returns the observation of two threads that take turns, `length` instructions each, with a
    tick after every `period` instructions, until the plan's budget is used."""
    writer, tick = Writer(THREADS, modelled=plan.profile is not None), period
    for turn in range(1, (plan.instructions - start) // length):
        ticks = int(turn * length >= tick)
        tick += ticks * period
        step = {"cycles": 2 * length + 5 * ticks, "refill": 1, "entered": 1 + ticks}
        writer.mark(THREADS[turn % 2], length, systick=ticks, **step)
    return Observation(Ending(End.INSTRUCTIONS, ""), writer.log("instructions"))


def finished() -> Observation:
    ending = Ending(End.EXIT, "ticklab: finished\n")
    return Observation(ending, Writer([]).log("exit"))
