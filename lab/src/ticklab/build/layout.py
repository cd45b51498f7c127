# SPDX-License-Identifier: MIT
"""Code placements: what an image costs should not hang on where the linker happened to put things.

Every function has a section of its own. Layout 0 leaves them where the linker puts them; any other
is a seed. It puts all functions whose names end in the same character together, these groups in an
order of its own, and a gap in front of each: a piece of linker script that the scripts of the
architectures include. The names are not needed for that, so it serves link-time optimisation, too.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from ticklab import paths

# What the linker scripts include, inside their section of code; and a static kernel's for its
# closed object, whose sections are `.kernel.text.f~file` (bulkhead/tools/bulkhead_declare).
SCRIPT = "order.ld"
KERNEL_SCRIPT = "kernel_order.ld"
_PATTERNS = {SCRIPT: "*(.text.*{ending})", KERNEL_SCRIPT: "*(.kernel.text.*{ending}~*)"}

_ENDINGS = string.ascii_letters + string.digits + "_"
_WORD_BYTES = 4
_LONGEST_GAP_WORDS = 8  # two lines of 16 bytes


def folder(layout: int) -> str:
    """Where the script of a layout is, in the folder of builds."""
    return f"layouts/{layout}"


def padding_bytes(layout: int) -> int:
    """By how much all code is moved, for parts of an image that the order does not reach."""
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
    """Puts the scripts where the linker finds them; what is there already stays as it is."""
    for layout, name in product(sorted(set(layouts)), _PATTERNS):
        file = Path(paths.builds(), folder(layout), name)
        if not file.exists() or file.read_text() != script(layout, name):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(script(layout, name))
