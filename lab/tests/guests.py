# SPDX-License-Identifier: MIT
"""Assembles small guests for a real QEMU. Each has a few instructions, so that every count is known
in advance."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from ticklab import paths
from ticklab.building import program
from ticklab.building.program import Program
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

# Assembler macro `mark NAME`: declares a mark at the next instruction.
MARK = """
.macro mark name
661:
  .pushsection .bench.marks, ""
  .balign 4
  .word 661b
  .asciz "\\name"
  .balign 4
  .popsection
.endm
"""
# In these guests, every exception except reset is handled by `handler`; PendSV by `pended`, if the
# guest defines it.
_START = f"""
.syntax unified
.cpu cortex-m4
.thumb
.section .vectors, "a"
  .word 0x20010000, reset + 1
  .rept 12
  .word handler + 1
  .endr
  .word PENDSV + 1, handler + 1
{MARK}
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
# A guest with a fault whose handler faults, too: the processor locks up, and QEMU ends.
LOCKUP = "function reset\n  mark tick\n  udf #0\nfunction handler\n  udf #1\n"


def build(folder: Path, source: str, text: str = "hello\\n", flags: Sequence[str] = ()) -> Path:
    """Assembles and links one guest."""
    folder.mkdir(parents=True, exist_ok=True)
    image, script, assembler = (folder / name for name in ("guest.elf", "guest.ld", "guest.S"))
    script.write_text(_LINKER_SCRIPT)
    pended = "pended" if "function pended" in source else "handler"
    assembler.write_text(_START.replace("PENDSV", pended) + source.replace("{text}", text))
    made = Program(compiler(), [assembler], script, [*flags, "-Wl,--build-id=none"])
    subprocess.run(made.command(image), check=True)
    return image


def compiler() -> program.Words:
    """Returns the compiler of guests, and its flags."""
    return program.guest(cores()["cortex-m4"])


# --- Guests with a ring of marks, for boards on the desk ------------------------------------------

_RING_SCRIPT = """
ENTRY(reset)
SECTIONS {
  . = 0;
  .text : { KEEP(*(.vectors)) *(.text .text.*) *(.rodata .rodata.*) . = ALIGN(4); }
  .init_array : { constructors = .; KEEP(*(.init_array .init_array.*)) constructors_end = .; }
  .data : { *(.data .data.*) }
  .bss (NOLOAD) : { *(.bss .bss.* COMMON) *(.noinit) }
  .bench.marks 0 (INFO) : { KEEP(*(.bench.marks)) }
}
"""
_RING_START = """
#include <arch/console.h>
#include <bench/mark.h>
#include <bench/ring.h>
extern void (*constructors[])(void), (*constructors_end[])(void);
static void body(void);
void reset(void);
void reset(void) {
    for (void (**each)(void) = constructors; each < constructors_end; each++) {
        (*each)();
    }
    body();
    for (;;) {
    }
}
static void handler(void) { __asm__ volatile("udf #1"); }
__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))0x20010000, reset, handler, handler, handler, handler, handler,
};
"""


def build_with_ring(folder: Path, body: str, counter: int = 0x4002_8018) -> Path:
    """Compiles and links a guest whose marks are code. `body` is C code. The guest is loaded into
    RAM, so it need not copy initial values."""
    folder.mkdir(parents=True, exist_ok=True)
    image, script, source = (folder / name for name in ("ring.elf", "ring.ld", "ring.c"))
    script.write_text(_RING_SCRIPT)
    source.write_text(f"{_RING_START}static void body(void) {{ {body} }}\n")
    bench, platform = paths.CHECKOUT / "bench", paths.CHECKOUT / "platform"
    includes = (bench / "include", platform / "arch" / "armv7-m" / "include")
    ours = (platform / "ring" / "ring.c", platform / "ring" / "console.c")
    flags = ["-O2", f"-DBENCH_COUNTER={counter:#x}", *(f"-I{folder}" for folder in includes)]
    subprocess.run([*compiler(), *flags, "-T", script, source, *ours, "-o", image], check=True)
    return image
