# SPDX-License-Identifier: MIT
"""Checks that a numeric label of assembler (`1:`, used as `1f` or `1b`) is in the function that
uses it.

Suppose that a jump to `1f` leaves its function and reaches a label in the next one. If somebody
then adds a label of the same number in between, the jump goes to the new label, and no tool reports
it. So a jump to another function needs a named label. Bodies of macros are not checked: their
labels depend on where the macro is used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_COMMENT = re.compile(r"//.*")
_USE = re.compile(r"(?<![\w.])(\d+)([fb])(?!\w)")
_LABEL = re.compile(r"\s*(\d+):")
_MACRO = re.compile(r"^\s*\.macro\b.*?^\s*\.endm\b", re.MULTILINE | re.DOTALL)
_FUNCTION = re.compile(r"\s*(?:\.type\s+\w+,\s*%function|FUNCTION\s+\w+)")


def violations(name: str, text: str) -> Iterator[str]:
    """Yields the lines of an assembler file that use a numeric label of another function."""
    if name.endswith((".S", ".inc")):
        without_macros = _MACRO.sub(lambda body: "\n" * body[0].count("\n"), text)
        lines = [_COMMENT.sub("", line) for line in without_macros.splitlines()]
        for at, line in enumerate(lines):
            for number, direction in _USE.findall(line):
                if not _is_in_function(lines, at, number, direction):
                    use = f"{number}{direction}"
                    yield f"{name}:{at + 1}: {use} is in another function; name the label"


def _is_in_function(lines: Sequence[str], at: int, number: str, direction: str) -> bool:
    """Returns whether the label is nearer than the start of another function, in the direction of
    the jump."""
    between = lines[at + 1 :] if direction == "f" else lines[at::-1]
    for line in between:
        label = _LABEL.match(line)
        if label and label[1] == number:
            return True
        if _FUNCTION.match(line):
            return False
    return False
