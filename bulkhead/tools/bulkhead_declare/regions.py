# SPDX-License-Identifier: MIT
"""Protected memory, in the sizes and at the addresses that a protection unit can separate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bulkhead_declare.model import DeclarationError


@dataclass(frozen=True)
class Placed:
    name: str
    address: int
    size: int  # of the region
    wanted: int  # bytes asked for

    @property
    def padding(self) -> int:
        return self.size - self.wanted


@dataclass(frozen=True)
class Placement:
    user_code: Placed  # the code that all processes share
    own_code: dict[int, Placed]  # of the processes that have code of their own
    images: int  # address: the initial contents of memory, after all code
    regions: tuple[Placed, ...]  # in the order of System.regions
    stacks: tuple[Placed, ...]  # in the order of System.threads; the idle thread's is the last
    kernel_data: int  # address; to the end of the memory
    stack_top: int  # of the kernel's stack
    page: Placed

    @property
    def everything(self) -> tuple[Placed, ...]:
        """Returns the memory whose size was rounded up to that of a region."""
        return (*self.own_code.values(), *self.regions, *self.stacks)


@dataclass(frozen=True)
class Reach:
    """Addresses by which an access reaches something."""

    how: str  # "overlaps", or another relation to the memory at the addresses
    address: int
    bytes: int

    def meets(self, address: int, count: int) -> bool:
        return self.address < address + count and address < self.address + self.bytes


class Shape(Protocol):
    """The sizes and addresses that a protection unit can separate."""

    @property
    def any_order(self) -> bool:
        """Tells whether regions of all sizes may follow one another without a gap."""

    def size(self, wanted: int) -> int:
        """Returns the size of the smallest region that holds `wanted` bytes."""

    def alignment(self, size: int) -> int:
        """Returns the number of which the address of a region of this size is a multiple."""


@dataclass(frozen=True)
class PowersOfTwo:
    """Powers of two, each at a multiple of its size."""

    minimum: int
    any_order: bool = False

    def size(self, wanted: int) -> int:
        return max(self.minimum, 1 << max(0, wanted - 1).bit_length())

    def alignment(self, size: int) -> int:
        return size


@dataclass(frozen=True)
class Multiples:
    """Multiples of a unit, each at any multiple of it."""

    unit: int
    any_order: bool = True

    def size(self, wanted: int) -> int:
        return align(max(wanted, 1), self.unit)

    def alignment(self, size: int) -> int:
        return self.unit


def require(address: int, size: int, shape: Shape) -> None:
    """Raises an error for addresses and sizes that no region can have."""
    possible = shape.size(size)
    if size != possible:
        raise DeclarationError(f"a region of {size} bytes cannot be protected; make it {possible}")
    alignment = shape.alignment(size)
    if address % alignment:
        raise DeclarationError(
            f"a region of {size} bytes at {address:#x} cannot be protected; "
            f"move it to {align(address, alignment):#x}"
        )


def align(address: int, size: int) -> int:
    return (address + size - 1) // size * size
