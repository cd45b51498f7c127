# SPDX-License-Identifier: MIT
"""What an image's instructions are in assembly language, by address: the compiler's own objdump."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

_OBJDUMP = "arm-none-eabi-objdump"
_LINE = re.compile(r"\s*([0-9a-f]+):\t(.*)")


def of(image: Path) -> Mapping[int, str]:
    """Empty where there is no objdump: the listing then has encodings only."""
    program = shutil.which(_OBJDUMP)
    if program is None:
        return {}
    words = [program, "--disassemble", "--no-show-raw-insn", str(image)]
    said = subprocess.run(words, capture_output=True, text=True).stdout
    found = (_LINE.fullmatch(line) for line in said.splitlines())
    return {int(line[1], 16): _without_comment(line[2]) for line in found if line}


def _without_comment(text: str) -> str:
    return text.partition("@")[0].partition(";")[0].replace("\t", " ").strip()
