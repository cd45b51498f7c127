# SPDX-License-Identifier: MIT
"""How QEMU emulates a board: part of the vocabulary of model.py."""

from __future__ import annotations

from dataclasses import dataclass

# Output of the guest uses semihosting, which needs no device. The observer refuses all other
# services of semihosting. `arg` is the command line of the guest and replaces a path.
_SEMIHOSTING = "enable=on,userspace=on,target=native,chardev=con,arg=guest"


@dataclass(frozen=True)
class Emulation:
    """How QEMU emulates a board. Text of the guest goes to the character device `con`."""

    program: str = "qemu-system-arm"
    options: tuple[str, ...] = ("-serial", "none", "-semihosting-config", _SEMIHOSTING)
    finisher: int | None = None  # register that ends the run; None: semihosting
    icount_shift: int = 0  # an instruction takes 2 to this power ns of virtual time


EMULATION = Emulation()
