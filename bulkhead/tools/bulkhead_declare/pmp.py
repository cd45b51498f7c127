# SPDX-License-Identifier: MIT
"""RV32 and its physical memory protection, with four entries.

An entry is a naturally aligned power of two of at least 8 bytes (NAPOT; The RISC-V Instruction Set
Manual, Volume II, version 20211203, 3.7). Such an entry takes one address register; a range of any
size would take two. Entry 0 is the code that all processes share, entry 1 is the stack of a thread,
and entries 2 and 3 belong to the process.

No entry is left for the page that all processes may read. So the page lies at the end of the region
of the shared code, and the rest of the kernel's state and its stack lie after the page. This
requires that code and data are in one memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bulkhead_declare.model import System, Window
from bulkhead_declare.regions import Placed, Placement, PowersOfTwo, Reach, require

SHAPE = PowersOfTwo(16)  # a stack's alignment in the calling convention; NAPOT would need only 8

# The fields of a byte of pmpcfg0 (3.7.1): address matching, and rights.
NAPOT = 3 << 3
CODE = NAPOT | 4 | 1
DATA = NAPOT | 2 | 1
SHARE = NAPOT | 1

_FIRST_PROCESS_ENTRY = 2


def encode(address: int, size: int) -> int:
    """Returns pmpaddr for a region. Raises DeclarationError for a region that no entry can
    represent."""
    require(address, size, SHAPE)
    return (address | (size // 2 - 1)) >> 2


class Rv32:
    entry = "arch_reset"
    shape = SHAPE
    process_regions = 2  # struct arch_regions
    lines = 32  # startup/rv32/lines.c
    first_sections = (".reset",)
    frame_bytes = 0  # the kernel puts nothing on a thread's stack
    idle_stack_bytes = 64
    state_follows_stack = False

    # The devices of arch/rv32/tick.c and startup/rv32/lines.c. A process may have a window to
    # mtime, which is at the end of the timer.
    kernels_own = (
        ("the timer's msip and mtimecmp", 0x0200_0000, 0xBFF0),
        ("the interrupt controller", 0x0C00_0000, 0x0400_0000),
    )

    def code_alignment(self, system: System) -> int:
        """Returns the minimum alignment of a region. The trap table needs a greater one, which its
        definition in entry.S sets."""
        return SHAPE.minimum

    def reaches(self, address: int, count: int) -> Iterator[Reach]:
        yield Reach("overlaps", address, count)

    def stack(self, where: Placed) -> str:
        return f"{{{encode(where.address, where.size):#010x}u}}"

    def process(
        self,
        code: Placed | None,
        written: Sequence[Placed],
        read: Sequence[Placed],
        windows: Sequence[Window],
    ) -> str:
        wanted = [(code.address, code.size, CODE)] if code else []
        wanted += [(each.address, each.size, DATA) for each in written]
        wanted += [(each.address, each.size, SHARE) for each in read]
        wanted += [(each.address, each.bytes, DATA) for each in windows]
        configuration = CODE | DATA << 8
        addresses = [0] * self.process_regions
        for index, (address, size, rights) in enumerate(wanted):
            addresses[index] = encode(address, size)
            configuration |= rights << 8 * (_FIRST_PROCESS_ENTRY + index)
        listed = ", ".join(f"{{{address:#010x}u}}" for address in addresses)
        return f"{{{{{listed}}}, {configuration:#010x}u}}"

    def shared(self, placed: Placement) -> Iterator[str]:
        code = placed.user_code
        yield "extern const struct arch_region kernel_shared_region;"
        yield (
            "const struct arch_region kernel_shared_region = "
            f"{{{encode(code.address, code.size):#010x}u}};"
        )

    def vectors(self, system: System) -> str:
        """Returns the source with the handlers that startup/rv32/lines.c calls."""
        lines = {each.line: each.handler for each in system.interrupts}
        rows = (f"    [{line}] = {handler}," for line, handler in sorted(lines.items()))
        return "\n".join(
            (
                "// SPDX-License-Identifier: MIT",
                "// Made from the declaration.",
                *(f"void {handler}(void);" for handler in lines.values()),
                f"extern void (*const bulkhead_handlers[{self.lines}])(void);",
                f"void (*const bulkhead_handlers[{self.lines}])(void) = {{",
                *rows,
                "};",
                "",
            )
        )
