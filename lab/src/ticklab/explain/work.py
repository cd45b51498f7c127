# SPDX-License-Identifier: MIT
"""Divides the instructions of a sample by kind of work and function, from which summary/cause.py
computes the cause of a figure. The result is so small that a run keeps it for every record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from ticklab import digest
from ticklab.description.model import CategoryRule, Number, Work
from ticklab.explain import categories
from ticklab.explain.answer import Explanation, Span

# Increase this number if categories.py divides instructions differently, so that results of the
# older version are not used.
_VERSION = 1
_DIGITS = 4  # decimals of a mean


def rules_digest(rules: Sequence[CategoryRule]) -> str:
    """Returns a hash of the rules and of this module's version. Together with the run, these
    determine the instructions by kind of work."""
    return digest.hash_json([_VERSION, *map(asdict, rules)])[:12]


def of_span(answer: Explanation, span: Span, rules: Sequence[CategoryRule]) -> Work:
    """Returns the instructions of the mean sample of a span, by kind of work and by function."""
    category = categories.assigner(answer.functions, rules)
    found: dict[str, dict[str, float]] = {}
    for code in span.code:
        functions = found.setdefault(category(code), {})
        name = answer.functions[code.function].name
        functions[name] = functions.get(name, 0.0) + code.own.instructions
    return {
        kind: _rounded(functions) for kind, functions in found.items() if any(functions.values())
    }


def _rounded(functions: dict[str, float]) -> dict[str, Number]:
    means = ((name, round(mean, _DIGITS)) for name, mean in functions.items() if mean)
    return {name: int(mean) if mean == int(mean) else mean for name, mean in means}
