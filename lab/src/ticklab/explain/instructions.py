# SPDX-License-Identifier: MIT
"""Compares two versions of a function by instruction: which were added or removed, and which are
executed more or less often.

The executed instructions of both versions are aligned by their text without addresses, so that code
that only moved counts as unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from ticklab.explain.difference import Side

# Parts of operands, as objdump prints them, that change if code moves: an address before its name,
# an offset, a distance from PC.
_MOVING = ((r"\b[0-9a-f]+ <", "<"), (r"\+0x[0-9a-f]+>", "+…>"), (r"\[pc, #-?\d+\]", "[pc, …]"))


@dataclass(frozen=True)
class CodeLine:
    """One instruction of a function, with its text and its number of executions."""

    text: str
    line: str | None  # FILE:LINE
    executed: float  # mean number of executions in a sample


@dataclass(frozen=True)
class Edit:
    """An instruction that only one version executes, or that the versions execute a different
    number of times."""

    first: CodeLine | None
    second: CodeLine | None

    @property
    def change(self) -> float:
        first, second = (side.executed if side else 0.0 for side in (self.first, self.second))
        return second - first


def edits(first: Side, second: Side, function: str) -> tuple[Edit, ...]:
    return tuple(_aligned(steps(first, function), steps(second, function)))


def steps(side: Side, function: str) -> list[CodeLine]:
    """Returns the executed instructions of a function, by address."""
    names = side.answer.functions
    found = sorted(side.span.code, key=lambda code: code.address)
    return [
        CodeLine(_settled(side.assembly.get(code.address, code.opcode)), code.line, code.executed)
        for code in found
        if code.executed and names[code.function].name == function
    ]


def _aligned(first: list[CodeLine], second: list[CodeLine]) -> Iterator[Edit]:
    one, two = ([step.text for step in side] for side in (first, second))
    for kind, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs = zip(first[a:b], second[c:d], strict=True)
            yield from (Edit(then, now) for then, now in pairs if then.executed != now.executed)
        else:
            yield from (Edit(then, None) for then in first[a:b])
            yield from (Edit(None, now) for now in second[c:d])


def _settled(text: str) -> str:
    for pattern, settled in _MOVING:
        text = re.sub(pattern, settled, text)
    return text
