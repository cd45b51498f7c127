# SPDX-License-Identifier: MIT
"""Tests that each check catches its faults: one line is made wrong, and its check must fail."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tools import boot, formal, simulation, sources
from tools.shell import CheckError

PART = 16


@dataclass(frozen=True)
class Mutant:
    """`file` has the text `good` once; with `bad` in its place the check `caught_by` must fail."""

    name: str
    file: str
    good: str
    bad: str
    caught_by: str


def read(root: Path) -> list[Mutant]:
    """Returns the mutants of all parts of the hardware: mutants/PART.toml."""
    tables = [tomllib.loads(path.read_text()) for path in sorted((root / "mutants").glob("*.toml"))]
    return [Mutant(name=name, **fields) for table in tables for name, fields in table.items()]


def chosen(root: Path, seed: int, *, long: bool) -> list[Mutant]:
    """Returns all mutants, or every sixteenth from a place that the seed chooses."""
    mutants = read(root)
    return mutants if long else mutants[seed % PART :: PART]


def _random(
    design: Callable[[Path], simulation.Design], option: str
) -> Callable[[Path, Path], str]:
    """Uses the small design, not optimised: most mutants are caught within seconds."""
    return lambda root, _work: simulation.random_test(
        root,
        replace(simulation.small(design(root)), optimise_fast="-O0", covers=False),
        [option, "100000"],
    )


def _proof(proof: Callable[[Path], formal.Proof]) -> Callable[[Path, Path], str]:
    return lambda root, work: formal.prove(root, proof(root), work)


CHECKS: Mapping[str, Callable[[Path, Path], str]] = {
    "random": _random(simulation.rtu, "--calls"),
    "fabric": _random(simulation.fabric, "--accesses"),
    "queue": _proof(lambda root: formal.queue(root, 4)),
    "rtu": _proof(formal.rtu),
    "delays": _proof(formal.delays),
    "arbiter": _proof(formal.arbiter),
    "boot": lambda root, _work: boot.mutant(root),
}


def _plant(root: Path, mutant: Mutant, work: Path) -> Path:
    """Makes a copy of the sources with the mutant in it."""
    copy = work / "rtl"
    shutil.rmtree(copy, ignore_errors=True)
    for folder in ("rtl", "tb", "formal", "lint"):
        shutil.copytree(root / folder, copy / folder)
    path = copy / mutant.file
    text = path.read_text()
    if text.count(mutant.good) != 1:
        raise CheckError(
            f"mutant {mutant.name} does not fit {mutant.file}: bring mutants/ up to date"
        )
    path.write_text(text.replace(mutant.good, mutant.bad))
    return copy


def catch(root: Path, mutant: Mutant) -> str:
    work = sources.HOME / "mutants" / mutant.name
    copy = _plant(root, mutant, work)
    try:
        CHECKS[mutant.caught_by](copy, work / "proof")
    except CheckError as error:
        if any(word in str(error) for word in ("does not build", "cannot read", "stops early")):
            raise CheckError(f"mutant {mutant.name} is no working hardware: {error}") from error
        return f"mutant {mutant.name} is caught: {_reason(str(error))}"
    raise CheckError(f"mutant {mutant.name} is not caught by {mutant.caught_by}")


def _reason(error: str) -> str:
    """Returns the line of the tool that says what was wrong."""
    lines = error.splitlines()
    telling = [
        line
        for word in ("Assert failed", "Assertion failed", "FAIL:")
        for line in lines
        if word in line
    ]
    return re.sub(r"[^\s|]*/", "", (telling or lines)[0]).strip()[:120]
