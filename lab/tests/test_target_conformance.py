# SPDX-License-Identifier: MIT
"""Tests the duties of a target to the laboratory: each kind of target is tested for each duty. The
example of a target (docs/examples/target) is also broken once for each duty, to show that the test
of the duty can fail.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import guests
import msgspec
import numpy as np
import pytest
import test_verilator as rtl
from numpy.typing import NDArray

from ticklab import paths
from ticklab.bootstrap import tables
from ticklab.building import elf
from ticklab.description import catalogue
from ticklab.description.machine import Debugged, Emulated, External
from ticklab.description.model import End
from ticklab.description.span import ENTRIES
from ticklab.errors import TicklabError, UsageError
from ticklab.targets import eventlog, schema
from ticklab.targets.command import Command
from ticklab.targets.eventlog import EventLog
from ticklab.targets.fake import Fake
from ticklab.targets.gdb import Gdb
from ticklab.targets.protocol import (
    Cancel,
    Ending,
    Observation,
    ObservationPlan,
    until_instructions,
)
from ticklab.targets.qemu import Qemu
from ticklab.targets.verilator import Verilator

EXAMPLE = paths.CHECKOUT / "docs" / "examples" / "target" / "target.py"
BUDGET, STALL = 400, 200
# Guests for an Arm core and for the RTL simulation, and the same guest as a trace for the example
# target. In its loop, marks `tick` and `beside` are at one instruction, `tock` is two instructions
# later, and two more instructions end the loop.
ARM = {
    "loop": "function reset\n  nop\nagain:\n  mark tick\n  mark beside\n  nop\n  nop\n  mark tock\n"
    "  nop\n  b again\nfunction handler\n  b handler\n",
    "exit": guests.LEAVING,
    "stall": guests.STUCK,
    "lockup": guests.LOCKUP,
}
RTL = {
    "loop": "again:\n MARK tick\n MARK beside\n nop\n nop\n MARK tock\n nop\n j again\n",
    "exit": " MARK tick\n li t0, 0x10000000\n li t1, 'h'\n sb t1, 0(t0)\n"
    " li t0, 0x100000\n li t1, 0x5555\n sw t1, 0(t0)\nagain: j again\n",
    "stall": rtl.ASLEEP,
    "lockup": rtl.LOST,
}
TRACES = {
    "loop": "{tick} 2\n{tock} 2\n",
    "exit": "{tick} 3\nsay h\nexit\n",
    "stall": "{tick} 1\n0x40 100000\n",
    "lockup": "{tick} 3\nlockup\n",
    "broken": "{tick} 3\nabort the probe is gone\n",
}
# The guest of ARM's `loop` for a board, whose marks are code.
NOPS = '__asm__ volatile(".rept 10\\n\\tnop\\n\\t.endr");'
RING = {
    "loop": f'for (;;) {{ BENCH_MARK("tick"); BENCH_MARK("beside"); {NOPS} BENCH_MARK("tock"); '
    f"{NOPS} }}",
    "exit": 'BENCH_MARK("tick"); arch_console_write("h\\n"); arch_exit(0);',
    "stall": 'BENCH_MARK("tick");',
    "lockup": 'BENCH_MARK("tick"); __asm__ volatile("udf #0");',
}
Change = Callable[[dict[str, Any]], None]  # changes the plan document that a target reads


class Subject(Protocol):
    """A target with guests. A `situation` is one of those above; in situation `broken`, the target
    cannot run the guest to an end."""

    def observe(self, situation: str, **plan: Any) -> Observation: ...


def plan_for(board: str, **changes: Any) -> ObservationPlan:
    plan = until_instructions(catalogue.find_board(board), BUDGET)
    return replace(plan, **{"stall_instructions": STALL, **changes})


@dataclass
class OnQemu:
    folder: Path

    def observe(self, situation: str, **changes: Any) -> Observation:
        plan = plan_for("mps2-an386", **changes)
        if situation == "broken":
            plan = replace(plan, machine=Emulated(name="none"))
        image = guests.build(self.folder, ARM.get(situation, ARM["loop"]), "h\\n")
        return Qemu(paths.plugin()).observe(image, plan, Cancel())


@dataclass
class OnRtl:
    folder: Path
    board: str = "ibex"

    def observe(self, situation: str, **changes: Any) -> Observation:
        image = rtl.build(self.folder, RTL.get(situation, RTL["loop"]))
        if situation == "broken":  # an image where the node has no memory
            move = ["--change-addresses", "0x1000000", str(image)]
            subprocess.run([rtl.NODE.core.arch.objdump.replace("objdump", "objcopy"), *move])
        plan = plan_for(self.board, **changes)
        return Verilator(1, core=plan.core.name).observe(image, plan, Cancel())


@dataclass
class OnExample:
    """The example target as a command; `program` names another program in its place."""

    folder: Path
    program: Path = EXAMPLE

    def observe(self, situation: str, **changes: Any) -> Observation:
        image, trace = self.written(situation)
        command = Command((sys.executable, str(self.program), "{plan}", str(trace)), seconds=20)
        return command.observe(image, plan_for("mps2-an386", **changes), Cancel())

    def written(self, situation: str) -> tuple[Path, Path]:
        """Writes the guest's image, and the trace for the situation."""
        image, trace = guests.build(self.folder, ARM["loop"]), self.folder / "trace"
        addresses = {name: hex(address & ~1) for address, name in elf.marks(image)}
        trace.write_text(TRACES[situation].format(**addresses))
        return image, trace


@dataclass
class OnBoard:
    """QEMU's GDB server in place of a board."""

    folder: Path

    def observe(self, situation: str, **changes: Any) -> Observation:
        board = catalogue.find_board("stand-in")
        assert isinstance(board.machine, Debugged)
        if situation == "broken":
            machine = msgspec.structs.replace(board.machine, server=("qemu-system-arm", "-M", "no"))
            board = replace(board, machine=machine)
        image = guests.build_with_ring(self.folder, RING.get(situation, RING["loop"]))
        return Gdb(board).observe(image, plan_for("stand-in", **changes), Cancel())


@dataclass
class OnFake:
    """The example target within this process, whose log a fake target returns."""

    folder: Path

    def observe(self, situation: str, **changes: Any) -> Observation:
        image, trace = OnExample(self.folder).written(situation)
        fake = Fake(lambda image, plan: self.answer(image, plan, trace))
        return fake.observe(image, plan_for("mps2-an386", **changes), Cancel())

    def answer(self, image: Path, plan: ObservationPlan, trace: Path) -> Observation:
        example = runpy.run_path(str(EXAMPLE))
        file = self.folder / "plan.json"
        file.write_bytes(schema.encode(plan.document(image, Path("none"))))
        try:
            said: list[str] = []
            example["observe"].__globals__["print"] = said.append
            text = example["observe"](example["read_plan"](file), example["read_trace"](trace))
        except example["RefusedError"] as error:
            return Observation(Ending(End.ABORTED, "", str(error)), None)
        log = eventlog.parse(text.encode(), "a log of the fake")
        return Observation(Ending(log.end, "".join(said), log.detail, log.pc), log)


SUBJECTS: Mapping[str, Callable[[Path], Subject]] = {
    "fake": OnFake,
    "qemu": OnQemu,
    "rtl": OnRtl,
    "command": OnExample,
    "gdb": OnBoard,
}
# Targets for the long tests only, because their simulators take a minute to build.
SLOW: Mapping[str, Callable[[Path], Subject]] = {
    "rtl-cv32e40s": lambda folder: OnRtl(folder, "cv32e40s")
}


# --- The obligations ------------------------------------------------------------------------------


def changed(subject: Subject, change: Change) -> Observation:
    """Observes with a plan whose JSON document `change` has changed."""
    with pytest.MonkeyPatch.context() as patch:
        encode = schema.encode

        def other(plan: schema.PlanFile) -> bytes:
            document = json.loads(encode(plan))
            change(document)
            return json.dumps(document).encode()

        patch.setattr(schema, "encode", other)
        return subject.observe("loop")


def refused(seen: Observation) -> str:
    """Returns the one line by which a target refused its plan."""
    assert seen.log is None
    assert seen.ending.end is End.ABORTED
    assert seen.ending.detail
    assert "\n" not in seen.ending.detail
    return seen.ending.detail


def log_of(seen: Observation) -> EventLog:
    assert seen.log is not None, seen.ending
    return seen.log


def passed(log: EventLog) -> list[str]:
    return [log.marks[number] for number in log.records["id"]]


def work(log: EventLog) -> NDArray[np.int64]:
    """Returns the instructions of each row of the log. A board counts cycles only: without the
    cycles of its mark, the 8 cycles of 10 `nop` stand for two instructions."""
    tally = log.records["tally"].astype(np.int64)
    if log.counts("instructions"):
        return np.asarray(tally[:, log.lane("instructions")])
    return np.asarray(np.rint((tally[:, log.lane("cycles")] - tally[:, log.lane("marks")]) / 4))


def data_of(subject: Subject) -> bytes:
    """Returns the log of an observation as bytes."""
    with pytest.MonkeyPatch.context() as patch:
        kept: list[bytes] = []
        decode = eventlog.parse

        def parse(data: bytes, name: str) -> EventLog:
            kept.append(data)
            return decode(data, name)

        patch.setattr(eventlog, "parse", parse)
        subject.observe("loop")
        return kept[0]


def another_version_is_refused_in_one_line_that_names_both(subject: Subject) -> None:
    said = refused(changed(subject, lambda plan: plan.update(version=4)))
    assert "version 4" in said
    assert "version 3" in said


def a_member_that_is_not_in_the_format_is_refused(subject: Subject) -> None:
    assert "colour" in refused(changed(subject, lambda plan: plan.update(colour="red")))


def a_request_that_the_target_cannot_meet_is_refused(subject: Subject) -> None:
    assert "bus" in refused(changed(subject, lambda plan: plan.update(bus_latency=9999)))


def an_awaited_mark_that_there_is_not_is_refused(subject: Subject) -> None:
    assert "nothing" in refused(subject.observe("loop", until_marks="nothing", passes=1))


def the_header_names_core_lanes_and_marks(subject: Subject) -> None:
    log = log_of(subject.observe("loop"))
    assert log.core in ("cortex-m4f", "ibex", "cv32e40s")
    assert set(log.marks) == {"tick", "beside", "tock"}
    names = tuple(lane.name for lane in log.lanes)
    assert any(names[: len(each)] == each for each in (schema.COUNTED, schema.COUNTED_ON_BOARDS))


def marks_come_in_the_order_in_which_they_are_passed(subject: Subject) -> None:
    assert passed(log_of(subject.observe("loop")))[:4] == ["tick", "beside", "tock", "tick"]


def a_tally_is_what_happened_since_the_line_before(subject: Subject) -> None:
    log = log_of(subject.observe("loop"))
    counts = work(log)[1:]
    assert dict(zip(passed(log)[1:], counts.tolist(), strict=True)) == {
        "beside": 0,
        "tock": 2,
        "tick": 2,
    }
    assert set(counts.tolist()) == {0, 2}


def the_budget_ends_the_run(subject: Subject) -> None:
    log = log_of(subject.observe("loop"))
    assert log.end is End.INSTRUCTIONS
    time = "cycles" if log.lanes[-1].name == "cycles" else "instructions"
    assert BUDGET - 20 < log.records["tally"][:, log.lane(time)].sum() <= BUDGET


def passes_of_a_mark_end_the_run(subject: Subject) -> None:
    log = log_of(subject.observe("loop", until_marks="tick", passes=5))
    assert log.end is End.MARKS
    assert passed(log).count("tick") == 5


def a_star_in_the_name_of_a_mark_is_any_text(subject: Subject) -> None:
    log = log_of(subject.observe("loop", until_marks="t*k", passes=6))
    assert log.end is End.MARKS
    assert [passed(log).count(name) for name in ("tick", "tock")] == [3, 3]


def a_run_that_passes_no_mark_for_long_is_stalled(subject: Subject) -> None:
    assert log_of(subject.observe("stall", instructions=100_000)).end is End.STALLED


def an_exit_is_reported_and_so_is_the_console(subject: Subject) -> None:
    seen = subject.observe("exit", instructions=100_000)
    assert seen.ending.end is End.EXIT
    assert seen.ending.console.strip() == "h"


def a_lockup_is_reported(subject: Subject) -> None:
    assert subject.observe("lockup").ending.end is End.LOCKUP


def an_abort_has_its_reason(subject: Subject) -> None:
    ending = subject.observe("broken").ending
    assert ending.end is End.ABORTED
    assert len(ending.detail) > 10
    assert "\n" not in ending.detail


def the_same_image_and_plan_give_the_same_log(subject: Subject) -> None:
    assert data_of(subject) == data_of(subject)


def a_log_that_lost_its_end_is_seen(subject: Subject) -> None:
    whole = data_of(subject)
    last = whole.rfind(b"\n", 0, -1) + 1
    for cut in (last, last + 1, len(whole) - 1, last // 2):
        with pytest.raises(TicklabError, match="damaged"):
            eventlog.parse(whole[:cut], "a log")


def every_kind_of_entry_is_a_mark_or_is_refused(subject: Subject) -> None:
    seen = subject.observe("loop", entries=ENTRIES)
    if seen.log is None:
        assert "entries" in refused(seen)
    else:
        assert {f"entry.{kind}" for kind in ENTRIES} < set(seen.log.marks)


# Each obligation, with the change that makes the example target break it.
OBLIGATIONS: Mapping[Callable[[Subject], None], tuple[str, str]] = {
    another_version_is_refused_in_one_line_that_names_both: (
        'if plan.get("version") != VERSION:',
        "if False:",
    ),
    a_member_that_is_not_in_the_format_is_refused: (
        'raise RefusedError(f"unknown member {key}")',
        "continue",
    ),
    a_request_that_the_target_cannot_meet_is_refused: (
        "lambda cycles: cycles == 0",
        "lambda cycles: True",
    ),
    an_awaited_mark_that_there_is_not_is_refused: (
        "if self.until and not any(",
        "if False and not any(",
    ),
    the_header_names_core_lanes_and_marks: ('"marks": self.names}', '"marks": self.names[:1]}'),
    marks_come_in_the_order_in_which_they_are_passed: (
        "for mark in self.marks:",
        "for mark in reversed(self.marks):",
    ),
    a_tally_is_what_happened_since_the_line_before: (
        '"tally": tally})\n        self.counted = 0',
        '"tally": tally})',
    ),
    the_budget_ends_the_run: ("if self.left == 0:", "if self.left < 0:"),
    passes_of_a_mark_end_the_run: (
        'self.passes >= self.until["passes"]',
        'self.passes > self.until["passes"]',
    ),
    a_star_in_the_name_of_a_mark_is_any_text: (
        'pattern.partition("*")',
        'pattern.partition("?")',
    ),
    a_run_that_passes_no_mark_for_long_is_stalled: (
        '"stalled" if self.counted >= self.stall else None',
        "None",
    ),
    an_exit_is_reported_and_so_is_the_console: ("print(rest)", "pass"),
    a_lockup_is_reported: ('{"abort": "aborted"}', '{"abort": "aborted", "lockup": "exit"}'),
    an_abort_has_its_reason: ("detail=detail or None", "detail=None"),
    the_same_image_and_plan_give_the_same_log: (
        '"observer": "trace-1"',
        '"observer": __import__("os").urandom(4).hex()',
    ),
    a_log_that_lost_its_end_is_seen: ("in run.lines)", "in run.lines[:-1])"),
    every_kind_of_entry_is_a_mark_or_is_refused: (
        '"entries": lambda kinds: not kinds,',
        '"entries": bool,',
    ),
}


@pytest.mark.parametrize("obligation", OBLIGATIONS, ids=lambda each: each.__name__)
@pytest.mark.parametrize(
    "name", [*SUBJECTS, *(pytest.param(name, marks=pytest.mark.long) for name in SLOW)]
)
def test_a_target_meets(name: str, obligation: Callable[[Subject], None], tmp_path: Path) -> None:
    if (name, obligation) == ("gdb", the_same_image_and_plan_give_the_same_log):
        pytest.skip("a board on a debugger has no two equal runs: its counter runs on")
    obligation({**SUBJECTS, **SLOW}[name](tmp_path))


@pytest.mark.parametrize("obligation", OBLIGATIONS, ids=lambda each: each.__name__)
def test_a_broken_target_is_seen(obligation: Callable[[Subject], None], tmp_path: Path) -> None:
    found, fault = OBLIGATIONS[obligation]
    text = EXAMPLE.read_text()
    assert text.count(found) == 1
    program = tmp_path / "target.py"
    program.write_text(text.replace(found, fault))
    with pytest.raises((AssertionError, TicklabError)):
        obligation(OnExample(tmp_path / "guest", program))


def test_the_board_of_a_command_says_which_files_it_means() -> None:
    board = catalogue.find_board(str(EXAMPLE.parent))
    assert board.machine == External(
        ("python3", str(EXAMPLE), "{plan}", str(EXAMPLE.parent / "trace")), seconds=20
    )
    assert not tables.needs_of(board.folder)


def test_a_command_without_the_plan_is_refused(tmp_path: Path) -> None:
    text = (EXAMPLE.parent / "board.toml").read_text()
    (tmp_path / "board.toml").write_text(text.replace("{plan}", "plan"))
    with pytest.raises(UsageError, match=r"\[target.command\] command does not use the plan"):
        catalogue.find_board(str(tmp_path))


def test_a_command_is_another_target_if_a_file_of_it_changes(tmp_path: Path) -> None:
    program = tmp_path / "target.py"
    versions = set()
    for text in ("", "pass"):
        program.write_text(text)
        versions.add(Command(("python3", str(program)), 1).identity()["version"])
    assert len(versions) == 2


def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    image = guests.build(tmp_path, guests.LOOP)
    with pytest.raises(TicklabError, match="program no-such-program does not exist"):
        Command(("no-such-program",), 1).observe(image, plan_for("mps2-an386"), Cancel())


def test_a_command_that_hangs_is_stopped(tmp_path: Path) -> None:
    image = guests.build(tmp_path, guests.LOOP)
    seen = Command(("sleep", "60"), 1).observe(image, plan_for("mps2-an386"), Cancel())
    assert seen.ending.end is End.TIMED_OUT


def test_the_reference_names_every_member() -> None:
    text = (paths.CHECKOUT / "docs" / "reference" / "formats.md").read_text()
    for kind in (schema.PlanFile, schema.LogHeader, schema.LogRow, schema.LogEnd):
        assert [name for name in kind.__struct_fields__ if f'"{name}"' not in text] == []
