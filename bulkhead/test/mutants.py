# SPDX-License-Identifier: MIT
"""Tests the tests: builds kernels in which one check or one step is removed (mutants, described in
mutants/*.toml), and requires that a test fails on each of them.

A mutant must still build. `caught_by` names the test: "model", "attack", "proof/" and a proof,
"stack", "events", or a test of images.TARGET; a test of images.RV32_TESTS if the mutant is for
that core (`core`).

A change that no test could find, such as the removal of a check that cannot fail while the other
checks hold, is not in the list.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import events
import images
import proofs
import stack_depth
from build import BULKHEAD, CORTEX_M4F, CORTEX_M33F, RV32, BuildError, Core, Image, TestError, Tree

from ticklab.quality.mutants import Area, Mutant, read

# Limits of processor time. A mutant whose test does not end counts as caught, so a limit must be
# longer than the test takes without a mutant: 3 s or less, except for the slow tests.
SECONDS, SLOW_SECONDS = 6, 40
SLOW = ("budget", "ends", "lazy", "positions", "model")

EVERY = read("bulkhead", (BULKHEAD / "test" / "mutants").glob("*.toml"))


def _core(mutant: Mutant) -> Core:
    cores = {core.name: core for core in (RV32, CORTEX_M33F)}
    return cores.get(mutant.own.get("core", ""), CORTEX_M4F)


def _image(mutant: Mutant) -> Image:
    if mutant.caught_by == "attack":
        return images.attack(_core(mutant), seed=1, crafted=1000, random=1000)
    if _core(mutant) == CORTEX_M33F:
        return images.on_core(CORTEX_M33F, mutant.caught_by)
    return (images.RV32_TESTS if _core(mutant) == RV32 else images.TARGET)[mutant.caught_by]


def _run(mutant: Mutant, folder: Path) -> None:
    copy = folder / "bulkhead"
    shutil.copytree(BULKHEAD, copy, ignore=shutil.ignore_patterns("__pycache__"))
    mutant.plant(copy)
    if mutant.caught_by.startswith("proof/"):
        _prove(mutant.caught_by.removeprefix("proof/"), folder, copy)
        return
    tree = Tree(copy, warnings=("-w",), core=_core(mutant))
    if mutant.caught_by == "stack":
        stack_depth.check(folder, tree, ("O0",))
        return
    seconds = SLOW_SECONDS if mutant.caught_by in SLOW else SECONDS
    if mutant.caught_by == "events":
        events.check(_core(mutant), folder, tree)
    elif mutant.caught_by == "model":
        tree.model(folder, seconds)
    else:
        tree.target(folder, _image(mutant), "O2", seconds)


def _prove(label: str, folder: Path, copy: Path) -> None:
    proof = next(proof for proof in proofs.every() if proof.label == label)
    if proof.check(folder, copy).startswith("skipped"):
        raise TestError("skipped: the model checker's package has nothing for this machine")


def attempt(mutant: Mutant, folder: Path) -> str | None:
    """Returns the failure of the test on a mutant, or None if the test passes."""
    folder.mkdir(exist_ok=True)
    try:
        _run(mutant, folder)
    except BuildError as error:
        raise TestError(f"{mutant.what} does not build: {error}") from None
    except TestError as error:
        return str(error).splitlines()[-1]
    return None


AREA = Area(
    "bulkhead",
    BULKHEAD,
    EVERY,
    attempt,
    inputs=("bulkhead", "platform", "bench/include", "observer"),
    tools=("arm-none-eabi-gcc", "qemu-system-arm", "riscv64-unknown-elf-gcc", "gcc"),
    keys=("core",),
    seconds=lambda mutant: 11 if mutant.caught_by == "model" else 3,
    part=64,
)
