# SPDX-License-Identifier: MIT
"""Measures the code size of an image, because a faster kernel may have more code."""

from __future__ import annotations

from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile


def code_bytes(image: Path) -> int:
    """Returns the bytes of all executable sections: kernel, port, scenario and C library."""
    with image.open("rb") as stream:
        sections = ELFFile(stream).iter_sections()
        return sum(s["sh_size"] for s in sections if s["sh_flags"] & SH_FLAGS.SHF_EXECINSTR)
