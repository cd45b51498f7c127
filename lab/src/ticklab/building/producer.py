# SPDX-License-Identifier: MIT
"""Reads from an image's debug information which compiler built the image, and with which flags."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile

from ticklab import plain_text
from ticklab.building.damage import DAMAGED


def compiler(image: Path) -> str | None:
    """Returns the compiler of most compilation units, or None without debug information."""
    found = Counter(" ".join(_words(text)) for text in _producers(image))
    return found.most_common(1)[0][0] if found else None


def flags(image: Path) -> list[str]:
    """Returns the flags of most compilation units, which GCC records in the debug information."""
    found = Counter(tuple(_flags(text)) for text in _producers(image))
    return list(found.most_common(1)[0][0]) if found else []


def _words(text: str) -> list[str]:
    return [word for word in text.split() if not word.startswith("-")]


def _flags(text: str) -> list[str]:
    return [word for word in text.split() if word.startswith("-")]


@cache
def _producers(image: Path) -> tuple[str, ...]:
    try:
        with image.open("rb") as stream:
            elf = ELFFile(stream)
            if not elf.has_dwarf_info():
                return ()
            units = elf.get_dwarf_info().iter_CUs()
            tops = (unit.get_top_DIE().attributes.get("DW_AT_producer") for unit in units)
            return tuple(plain_text.line(top.value.decode()) for top in tops if top)
    except DAMAGED:
        return ()
