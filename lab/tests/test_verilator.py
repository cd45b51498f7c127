# SPDX-License-Identifier: MIT
"""Tests the simulated hardware as a target: exact cycles, and an end of the run that names the node
and the instruction."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import guests
import numpy as np
import pytest

from ticklab import paths
from ticklab.analysis import checks
from ticklab.building import program
from ticklab.description import catalogue
from ticklab.description.model import End, Expectation, is_clocked
from ticklab.description.span import ENTRIES, ENTRY
from ticklab.errors import TicklabError
from ticklab.targets.eventlog import EventLog
from ticklab.targets.protocol import Cancel, Observation, ObservationPlan
from ticklab.targets.verilator import Verilator

HEAD = f"""
{guests.MARK}
    .option norvc
    .globl _start
_start:
"""
# Ten instructions. One is a load whose value the next instruction needs, which takes one more
# cycle.
SPAN = """
    la t0, word
loop:
    mark from
    .rept 8
    addi t1, t1, 1
    .endr
    lw t2, 0(t0)
    addi t2, t2, 1
    mark to
    mark beside
    j loop
word: .word 1
"""
ASLEEP = "    mark here\n    nop\nforever: wfi\n    j forever\n"
# A guest whose trap handler would be outside of memory, so that the fetch of the handler traps,
# too.
LOST = """
    mark here
    li t0, 0x40000001
    csrw mtvec, t0
    .type stray, @function
stray: lw t1, 0(zero)
"""
INTERRUPTED = """
    la t0, table + 1
    csrw mtvec, t0
    li t0, 8
    csrw mie, t0
    csrsi mstatus, 8
    li t0, 0x02000000
    li t1, 1
loop:
    mark before
    sw t1, 0(t0)
    mark after
    ecall
    j loop
    .balign 256
table:
    j exception
    .zero 8
    sw zero, 0(t0)
    mret
    .zero 256
exception:
    csrr t2, mepc
    addi t2, t2, 4
    csrw mepc, t2
    mret
"""


# Node 0 waits for ever; node 1 executes the code of the test.
SECOND = """
    mark here
    csrr t0, mhartid
    bnez t0, second
    .type wait, @function
wait: j wait
second:
"""
STUCK = "    .type stuck, @function\nstuck: j stuck\n"
# A guest with a fault that the platform reports, while node 0 begins to print a line.
REPORTED = """
    mark here
    csrr t0, mhartid
    bnez t0, second
    li t0, 0x10000000
    li t1, 'a'
    sb t1, 0(t0)
wait: j wait
second:
    la t0, table + 1
    csrw mtvec, t0
    .type stray, @function
stray: lw t1, 0(zero)
    .balign 256
table: j arch_fault_entry
    .globl memory_stack_top
    .set memory_stack_top, 0x80080000
"""
HEADERS = ("platform/arch/rv32/include", "platform/common/include", "bench/include")
REPORT = (
    "platform/arch/rv32/fault.S",
    "platform/arch/rv32/fault.c",
    "platform/arch/rv32/machine.c",
    "platform/common/report.c",
    "bench/src/verdict.c",
)


NODE = catalogue.find_board("ibex")


def build(folder: Path, body: str, *more: str) -> Path:
    """Builds a guest, with `more` source files of the repository."""
    source, image = folder / "guest.S", folder / "guest.elf"
    source.write_text(HEAD + body)
    link = "-Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none"
    made = program.Program(
        program.guest(NODE.core),
        [source, *(paths.CHECKOUT / each for each in more)],
        options=["-O1", "-ffreestanding", "-mno-relax", link],
        includes=[paths.CHECKOUT / each for each in HEADERS],
    )
    subprocess.run(made.command(image), check=True)
    return image


def observe(
    image: Path,
    cycles: int = 2000,
    stall: int = 1000,
    nodes: int = 1,
    entries: tuple[str, ...] = (),
) -> Observation:
    plan = ObservationPlan(NODE.machine, NODE.core, 0, None, 0, cycles, stall, entries=entries)
    return Verilator(nodes).observe(image, plan, Cancel())


def log_of(image: Path, entries: tuple[str, ...] = ()) -> EventLog:
    log = observe(image, entries=entries).log
    assert log is not None
    return log


def lane(log: EventLog, mark: str, name: str) -> set[int]:
    """Returns the values of a lane in all records of a mark except the first."""
    rows = log.records[log.records["id"] == log.marks.index(mark)][1:]
    return set(rows["tally"][:, log.lane(name)].tolist())


def test_cycles_are_those_between_retirements(tmp_path: Path) -> None:
    log = log_of(build(tmp_path, SPAN))
    assert is_clocked(log.lanes)
    assert lane(log, "to", "instructions") == {10}
    assert lane(log, "to", "cycles") == {11}
    assert lane(log, "to", "reads") == {1}
    assert lane(log, "beside", "cycles") == {0}  # two marks at one instruction


def test_the_same_image_gives_the_same_log(tmp_path: Path) -> None:
    image = build(tmp_path, SPAN)
    first, second = log_of(image), log_of(image)
    assert first.records.tobytes() == second.records.tobytes()
    assert first.end is second.end is End.INSTRUCTIONS


def test_traps_are_distinguished_and_interrupts_come_at_once(tmp_path: Path) -> None:
    log = log_of(build(tmp_path, INTERRUPTED))
    assert lane(log, "after", "pendsv") == {1}
    assert lane(log, "after", "instructions") == {3}  # two stores and the return
    assert lane(log, "before", "svcall") == {1}
    assert lane(log, "before", "left") == {1}


def test_entries_of_traps_are_marks_if_they_are_asked_for(tmp_path: Path) -> None:
    image = build(tmp_path, INTERRUPTED)
    log, plain = log_of(image, ENTRIES), log_of(image)
    assert log.marks[-len(ENTRIES) :] == tuple(ENTRY + kind for kind in ENTRIES)
    passed = [log.marks[number] for number in log.records["id"]]
    assert passed[:5] == ["before", "entry.pendsv", "after", "entry.svcall", "before"]
    assert lane(log, "entry.pendsv", "pendsv") == lane(log, "entry.svcall", "svcall") == {1}
    assert lane(log, "entry.pendsv", "instructions") == {1}  # the store that requests it
    assert lane(log, "after", "instructions") == {2}  # a store and the return
    assert set(log.records["exception"][1:5:2].tolist()) == {16 + 3, 11}
    # A second log of the same run has more marks, so its tallies are divided into more records.
    ours = [mark for mark, name in enumerate(log.marks) if not name.startswith(ENTRY)]
    sums = np.cumsum(log.records["tally"], axis=0)[np.isin(log.records["id"], ours)]
    assert np.array_equal(sums, np.cumsum(plain.records["tally"], axis=0))


def test_entries_may_end_a_run_and_are_signs_of_life(tmp_path: Path) -> None:
    image = build(tmp_path, INTERRUPTED)
    plan = ObservationPlan(
        NODE.machine, NODE.core, 0, "entry.pendsv", 3, 2000, 1000, entries=("pendsv",)
    )
    seen = Verilator(1).observe(image, plan, Cancel())
    assert seen.log is not None
    assert seen.ending.end is End.MARKS
    assert (seen.log.records["id"] == seen.log.marks.index("entry.pendsv")).sum() == 3


def test_a_guest_that_stands_still_is_named(tmp_path: Path) -> None:
    ending = observe(build(tmp_path, ASLEEP)).ending
    assert ending.end is End.STALLED
    assert "in forever" in checks.end_reason(ending)


def test_a_fault_in_the_fault_handler_is_named(tmp_path: Path) -> None:
    seen = observe(build(tmp_path, LOST))
    assert seen.log is not None
    assert seen.ending.end is End.LOCKUP
    assert "at 0x40000000" in checks.end_reason(seen.ending)
    assert checks.fault(seen.log, Expectation()) == "fault: the guest took a load fault"


def test_where_each_node_stands_still_is_named(tmp_path: Path) -> None:
    ending = observe(build(tmp_path, SECOND + STUCK), nodes=2).ending
    assert ending.end is End.STALLED
    found = checks.end_reason(ending)
    assert re.search(r": node 0 in wait \(0x8[0-9a-f]+\), node 1 in stuck \(0x8[0-9a-f]+\)", found)


def test_the_node_with_a_fault_in_its_fault_handler_is_named(tmp_path: Path) -> None:
    seen = observe(build(tmp_path, SECOND + LOST), nodes=2)
    assert seen.log is not None
    assert seen.ending.end is End.LOCKUP
    assert "on node 1 at 0x40000000: node 0 in wait" in checks.end_reason(seen.ending)
    assert checks.fault(seen.log, Expectation()) == "fault: node 1 took a load fault"


def test_the_node_whose_fault_the_platform_reports_is_named(tmp_path: Path) -> None:
    image = build(tmp_path, REPORTED, *REPORT)
    ending = observe(image, 20_000, 20_000, nodes=2).ending
    found = checks.guest_verdict(ending.console)
    assert ending.end is End.EXIT
    assert found
    assert re.fullmatch(r"node 1: load fault in stray \(0x8[0-9a-f]+\), mtval 0x0{8}", found)


def test_an_image_for_arm_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TicklabError, match=r"is for another machine \(ARM\)"):
        observe(guests.build(tmp_path, guests.LOOP))
