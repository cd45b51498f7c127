# SPDX-License-Identifier: MIT
"""Tests footprints: the reader of the linker's map, and the sums of a real kernel compared with the
image."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from documents import fits
from elftools.dwarf.callframe import FDE
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ticklab import cli, paths
from ticklab.building import build, find_toolchain, footprint
from ticklab.building.footprint import InputSection, Owner
from ticklab.description.model import Case, Image
from ticklab.measurement import cases, stacks

MAP = """\
Discarded input sections
 .text.gone     0x00000000       0x10 a/b/O2-1/kernel/tasks.c.o

Linker script and memory map

.text           0x000000c0     0x2320
 *(.text .text.*)
 .text.a_function_with_a_long_name
                0x000000c0       0x28 a/b/O2-1/kernel/tasks.c.o
                0x000000c0                a_function_with_a_long_name
 .text.f        0x000000e8        0x8 a/b/O2-1/kernel/port.c.o
 *fill*         0x000000f0        0x2
"""


def test_the_map_names_sections_and_leaves_out_what_was_dropped() -> None:
    assert list(footprint.pieces(MAP)) == [
        InputSection(
            ".text.a_function_with_a_long_name", 0x28, "a/b/O2-1/kernel/tasks.c.o", ".text"
        ),
        InputSection(".text.f", 8, "a/b/O2-1/kernel/port.c.o", ".text"),
    ]


def test_whose_a_file_is() -> None:
    owners = {
        "board/freertos/O2-1/kernel/tasks.c.o": Owner.KERNEL,
        "board/freertos/O2-1/kernel/portable/GCC/ARM_CM4F/port.c.o": Owner.KERNEL,
        "board/freertos/O2-1/kernel/port.c.o": Owner.PORT,
        "board/freertos-mpu/O2-1/kernel/up/freertos/port.c.o": Owner.PORT,
        "board/bulkhead/O2-1/kernel/up/up/bulkhead/port.c.o": Owner.KERNEL,
        "board/bulkhead/O2-1/message/generated/kernel_tables.c.o": Owner.KERNEL,
        "board/_platform/O2-1/bench/src/verdict.c.o": Owner.REST,
        "/usr/lib/gcc/libgcc.a(x.o)": Owner.REST,
    }
    assert {file: footprint.owner_by_folder(file) for file in owners} == owners


def test_the_parts_add_up_to_the_image() -> None:
    image = built()
    parts = footprint.measure_image(image.path, footprint.owner_by_folder).values()
    with image.path.open("rb") as stream:
        sections = [s for s in ELFFile(stream).iter_sections() if s["sh_flags"] & 2]
    code = sum(s["sh_size"] for s in sections if not s["sh_flags"] & 1)
    written = sum(s["sh_size"] for s in sections if s["sh_flags"] & 1)
    counted = sum(part.code + part.constants for part in parts)
    assert code - 64 <= counted <= code  # the rest fills gaps
    assert written - 64 <= sum(part.variables for part in parts) <= written


def test_structures_have_the_sizes_that_gdb_gives() -> None:
    image = built()
    names = {"task": "tskTaskControlBlock", "queue": "QueueDefinition", "none": "no_such"}
    found = footprint.structure_bytes(image.path, names)
    for kind, size in found.items():
        command = ["gdb-multiarch", "-batch", "-ex", f"print sizeof(struct {names[kind]})"]
        said = subprocess.run([*command, image.path], capture_output=True, text=True, check=True)
        assert said.stdout.split()[-1] == str(size)
    assert set(found) == {"task", "queue"}


def test_stacks_are_as_deep_as_the_unwind_tables_say() -> None:
    """The compiler's own tables: how far each function moves SP, summed over the calls."""
    (case,) = message_processing()
    image = built()
    (task,) = [one for one in stacks.measure_image(case, image).rows if one.name == "thread_0"]
    assert "xQueueReceive" in task.calls
    frames = frame_bytes(image.path)
    assert task.bytes == sum(frames[name] for name in task.calls)


def frame_bytes(image: Path) -> dict[str, int]:
    """Returns for each function the greatest distance of SP from its value at the call, by
    .debug_frame."""
    with image.open("rb") as stream:
        file = ELFFile(stream)
        table = file.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        functions = [s for s in table.iter_symbols() if s["st_info"]["type"] == "STT_FUNC"]
        names = {one["st_value"] & ~1: one.name for one in functions}
        found = dict.fromkeys(names.values(), 0)  # without an entry: moves it by nothing
        for entry in file.get_dwarf_info().CFI_entries():
            if isinstance(entry, FDE):
                rows = entry.get_decoded().table
                name = names.get(entry["initial_location"], "dropped by the linker")
                found[name] = max(row["cfa"].offset for row in rows)
    return found


def test_the_command_prints_bytes(tmp_path: Path) -> None:
    file = tmp_path / "footprint.json"
    words = ["footprint", "freertos", "--scenario", "message-processing", "--json", str(file)]
    assert cli.main(words) == 0
    (row,) = fits("footprint", json.loads(file.read_text()))["rows"]
    assert row["kernel"] == "freertos"
    assert 3000 < row["memory"]["kernel"]["code"] < 12_000
    assert row["objects"]["task"] > row["objects"]["queue"] > 0


def message_processing() -> list[Case]:
    return cases.expand(
        cases.CaseChoice(
            kernels=["freertos"],
            boards=["mps2-an386"],
            suites=["thread-metric"],
            scenarios=["message-processing"],
            optimise="O2",
        )
    )


def built() -> Image:
    (case,) = message_processing()
    (image,) = build([case], find_toolchain())
    assert isinstance(image, Image)
    return image


def test_a_kernel_that_switches_in_thread_mode_has_a_stack_for_each_task(tmp_path: Path) -> None:
    file = tmp_path / "sizes.json"
    words = [
        str(paths.CHECKOUT / "docs/examples/ferry"),
        "--config",
        "default",
        "--stacks",
        "--json",
        str(file),
    ]
    assert cli.main(["footprint", *words, "--scenario", "cooperative-scheduling"]) == 0
    (row,) = fits("footprint", json.loads(file.read_text()))["rows"]
    calls = {stack["name"]: stack["calls"][:2] for stack in row["stacks"]["rows"]}
    for task in range(5):
        assert calls[f"thread_{task}"] == ["ferry_first", f"thread_{task}"]
