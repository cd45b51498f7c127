# SPDX-License-Identifier: MIT
"""Armv8-M and its memory protection unit (PMSAv8), in the Secure state.

A region is a multiple of 32 bytes and lies at any multiple of 32. Regions must not overlap, because
every access to an address in two regions faults (Armv8-M Architecture Reference Manual, DDI 0553,
B8 and D1.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bulkhead_declare.model import Window
from bulkhead_declare.mpu import Armv7M, require_unit
from bulkhead_declare.regions import Multiples, Placed, Placement, Reach, Shape, require

SHAPE = Multiples(32)

# Values of RBAR without the address: access rights and execute-never. No encoding lets privileged
# code write and unprivileged code only read (arch/armv8-m/unit.h).
CODE = 3 << 1  # read only for all, executable
DATA = 1 << 1 | 1  # read and write for all, not executable
PAGE = 3 << 1 | 1  # read only for all, not executable
SHARE = PAGE  # the kernel writes it as arch/armv8-m/options/shares.c says

# Values of RLAR without the address: the index of the memory attributes (arch/armv8-m/unit.h), and
# the enable bit.
NORMAL = 0 << 1 | 1
DEVICE = 1 << 1 | 1


@dataclass(frozen=True)
class Encoded:
    """The values of the MPU's registers for one region."""

    base: int  # RBAR
    limit: int  # RLAR: the last 32 bytes; 0 disables

    def __str__(self) -> str:
        return f"{{{self.base:#010x}u, {self.limit:#010x}u}}"


def encode(address: int, size: int, rights: int, attributes: int = NORMAL) -> Encoded:
    """Returns the values of the MPU's registers for a region. Raises DeclarationError for a region
    that the MPU cannot represent."""
    require(address, size, SHAPE)
    return Encoded(address | rights, address + size - SHAPE.unit | attributes)


class Armv8M(Armv7M):
    shape: Shape = SHAPE
    lines = 480  # of the interrupt controller

    def reaches(self, address: int, count: int) -> Iterator[Reach]:
        """Armv8-M has no bit-banding."""
        yield Reach("overlaps", address, count)

    def stack(self, where: Placed) -> str:
        return str(encode(where.address, where.size, DATA))

    def process(
        self,
        code: Placed | None,
        written: Sequence[Placed],
        read: Sequence[Placed],
        windows: Sequence[Window],
    ) -> str:
        encoded = [encode(code.address, code.size, CODE)] if code else []
        encoded += [encode(each.address, each.size, DATA) for each in written]
        encoded += [encode(each.address, each.size, SHARE) for each in read]
        encoded += [encode(each.address, each.bytes, DATA, DEVICE) for each in windows]
        encoded += [Encoded(0, 0)] * (self.process_regions - len(encoded))
        return f"{{{{{', '.join(map(str, encoded))}}}}}"

    def shared(self, placed: Placement) -> Iterator[str]:
        code, page = placed.user_code, placed.page
        yield require_unit(8)
        yield "extern const struct arch_region kernel_shared_regions[2];"
        yield "const struct arch_region kernel_shared_regions[2] = {"
        yield f"    {encode(page.address, page.size, PAGE)}, "
        yield f"    {encode(code.address, code.size, CODE)}}};"
