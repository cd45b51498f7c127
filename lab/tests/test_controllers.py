# SPDX-License-Identifier: MIT
"""Tests the latencies of interrupts in `profile` on Cortex-A and RISC-V, with the real compiler and
QEMU. The guests mask an interrupt for a known number of instructions after it became pending.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from console import ticklab
from documents import fits

from ticklab.building import program
from ticklab.building.program import Program
from ticklab.description.architecture import cores

SCRIPT = "ENTRY(reset)\nSECTIONS {{ . = {origin:#x}; .text : {{ *(.text) }} }}\n"

# Software pends interrupt 1 of the GIC, and interrupt 27, the virtual timer, is due at once. Both
# wait until CPSIE unmasks interrupts. Each is taken as an exception of its own, whose handler
# executes 4 instructions until it acknowledges the interrupt.
GIC = """
.arch armv7-a
.arch_extension sec
.text
.global reset
.type reset, %function
reset:
  b start
  .rept 5
  b .
  .endr
  b serve
  b .
.balign 32
start:
  adr r0, reset
  mcr p15, 0, r0, c12, c0, 0
  cps #0x12
  ldr sp, =0x40100000
  cps #0x13
  ldr r4, =0x08000000
  ldr r5, =0x08010000
  mov r0, #1
  str r0, [r4]
  mov r0, #0xff
  str r0, [r5, #4]
  mov r0, #1
  str r0, [r5]
  ldr r0, =0x08000002
  str r0, [r4, #0x100]
  ldr r6, =0x02000001
.type again, %function
again:
  cpsid i
  {pend}
  nop
  nop
  cpsie i
  nop
  b again
.type serve, %function
serve:
  sub lr, lr, #4
  push {{r0, lr}}
  nop
  ldr r0, [r5, #0xc]
  {quiet}
  str r0, [r5, #0x10]
  ldm sp!, {{r0, pc}}^
.ltorg
"""
SOFTWARE = {"pend": "str r6, [r4, #0xf00]", "quiet": "nop"}
TIMER = {
    "pend": "mov r0, #0\n  mcr p15, 0, r0, c14, c3, 0\n  mov r0, #1\n  mcr p15, 0, r0, c14, c3, 1",
    "quiet": "mov r1, #0\n  mcr p15, 0, r1, c14, c3, 1",
}

# Pends an interrupt by a store to the device at a0 + t0. The interrupt waits for its enable bit in
# mie (in t2) and for the bit MIE.
RISCV = """
.text
.global reset
.type reset, %function
reset:
  la t0, serve
  csrw mtvec, t0
  li a0, 0x2000000
  li a1, 0x2004000
  li t1, {enabled}
  csrw mie, t1
  li a2, 1
  li a3, -1
.type again, %function
again:
  csrci mstatus, 8
  {pend}
  nop
  nop
  csrsi mstatus, 8
  nop
  j again
.balign 4
.type serve, %function
serve:
  {quiet}
  mret
"""
MSIP = {"enabled": "8", "pend": "sw a2, 0(a0)", "quiet": "sw zero, 0(a0)"}
PAST = {"enabled": "0x80", "pend": "sw zero, 4(a1)\n  sw zero, 0(a1)", "quiet": "sw a3, 0(a1)"}
# The clock counts each 100 ns, an instruction takes 64 ns, and the loop has 128 instructions: the
# timer rings in its first few.
LATER = {
    "enabled": "0x80",
    "pend": "lui t3, 0x200c\n  lw t4, -8(t3)\n  addi t4, t4, 5\n  sw t4, 0(a1)\n  sw zero, 4(a1)\n"
    "  li t5, 64\n1:addi t5, t5, -1\n  bnez t5, 1b",
    "quiet": "sw a3, 0(a1)\n  sw a3, 4(a1)",
}
WAIT = "  li t5, 64\n1:addi t5, t5, -1\n  bnez t5, 1b"
ASLEEP = {**LATER, "pend": LATER["pend"].replace(WAIT, "  wfi")}


def profile(folder: Path, board: str, core: str, source: str, origin: int) -> list[dict[str, Any]]:
    """Returns the latencies of the interrupts of a guest. Its only task has the name of its first
    function, although a machine may have a boot ROM."""
    image, script, assembler = (folder / name for name in ("guest.elf", "guest.ld", "guest.S"))
    script.write_text(SCRIPT.format(origin=origin))
    assembler.write_text(source)
    flags = ["-Wl,--build-id=none", "-nostdlib"]
    made = Program(program.guest(cores()[core]), [assembler], script, flags)
    subprocess.run(made.command(image), check=True)
    words = ("profile", image, "--board", board, "--instructions", "20000")
    status, out, err = ticklab(*words, "--no-model", "--json", "-")
    assert status == 0, err
    document = fits("profile", json.loads(out))
    assert [each["name"] for each in document["tasks"]] == ["again"], "to which `reset` leads"
    found: list[dict[str, Any]] = document["interrupts"]
    return found


def bounds(latency: dict[str, Any]) -> tuple[int, int, int]:
    return latency["shortest"], latency["median"], latency["longest"]


@pytest.mark.parametrize(
    ("words", "name"), [(SOFTWARE, "GIC interrupt 1"), (TIMER, "GIC interrupt 27")]
)
def test_an_interrupt_of_the_gic_waits_for_its_entry(
    words: dict[str, str], name: str, tmp_path: Path
) -> None:
    found = profile(tmp_path, "virt-a7", "cortex-a7", GIC.format(**words), 0x4000_0000)
    assert [each["name"] for each in found] == [name]
    (one,) = found
    assert one["taken"] > 100
    assert bounds(one["entry"]) == (3, 3, 3), "two of nop, and the instruction that unmasks"
    assert one["entry"]["function"] == "again"
    assert one["wake"] is None, "there is one task"


# In this variant the controller signals its interrupts as FIQ (GICC_CTLR.FIQEn). A FIQ has another
# entry in the vector table, another stack and another mask than an IRQ.
FAST = (
    GIC.replace("  b serve\n  b .\n.balign", "  b .\n  b serve\n.balign")
    .replace("cps #0x12", "cps #0x11")
    .replace("mov r0, #1\n  str r0, [r5]\n", "mov r0, #9\n  str r0, [r5]\n")
    .replace("cpsid i", "cpsid f")
    .replace("cpsie i", "cpsie f")
)


@pytest.mark.parametrize(
    ("words", "name"), [(SOFTWARE, "GIC interrupt 1"), (TIMER, "GIC interrupt 27")]
)
def test_a_fast_interrupt_waits_for_its_entry(
    words: dict[str, str], name: str, tmp_path: Path
) -> None:
    (one,) = profile(tmp_path, "virt-a7", "cortex-a7", FAST.format(**words), 0x4000_0000)
    assert one["name"] == name
    assert one["taken"] > 100
    assert bounds(one["entry"]) == (3, 3, 3), "two of nop, and the instruction that unmasks"


@pytest.mark.parametrize(
    ("words", "name"), [(MSIP, "software interrupt"), (PAST, "timer interrupt")]
)
def test_an_interrupt_of_the_aclint_waits_for_its_trap(
    words: dict[str, str], name: str, tmp_path: Path
) -> None:
    found = profile(tmp_path, "virt", "ibex", RISCV.format(**words), 0x8000_0000)
    assert [each["name"] for each in found] == [name]
    (one,) = found
    assert one["taken"] > 100
    assert bounds(one["entry"]) == (3, 3, 3), "two of nop, and the instruction that unmasks"
    assert one["entry"]["function"] == "again"


def test_the_timer_rings_when_the_clock_reaches_its_comparand(tmp_path: Path) -> None:
    """The clock's counts fall between instructions at eight different offsets, so there are at most
    eight different latencies."""
    (one,) = profile(tmp_path, "virt", "ibex", RISCV.format(**LATER), 0x8000_0000)
    assert one["taken"] > 50
    shortest, _, longest = bounds(one["entry"])
    assert longest - shortest <= 2
    assert 120 < shortest < 140


def test_a_wait_lasts_until_the_timer_rings(tmp_path: Path) -> None:
    """QEMU ends the block after a WFI, whether or not an interrupt is taken there."""
    (one,) = profile(tmp_path, "virt", "ibex", RISCV.format(**ASLEEP), 0x8000_0000)
    assert one["taken"] > 100
    assert bounds(one["entry"]) == (3, 3, 3), "after the wait: two of nop, and the unmasking"
    unmasked = RISCV.format(**ASLEEP).replace("csrci mstatus", "csrsi mstatus")
    (one,) = profile(tmp_path, "virt", "ibex", unmasked, 0x8000_0000)
    assert one["taken"] > 100
    assert bounds(one["entry"]) == (0, 0, 0)
