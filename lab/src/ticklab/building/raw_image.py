# SPDX-License-Identifier: MIT
"""Turns images without an ELF header into ELF files: raw bytes with the address of the first one
(`app.bin@0x08000000`), and Intel HEX files, which have addresses of their own (`app.hex`)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from ticklab import digest, paths
from ticklab.errors import TicklabError, UsageError

_RAW = re.compile(r"(?P<file>.+\.bin)(@(?P<base>0x[0-9a-fA-F]+|[0-9]+))?")
_TOOLS = "arm-none-eabi-"
_SECTION = re.compile(r"^ +\d+ \S+ +[0-9a-f]{8} +([0-9a-f]{8})", re.MULTILINE)


def as_elf(path: Path) -> Path:
    """Returns the ELF file of an image, which is the image itself unless it has another form."""
    if raw := _RAW.fullmatch(str(path)):
        if raw["base"] is None:
            raise UsageError(f"image {path} has no address", f"write {path}@0xADDRESS")
        return _converted(Path(raw["file"]), int(raw["base"], 0))
    if path.suffix == ".hex":
        _require(path)
        headers = _run("objdump", "-h", "-b", "ihex", str(path))
        places = [int(address, 16) for address in _SECTION.findall(headers)]
        if not places:
            raise TicklabError(f"image {path} is empty", "build it again")
        return _converted(path, min(places))
    return path


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
        raise TicklabError(f"image {file}: No such file")


def _run(tool: str, *words: str | Path) -> str:
    done = subprocess.run([_TOOLS + tool, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise TicklabError(f"the image cannot be converted: {reason}", "build it again")
    return done.stdout
