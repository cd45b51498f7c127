# SPDX-License-Identifier: MIT
"""Starts an image whose vector table is not at the address that the machine reads at reset, because
a boot loader or a SoftDevice of Nordic precedes the image.

The emulator copies the first two words of the image's vector table (the stack pointer and the first
instruction) to the address that the core reads at reset, as a boot loader would pass them on. The
image must set the register VTOR itself, as such images do.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from ticklab import paths
from ticklab.building import elf
from ticklab.description.machine import Emulated
from ticklab.description.model import Board
from ticklab.errors import UsageError


def placed(board: Board, image: Path, vectors: int | None) -> Board:
    """Returns the board with its vector table at address `vectors`, or the board unchanged if
    `vectors` is None."""
    if vectors is None or vectors == board.vectors:
        return board
    if not isinstance(board.machine, Emulated) or not board.core.arch.has_reset_vectors:
        raise UsageError(f"board {board.name} has no table of vectors", "leave --vectors out")
    guest = elf.read(image)
    elf.require_core(guest, board.core, vectors)
    if guest.word(board.vectors) is not None:
        what = f"image {image} also has code at {board.vectors:#x}, where the core starts"
        raise UsageError(what, "leave --vectors out: the image starts by itself")
    words = ("-device", f"loader,file={_start(guest, vectors)},addr={board.vectors},force-raw=on")
    machine = msgspec.structs.replace(board.machine, options=(*board.machine.options, *words))
    return replace(board, vectors=vectors, machine=machine)


def _start(guest: elf.Elf, vectors: int) -> str:
    """Writes the first two words of the vector table to a file and returns its name. The name
    contains a hash of the words, so that concurrent runs may write the same file."""
    words = [guest.word(vectors + offset) or 0 for offset in (0, 4)]
    folder = paths.builds() / "images" / "start"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "-".join(f"{word:08x}" for word in words)
    file.write_bytes(b"".join(word.to_bytes(4, "little") for word in words))
    return str(file).replace(",", ",,")  # QEMU separates options with commas
