# SPDX-License-Identifier: MIT
"""The list of the tests of Bulkhead that `./ticklab test bulkhead` runs: host tests of single
files, the model checker, and tests of the whole kernel on the emulator.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import closed
import cmsis
import coverage
import cpp
import debugger
import events
import examples
import images
import lease_costs
import libc
import mutants
import proofs
import sensor_hub
import sizes
import stack_depth
from build import CORTEX_M4F, CORTEX_M7F, CORTEX_M33F, RV32, Core, Image, TestError, Tree, emulator

from ticklab import paths
from ticklab.quality.item import Item, ItemOptions

TEST = Path(__file__).resolve().parent
INPUTS = ("bulkhead", "platform", "bench/include", "observer")
ARM = ("arm-none-eabi-gcc", "qemu-system-arm")
RISCV = ("riscv64-unknown-elf-gcc", "qemu-system-riscv32")

HOURS = 3600
# For each core, the numbers of hostile actions in the attack test: crafted ones and random ones.
# The Cortex-M4F gets the most random actions in the long test.
SHORT = {
    CORTEX_M4F: (1000, 10_000),
    CORTEX_M7F: (300, 3000),
    CORTEX_M33F: (300, 3000),
    RV32: (1000, 10_000),
}
LONG = {
    CORTEX_M4F: (100_000, 10_000_000),
    CORTEX_M7F: (100_000, 1_000_000),
    CORTEX_M33F: (100_000, 1_000_000),
    RV32: (100_000, 1_000_000),
}
ACTION_S = 110e-6  # processor time of a random action; measured: 60 to 140 µs
HOST = ("ready_test", "timer_test", "wait_test")
FAST = ("isolation", "threads", "calls")  # tested at O2; the whole test also tests O0 and Os
LEVELS = ("O0", "Os", "O2")
SMALL = "threads"  # the whole test tests each level of RV32 with it, so that each level links

Run = Callable[[Path], str]


def items(choice: ItemOptions) -> Iterator[Item]:
    yield from _on_this_machine()
    yield from _coverage(choice.long)
    yield from _proofs(choice.long)
    yield from _stacks(choice.long)
    yield from _target(choice.long)
    yield from _cores(choice.long)
    yield from _rv32(choice.long)
    yield from _ablations()
    yield from _attacks(choice)
    yield from _whole(choice.long)
    yield from mutants.AREA.items(choice)


def _on_this_machine() -> Iterator[Item]:
    tree = Tree()
    yield _item("host/model", tree.model, 10, tools=("gcc",))
    for name in HOST:
        yield _item(f"host/{name}", partial(tree.host, name=name), 1, fast=True, tools=("gcc",))
    scan = partial(Tree(ablation="ready-scan").host, name="ready_test")
    yield _item("host/ready_test-scan", scan, 1, tools=("gcc",))
    yield _item("declare", declarations, 3, fast=True, tools=())
    yield _item("closed", closed.check, 8)
    for core in (CORTEX_M4F, RV32):
        yield _item(f"cpp/{core.name}", partial(cpp.check, core), 1, tools=_tools(core))


def _coverage(long: bool) -> Iterator[Item]:
    if long:
        inputs = (*INPUTS, coverage.DOCUMENT)
        yield Item("bulkhead/coverage", coverage.check, inputs, ("gcc", "gcov"), seconds=120)


def _stacks(long: bool) -> Iterator[Item]:
    """Yields the tests that bound the depth of the kernel's stack, with and without optimisation;
    without it, the stack is deepest."""
    for core in (CORTEX_M4F, CORTEX_M33F, CORTEX_M7F) if long else (CORTEX_M4F, CORTEX_M33F):
        levels = LEVELS if long or core == CORTEX_M4F else ("O0",)
        check = partial(stack_depth.check, tree=Tree(core=core), levels=levels)
        yield _item(f"stack/{core.name}", check, 2 * len(levels), tools=ARM[:1])


def _proofs(long: bool) -> Iterator[Item]:
    for proof in proofs.every():
        if long or not proof.is_long:
            seconds = 20 if proof.is_long else 1
            tools = (str(paths.checker()),)
            yield _item(f"proof/{proof.label}", proof.check, seconds, tools=tools)


def declarations(_: Path) -> str:
    """Runs the generator's own tests."""
    suite = unittest.defaultTestLoader.discover(str(TEST / "declare"))
    result = unittest.TextTestRunner(verbosity=0).run(suite)
    if not result.wasSuccessful():
        raise TestError("declare")
    return f"{result.testsRun} tests"


def _target(long: bool) -> Iterator[Item]:
    for name, image in images.TARGET.items():
        for level in LEVELS if long or name in FAST else ("O2",):
            fast = level == "O2" and name in FAST
            yield _image(f"target/{name}/{level}", Tree(), image, level, fast=fast, long=long)
    for core in (CORTEX_M4F, images.CORTEX_M7F_16):
        for name, image in images.LOADED.items():
            yield _image(f"loaded/{name}/{core.name}", Tree(core=core), image)
    for name, image in images.CHECKED.items():
        yield _image(f"checked/{name}", Tree(), image)


def _cores(long: bool) -> Iterator[Item]:
    for core in images.OTHER_CORES:
        for name in images.of_core(core, long=long):
            image = images.on_core(core, name)
            yield _image(f"core/{core.name}/{name}", Tree(core=core), image, long=long)


def _rv32(long: bool) -> Iterator[Item]:
    tree = Tree(core=RV32)
    for name, image in images.RV32_TESTS.items():
        for level in LEVELS if long or name == SMALL else ("O2",):
            fast = level == "O2" and name == "isolation"
            yield _image(f"rv32/{name}/{level}", tree, image, level, fast=fast, long=long)
    for name, image in images.CHECKED.items() if long else ():
        yield _image(f"rv32/checked/{name}", tree, image)
    bare = Tree(ablation="rv32-isolation-off", core=RV32)
    yield _image("ablation/rv32-isolation-off/threads", bare, images.TARGET["threads"])


def _ablations() -> Iterator[Item]:
    """Yields a test item for each variant of the kernel in ablation/, with the tests that the
    variant is most likely to break."""
    for name, tests in images.ABLATIONS.items():
        for test in tests:
            yield _image(f"ablation/{name}/{test}", Tree(ablation=name), images.TARGET[test])
    bare = Tree(ablation="isolation-off", core=CORTEX_M33F)
    yield _image("ablation/isolation-off/threads-m33f", bare, images.TARGET["threads"])


def _attacks(choice: ItemOptions) -> Iterator[Item]:
    seed = choice.seed
    for core in SHORT:
        actions = (LONG if choice.long else SHORT)[core]
        attack = images.attack(core, seed, *actions)
        yield _long(f"attack/{core.name}", core, attack, sum(actions), f"{seed} {actions}")
        if choice.long and core in (CORTEX_M4F, RV32):
            tangle = images.tangle(actions[1], seed=seed)
            yield _long(f"tangle/{core.name}", core, tangle, actions[1], f"{seed} {actions}")


def _long(name: str, core: Core, image: Image, actions: int, options: str) -> Item:
    run = partial(Tree(core=core).target, image=image, level="O2", seconds=4 * HOURS)
    return _item(name, run, 2 + actions * ACTION_S, tools=_tools(core), options=options)


def _whole(long: bool) -> Iterator[Item]:
    yield _item(
        "sizes", partial(_sizes, long), 12 if long else 3, fast=True, options=f"long={long}"
    )
    inputs = (*INPUTS, "marks", lease_costs.DOCUMENT)
    yield Item("bulkhead/lease_costs", lease_costs.check, inputs, ARM, seconds=10)
    for name, image, level, check in (
        ("threads", images.TARGET["isolation"], "O0", debugger.check),
        ("calls", images.TARGET["calls"], "O0", debugger.check_call),
    ):
        yield _item(
            f"gdb/{name}", partial(_debugged, image, level, check), 2, tools=(*ARM, "gdb-multiarch")
        )
    for core in (CORTEX_M4F, CORTEX_M33F, RV32):
        tools = (*_tools(core), "gdb-multiarch")
        yield _item(f"events/{core.name}", partial(events.check, core), 3, tools=tools)
    cmake = (*ARM, "cmake", "ninja")
    for core in (CORTEX_M7F, CORTEX_M33F, RV32):
        run, tools = partial(_package, core), (*cmake, *_tools(core), "gdb-multiarch")
        yield _item(f"package/{core.name}", run, 2, tools=tools)
    for core in (CORTEX_M4F, RV32):
        check = partial(cmsis.check, core)
        yield _item(f"cmsis-rtos2/{core.name}", check, 6, tools=(*cmake, *_tools(core)))
    yield _item("examples", examples.check, 12, tools=cmake)
    yield _item("libc/rv32imc", libc.check, 5, tools=(*cmake, *_tools(RV32)))
    yield _item("sensor-hub", sensor_hub.check, 6, tools=cmake)
    if long:
        yield _item("sensor-hub-controls", sensor_hub.check_controls, 10, tools=cmake)


def _sizes(long: bool, folder: Path) -> str:
    return "\n".join(sizes.table(folder, with_options=long))


def _debugged(
    image: Image, level: str, check: Callable[[Path, list[str]], str], folder: Path
) -> str:
    return check(Tree().image(folder, image, level), emulator())


def _package(core: Core, folder: Path) -> str:
    """Builds an example for a core as a release, without debug information of its own; runs it, and
    debugs it.
    """
    example = examples.moved(examples.copied(folder / "original", "crash"), core, folder)
    built = examples.require_expected(example, core)
    check = debugger.check_secure if core == CORTEX_M33F else debugger.check_package
    return check(built, emulator(core))


def _image(
    name: str,
    tree: Tree,
    image: Image,
    level: str = "O2",
    *,
    fast: bool = False,
    long: bool = False,
) -> Item:
    image = images.lengthened(image) if long else image
    run = partial(tree.target, image=image, level=level)
    options = f"length={image.length}"
    return _item(name, run, 2, fast=fast, tools=_tools(tree.core), options=options)


def _tools(core: Core) -> tuple[str, ...]:
    return RISCV if core.arch == "rv32" else ARM


def _item(
    name: str,
    run: Run,
    seconds: float,
    *,
    fast: bool = False,
    tools: tuple[str, ...] = ARM,
    options: str = "",
) -> Item:
    return Item(f"bulkhead/{name}", run, INPUTS, tools, seconds, fast, options=options)
