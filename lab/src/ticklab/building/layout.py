# SPDX-License-Identifier: MIT
"""Code layouts: vary the addresses of functions, so that a comparison does not depend on the order
in which the linker happened to place them.

Every function has its own section. Layout 0 keeps the linker's order. Any other number seeds a
random order: functions are grouped by the last character of their names, the groups are permuted,
and a gap precedes each group. The result is a fragment of a linker script, which the linker scripts
of the architectures include. Layouts need no list of functions, so they also work with link-time
optimisation.
"""

from __future__ import annotations

import os
import random
import string
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from ticklab import paths

# File names of the two fragments of linker scripts. The linker scripts of architectures include the
# first in their code section. The linker script of a static kernel's closed object includes the
# second; sections of such an object are named `.kernel.text.f~file`
# (bulkhead/tools/bulkhead_declare).
SCRIPT = "order.ld"
KERNEL_SCRIPT = "kernel_order.ld"
_PATTERNS = {SCRIPT: "*(.text.*{ending})", KERNEL_SCRIPT: "*(.kernel.text.*{ending}~*)"}

_ENDINGS = string.ascii_letters + string.digits + "_"
_WORD_BYTES = 4
_LONGEST_GAP_WORDS = 8  # two lines of 16 bytes


def folder(layout: int) -> str:
    """Returns the folder for the script of a layout, relative to the folder of builds."""
    return f"layouts/{layout}"


def padding_bytes(layout: int) -> int:
    """Returns the number of bytes by which a layout shifts all code. The shift also moves code that
    the order of the groups does not move."""
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
    """Writes the scripts of `layouts` for the linker, and does not touch scripts that are up to
    date. Replaces a script atomically, because another process may be linking with it."""
    for layout, name in product(sorted(set(layouts)), _PATTERNS):
        file = Path(paths.builds(), folder(layout), name)
        if not file.exists() or file.read_text() != script(layout, name):
            file.parent.mkdir(parents=True, exist_ok=True)
            beside = file.with_name(f"{name}.new-{os.getpid()}")
            beside.write_text(script(layout, name))
            beside.replace(file)
