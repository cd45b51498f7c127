# SPDX-License-Identifier: MIT
"""Constants and marks for programs that a scenario runs as a process of a booted kernel
(bench/suites/rt-tests)."""

from __future__ import annotations

from ticklab.description.model import GuestProgram
from ticklab.targets.protocol import AddedMark

# Greatest number of instructions of a run. The programs end by themselves after less than a tenth
# of this number.
INSTRUCTIONS = 2_000_000_000
# The address at which Linux for Arm loads a position-independent program (ELF_ET_DYN_BASE of its
# source) if addresses are not randomised; run_program.c switches randomisation off.
_BASE = 0x0040_0000


def marks(program: GuestProgram) -> tuple[AddedMark, ...]:
    """Returns the marks of a program at their addresses in its process."""
    return tuple(AddedMark(name, _BASE + offset) for name, offset in program.marks.items())
