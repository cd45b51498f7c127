# SPDX-License-Identifier: MIT
"""QEMU as a board needs it: part of the vocabulary of model.py."""

from __future__ import annotations

from dataclasses import dataclass

# How QEMU shows what a guest says: by semihosting, which needs no device. The observer keeps guests
# from all else that semihosting offers. `arg` is a guest's command line, in the place of a path.
_SEMIHOSTING = "enable=on,userspace=on,target=native,chardev=con,arg=guest"


@dataclass(frozen=True)
class Emulation:
    """QEMU as a board needs it. The guest's text goes to the character device `con`."""

    program: str = "qemu-system-arm"
    options: tuple[str, ...] = ("-serial", "none", "-semihosting-config", _SEMIHOSTING)
    finisher: int | None = None  # the register with which a guest ends the run; None: semihosting
    icount_shift: int = 0  # an instruction takes 2 to this power ns of virtual time


EMULATION = Emulation()
