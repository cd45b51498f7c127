# SPDX-License-Identifier: MIT
"""Armv7-M and its memory protection unit.

A region is a power of two of at least 32 bytes and lies at a multiple of its size (Armv7-M
Architecture Reference Manual, DDI 0403E, B3.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bulkhead_declare import emit_vectors
from bulkhead_declare.model import System, Window
from bulkhead_declare.regions import Placed, Placement, PowersOfTwo, Reach, Shape, require

SHAPE = PowersOfTwo(32)

# Values of RASR (DDI 0403E, B3.5.9) without the size: access rights, execute-never, memory type.
CODE = 6 << 24 | 1 << 17  # read only for all, executable; normal memory
DATA = 1 << 28 | 3 << 24 | 1 << 17  # read and write for all, not executable; normal memory
PAGE = 1 << 28 | 2 << 24 | 1 << 17  # the kernel writes it, all read it
SHARE = PAGE  # a region that the process only reads
DEVICE = 1 << 28 | 3 << 24 | 1 << 16  # as DATA; device memory

# Numbers of regions. Where regions overlap, the one with the highest number applies, but these
# regions never overlap. The regions of the page and of the shared code never change, so a switch of
# processes does not load them.
_PAGE_NUMBER = 0
_FIRST_PROCESS_NUMBER = 1
_SHARED_CODE_NUMBER = 5
_STACK_NUMBER = 7

# On a core with bit-banding, each word of an alias region is one bit of the megabyte that begins
# _BIT_BAND_DISTANCE below the alias region (Cortex-M4 Technical Reference Manual, ARM 100166, 3.7).
_BIT_BAND_ALIASES = (0x2200_0000, 0x4200_0000)
_BIT_BAND_BYTES = _BIT_BAND_DISTANCE = 0x0200_0000
_BIT_BAND_FACTOR = 32

_FIRST_LINE = 16  # exception number of interrupt line 0


@dataclass(frozen=True)
class Encoded:
    """The values of the MPU's registers for one region."""

    base: int  # RBAR with its number
    attributes: int  # RASR; 0 disables

    def __str__(self) -> str:
        return f"{{{self.base:#010x}u, {self.attributes:#010x}u}}"


def encode(number: int, address: int, size: int, attributes: int) -> Encoded:
    """Returns the values of the MPU's registers for a region. Raises DeclarationError for a region
    that the MPU cannot represent."""
    require(address, size, SHAPE)
    return Encoded(address | 1 << 4 | number, attributes | (size.bit_length() - 2) << 1 | 1)


def require_unit(pmsa: int) -> str:
    """Returns an assertion in C that the kernel is compiled for this protection unit."""
    return (
        f"_Static_assert(ARCH_PMSA == {pmsa}, "
        f'"the declaration is for Armv{pmsa}-M and the kernel is not; change `architecture`");'
    )


class Armv7M:
    entry = "Reset_Handler"
    shape: Shape = SHAPE
    process_regions = 4  # struct arch_regions
    lines = 240  # of the interrupt controller (DDI 0403E, B3.4)
    first_sections = (".vectors",)

    # The MPU does not apply to these addresses, and only privileged code reaches most of them (DDI
    # 0403E, B3.1).
    kernels_own = (("the private peripheral bus", 0xE000_0000, 0x0010_0000),)

    # Bytes on a thread's stack in addition to those for its own functions: a frame with
    # floating-point registers (104 bytes), its alignment, and the call of the entry function.
    frame_bytes = 128
    idle_stack_bytes = frame_bytes

    # The kernel's stack is at the beginning of the data, and ends where the kernel's state begins.
    state_follows_stack = True

    def code_alignment(self, system: System) -> int:
        """Returns the alignment of the vector table that VTOR requires: the size of the table,
        rounded up to a power of two of at least 32 words (DDI 0403E, B3.2.5)."""
        vectors = _FIRST_LINE + 1 + max((each.line for each in system.interrupts), default=0)
        return max(128, 4 << (vectors - 1).bit_length())

    def reaches(self, address: int, count: int) -> Iterator[Reach]:
        yield Reach("overlaps", address, count)
        for alias in _BIT_BAND_ALIASES:
            first = max(address, alias)
            beyond = min(address + count, alias + _BIT_BAND_BYTES)
            if first < beyond:
                start = alias - _BIT_BAND_DISTANCE + (first - alias) // _BIT_BAND_FACTOR
                yield Reach("is a bit-band alias of", start, (beyond - first) // _BIT_BAND_FACTOR)

    def stack(self, where: Placed) -> str:
        return str(encode(_STACK_NUMBER, where.address, where.size, DATA))

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
        wanted += [(each.address, each.bytes, DEVICE) for each in windows]
        encoded = [
            encode(number, *each) for number, each in enumerate(wanted, _FIRST_PROCESS_NUMBER)
        ]
        for number in range(len(encoded), self.process_regions):
            encoded.append(Encoded(1 << 4 | _FIRST_PROCESS_NUMBER + number, 0))
        return f"{{{{{', '.join(map(str, encoded))}}}}}"

    def shared(self, placed: Placement) -> Iterator[str]:
        code, page = placed.user_code, placed.page
        yield require_unit(7)
        yield "extern const struct arch_region kernel_shared_regions[2];"
        yield "const struct arch_region kernel_shared_regions[2] = {"
        yield (
            f"    {encode(_PAGE_NUMBER, page.address, page.size, PAGE)}, "
            f"{encode(_SHARED_CODE_NUMBER, code.address, code.size, CODE)}}};"
        )

    def vectors(self, system: System) -> str:
        return emit_vectors.vectors(system)
