#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the size of the kernel at -Os, and the bytes that each declared object adds.

The size is that of the code and constants in core/ and arch/, for a Cortex-M4 with FPU, without the
tables of a system. The linker leaves out functions that nothing calls, as in every image; on this
architecture, assembler code replaces some C functions. The sizes in RAM are those of the C types.
Needs arm-none-eabi-gcc.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab" / "src"))

from ticklab.building import program
from ticklab.description import architecture

BULKHEAD = Path(__file__).resolve().parents[1]
CORE = architecture.cores()["cortex-m4f"]
ARCH = BULKHEAD / "arch" / CORE.arch.name
COMPILER = [
    *program.objects(CORE, "Os", (), []),
    f"-I{BULKHEAD}/include", f"-I{ARCH}/include", f"-I{ARCH}", f"-I{ARCH}/pmsav7",
    f"-I{BULKHEAD}/core", f"-I{BULKHEAD}/core/hooks/none",
]  # fmt: skip
CODE_BYTES = 10 * 1024  # maximum size of the kernel without its optional parts

# Functions and tables that the linker has to keep, because the start-up code, the vectors or the
# tables of a system refer to them.
ROOTS = (
    "bulkhead_start", "SVC_Handler", "no_methods", "kernel_tick", "kernel_tick_after_idle",
    "kernel_catch_up", "arch_interrupt_posts", "kernel_interrupt_resumes",
    "kernel_interrupt_notifies", "kernel_interrupt_sets", "kernel_interrupt_delivers",
    "alarm_expire", "mutex_cancel_wait", "gate_cancel_wait",
)  # fmt: skip

# For each kind of declared object, the C type of which it takes one in RAM. Stacks, messages and
# the words of local objects come in addition.
RAM = {
    "the kernel itself": "struct kernel",
    "a thread": "struct thread",
    "a process that is supervised": "struct bulkhead_fault",
    "a semaphore": "struct semaphore",
    "a mutex": "struct mutex",
    "a queue in the kernel": "struct queue",
    "a queue in a process": "struct local_queue",
    "event flags": "struct flags",
    "a gate": "struct gate",
    "a pool in the kernel": "struct pool",
    "a timer": "struct alarm",
}


@dataclass(frozen=True)
class Option:
    """An optional part of the kernel (core/options)."""

    feature: str  # core/optional.h
    sources: tuple[str, ...]
    roots: tuple[str, ...] = ()


OPTIONS = {
    "budgets": Option(
        "BUDGETS", ("core/options/budget.c", "arch/armv7-m/options/clock.c"), ("budget_tick",)
    ),
    "marks in stacks": Option("MARKS", ("core/options/marks.c",)),
    "times of threads": Option("TIMES", ("core/options/times.c", "arch/armv7-m/options/clock.c")),
    "restarts by a supervisor": Option("RESTARTS", ("core/options/restart.c",)),
    "leases": Option("LEASES", ("core/options/lease.c",)),
    "a record": Option(
        "RECORD", ("core/options/record.c", "arch/armv7-m/options/reset.c"), ("NMI_Handler",)
    ),
}
# The source of the supervisor's code, which lies in the memory that all processes share.
SUPERVISOR = "user/supervise.c"
CODE = {"a process": "struct process", "a thread": "struct thread_declaration"}


def _run(*command: str | Path) -> str:
    result = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )
    if result.returncode:
        sys.exit(f"error: {command[0]}: {result.stderr.strip()}")
    return result.stdout


def _sources() -> Iterator[Path]:
    for folder in (BULKHEAD / "core", ARCH, ARCH / "with_fpu"):
        yield from sorted(folder.glob("*.[cS]"))


def _objects(folder: Path, sources: Iterable[Path], words: Iterable[str] = ()) -> list[Path]:
    objects = []
    for number, source in enumerate(sources):  # two sources may have one name
        objects.append(folder / f"{number}.o")
        _run(*COMPILER, *words, "-c", source, "-o", objects[-1])
    return objects


def _text_bytes(file: Path) -> int:
    """Returns the bytes of code and constants in an object file."""
    return int(_run("arm-none-eabi-size", file).splitlines()[1].split()[0])


def code_bytes(folder: Path, option: Option | None = None) -> int:
    """Returns the bytes of code and constants of the kernel, with one optional part or without
    any."""
    kernel = folder / "kernel.o"
    more = (option.sources, option.roots) if option else ((), ())
    words = [f"-DKERNEL_HAS_{option.feature}=1"] if option else []
    roots = [f"-Wl,-u,{name}" for name in (*ROOTS, *more[1])]
    objects = _objects(folder, (*_sources(), *(BULKHEAD / each for each in more[0])), words)
    _run(COMPILER[0], "-r", "-nostdlib", "-Wl,--gc-sections", *roots, *objects, "-o", kernel)
    return _text_bytes(kernel)


def _option_rows(folder: Path, code: int) -> Iterator[str]:
    for what, option in OPTIONS.items():
        more = code_bytes(folder, option) - code
        yield f"sizes: {more} bytes of code more for a system with {what}"
    (supervisor,) = _objects(folder, (BULKHEAD / SUPERVISOR,))
    yield f"sizes: {_text_bytes(supervisor)} bytes of shared code for a supervisor"


def type_bytes(folder: Path, types: list[str]) -> list[int]:
    probe = folder / "probe.c"
    lines = [f"const char probe_{n}[sizeof({each})] = {{1}};" for n, each in enumerate(types)]
    probe.write_text("\n".join(('#include "objects.h"', *lines, "")))
    _run(*COMPILER, "-c", probe, "-o", folder / "probe.o")
    rows = sorted(
        row.split() for row in _run("arm-none-eabi-nm", "-S", folder / "probe.o").splitlines()
    )
    found = {row[3]: int(row[1], 16) for row in rows if row[-1].startswith("probe_")}
    return [found[f"probe_{n}"] for n in range(len(types))]


def table(folder: Path, with_options: bool = True) -> Iterator[str]:
    """Yields the lines of the table. The sizes of the optional parts take most of the time."""
    code = code_bytes(folder)
    if code > CODE_BYTES:
        sys.exit(f"error: the kernel has {code} bytes of code; make it {CODE_BYTES} bytes at most")
    yield f"sizes: {code} bytes of code and constants at -Os"
    if with_options:
        yield from _option_rows(folder, code)
    for kind, types in (("RAM", RAM), ("code memory", CODE)):
        for what, size in zip(types, type_bytes(folder, list(types.values())), strict=True):
            yield f"sizes: {size} bytes of {kind} for {what}"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for line in table(Path(folder)):
            print(line)


if __name__ == "__main__":
    main()
