# SPDX-License-Identifier: MIT
"""Checks the models of the protocols exhaustively with Spin, and that each part is necessary:
if a macro removes the part, the check must fail."""

from __future__ import annotations

import re
from pathlib import Path

from tools.shell import CheckError, run

from ticklab.building import program
from ticklab.building.program import Program

HERE = Path(__file__).resolve().parent

# For each model, the macros that remove one part of the protocol each.
MUTANTS = {
    "central": (
        "WITHOUT_CALLER",
        "WITHOUT_SEQUENCE",
        "WITHOUT_WHOLE_STATE",
        "WITHOUT_DECISION_IN_FLIGHT",
        "READS_BEFORE_TAKING",
    ),
    "semi": ("WITHOUT_LOCK", "WAITS_AFTER_UNLOCK", "LOOKS_DURING_CALL", "RING_REPLACES"),
    "bus": (
        "WITHOUT_LOCK",
        "GIVES_BEFORE_POSTING",
        "GIVES_BEFORE_RELEASING",
        "FIRST_PLACE_FIRST",
    ),
}


def _search(model: Path, macros: list[str], work: Path) -> tuple[str, int]:
    """Returns the verifier's output, and how many errors it has found."""
    failure = f"{model.name} cannot be checked"
    run(["spin", "-a", *(f"-D{macro}" for macro in macros), model], failure, folder=work)
    run(Program(program.verifier(), ["pan.c"]).command("pan"), failure, folder=work)
    said = run([work / "pan", "-m100000"], failure, folder=work)
    errors = re.search(r"errors: (\d+)", said)
    if not errors or "max search depth too small" in said:
        raise CheckError(f"{failure}\n{said}")
    return said, int(errors[1])


def holds(name: str, work: Path) -> str:
    model = HERE / f"{name}.pml"
    said, errors = _search(model, [], work)
    if errors:
        raise CheckError(f"{model.name} does not hold\n{said}")
    states = re.search(r"(\d+) states, stored", said)
    return f"{model.stem}: all {states[1] if states else '?'} states are well"


def caught(name: str, mutant: str, work: Path) -> str:
    model = HERE / f"{name}.pml"
    said, errors = _search(model, [mutant], work)
    if not errors:
        raise CheckError(f"{model.name} holds {mutant.lower().replace('_', ' ')}, too")
    reason = re.search(r"pan:\d*:? *(.*?) \(at depth", said)
    return f"{model.stem} does not hold {mutant}: {reason[1] if reason else 'it fails'}"
