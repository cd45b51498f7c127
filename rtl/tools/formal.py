# SPDX-License-Identifier: MIT
"""Proofs with yosys and z3: k-induction and its base case.

`yosys-smtbmc --unroll`: without it z3 does not come back on these designs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import sources
from tools.shell import CheckError, run


@dataclass(frozen=True)
class Proof:
    """A module of formal/ with its sizes, and how many steps its induction looks back."""

    name: str
    top: str
    verilog: Sequence[Path]
    sizes: Mapping[str, int]
    steps: int


def queue(root: Path, depth: int) -> Proof:
    verilog = [root / "rtl" / "rtu" / "rtu_queue.sv", root / "formal" / "rtu_queue_proof.sv"]
    sizes = {"Depth": depth, "IdWidth": (depth - 1).bit_length()}
    return Proof(f"queue of {depth}", "rtu_queue_proof", verilog, sizes, 2)


def rtu(root: Path) -> Proof:
    verilog = [*sources.rtu(root), root / "formal" / "rtu_proof.sv"]
    return Proof("RTU", "rtu_proof", verilog, {}, 2)


def arbiter(root: Path) -> Proof:
    verilog = [root / "rtl" / "bus" / "bus_arbiter.sv", root / "formal" / "bus_arbiter_proof.sv"]
    return Proof("bus arbiter", "bus_arbiter_proof", verilog, {}, 2)


def _model(root: Path, proof: Proof, work: Path) -> Path:
    """The proof as an SMT problem. Memories become registers first, so that it can name them."""
    model = work / "model.smt2"
    files = " ".join(str(path) for path in proof.verilog)
    sizes = "".join(f" -set {name} {value}" for name, value in proof.sizes.items())
    script = [
        f"read_verilog -sv -formal -I{root / 'rtl'} {files}",
        *([f"chparam{sizes} {proof.top}"] if sizes else []),
        f"hierarchy -check -top {proof.top}",
        "proc; memory_collect; memory_map; flatten; async2sync; opt -fast; dffunmap; clean",
        f"write_smt2 -wires {model}",
    ]
    run(
        ["yosys", "-q", "-p", "; ".join(script)], f"yosys cannot read the proof of the {proof.name}"
    )
    return model


def prove(root: Path, proof: Proof, work: Path) -> str:
    work.mkdir(parents=True, exist_ok=True)
    model = _model(root, proof, work)
    solver = ["yosys-smtbmc", "--unroll", "-s", "z3"]
    counterexample = work / "counterexample.vcd"
    for step, options in (
        ("induction", ["-i", "-t", str(proof.steps)]),
        ("base", ["-t", str(proof.steps + 1)]),
    ):
        failure = (
            f"the proof of the {proof.name} fails ({step}); its counterexample is {counterexample}"
        )
        output = run([*solver, *options, "--dump-vcd", counterexample, model], failure)
        if "Status: PASSED" not in output:
            raise CheckError(f"{failure}\n{output[-2000:]}")
    return f"the {proof.name} is proved"
