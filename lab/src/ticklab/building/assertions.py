# SPDX-License-Identifier: MIT
"""Finds signs that assertions were compiled into an image.

The image of a kernel that declares `checks = false` must have no such sign. There are three signs:

- a macro, from the kernel's configuration or the compiler's command line, whose name contains
  ASSERT and whose expansion is code;
- a function in the image with such a name (the linker drops functions that nothing calls);
- a text in the image that an assertion prints.

An image without a sign may still have assertions, in a macro with another name.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_NAME = re.compile(r"assert", re.IGNORECASE)
# Names of macros that contain ASSERT but produce no code: static assertions, and switches that turn
# assertions off.
_NO_CODE = re.compile(r"static|compile|build|no_|not_|non|disable|ndebug", re.IGNORECASE)
_DOES_NOTHING = {"", "0", "false", "void", "void0", "do{}while0", "{}"}

_FUNCTION = re.compile(rb"\0(\w*assert\w*)(?=\0)", re.IGNORECASE)
# Constants of the Executable and Linkable Format 1.2: types and flags of sections.
_STRINGS, _NO_BITS, _ALLOCATED = 3, 8, 2

_TEXT = re.compile(rb"[\x20-\x7e]*assert[\x20-\x7e]*(?=\0)", re.IGNORECASE)


def signs(macros: Mapping[str, str], image: Path) -> list[str]:
    """Returns a description of each sign, or an empty list if nothing shows assertions."""
    named = (f"macro {name}" for name, value in macros.items() if _is_active(name, value))
    return [*named, *_in_image(image)]


def defined(flags: Sequence[str]) -> dict[str, str]:
    """Returns the macros that flags of the forms -DNAME and -DNAME=VALUE define."""
    words = (flag[2:].partition("=") for flag in flags if flag.startswith("-D"))
    return {name: value if equals else "1" for name, equals, value in words}


def _is_active(name: str, value: str) -> bool:
    if not _NAME.search(name) or _NO_CODE.search(name):
        return False
    name, _, parameter = name.partition("(")
    plain = re.sub(r"[\s();]", "", value)
    if not value and not parameter:
        return True  # a switch that only #ifdef tests
    return plain not in {*_DOES_NOTHING, *(f"void{each}" for each in _words(parameter))}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _in_image(image: Path) -> Iterator[str]:
    held, names = _contents(image.read_bytes())
    functions = sorted({name for data in names for name in _FUNCTION.findall(data)})
    yield from (f"function {name.decode()}" for name in functions)
    texts = sorted({text for data in held for text in _TEXT.findall(data)})
    yield from (f"text '{text.decode().strip()}'" for text in texts[:1])


def _contents(image: bytes) -> tuple[list[bytes], list[bytes]]:
    """Returns the sections that occupy memory, and the string tables of symbols, of a 32-bit
    little-endian image. Does not use pyelftools, which would take 5 ms for each of the forty images
    of a run."""
    (table,) = struct.unpack_from("<I", image, 32)
    count, own_names = struct.unpack_from("<2H", image, 48)
    held, names = [], []
    headers = struct.iter_unpack("<10I", image[table : table + 40 * count])
    for index, (_, kind, flags, _, offset, size, *_) in enumerate(headers):
        data = image[offset : offset + size]
        if flags & _ALLOCATED and kind != _NO_BITS:
            held.append(data)
        elif kind == _STRINGS and index != own_names:
            names.append(data)
    return held, names
