# SPDX-License-Identifier: MIT
"""Small guests for a real QEMU, a few instructions each, so that every count is known
beforehand."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from ticklab.building import program
from ticklab.description.architecture import cores

_LINKER_SCRIPT = """
ENTRY(reset)
SECTIONS {
  . = 0;
  .text : { *(.vectors) *(.text) }
  .bench.marks 0 (INFO) : { KEEP(*(.bench.marks)) }
  /DISCARD/ : { *(.text.gone) }
}
"""

# Every exception but reset ends in `handler`.
_START = """
.syntax unified
.cpu cortex-m4
.thumb
.section .vectors, "a"
  .word 0x20010000, reset + 1
  .rept 14
  .word handler + 1
  .endr
.macro mark name
661:
  .pushsection .bench.marks, ""
  .balign 4
  .word 661b
  .asciz "\\name"
  .balign 4
  .popsection
.endm
.macro function name
  .global \\name
  .type \\name, %function
  .thumb_func
\\name:
.endm
.text
"""

# r0: SYS_WRITE0 (4) of the text at r1; SYS_EXIT_EXTENDED (0x20) of {reason, status}.
_SAY = "  ldr r1, =text\n  movs r0, #4\n  bkpt 0xab\n"
_EXIT = "  ldr r1, =status\n  movs r0, #0x20\n  bkpt 0xab\n"
_DATA = '\n.balign 4\nstatus: .word 0x20026, 0\ntext: .asciz "{text}"\n.balign 4\n.ltorg\n'

_FAULT = "function handler\n  b handler\n"

LOOP = (
    "function reset\n  movs r2, #0\nagain:\n  mark tick\n  adds r2, #1\n  nop\n  b again\n" + _FAULT
)
UNMARKED = LOOP.replace("  mark tick\n", "")
ASLEEP = "function reset\n  mark tick\n  cpsid i\nfunction idle\n  wfi\n  b idle\n" + _FAULT
STUCK = "function reset\n  mark tick\n  nop\nfunction spin\n  nop\n  b spin\n" + _FAULT
FLOOD = "function reset\n  mark tick\n  nop\nagain:\n" + _SAY + "  b again\n" + _FAULT + _DATA
LEAVING = "function reset\n  mark tick\n" + _SAY + _EXIT + _FAULT + _DATA
# A fault whose handler faults: the processor locks up, and QEMU gives up.
LOCKUP = "function reset\n  mark tick\n  udf #0\nfunction handler\n  udf #1\n"


def build(folder: Path, source: str, text: str = "hello\\n", flags: Sequence[str] = ()) -> Path:
    """Assembles and links one guest."""
    folder.mkdir(parents=True, exist_ok=True)
    image, script, assembler = (folder / name for name in ("guest.elf", "guest.ld", "guest.S"))
    script.write_text(_LINKER_SCRIPT)
    assembler.write_text(_START + source.replace("{text}", text))
    command = [*compiler(), *flags, "-Wl,--build-id=none"]
    subprocess.run([*command, "-T", script, assembler, "-o", image], check=True)
    return image


def compiler() -> program.Words:
    """Returns the compiler of guests, and its flags."""
    return program.guest(cores()["cortex-m4"])
