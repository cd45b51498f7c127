# SPDX-License-Identifier: MIT
"""Converts images without an ELF header into ELF files: raw bytes with the address of the first
byte (`app.bin@0x08000000`), and Intel HEX files, which contain addresses (`app.hex`)."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from ticklab import digest, paths
from ticklab.errors import TicklabError, UsageError

_RAW = re.compile(r"(?P<file>.+\.bin)(@(?P<base>0x[0-9a-fA-F]+|[0-9]+))?")
_TOOLS = "arm-none-eabi-"
_SECTION = re.compile(r"^ +\d+ \S+ +([0-9a-f]{8}) +([0-9a-f]{8})", re.MULTILINE)
# Greatest distance from the first byte to the last: more than the memory of any microcontroller.
_MOST_BYTES = 64 << 20


def as_elf(path: Path) -> Path:
    """Returns the path of an ELF file with the content of the image. If the image is an ELF file,
    returns its path."""
    if raw := _RAW.fullmatch(str(path)):
        if raw["base"] is None:
            raise UsageError(f"image {path} has no address", f"write {path}@0xADDRESS")
        return _converted(Path(raw["file"]), int(raw["base"], 0))
    if path.suffix == ".hex":
        _require(path)
        headers = _run("objdump", "-h", "-b", "ihex", str(path))
        parts = [(int(at, 16), int(size, 16)) for size, at in _SECTION.findall(headers)]
        return _converted(path, _begin(path, sorted(parts)))
    return path


def _begin(path: Path, parts: Sequence[tuple[int, int]]) -> int:
    """Returns the first address of the image. `parts` is a list of (address, size), sorted by
    address."""
    if not parts:
        raise TicklabError(f"image {path} is empty", "build it again")
    for (first, size), (second, _) in pairwise(parts):
        if second < first + size:
            raise TicklabError(
                f"image {path} has two values for address {second:#x}", "build it again"
            )
    begin, end = parts[0][0], sum(parts[-1])
    _require_size(path, end - begin)
    return begin


def _require_size(path: Path, size: int) -> None:
    if size > _MOST_BYTES:
        most = _MOST_BYTES >> 20
        raise TicklabError(
            f"image {path} takes {size >> 20:,} MB of addresses; the limit is {most} MB",
            "leave out what is not in the memory of the code",
        )


def _converted(file: Path, base: int) -> Path:
    _require(file)
    folder = paths.builds() / "images" / digest.hash_file(file)[:16] / f"{base:#x}"
    folder.mkdir(parents=True, exist_ok=True)
    raw, whole, image = folder / "raw", folder / "raw.o", folder / f"{file.name}.elf"
    form = "ihex" if file.suffix == ".hex" else "binary"
    _run("objcopy", "-I", form, "-O", "binary", str(file), str(raw))
    section = "--rename-section=.data=.text,alloc,load,code,readonly,contents"
    _run("objcopy", "-I", "binary", "-O", "elf32-littlearm", "-B", "arm", section, raw, whole)
    _run("ld", f"-Ttext={base:#x}", f"--entry={base:#x}", "--strip-all", whole, "-o", image)
    return image


def _require(file: Path) -> None:
    if not file.is_file():
        raise TicklabError(f"cannot read image {file}: No such file")
    if file.suffix == ".bin":
        _require_size(file, file.stat().st_size)


def _run(tool: str, *words: str | Path) -> str:
    done = subprocess.run([_TOOLS + tool, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise TicklabError(f"the image cannot be converted: {reason}", "build it again")
    return done.stdout
