# SPDX-License-Identifier: MIT
"""Formats the cause of a figure as one line, the same in every view, for example `+62: 40 in
critical sections, 22 in argument checks`. The numbers are instructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ticklab.summary.cause import Cause, Part

# The name of each kind of work (description/model.py) as a sentence uses it.
KINDS: Mapping[str, str] = {
    "registers": "register saves",
    "ready-list": "the ready list",
    "bookkeeping": "bookkeeping",
    "critical-sections": "critical sections",
    "checks": "argument checks",
    "protection": "memory protection",
    "api": "the port",
    "benchmark": "the benchmark",
}
_MOST = 3
_MOST_OF_TESTS = 2
_LEAST_SHARE = 0.15  # share of all changes; smaller parts are left out


def text(cause: Cause | None) -> str:
    """Returns the line about the cause of a figure, or an empty text if the cause is not known."""
    if cause is None:
        return ""
    if not cause.parts and not cause.exceptions:
        return "no difference"
    total = _signed(cause.instructions) if cause.is_difference else _count(cause.instructions)
    return _line(f"{total}{_exceptions(cause)}", _parts(cause, _MOST))


def of_tests(cause: Cause | None, tests: int) -> str:
    """Returns the line about the cause of the mean over several tests, in whole per cent."""
    if cause is None:
        return ""
    whole = replace(cause, parts=tuple(map(_rounded, cause.parts)))
    total = f"{_signed(round(cause.instructions))} % of instructions{_exceptions(cause)}"
    head = total if tests == 1 else f"{total}, mean of {tests} tests"
    return _line(head, _parts(whole, _MOST_OF_TESTS, " %"))


def greatest(cause: Cause) -> str:
    """Returns the kind of work with the most instructions in the cause of a mean, among the kinds
    that change in the same direction as the mean."""
    agreeing = (part for part in cause.parts if part.instructions * cause.instructions > 0)
    return _part(_rounded(next(agreeing, cause.parts[0])), is_signed=True, unit=" %")


def _line(head: str, parts: Sequence[str]) -> str:
    return f"{head}: {', '.join(parts)}" if parts else head


def _rounded(part: Part) -> Part:
    return replace(part, instructions=round(part.instructions))


def _exceptions(cause: Cause) -> str:
    """Returns the text about the difference in the number of exceptions, if there is one."""
    if not cause.is_difference or abs(cause.exceptions) < 0.5:
        return ""
    return f", {_signed(cause.exceptions)} exc."


def _parts(cause: Cause, most: int, unit: str = "") -> list[str]:
    """Returns the texts of the kinds of work with the most instructions. They have signs if one of
    them changed in the other direction than the whole."""
    least = _LEAST_SHARE * sum(abs(part.instructions) for part in cause.parts)
    shown = [part for part in cause.parts[:most] if abs(part.instructions) >= least]
    shown = shown or list(cause.parts[:1])
    is_mixed = any(part.instructions * cause.instructions <= 0 for part in shown)
    return [_part(part, is_mixed, unit) for part in shown]


def _part(part: Part, is_signed: bool, unit: str = "") -> str:
    value = _signed(part.instructions) if is_signed else _count(abs(part.instructions))
    return f"{value}{unit} in {KINDS.get(part.kind, part.kind) if part.kind else part.function}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '-' if value < 0 else ''}{_count(abs(value))}"


def _count(value: float) -> str:
    """Formats a mean of counts, with one decimal if it is not whole."""
    return f"{value:,.1f}".removesuffix(".0")
