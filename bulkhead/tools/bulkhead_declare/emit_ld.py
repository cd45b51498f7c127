# SPDX-License-Identifier: MIT
"""The linker script: the kernel apart from the processes, and every region in its place.

Objects are told apart by their files. What is not the kernel's by `kernel_files` is the processes'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bulkhead_declare import architecture
from bulkhead_declare.emit_objects import pool_symbol
from bulkhead_declare.model import Memory, Region, System
from bulkhead_declare.placement import KERNEL_STATE_BYTES
from bulkhead_declare.regions import Placed, Placement

_CODE = (".text", ".text.*", ".rodata", ".rodata.*", ".srodata", ".srodata.*")
_DATA = (".data", ".data.*", ".sdata", ".sdata.*")
_ZEROES = (".bss", ".bss.*", ".sbss", ".sbss.*", "COMMON")


def script(system: System, placed: Placement, order: str | None = None) -> str:
    """`order`: a script to include, which says in which order the functions of processes lie."""
    return "\n".join(
        (
            "/* SPDX-License-Identifier: MIT",
            " * Made from the declaration. Padding to the sizes of regions, in bytes:",
            *(f" *   {each.name}: {each.padding} of {each.size}" for each in _padded(placed)),
            " */",
            f"ENTRY({architecture.of(system).entry})",
            "MEMORY",
            "{",
            *_memories(system, placed),
            "}",
            f"memory_stack_top = {placed.stack_top:#x};",
            "bulkhead_page = kernel;",
            "__global_pointer$ = 0; /* threads write gp: nothing is relative to it */",
            *_stacks(system, placed),
            "SECTIONS",
            "{",
            *_first(system),
            *_kernel_text(system, placed),
            *_own_text(system, placed),
            *_user_text(placed, order),
            *_kernel_data(system, placed),
            *_regions(system, placed),
            "    .bench.marks 0 (INFO) : { KEEP(*(.bench.marks)) }",
            "}",
            "",
        )
    )


def _first(system: System) -> Iterator[str]:
    kept = " ".join(f"KEEP({each})" for each in architecture.of(system).first_sections)
    yield f"    .first : {{ {kept} }} > code"


def _memories(system: System, placed: Placement) -> Iterator[str]:
    """What memory begins as lies behind all code, where no process may read it."""
    code, images = system.code, placed.images
    for name, rights, memory in (
        ("code", "rx", Memory(code.origin, images - code.origin)),
        ("images", "r", Memory(images, code.origin + code.length - images)),
        ("data", "rwx", system.data),
    ):
        yield f"    {name} ({rights}) : ORIGIN = {memory.origin:#x}, LENGTH = {memory.length:#x}"


def _stacks(system: System, placed: Placement) -> Iterator[str]:
    """Names for the debugger."""
    for thread, stack in zip(system.threads, placed.stacks, strict=False):  # idle's has none
        yield f"{thread.name}_stack = {stack.address:#x};"


def _padded(placed: Placement) -> Iterable[Placed]:
    return placed.everything


def _sections(files: Iterable[str], *sections: str) -> Iterator[str]:
    for file in files:
        yield f"        {file}({' '.join(sections)})"


def _padding() -> str:
    return "        . += DEFINED(layout_padding_bytes) ? layout_padding_bytes : 0;"


def _gap(index: int) -> str:
    """In front of each of the kernel's files one of its own, up to 28 bytes, from the same symbol:
    so they move against each other."""
    words = f"layout_padding_bytes * {2 * index + 1} / 32 % 8"
    return f"        . += DEFINED(layout_padding_bytes) ? {words} * 4 : 0;"


def _kernel_text(system: System, placed: Placement) -> Iterator[str]:
    yield "    .kernel_text :"
    yield "    {"
    yield _padding()
    for index, file in enumerate(system.kernel_files):
        yield _gap(index)
        yield from _sections([file], *_CODE)
    yield "        . = ALIGN(4);"
    yield "    } > code"
    end = min(each.address for each in (*placed.own_code.values(), placed.user_code))
    yield (f'    ASSERT(. <= {end:#x}, "kernel code does not fit; raise kernel_code_bytes")')


def _own_text(system: System, placed: Placement) -> Iterator[str]:
    for index, code in sorted(placed.own_code.items(), key=lambda each: each[1].address):
        process = system.processes[index]
        yield f"    .{process.name}_text {code.address:#x} :"
        yield "    {"
        yield from _sections(process.code_files, *_CODE)
        yield "        . = ALIGN(4);"
        yield "    } > code"
        yield (
            f"    ASSERT(. <= {code.address + code.size:#x}, "
            f'"code of {process.name} does not fit; raise its code_bytes")'
        )


def _user_text(placed: Placement, order: str | None) -> Iterator[str]:
    code = placed.user_code
    end = code.address + code.size
    if code.address <= placed.page.address < end:
        end = placed.page.address
    yield f"    .user_text {code.address:#x} :"
    yield "    {"
    yield _padding()
    yield "        *(.shared_constants)"
    if order:
        yield f"        INCLUDE {order}"
    yield "        *(.text .text.*)"
    yield "        *(.rodata .rodata.* .srodata .srodata.*)"
    yield "        . = ALIGN(4);"
    yield "        memory_constructors_start = .;"
    yield "        KEEP(*(SORT_BY_INIT_PRIORITY(.init_array.*)))"
    yield "        KEEP(*(.init_array))"
    yield "        memory_constructors_end = .;"
    yield "        *(.ARM.exidx* .gnu.linkonce.armexidx.*)"
    yield "    } > code"
    yield f'    ASSERT(. <= {end:#x}, "user code does not fit; raise user_code_bytes")'
    yield (
        "    ASSERT(memory_constructors_start == memory_constructors_end, "
        '"constructors would run privileged, before the kernel; call them from a thread")'
    )


def _regions(system: System, placed: Placement) -> Iterator[str]:
    for region, where in zip(system.regions, placed.regions, strict=True):
        yield from _region(system, region, where)


def _pools(system: System, region: Region) -> Iterator[str]:
    """Blocks that processes share, aligned to 8."""
    for index, pool in enumerate(system.pools):
        if pool.region == region.name:
            yield "        . = ALIGN(8);"
            yield f"        {pool_symbol(index)} = .;"
            yield f"        . += {pool.blocks * pool.block_bytes};"


def _region(system: System, region: Region, where: Placed) -> Iterator[str]:
    name = region.name
    yield f"    .{name} {where.address:#x} :"
    yield "    {"
    yield f"        {name}_start = .;"
    yield from _sections(region.files, *_DATA)
    yield "        . = ALIGN(4);"
    yield "    } > data AT > images"
    yield f"    {name}_load = LOADADDR(.{name});"
    yield f"    .{name}_zero (ADDR(.{name}) + SIZEOF(.{name})) (NOLOAD) :"
    yield "    {"
    yield f"        {name}_zero = .;"
    yield from _sections(region.files, *_ZEROES)
    yield from _pools(system, region)
    yield "        . = ALIGN(4);"
    yield f"        {name}_end = .;"
    yield "    } > data"
    yield (
        f"    ASSERT({name}_end <= {where.address + where.size:#x}, "
        f'"region {name} is too small; raise its bytes above {where.wanted}")'
    )


def _kernel_data(system: System, placed: Placement) -> Iterator[str]:
    memory = "data" if architecture.of(system).state_behind_stack else "code"
    yield f"    .kernel_state {placed.page.address:#x} (NOLOAD) :"
    yield "    {"
    yield "        *(.kernel_state)"
    yield f"    }} > {memory}"
    yield (
        f"    ASSERT(SIZEOF(.kernel_state) <= {KERNEL_STATE_BYTES}, "
        '"struct kernel does not fit; raise KERNEL_STATE_BYTES")'
    )
    yield f"    .kernel_data {placed.kernel_data:#x} :"
    yield "    {"
    yield "        memory_data_start = .;"
    yield from _sections(system.kernel_files, *_DATA)
    yield "        . = ALIGN(4);"
    yield "        memory_data_end = .;"
    yield "    } > data AT > images"
    yield "    memory_data_load = LOADADDR(.kernel_data);"
    yield "    .kernel_zero (ADDR(.kernel_data) + SIZEOF(.kernel_data)) (NOLOAD) :"
    yield "    {"
    yield "        memory_zero_start = .;"
    yield from _sections(system.kernel_files, *_ZEROES)
    yield "        . = ALIGN(4);"
    yield "        memory_zero_end = .;"
    yield "    } > data"
