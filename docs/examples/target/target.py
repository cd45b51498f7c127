#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A target that executes nothing: it plays a trace, as a logic analyser records one, and writes the
event log that a plan asks for.

    target.py PLAN TRACE

A line of the trace is an address and the number of instructions that were executed from there up to
the next line. After its last line the trace begins again, unless that line says how the run ended:
`exit`, `lockup` or `abort REASON`. `say TEXT` is a line of the guest's console.
docs/how-to/bring-a-target.md explains what a target must do.
"""

import itertools
import json
import sys
from pathlib import Path

VERSION = 3
CORE = "cortex-m4f"
MOST_STEPS = 100_000  # lines of the trace that are played: so many end any run
COUNTED = (
    *("instructions", "reads", "writes", "port", "entered", "left", "tail_chained"),
    *("svcall", "pendsv", "systick", "external", "faults"),
)
# For each member of a plan, whether this target can do what its value asks for.
MEMBERS = {
    **dict.fromkeys(("version", "image", "log", "vectors", "until"), lambda value: True),
    "marks": lambda marks: not any(mark["is_write"] for mark in marks),
    "core": lambda name: name == CORE,
    "stall_instructions": lambda count: count > 0,
    "bus_latency": lambda cycles: cycles == 0,
    **dict.fromkeys(("calls", "model", "exit_register"), lambda value: value is None),
    "entries": lambda kinds: not kinds,
    "port": lambda ranges: not ranges,
}


class RefusedError(Exception):
    """The plan asks for what this target cannot do."""


def read_plan(file):
    plan = json.loads(Path(file).read_text())
    if plan.get("version") != VERSION:
        found = json.dumps(plan.get("version"))
        raise RefusedError(f"it has version {found}, and this target reads version {VERSION}")
    for key, value in plan.items():
        if key not in MEMBERS:
            raise RefusedError(f"unknown member {key}")
        if not MEMBERS[key](value):
            raise RefusedError(f"this target cannot do {key} {json.dumps(value)}")
    return plan


def read_trace(file):
    """Yields an address and a number of instructions, or a word and its text, for each line."""
    for line in Path(file).read_text().splitlines():
        first, _, rest = line.partition(" ")
        if first.startswith("0x"):
            yield int(first, 16), int(rest)
        elif first and first != "#":
            yield first, rest


def fits(pattern, name):
    """Returns whether a name matches a pattern, in which only `*` is special: it is any text."""
    head, star, tail = pattern.partition("*")
    if not star or not name.startswith(head):
        return name == pattern
    return any(fits(tail, name[begin:]) for begin in range(len(head), len(name) + 1))


class Run:
    """One run of a plan. `lines` is its log so far."""

    def __init__(self, plan):
        self.names = list(dict.fromkeys(mark["name"] for mark in plan["marks"]))
        self.marks = plan["marks"]
        self.left = plan["until"]["instructions"]
        self.stall = plan["stall_instructions"]
        self.until = plan["until"]["marks"]
        self.passes = 0
        self.counted = 0  # instructions since the last line of the log
        self.pc = None
        self.lines = [self.header(plan["core"])]
        if self.until and not any(fits(self.until["name"], name) for name in self.names):
            raise RefusedError(f"no mark is named {self.until['name']}")

    def header(self, core):
        lanes = [{"name": n, "low": None, "high": None, "source": "trace"} for n in COUNTED]
        about = {"version": VERSION, "observer": "trace-1", "core": core}
        return {**about, "lanes": lanes, "marks": self.names}

    def play(self, trace):
        for first, rest in itertools.islice(itertools.cycle(trace), MOST_STEPS):
            if first == "say":
                print(rest)
            elif isinstance(first, str):
                return self.end({"abort": "aborted"}.get(first, first), rest)
            elif why := self.reach(first) or self.execute(rest):
                return self.end(why)
        return self.end("aborted", f"the trace ends after {MOST_STEPS} steps")

    def reach(self, address):
        """Passes the marks at an address. Returns why the run ends."""
        self.pc = address
        for mark in self.marks:
            if mark["address"] & ~1 == address:
                self.line("mark", id=self.names.index(mark["name"]), exception=0)
                self.passes += bool(self.until) and fits(self.until["name"], mark["name"])
        return "marks" if self.until and self.passes >= self.until["passes"] else None

    def execute(self, instructions):
        """Counts instructions, within the budget. Returns why the run ends."""
        possible = min(instructions, self.left, self.stall - self.counted)
        self.counted += possible
        self.left -= possible
        if self.left == 0:
            return "instructions"
        return "stalled" if self.counted >= self.stall else None

    def end(self, why, detail=""):
        self.line("end", end=why, pc=self.pc, symbol=None, detail=detail or None)

    def line(self, kind, **members):
        tally = [self.counted, *(0 for _ in COUNTED[1:])]
        self.lines.append({"kind": kind, "node": 0, **members, "tally": tally})
        self.counted = 0


def observe(plan, trace):
    """Returns the text of the event log."""
    run = Run(plan)
    run.play(list(trace))
    return "".join(json.dumps(line) + "\n" for line in run.lines)


def main(plan_file, trace_file):
    try:
        plan = read_plan(plan_file)
        text = observe(plan, read_trace(trace_file))
    except RefusedError as error:
        sys.exit(f"plan {plan_file}: {error}")
    part = Path(plan["log"] + ".part")  # so that a log is complete or absent
    part.write_text(text)
    part.rename(plan["log"])


if __name__ == "__main__":
    main(*sys.argv[1:])
