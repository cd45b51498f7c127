# SPDX-License-Identifier: MIT
"""Tests the C library of a process on RV32, where errno is changed from a thread-local variable
(process_errno.py); the examples test it on Arm.
"""

from __future__ import annotations

import re
from pathlib import Path

import examples
from build import RV32, TestError, run


def check(folder: Path) -> str:
    example = examples.moved(examples.copied(folder / "original", "libc"), RV32, folder)
    examples.require_expected(example, RV32)
    _require_no_thread_pointer(example / "build")
    _require_refused(example)
    return "two processes of RV32 have a heap, an errno and streams each"


def _require_no_thread_pointer(built: Path) -> None:
    """Tests that no access uses register tp, which nothing sets; an access might work because tp is
    zero by chance."""
    for process in ("greedy", "modest"):
        code = run(["riscv64-unknown-elf-objdump", "-d", built / f"{process}.process.o"])
        if f"<{process}_main>:" not in code or re.search(r"\btp\b", code):
            raise TestError(f"process {process} has no code, or uses tp")


def _require_refused(example: Path) -> None:
    """Tests that a thread-local variable of the application is not changed to a variable of the
    whole process."""
    source = example / "greedy.c"
    source.write_text(f"{source.read_text()}\n_Thread_local int own_of_thread = 1;\n")
    try:
        examples.build(example, core=RV32)
    except TestError as error:
        if "greedy.c.obj has a thread-local variable" in str(error):
            return
        raise
    raise TestError("a thread-local variable is accepted")
