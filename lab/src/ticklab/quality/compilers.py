# SPDX-License-Identifier: MIT
"""Checks that only ticklab/building starts compilers. Other code describes the programs that it
needs by their sources, flags and linker script (building/program.py), so that the flags of cores,
levels and warnings, and the order of a command line, are defined once."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Files outside ticklab/building that may start a compiler.
_MAY = (
    "lab/src/ticklab/building/",
    "lab/src/ticklab/bootstrap/",  # looks for the programs
    "lab/src/ticklab/description/architecture.py",  # has their names
    "lab/tests/test_build.py",  # compares the planner's builds with those of a user
    "lab/tests/test_elf_core.py",  # builds for processors without a description
    "lab/tests/test_objects.py",  # builds one object with flags that differ
    "lab/tests/test_quality.py",  # breaks this rule
)
# The functions of building/program.py, each of which defines a kind of program.
_KINDS = "image|freestanding|guest|sanitised|model|verifier"
_ASSEMBLES = re.compile(rf"\*(?:program\.(?:{_KINDS})|guests\.compiler)\(")
_STARTS = re.compile(r'compiler\.program|\[\s*"(?:[\w-]+-)?(?:gcc|g\+\+|clang|cc)",')


def violations(name: str, text: str) -> Iterator[str]:
    """Yields the lines of a Python file that start a compiler directly."""
    if name.endswith(".py") and not name.startswith(_MAY):
        for found in _STARTS.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{name}:{line}: starts a compiler; take the command from building/program.py"
        for found in _ASSEMBLES.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{name}:{line}: writes a command by hand; describe a Program (program.py)"
