# SPDX-License-Identifier: MIT
"""Makes text safe to print that a guest or an ELF file chose.

A terminal obeys escape sequences, and characters that change the direction of text make it read
differently. So control characters are replaced by their codes where such text enters the
laboratory, and every view may print it.
"""

from __future__ import annotations

import codecs
import sys
import unicodedata

_KEPT = "\n\t"
_CONTROLS = ("Cc", "Cf", "Cs", "Zl", "Zp")


# Replaces a character that an output cannot encode.
_ASCII = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "\u2212": "-",
        "·": ".",
        "…": "...",
        "×": "x",
        "÷": "/",
        "→": "->",
        "≤": "<=",
    }
)


def degrade_output() -> None:
    """Lets standard output and error print every text in any encoding."""
    codecs.register_error("ticklab", _degraded)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="ticklab")


def _degraded(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end].translate(_ASCII)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "replace").decode()
    return plain, error.end


def shown(text: str) -> str:
    """Returns `text` with every line end as one newline and every other control character as an
    escape such as `\\x1b`."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, text))


def line(text: str) -> str:
    """Returns `text` as `shown` does, on one line."""
    return shown(text).replace("\n", " ")


def _shown(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in _CONTROLS:
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
