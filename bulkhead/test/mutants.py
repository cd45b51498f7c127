# SPDX-License-Identifier: MIT
"""Kernels with one check or one step less, each of which a test must catch: mutants/*.toml.

A mutant is a change of the text of one file, which must be there exactly once, so that no mutant
outlives what it changes. It must still build. What it is caught by is the test that names it:
"model", "attack" or one of images.TARGET; of images.RV32_TESTS if it is for that core.

What no test could catch is not there: a check of what cannot come about while the others hold.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

import images
from build import BULKHEAD, CORTEX_M4F, RV32, BuildError, Core, Image, TestError, Tree

SECONDS = 20  # of the processor; what does not end is caught too
PART = 16  # of them are enough for a short run


@dataclass(frozen=True)
class Mutant:
    lacks: str
    file: str
    old: str
    new: str
    test: str
    core: str = CORTEX_M4F.name


def _every() -> Iterator[Mutant]:
    for file in sorted((BULKHEAD / "test" / "mutants").glob("*.toml")):
        for entry in tomllib.loads(file.read_text())["mutant"]:
            yield Mutant(**entry)


EVERY = tuple(_every())


def require_applicable(_: Path) -> str:
    """Every mutant still changes something: its text is in its file exactly once."""
    for mutant in EVERY:
        times = (BULKHEAD / mutant.file).read_text().count(mutant.old)
        if times != 1:
            raise TestError(
                f"mutant without {mutant.lacks}: {mutant.file} has its text {times} times, not "
                "once; change the mutant with the code"
            )
    return f"mutants: {len(EVERY)} apply"


def _change(mutant: Mutant, copy: Path) -> Path:
    shutil.copytree(BULKHEAD, copy, ignore=shutil.ignore_patterns("__pycache__"))
    file = copy / mutant.file
    file.write_text(file.read_text().replace(mutant.old, mutant.new))
    return file


_building = Lock()


def _image(mutant: Mutant, core: Core) -> Image:
    if mutant.test == "attack":
        return images.attack(core, seed=1, crafted=500, random=1000)
    return (images.RV32_TESTS if core == RV32 else images.TARGET)[mutant.test]


def _unchanged(folder: Path, image: Image, core: Core) -> Path:
    """The objects of the kernel as it is: built once for all mutants of a test."""
    built = folder / "unchanged"
    place = Tree(core=core).place(built, image, "O2")
    with _building:
        built.mkdir(exist_ok=True)
        if not place.exists():
            Tree(core=core).image(built, image, "O2")
    return place


def _run(mutant: Mutant, folder: Path) -> None:
    copy = folder / "bulkhead"
    changed = _change(mutant, copy)
    core = RV32 if mutant.core == RV32.name else CORTEX_M4F
    tree = Tree(copy, warnings=("-w",), core=core)
    if mutant.test == "model":
        tree.model(folder)
        return
    image = _image(mutant, core)
    if changed.suffix in (".c", ".S"):
        built = _unchanged(folder.parent, image, core)
        tree = replace(tree, changed=changed, built=built)
    tree.target(folder, image, "O2", SECONDS)


def _is_caught(mutant: Mutant, folder: Path) -> bool:
    folder.mkdir()
    try:
        _run(mutant, folder)
    except BuildError as error:
        raise TestError(f"mutant without {mutant.lacks} does not build: {error}") from None
    except TestError:
        return True
    finally:
        shutil.rmtree(folder)
    return False


def chosen(seed: int, *, long: bool) -> tuple[Mutant, ...]:
    """All of them, or a part from a place that the seed chooses."""
    return EVERY if long else EVERY[seed % PART :: PART]


def require_caught(folder: Path, mutant: Mutant) -> str:
    if not _is_caught(mutant, folder / f"mutant-{EVERY.index(mutant)}"):
        raise TestError(f"a kernel without {mutant.lacks} passes the test {mutant.test}")
    return f"mutant without {mutant.lacks}: caught by {mutant.test}"
