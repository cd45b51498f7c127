# SPDX-License-Identifier: MIT
"""Finds the instructions of an image that belong to the kernel's port, by the rules for kinds of
work that `explain` uses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ticklab.building import inlined_code
from ticklab.building.debug_entries import Range
from ticklab.building.inlined_code import InlinedCode, SourceFunction
from ticklab.description.model import CategoryRule
from ticklab.explain import categories
from ticklab.explain.answer import Function

# The address of an instruction is a multiple of this number of bytes.
_STEP_BYTES = 2


def ranges(image: Path, rules: Sequence[CategoryRule]) -> tuple[Range, ...]:
    """Returns the address ranges of instructions of kind `api`, in order. The kind is that of the
    instruction's function; rules about opcodes are ignored."""
    category = categories.chooser(rules)

    @cache
    def is_port(function: SourceFunction, symbol: SourceFunction) -> bool:
        return category("", _named(function), _named(symbol)) == categories.PORT

    addresses: set[int] = set()
    for code in inlined_code.read(image):
        of_code = range(*code.range, _STEP_BYTES)
        if is_port(code.function, code.symbol):
            addresses.update(of_code)
        elif _is_inside(code):
            addresses.difference_update(of_code)
    return tuple(_runs(sorted(addresses)))


def _is_inside(code: InlinedCode) -> bool:
    return code.function is not code.symbol


def _named(function: SourceFunction) -> Function:
    return Function(function.name, None, function.file, False, None, "code")


def _runs(addresses: Sequence[int]) -> list[Range]:
    """Joins adjacent addresses to ranges."""
    runs: list[Range] = []
    for address in addresses:
        if runs and runs[-1][1] == address:
            runs[-1] = (runs[-1][0], address + _STEP_BYTES)
        else:
            runs.append((address, address + _STEP_BYTES))
    return runs
