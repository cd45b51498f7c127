# SPDX-License-Identifier: MIT
"""Regions of memory with assigned addresses, and the sizes and addresses that a protection unit
requires of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bulkhead_declare.model import DeclarationError


@dataclass(frozen=True)
class Placed:
    name: str
    address: int
    size: int  # bytes of the region, rounded up
    wanted: int  # bytes that were asked for

    @property
    def padding(self) -> int:
        return self.size - self.wanted


@dataclass(frozen=True)
class Placement:
    user_code: Placed  # the code that all processes share
    own_code: dict[int, Placed]  # by the index of the process: its own code
    images: int  # address of the initial contents of data, after all code
    regions: tuple[Placed, ...]  # in the order of System.regions
    stacks: tuple[Placed, ...]  # in the order of System.threads; the idle thread's is the last
    kernel_data: int  # address of the kernel's data, which may extend to the end of the memory
    stack_top: int  # first address after the kernel's stack
    page: Placed

    @property
    def everything(self) -> tuple[Placed, ...]:
        """Returns all memory whose size was rounded up to a region, except the shared code."""
        return (*self.own_code.values(), *self.regions, *self.stacks)


@dataclass(frozen=True)
class Reach:
    """Memory that an access through a window reaches, directly or by an alias."""

    how: str  # the relation of the window to the memory, for a message: "overlaps", for example
    address: int
    bytes: int

    def meets(self, address: int, count: int) -> bool:
        return self.address < address + count and address < self.address + self.bytes


class Shape(Protocol):
    """The sizes and addresses that a protection unit can separate."""

    @property
    def any_order(self) -> bool:
        """Returns whether regions of different sizes may follow one another in any order without a
        gap."""

    def size(self, wanted: int) -> int:
        """Returns the size of the smallest region that holds `wanted` bytes."""

    def alignment(self, size: int) -> int:
        """Returns the alignment of a region of this size."""


@dataclass(frozen=True)
class PowersOfTwo:
    """Regions whose size is a power of two and whose address is a multiple of the size."""

    minimum: int
    any_order: bool = False

    def size(self, wanted: int) -> int:
        return max(self.minimum, 1 << max(0, wanted - 1).bit_length())

    def alignment(self, size: int) -> int:
        return size


@dataclass(frozen=True)
class Multiples:
    """Regions whose size and address are multiples of a unit."""

    unit: int
    any_order: bool = True

    def size(self, wanted: int) -> int:
        return align(max(wanted, 1), self.unit)

    def alignment(self, size: int) -> int:
        return self.unit


def require(address: int, size: int, shape: Shape) -> None:
    """Raises DeclarationError if no region can have this address and size."""
    possible = shape.size(size)
    if size != possible:
        raise DeclarationError(f"{size} bytes cannot be protected; make it {possible} bytes")
    alignment = shape.alignment(size)
    if address % alignment:
        raise DeclarationError(
            f"{size} bytes at {address:#x} cannot be protected; "
            f"move it to {align(address, alignment):#x}"
        )


def align(address: int, size: int) -> int:
    return (address + size - 1) // size * size
