# SPDX-License-Identifier: MIT
"""How a program is observed that a scenario runs as a process of the guest's system
(bench/suites/rt-tests)."""

from __future__ import annotations

from ticklab.description.model import GuestProgram
from ticklab.targets.protocol import AddedMark

# The program ends by itself, after less than a tenth of this.
INSTRUCTIONS = 2_000_000_000
# Where Linux for Arm loads a program that may be anywhere (ELF_ET_DYN_BASE of its source), if
# addresses are not random: run_program.c sees to that.
_BASE = 0x0040_0000


def marks(program: GuestProgram) -> tuple[AddedMark, ...]:
    """Returns the marks of a program at their addresses in its process."""
    return tuple(AddedMark(name, _BASE + offset) for name, offset in program.marks.items())
