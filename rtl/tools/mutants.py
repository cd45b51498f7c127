# SPDX-License-Identifier: MIT
"""Hardware with one wrong line, which a check must catch: mutants/*.toml.

`caught_by` names the check: "random", "pipelined", "deep", "mutexes", "mutexes-pipelined",
"mutexes-deep", "fabric" or "tree" (a random test of a small design), "queue", "rtu",
"pipelined-rtu", "mutexes-rtu", "delays", "deep-delays", "deep-queue", "arbiter", "turns" or "banks"
(a proof), "boot", "boot-cv32e40s" or "boot-ibex-banks".
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from ticklab.quality.mutants import PART, Area, Mutant, read
from tools import boot, formal, simulation, sources
from tools.shell import CheckError

FOLDERS = ("rtl", "tb", "formal", "lint")
# A check that catches a mutant prints a line with one of these texts. Without such a line, the
# check failed for another reason: the mutant does not build, or a program was killed.
EVIDENCE = ("Assert failed", "Assertion failed", "FAIL:")

Check = Callable[[Path, Path], str]


def _random(design: Callable[[Path], simulation.Design], option: str) -> Check:
    """Returns a random test of a small design, built without optimisation, because most mutants are
    caught within seconds."""
    return lambda root, _work: simulation.random_test(
        root, replace(design(root), optimise_fast="-O0", covers=False), [option, "100000"]
    )


def _proof(proof: Callable[[Path], formal.Proof]) -> Check:
    return lambda root, work: formal.prove(root, proof(root), work)


CHECKS: Mapping[str, Check] = {
    "random": _random(lambda root: simulation.small(simulation.rtu(root)), "--calls"),
    "fabric": _random(lambda root: simulation.small(simulation.fabric(root)), "--accesses"),
    "queue": _proof(lambda root: formal.queue(root, 4)),
    "rtu": _proof(formal.rtu),
    "pipelined-rtu": _proof(formal.pipelined),
    "delays": _proof(formal.delays),
    "deep-delays": _proof(formal.deep_delays),
    "deep-queue": _proof(formal.deep_queue),
    "arbiter": _proof(formal.arbiter),
    "turns": _proof(formal.turns),
    "banks": _proof(formal.banks),
    "pipelined": _random(simulation.pipelined, "--calls"),
    "deep": _random(simulation.deep, "--calls"),
    "mutexes": _random(lambda root: simulation.mutexes(root, 0), "--calls"),
    "mutexes-pipelined": _random(lambda root: simulation.mutexes(root, 1), "--calls"),
    "mutexes-deep": _random(lambda root: simulation.mutexes(root, 2), "--calls"),
    "mutexes-rtu": _proof(formal.mutexes),
    "deadlines": _random(lambda root: simulation.deadlines(root, 1), "--calls"),
    "deadline-queue": _proof(formal.deadline_queue),
    "tree": _random(simulation.tree, "--accesses"),
    "boot": lambda root, _work: boot.mutant(root, "ibex"),
    "boot-cv32e40s": lambda root, _work: boot.mutant(root, "cv32e40s"),
    "boot-ibex-banks": lambda root, _work: boot.mutant(root, "ibex-banks"),
}


def attempt(mutant: Mutant, folder: Path) -> str | None:
    """Returns the failure of the check on a mutant, or None if the check passes."""
    copy = folder / "rtl"
    for name in FOLDERS:
        shutil.copytree(sources.RTL / name, copy / name)
    mutant.plant(copy)
    try:
        CHECKS[mutant.caught_by](copy, folder / "proof")
    except CheckError as error:
        return evidence(mutant, str(error))
    return None


def evidence(mutant: Mutant, error: str) -> str:
    """Returns the line that says what the check found wrong. Raises CheckError if no line does."""
    lines = error.splitlines()
    telling = next((line for word in EVIDENCE for line in lines if word in line), None)
    if telling is None:
        raise CheckError(f"{mutant.what}: no working hardware, or a tool failed: {error}")
    return re.sub(r"[^\s|]*/", "", telling).strip()[:120]


def area() -> Area:
    return Area(
        "rtl",
        sources.RTL,
        read("rtl", (sources.RTL / "mutants").glob("*.toml")),
        attempt,
        inputs=("rtl",),
        tools=("verilator", "g++", "yosys", "z3"),
        seconds=lambda mutant: 14 if "boot" in mutant.caught_by else 4,
        part=2 * PART,  # a mutant of hardware takes ten times as long as one of another area
    )


# Changes that are no valid mutants, because a tool cannot read the source or the program aborts:
# file, text, replacement, check.
UNUSABLE = (
    ("rtl/bus/bus_arbiter.sv", "logic found;", "module", "arbiter"),
    ("rtl/rtu/rtu_steps.sv", "assign last_o =", "module", "random"),
    ("tb/rtu_tb.cpp", "    Bench bench;", "    std::abort();\n    Bench bench;", "random"),
)


def require_errors(folder: Path) -> str:
    """Requires that a mutant for which a tool fails is reported as an error, and not as caught."""
    for number, (file, old, new, check) in enumerate(UNUSABLE):
        broken = Mutant("rtl", "none", "", "is unusable", file, old, new, check)
        try:
            said = attempt(broken, folder / str(number))
        except CheckError:
            continue
        raise CheckError(f"FAIL: {file} is unusable, and counts as {said or 'not caught'}")
    return f"{len(UNUSABLE)} mutants for which a tool fails are errors"
