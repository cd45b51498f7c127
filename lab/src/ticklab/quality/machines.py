# SPDX-License-Identifier: MIT
"""Checks that code does not ask which kind a machine is, but which properties it has
(description/machine.py), so that a new kind needs no edits elsewhere. Code that drives QEMU itself
is exempt."""

from __future__ import annotations

import re
from collections.abc import Iterator

_AREA = "lab/src/ticklab/"
_MAY = ("lab/src/ticklab/description/machine.py", "lab/src/ticklab/targets/")
_ASKS = re.compile(r"(?<!assert )isinstance\([^()]*, \(?(?:Simulated|External|Debugged)\b")


def violations(name: str, text: str) -> Iterator[str]:
    """Yields the lines of a Python file that ask for the kind of a machine."""
    if name.startswith(_AREA) and not name.startswith(_MAY):
        for found in _ASKS.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{name}:{line}: asks for a kind of machine; let machine.py say it"
