# SPDX-License-Identifier: MIT
"""A kind of machine says what it can do (description/machine.py): no other file asks for the kind,
so that another kind needs no edit there. QEMU is the exception, where code drives QEMU itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

_AREA = "lab/src/ticklab/"
_MAY = ("lab/src/ticklab/description/machine.py", "lab/src/ticklab/targets/")
_ASKS = re.compile(r"(?<!assert )isinstance\([^()]*, \(?(?:Simulated|External|Debugged)\b")


def violations(name: str, text: str) -> Iterator[str]:
    """Yields the places where a Python file asks which kind a machine is."""
    if name.startswith(_AREA) and not name.startswith(_MAY):
        for found in _ASKS.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{name}:{line}: asks for a kind of machine; let machine.py say it"
