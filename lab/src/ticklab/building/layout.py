# SPDX-License-Identifier: MIT
"""Code layouts: vary the placement of functions, so that a comparison does not depend on the
addresses that the linker happened to choose.

Every function has its own section. Layout 0 keeps the linker's order. Any other number seeds a
random order: functions are grouped by the last character of their names, the groups are permuted,
and each is preceded by a gap. The result is a part of a linker script, which the architectures'
scripts include. It needs no list of functions, so it also works with link-time optimisation.
"""

from __future__ import annotations

import os
import random
import string
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from ticklab import paths

# The linker scripts include the first file in their code section. A static kernel's script for its
# closed object includes the second; sections there are `.kernel.text.f~file`
# (bulkhead/tools/bulkhead_declare).
SCRIPT = "order.ld"
KERNEL_SCRIPT = "kernel_order.ld"
_PATTERNS = {SCRIPT: "*(.text.*{ending})", KERNEL_SCRIPT: "*(.kernel.text.*{ending}~*)"}

_ENDINGS = string.ascii_letters + string.digits + "_"
_WORD_BYTES = 4
_LONGEST_GAP_WORDS = 8  # two lines of 16 bytes


def folder(layout: int) -> str:
    """Returns the folder of a layout's script, relative to the folder of builds."""
    return f"layouts/{layout}"


def padding_bytes(layout: int) -> int:
    """Returns the offset of all code, which also moves the parts of an image that the order
    cannot."""
    return _WORD_BYTES * random.Random(layout).randrange(64) if layout else 0


def script(layout: int, name: str = SCRIPT) -> str:
    if layout == 0:
        return ""
    chance = random.Random(layout)
    endings = chance.sample(_ENDINGS, len(_ENDINGS))
    gaps = (_WORD_BYTES * chance.randrange(_LONGEST_GAP_WORDS) for _ in endings)
    return "".join(
        f". += {gap};\n{_PATTERNS[name].format(ending=ending)}\n"
        for gap, ending in zip(gaps, endings, strict=True)
    )


def write(layouts: Iterable[int]) -> None:
    """Writes the scripts of `layouts` for the linker, and leaves unchanged ones as they are.
    Another process may link with a script at any time, so a script appears whole."""
    for layout, name in product(sorted(set(layouts)), _PATTERNS):
        file = Path(paths.builds(), folder(layout), name)
        if not file.exists() or file.read_text() != script(layout, name):
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_name(f"{name}.new-{os.getpid()}")
            beside.write_text(script(layout, name))
            beside.replace(file)
