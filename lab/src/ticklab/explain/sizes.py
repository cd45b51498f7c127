# SPDX-License-Identifier: MIT
"""How much code an image has: what speed may have been bought with."""

from __future__ import annotations

from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile


def code_bytes(image: Path) -> int:
    """All executable sections: kernel, port, scenario and the C library's part."""
    with image.open("rb") as stream:
        sections = ELFFile(stream).iter_sections()
        return sum(s["sh_size"] for s in sections if s["sh_flags"] & SH_FLAGS.SHF_EXECINSTR)
