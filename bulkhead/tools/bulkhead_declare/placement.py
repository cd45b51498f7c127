# SPDX-License-Identifier: MIT
"""Assigns addresses to code, regions and stacks, so that the protection unit can separate them.

Larger regions come first. If each region is a power of two at a multiple of its size (regions.py),
every region then ends where the next may begin, so that only rounding costs memory.

On Armv8-M any order has no gaps. There all stacks lie side by side, which arch/armv8-m/regions.inc
relies on. They lie below all regions: the hardware checks only the lower limit of a stack, so a
thread may also have its stack pointer in a region.
"""

from __future__ import annotations

from collections.abc import Iterable

from bulkhead_declare import architecture, events, records
from bulkhead_declare.model import DeclarationError, Memory, System
from bulkhead_declare.regions import Placed, Placement, align

KERNEL_STACK_BYTES = 1024

# The size of struct kernel (core/kernel.h), which begins with the page.
KERNEL_STATE_BYTES = 512
PAGE_BYTES = 32


def place(system: System) -> Placement:
    target = architecture.of(system)
    own_code, user = _place_code(system)
    code_end = user.address + user.size
    if target.state_follows_stack:
        state = stack_top = system.data.origin + KERNEL_STACK_BYTES
        start, images = state + KERNEL_STATE_BYTES, code_end
    else:
        state = code_end - PAGE_BYTES
        stack_top = state + KERNEL_STATE_BYTES + KERNEL_STACK_BYTES
        start, images = system.data.origin, stack_top
    regions, stacks, end = _place_data(system, start)
    return Placement(
        user_code=user,
        own_code=own_code,
        images=images,
        regions=regions,
        stacks=stacks,
        kernel_data=align(end, 8),
        stack_top=stack_top,
        page=Placed("page", align(state, PAGE_BYTES), PAGE_BYTES, 8),
    )


def _place_code(system: System) -> tuple[dict[int, Placed], Placed]:
    """Places the code that belongs to single processes after the kernel's code, and then the code
    that all processes share. Returns both."""
    owners = [index for index, each in enumerate(system.processes) if each.has_code]
    wanted = [
        (f"code of {system.processes[i].name}", system.processes[i].code_bytes) for i in owners
    ]
    start = system.code.origin + system.kernel_code_bytes
    own, end = _allocate(wanted, start, system.code, system)
    shared = [("shared code", system.user_code_bytes)]
    (user,), _ = _allocate(shared, end, system.code, system)
    return dict(zip(owners, own, strict=True)), user


def _place_data(system: System, start: int) -> tuple[tuple[Placed, ...], tuple[Placed, ...], int]:
    """Places the regions and the stacks from address `start` on. Returns both, and the address
    after them."""
    target, memory = architecture.of(system), records.data(system)
    regions = [
        (region.name, region.bytes + events.log_bytes(system, region)) for region in system.regions
    ]
    stacks = [
        (f"stack of {thread.name}", thread.stack_bytes + target.frame_bytes)
        for thread in system.threads
    ]
    stacks.append(("stack of idle", target.idle_stack_bytes))
    if target.shape.any_order:
        below, middle = _allocate(stacks, start, memory, system)
        above, end = _allocate(regions, middle, memory, system)
        return above, below, end
    placed, end = _allocate(regions + stacks, start, memory, system)
    return placed[: len(regions)], placed[len(regions) :], end


def _allocate(
    wanted: list[tuple[str, int]], start: int, memory: Memory, system: System
) -> tuple[tuple[Placed, ...], int]:
    placed: dict[int, Placed] = {}
    shape = architecture.of(system).shape
    sizes = [shape.size(each) for _, each in wanted]
    for index in _largest_first(sizes):
        name, wanted_bytes = wanted[index]
        size = sizes[index]
        address = align(start, max(shape.alignment(size), system.region_alignment))
        placed[index] = Placed(name, address, size, wanted_bytes)
        start = placed[index].address + size
        if start > memory.origin + memory.length:
            kind = "code" if memory is system.code else "data"
            raise DeclarationError(
                f"no memory is left for {name}, which needs {size} bytes; "
                f"lengthen {kind} in [image]"
            )
    return tuple(placed[index] for index in range(len(wanted))), start


def _largest_first(sizes: Iterable[int]) -> list[int]:
    listed = list(sizes)
    return sorted(range(len(listed)), key=lambda index: -listed[index])
