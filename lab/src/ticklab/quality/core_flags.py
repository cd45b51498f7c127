# SPDX-License-Identifier: MIT
"""Checks that the compiler flags that choose a core are in platform/cores only. Bulkhead's CMake
package, which users may take without the rest of the checkout, repeats them; this module compares
the two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ticklab import names, paths
from ticklab.description import toml_file

PACKAGE = "bulkhead/cmake/BulkheadConfig.cmake"

# Files outside platform/cores that may name such a flag.
_MAY = (
    "platform/cores/",
    PACKAGE,
    "lab/tests/test_elf_core.py",  # builds for processors without a description
    "lab/tests/test_quality.py",  # breaks this rule
)
_FLAG = re.compile(r"-m(?:arch|cpu|abi|fpu|float-abi)=[\w+.-]+")
_PROPERTY = re.compile(r"PROPERTY BULKHEAD_(cortex-\w+)\s+([^)]*)\)")
# Flags in which the CMake package may differ: its images must run on every variant of a core, and
# some Cortex-M7 have a single-precision FPU.
_IN_PACKAGE = {"fpv5-d16": "fpv5-sp-d16"}


def violations(name: str, text: str) -> Iterator[str]:
    """Yields the core flags that file `name` must not name, or to which it gives a wrong value."""
    if name == PACKAGE:
        yield from _of_package(text)
    if not name.startswith(_MAY):
        for number, line in enumerate(text.splitlines(), 1):
            for flag in _FLAG.findall(line):
                yield f"{name}:{number}: has {flag}; take the flags of a core from platform/cores"


def _of_package(text: str) -> Iterator[str]:
    for core, words in _PROPERTY.findall(text):
        if core not in _cores():
            yield f"{PACKAGE}: {core} is not in platform/cores; {names.suggestion(core, _cores())}"
        elif words.split() != (flags := _packaged(core)):
            yield f"{PACKAGE}: the flags of {core} are not {' '.join(flags)}"


@cache
def _cores() -> dict[str, list[str]]:
    """Returns the flags of each core. Reads the files directly, because tests are listed before the
    set-up has installed the packages that read whole descriptions."""
    files = (paths.CHECKOUT / "platform" / "cores").glob("*.toml")
    return {file.stem: toml_file.load(file)["core"]["flags"] for file in files}


def _packaged(core: str) -> list[str]:
    flags = " ".join(_cores()[core])
    for written, packaged in _IN_PACKAGE.items():
        flags = flags.replace(written, packaged)
    return flags.split()
