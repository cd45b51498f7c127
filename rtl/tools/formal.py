# SPDX-License-Identifier: MIT
"""Proofs with yosys and z3: k-induction and its base case, then every cover statement.

A proof with contradictory assumptions always holds and says nothing. So each cover statement (the
cause of a rule, or an event) must be reachable under the assumptions of its proof.

The option `yosys-smtbmc --unroll` is necessary: without it z3 does not finish on these designs. The
tool ABC searches for the cover statements, because it takes seconds where z3 takes an hour.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tools import sources
from tools.shell import CheckError, run


@dataclass(frozen=True)
class Proof:
    """A module of formal/ with its sizes, the number of steps that its induction looks back, and
    the number of steps from reset within which its cover statements are searched for."""

    name: str
    top: str
    verilog: Sequence[Path]
    sizes: Mapping[str, int]
    steps: int
    cover_steps: int


def queue(root: Path, depth: int) -> Proof:
    verilog = [root / "rtl" / "rtu" / "rtu_queue.sv", root / "formal" / "rtu_queue_proof.sv"]
    sizes = {"Depth": depth, "IdWidth": (depth - 1).bit_length()}
    return Proof(f"queue of {depth}", "rtu_queue_proof", verilog, sizes, 2, 2 * depth + 4)


def deep_queue(root: Path) -> Proof:
    plain = queue(root, 4)
    sizes = {**plain.sizes, "Deep": 1}
    return replace(plain, name="deep queue", sizes=sizes, steps=4, cover_steps=20)


def deadline_queue(root: Path) -> Proof:
    """Returns the proof of rtu_queue with deadlines of 2 bits."""
    plain = queue(root, 4)
    verilog = [root / "rtl" / "rtu" / "rtu_deadlines.sv", *plain.verilog]
    sizes = {**plain.sizes, "DeadlineWidth": 2}
    return replace(plain, name="queue with deadlines", verilog=verilog, sizes=sizes, cover_steps=20)


def rtu(root: Path) -> Proof:
    return _rtu(root, "RTU", {}, 2)


def pipelined(root: Path) -> Proof:
    return _rtu(root, "pipelined RTU", {"Stages": 1}, 3)


def deep(root: Path) -> Proof:
    return _rtu(root, "deep RTU", {"Stages": 2}, 4)


def mutexes(root: Path) -> Proof:
    plain = _rtu(root, "RTU with mutexes", {"NumMutexes": 2}, 2)
    return replace(plain, cover_steps=60)


def deadlines(root: Path) -> Proof:
    return _rtu(root, "RTU with deadlines", {"DeadlineWidth": 2}, 2)


def _rtu(root: Path, name: str, sizes: Mapping[str, int], steps: int) -> Proof:
    verilog = [*sources.rtu(root), root / "formal" / "rtu_proof.sv"]
    return Proof(name, "rtu_proof", verilog, sizes, steps, 15 * max(steps, 2))


def delays(root: Path) -> Proof:
    verilog = [root / "rtl" / "rtu" / "rtu_delays.sv", root / "formal" / "rtu_delays_proof.sv"]
    return Proof("delays", "rtu_delays_proof", verilog, {}, 2, 60)


def deep_delays(root: Path) -> Proof:
    return replace(delays(root), name="deep delays", sizes={"Deep": 1}, steps=3)


def arbiter(root: Path) -> Proof:
    verilog = [root / "rtl" / "bus" / "bus_arbiter.sv", root / "formal" / "bus_arbiter_proof.sv"]
    return Proof("bus arbiter", "bus_arbiter_proof", verilog, {}, 2, 8)


def turns(root: Path) -> Proof:
    bus = root / "rtl" / "bus"
    verilog = [bus / "bus_arbiter.sv", bus / "bus_turns.sv", root / "formal" / "bus_turns_proof.sv"]
    return Proof("bus", "bus_turns_proof", verilog, {}, 2, 30)


def banks(root: Path) -> Proof:
    verilog = [sources.banks(root), root / "formal" / "register_banks_proof.sv"]
    return Proof("banked register file", "register_banks_proof", verilog, {}, 2, 8)


# Turns memories into registers before flattening, so that a proof can name each word.
FLATTEN = "proc; memory_collect; memory_map; flatten; async2sync"


def _yosys(root: Path, proof: Proof, defines: str, commands: str) -> None:
    """Reads the sources of the proof into yosys and runs the yosys commands on them."""
    files = " ".join(str(path) for path in proof.verilog)
    sizes = "".join(f" -set {name} {value}" for name, value in proof.sizes.items())
    script = [
        f"read_verilog -sv -formal {defines} -I{root / 'rtl'} {files}",
        *([f"chparam{sizes} {proof.top}"] if sizes else []),
        f"hierarchy -check -top {proof.top}",
        commands,
    ]
    run(
        ["yosys", "-q", "-p", "; ".join(script)], f"yosys cannot read the proof of the {proof.name}"
    )


def _model(root: Path, proof: Proof, work: Path) -> Path:
    """Returns the proof as an SMT problem."""
    model = work / "model.smt2"
    _yosys(root, proof, "", f"{FLATTEN}; opt -fast; dffunmap; clean; write_smt2 -wires {model}")
    return model


def _events(root: Path, proof: Proof, work: Path) -> tuple[Path, list[str]]:
    """Returns the proof as a circuit with one output for each event, and the source lines of the
    events."""
    circuit, places = work / "events.aig", work / "events.txt"
    to_gates = "techmap; opt -full; dffunmap; simplemap; aigmap; clean"
    commands = (
        f"{FLATTEN}; opt -fast; dffunmap; setundef -undriven -anyseq; clean; {to_gates}; "
        f"tee -q -o {places} select -list t:$assert; write_aiger -zinit {circuit}"
    )
    _yosys(root, proof, "-DSEARCH", commands)
    return circuit, [_place(line) for line in places.read_text().splitlines()]


def _place(cell: str) -> str:
    """Returns `file:line` of the statement from which yosys made the cell."""
    return re.sub(r"\$\d+$", "", cell.strip()).split("$")[-1].rsplit("/", 1)[-1]


def search(root: Path, proof: Proof, work: Path) -> int:
    """Finds an occurrence of each event under the proof's assumptions. Returns their number."""
    circuit, places = _events(root, proof, work)
    script = work / "events.abc"
    script.write_text(
        "".join(
            f"read_aiger {circuit}\nfold\ncone -s -O {event}\nbmc3 -F {proof.cover_steps}\n"
            for event in range(len(places))
        )
    )
    output = run(["yosys-abc", "-f", script], f"the search for the events of {proof.name} fails")
    found = [
        "was asserted" in line
        for line in output.splitlines()
        if line.startswith(("Output", "No output"))
    ]
    if len(found) != len(places):
        raise CheckError(f"the search for the events of {proof.name} stops early\n{output[-2000:]}")
    missing = [place for place, reached in zip(places, found, strict=True) if not reached]
    if missing:
        raise CheckError(
            f"FAIL: the proof of the {proof.name} says nothing: within {proof.cover_steps} cycles "
            f"its assumptions allow no event as at {', '.join(missing)}"
        )
    return len(places)


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
    events = search(root, proof, work)  # last, because it takes longest, and no mutant needs it
    return f"the {proof.name} is proved by induction; all {events} events occur"
