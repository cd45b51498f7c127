# SPDX-License-Identifier: MIT
"""Where everything lies, so that the MPU can tell it apart.

A region of the Armv7-M MPU is a power of two of at least 32 bytes and lies at a multiple of its
size (Armv7-M Architecture Reference Manual, DDI 0403E, B3.5). Larger ones come first: each then
ends where the next may begin, and nothing but the rounding is lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bulkhead_declare.model import DeclarationError, Memory, System

MPU_MINIMUM_BYTES = 32
KERNEL_STACK_BYTES = 1024

# For struct kernel (core/kernel.h), which begins where that stack does; the page is its start.
KERNEL_STATE_BYTES = 512

# What the kernel needs on a thread's stack: a frame with floating point (104 bytes), alignment, and
# the entry's own call.
FRAME_BYTES = 128

# RASR (DDI 0403E, B3.5.9), without size: access rights, execute-never, memory type.
CODE = 6 << 24 | 1 << 17  # read only for all, executable; normal memory
DATA = 1 << 28 | 3 << 24 | 1 << 17  # read and write for all, not executable; normal memory
PAGE = 1 << 28 | 2 << 24 | 1 << 17  # written by the kernel, read by all
DEVICE = 1 << 28 | 3 << 24 | 1 << 16  # as DATA; device memory

# Numbers: a higher one wins where regions overlap, which these never do. The page and the code that
# all processes share are there for good, so that a process change does not load them.
PAGE_NUMBER = 0
FIRST_PROCESS_NUMBER = 1
SHARED_CODE_NUMBER = 5
STACK_NUMBER = 7


@dataclass(frozen=True)
class Encoded:
    """One region as the MPU takes it."""

    base: int  # RBAR with its number
    attributes: int  # RASR; 0 disables


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
    user_code: Placed  # what all processes share
    own_code: dict[int, Placed]  # of the processes that have any
    regions: tuple[Placed, ...]  # in the order of System.regions
    stacks: tuple[Placed, ...]  # in the order of System.threads; idle's is the last
    kernel_data: int  # address; to the end of the memory
    page: Placed

    @property
    def everything(self) -> tuple[Placed, ...]:
        """What was rounded up to the MPU's sizes."""
        return (*self.own_code.values(), *self.regions, *self.stacks)


def region_size(wanted: int) -> int:
    """The smallest region that holds `wanted` bytes."""
    return max(MPU_MINIMUM_BYTES, 1 << max(0, wanted - 1).bit_length())


def encode(number: int, address: int, size: int, attributes: int) -> Encoded:
    """A region for the MPU. What it cannot represent is refused."""
    if size < MPU_MINIMUM_BYTES or size & (size - 1):
        raise DeclarationError(
            f"a region of {size} bytes cannot be protected; make it {region_size(size)}"
        )
    if address % size:
        raise DeclarationError(
            f"a region of {size} bytes at {address:#x} cannot be protected; "
            f"move it to {address - address % size + size:#x}"
        )
    return Encoded(address | 1 << 4 | number, attributes | (size.bit_length() - 2) << 1 | 1)


def unused(number: int) -> Encoded:
    return Encoded(1 << 4 | number, 0)


def place(system: System) -> Placement:
    own_code, user = _place_code(system)
    wanted = [(region.name, region.bytes) for region in system.regions]
    wanted += [
        (f"stack of {thread.name}", thread.stack_bytes + FRAME_BYTES) for thread in system.threads
    ]
    wanted.append(("stack of idle", FRAME_BYTES))
    state = system.data.origin + KERNEL_STACK_BYTES
    start = state + KERNEL_STATE_BYTES
    placed, end = _allocate(wanted, start, system.data)
    count = len(system.regions)
    page = Placed("page", _align(state, MPU_MINIMUM_BYTES), MPU_MINIMUM_BYTES, 8)
    return Placement(user, own_code, placed[:count], placed[count:], _align(end, 8), page)


def _place_code(system: System) -> tuple[dict[int, Placed], Placed]:
    """The processes' own code behind the kernel's, then what they share."""
    owners = [index for index, each in enumerate(system.processes) if each.has_code]
    wanted = [
        (f"code of {system.processes[i].name}", system.processes[i].code_bytes) for i in owners
    ]
    start = system.code.origin + system.kernel_code_bytes
    own, end = _allocate(wanted, start, system.code)
    (shared,), _ = _allocate([("shared code", system.user_code_bytes)], end, system.code)
    return dict(zip(owners, own, strict=True)), shared


def _allocate(
    wanted: list[tuple[str, int]], start: int, memory: Memory
) -> tuple[tuple[Placed, ...], int]:
    placed: dict[int, Placed] = {}
    for index in _largest_first(size for _, size in wanted):
        name, wanted_bytes = wanted[index]
        size = region_size(wanted_bytes)
        placed[index] = Placed(name, _align(start, size), size, wanted_bytes)
        start = placed[index].address + size
        if start > memory.origin + memory.length:
            raise DeclarationError(f"no memory is left for {name}; {size} bytes are needed")
    return tuple(placed[index] for index in range(len(wanted))), start


def _largest_first(sizes: Iterable[int]) -> list[int]:
    rounded = [region_size(size) for size in sizes]
    return sorted(range(len(rounded)), key=lambda index: -rounded[index])


def _align(address: int, size: int) -> int:
    return (address + size - 1) // size * size
