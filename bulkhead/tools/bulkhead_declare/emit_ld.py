# SPDX-License-Identifier: MIT
"""Writes the linker script, which separates the kernel from the processes and puts every region at
its assigned address.

The kernel is one closed object (close_kernel.py): its sections are matched by its file and by names
that no compiler gives. All other files belong to the processes. A section that no rule of this
script matches is an error (`--orphan-handling=error`, which every build passes).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bulkhead_declare import architecture, emit_local, events, records
from bulkhead_declare.emit_objects import pool_symbol
from bulkhead_declare.interface import (
    EVERY_FILE,
    KERNEL_OBJECT,
    ORIGIN,
    RESET,
    SECTION_PREFIX,
    SHARED_SECTIONS,
)
from bulkhead_declare.model import Memory, Region, System
from bulkhead_declare.placement import KERNEL_STATE_BYTES
from bulkhead_declare.regions import Placed, Placement

_CODE = (".text", ".text.*", ".rodata", ".rodata.*", ".srodata", ".srodata.*")
_DATA = (".data", ".data.*", ".sdata", ".sdata.*")
_ZEROES = (".bss", ".bss.*", ".sbss", ".sbss.*", "COMMON")

# Names of sections that the linker itself makes, and of sections that are in the file but never in
# memory.
_VENEERS = (".glue_7", ".glue_7t", ".vfp11_veneer", ".v4_bx", ".iplt", ".igot.plt", ".rel*.*")
_NOT_LOADED = (
    ".comment", ".ARM.attributes", ".riscv.attributes", ".note.GNU-stack",
    *(f".debug_{part}" for part in (
        "abbrev", "addr", "aranges", "frame", "info", "line", "line_str", "loc", "loclists",
        "macinfo", "macro", "pubnames", "pubtypes", "ranges", "rnglists", "str", "str_offsets",
        "types",
    )),
)  # fmt: skip


@dataclass(frozen=True)
class Order:
    """Names of linker scripts that set the order of functions: one for the kernel's code, one for
    the code that all processes share. The generated script includes them."""

    kernel: str
    processes: str


def script(system: System, placed: Placement, order: Order | None = None) -> str:
    """Returns the linker script. It includes the scripts of `order`, with which Ticklab measures
    the effect of code placement."""
    return "\n".join(
        (
            "/* SPDX-License-Identifier: MIT",
            " * Made from the declaration. Padding to the sizes of regions, in bytes:",
            *(f" *   {each.name}: {each.padding} of {each.size}" for each in _padded(placed)),
            " */",
            f"ENTRY({RESET})",
            "MEMORY",
            "{",
            *_memories(system, placed),
            "}",
            f"memory_stack_top = {placed.stack_top:#x};",
            f"bulkhead_page = {placed.page.address:#x};",
            *records.symbols(system),
            *events.linked(system),
            "__global_pointer$ = 0; /* threads write gp: nothing is relative to it */",
            *_stacks(system, placed),
            "SECTIONS",
            "{",
            *_first(system),
            *_kernel_text(system, placed, order),
            *_own_text(system, placed),
            *_user_text(system, placed, order),
            *_kernel_data(system, placed),
            *_regions(system, placed),
            "    .bench.marks 0 (INFO) : { KEEP(*(.bench.marks)) }",
            f"    {events.TEXT_SECTION} 0 (INFO) : {{ *({events.TEXT_SECTION}) }}",
            f"    {events.NAMES_SECTION} 0 (INFO) : {{ KEEP(*({events.NAMES_SECTION})) }}",
            *(f"    {name} 0 (INFO) : {{ *({name}) }}" for name in _NOT_LOADED),
            "}",
            "",
        )
    )


def _kernel(*sections: str) -> str:
    """Returns the pattern for sections of the kernel's object, by their names in its sources."""
    names = " ".join(f"{SECTION_PREFIX}{each}{ORIGIN}*" for each in sections)
    return f"*{KERNEL_OBJECT}({names})"


def _first(system: System) -> Iterator[str]:
    kept = " ".join(f"KEEP({_kernel(each)})" for each in architecture.of(system).first_sections)
    yield f"    .first : {{ {kept} }} > code"


def _memories(system: System, placed: Placement) -> Iterator[str]:
    """Writes the MEMORY entries. The initial contents of data (`images`) lie after all code, where
    no process may read them."""
    code, images = system.code, placed.images
    for name, rights, memory in (
        ("code", "rx", Memory(code.origin, images - code.origin)),
        ("images", "r", Memory(images, code.origin + code.length - images)),
        ("data", "rwx", records.data(system)),
    ):
        yield f"    {name} ({rights}) : ORIGIN = {memory.origin:#x}, LENGTH = {memory.length:#x}"


def _stacks(system: System, placed: Placement) -> Iterator[str]:
    """Writes a symbol for each thread's stack, for the debugger."""
    for thread, stack in zip(system.threads, placed.stacks, strict=False):  # idle has none
        yield f"{thread.name}_stack = {stack.address:#x};"


def _padded(placed: Placement) -> Iterable[Placed]:
    return placed.everything


def _sections(files: Iterable[str], *sections: str) -> Iterator[str]:
    for file in files:
        yield f"        {file}({' '.join(sections)})"


def _padding() -> str:
    return "        . += DEFINED(layout_padding_bytes) ? layout_padding_bytes : 0;"


def _kernel_text(system: System, placed: Placement, order: Order | None) -> Iterator[str]:
    yield "    .kernel_text :"
    yield "    {"
    yield _padding()
    if order:
        yield f"        INCLUDE {order.kernel}"
    yield f"        {_kernel(*_CODE)}"
    yield "        . = ALIGN(4);"
    yield "    } > code"
    end = min(each.address for each in (*placed.own_code.values(), placed.user_code))
    yield _fits(end, "the kernel's code", "kernel_code_bytes of [image]", system.kernel_code_bytes)


def _own_text(system: System, placed: Placement) -> Iterator[str]:
    for index, code in sorted(placed.own_code.items(), key=lambda each: each[1].address):
        process = system.processes[index]
        yield f"    .process.{process.name} {code.address:#x} :"
        yield "    {"
        yield from _sections(process.code_files, *_CODE)
        yield "        . = ALIGN(4);"
        yield "    } > code"
        of = f"code_bytes of process {process.name}"
        yield _fits(code.address + code.size, "its code", of, process.code_bytes)


def _fits(end: int, what: str, key: str, count: int) -> str:
    """Writes an assertion that the section ends at or before `end`. If it fails, the linker also
    reports overlaps of later sections, which are a consequence."""
    mistake = f"{what} does not fit into {key} ({count:#x})"
    what_to_do = "raise that in the declaration, or build with -Os (CMAKE_BUILD_TYPE=MinSizeRel)"
    return f'    ASSERT(. <= {end:#x}, "error: {mistake}; {what_to_do}")'


def _user_text(system: System, placed: Placement, order: Order | None) -> Iterator[str]:
    code = placed.user_code
    end = code.address + code.size
    if code.address <= placed.page.address < end:
        end = placed.page.address
    yield f"    .user_text {code.address:#x} :"
    yield "    {"
    yield _padding()
    yield f"        {_kernel(SHARED_SECTIONS[0])}"
    if order:
        yield f"        INCLUDE {order.processes}"
    yield "        *(.text .text.*)"
    yield "        *(.rodata .rodata.* .srodata .srodata.*)"
    yield f"        *({' '.join(_VENEERS)})"
    yield "        . = ALIGN(4);"
    yield "        memory_constructors_start = .;"
    yield "        KEEP(*(SORT_BY_INIT_PRIORITY(.init_array.*)))"
    yield "        KEEP(*(.init_array))"
    yield "        memory_constructors_end = .;"
    yield "        *(.ARM.extab* .ARM.exidx* .gnu.linkonce.armexidx.* .eh_frame)"
    yield "    } > code"
    yield _fits(end, "the shared code", "user_code_bytes of [image]", system.user_code_bytes)
    yield (
        "    ASSERT(memory_constructors_start == memory_constructors_end, "
        '"constructors would run privileged, before the kernel; call them from a thread")'
    )


def _regions(system: System, placed: Placement) -> Iterator[str]:
    """Writes the regions. The region with the files `*` takes the files that no other region
    claims, so it comes last."""
    pairs = zip(system.regions, placed.regions, strict=True)
    for region, where in sorted(pairs, key=lambda pair: EVERY_FILE in pair[0].files):
        yield from _region(system, region, where)


def _pools(system: System, region: Region) -> Iterator[str]:
    """Reserves the memory for the blocks of the pools in a region, aligned to 8 bytes."""
    for index, pool in enumerate(system.pools):
        if pool.region == region.name:
            yield "        . = ALIGN(8);"
            yield f"        {pool_symbol(index)} = .;"
            yield f"        . += {pool.blocks * pool.block_bytes};"


def _region(system: System, region: Region, where: Placed) -> Iterator[str]:
    name = region.name
    owner = system.processes[region.owner].name
    yield f"    .region.{name} {where.address:#x} :"
    yield "    {"
    yield f"        {name}_start = .;"
    yield f"        *({emit_local.section(owner)})"
    yield from _sections(region.files, *_DATA)
    yield "        . = ALIGN(4);"
    yield "    } > data AT > images"
    yield f"    {name}_load = LOADADDR(.region.{name});"
    zeroes = f"ADDR(.region.{name}) + SIZEOF(.region.{name})"
    yield f"    .zeroes.{name} ({zeroes}) (NOLOAD) :"
    yield "    {"
    yield f"        {name}_zero = .;"
    yield f"        *({emit_local.section(owner, is_zero=True)})"
    yield from _sections(region.files, *_ZEROES)
    yield from _pools(system, region)
    yield "        . = ALIGN(4);"
    yield f"        {name}_end = .;"
    yield "    } > data"
    log = events.log_bytes(system, region)
    yield (
        f"    ASSERT({name}_end <= {where.address + where.size - log:#x}, "
        f'"region {name} is too small; raise its bytes above {where.wanted - log}")'
    )


def _kernel_data(system: System, placed: Placement) -> Iterator[str]:
    memory = "data" if architecture.of(system).state_follows_stack else "code"
    yield f"    .kernel_state {placed.page.address:#x} (NOLOAD) :"
    yield "    {"
    yield f"        {_kernel(SHARED_SECTIONS[1])}"
    yield f"    }} > {memory}"
    yield (
        f"    ASSERT(SIZEOF(.kernel_state) <= {KERNEL_STATE_BYTES}, "
        '"struct kernel does not fit; raise KERNEL_STATE_BYTES")'
    )
    yield f"    .kernel_data {placed.kernel_data:#x} :"
    yield "    {"
    yield "        memory_data_start = .;"
    yield f"        {_kernel(*_DATA)}"
    yield "        . = ALIGN(4);"
    yield "        memory_data_end = .;"
    yield "    } > data AT > images"
    yield "    memory_data_load = LOADADDR(.kernel_data);"
    yield "    .kernel_zero (ADDR(.kernel_data) + SIZEOF(.kernel_data)) (NOLOAD) :"
    yield "    {"
    yield "        memory_zero_start = .;"
    yield f"        {_kernel(*_ZEROES)}"
    yield "        . = ALIGN(4);"
    yield "        memory_zero_end = .;"
    yield "    } > data"
