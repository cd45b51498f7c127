# SPDX-License-Identifier: MIT
"""Kernels with one check or one step less, each of which a test must catch: mutants/*.toml.

A mutant is a change of a text in one file. The text must occur exactly once, so that no mutant
outlives the code that it changes. A mutant must still build. It names the test that catches it:
"model", "attack" or a test of images.TARGET; a test of images.RV32_TESTS if the mutant is for that
core.

There are no mutants that no test could catch, such as those of a check that cannot fail while the
other checks hold.
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

SECONDS = 20  # limit of processor time; a mutant that does not end counts as caught
PART = 16  # number of mutants in a short run


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
    """Tests that every mutant still changes something: its text is in its file exactly once."""
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
    """Builds the objects of the unchanged kernel, once for all mutants of a test."""
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
    """Returns all mutants, or a part that starts at a place that the seed chooses."""
    return EVERY if long else EVERY[seed % PART :: PART]


def require_caught(folder: Path, mutant: Mutant) -> str:
    if not _is_caught(mutant, folder / f"mutant-{EVERY.index(mutant)}"):
        raise TestError(f"a kernel without {mutant.lacks} passes the test {mutant.test}")
    return f"mutant without {mutant.lacks}: caught by {mutant.test}"
