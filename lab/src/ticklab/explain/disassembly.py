# SPDX-License-Identifier: MIT
"""Disassembles an image with the compiler's objdump: returns the assembly text of each instruction,
by address."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ticklab import plain_text
from ticklab.building import elf
from ticklab.description import architecture
from ticklab.errors import TicklabError

_COMMENT = re.compile("[@;#] ")  # `#` without a space is an immediate of Arm
_LINE = re.compile(r"\s*([0-9a-f]+):\t(.*)")


def read(image: Path) -> Mapping[int, str]:
    """Returns the assembly text of an image's instructions, by address. Empty if there is no
    objdump; listings then show only encodings."""
    program = shutil.which(architecture.of_machine(elf.read(image).machine).objdump)
    if program is None:
        return {}
    words = [program, "--disassemble", "--no-show-raw-insn", str(image)]
    answer = subprocess.run(words, capture_output=True, text=True, errors="replace")
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or [f"status {answer.returncode}"])[-1]
        raise TicklabError(f"cannot disassemble {image}: {reason}", f"run '{shlex.join(words)}'")
    found = (_LINE.fullmatch(line) for line in answer.stdout.split("\n"))
    return {int(line[1], 16): _shown(line[2]) for line in found if line}


def _shown(text: str) -> str:
    """Returns the text of an instruction without objdump's comment, safe to print, because it may
    contain the name of a symbol."""
    return plain_text.line(_COMMENT.split(text, maxsplit=1)[0].replace("\t", " ").strip())
