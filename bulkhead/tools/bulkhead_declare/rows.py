# SPDX-License-Identifier: MIT
"""Writes the C function that finds the row of a process in a table of an optional part of the
kernel. Only some of the processes have a row there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bulkhead_declare.model import System


def rows_of_processes(
    system: System, struct: str, rows: str, found: Sequence[int]
) -> Iterator[str]:
    """Writes a function in C that returns the row of a process in a table. It returns NULL for a
    process without a row, for the idle thread's process, and for a NULL pointer."""
    count = len(system.processes)
    listed = ", ".join(f"[{i}] = &{rows}[{n}]" for n, i in enumerate(found))
    yield f"static struct {struct} *const {struct}_of[{count}] = {{{listed}}};"
    yield f"struct {struct} *kernel_{struct}_of(const struct process *process) {{"
    yield "    const uintptr_t bytes = (uintptr_t)process - (uintptr_t)processes;"
    yield "    const uintptr_t index = bytes / sizeof processes[0];"
    yield f"    return index < {count} ? {struct}_of[index] : NULL;"
    yield "}"
