# SPDX-License-Identifier: MIT
"""Compares the explanations of two spans: by kind of work, by function, and by the greatest
changes.

The two sides may be two kernels, two configurations or two commits of one kernel. Functions are
matched by name. A function that only one side executes costs 0 on the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ticklab.description.model import CategoryRule
from ticklab.explain import categories
from ticklab.explain.answer import Cost, Explanation, Span


@dataclass(frozen=True)
class Use:
    """The mean cost of a function in a sample, without its callees."""

    calls: float = 0.0
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True)
class Side:
    """One side of the comparison: a span, with the rules of its kernel."""

    title: str
    answer: Explanation
    span: Span
    rules: Sequence[CategoryRule]
    code_bytes: int  # of the whole image
    assembly: Mapping[int, str] = field(default_factory=dict)  # disassembly.py


@dataclass(frozen=True)
class NameDifference:
    name: str
    first: Use
    second: Use

    @property
    def change(self) -> Cost:
        return self.second.cost - self.first.cost


@dataclass(frozen=True)
class Difference:
    categories: tuple[NameDifference, ...]
    functions: tuple[NameDifference, ...]  # greatest changes first


def compare(first: Side, second: Side) -> Difference:
    for side in (first, second):
        categories.require_assigned(side.title, side.answer, side.span, side.rules)
    lines = _lines(functions(first.answer, first.span), functions(second.answer, second.span))
    lines.sort(key=lambda line: (-abs(line.change.instructions), line.name))
    return Difference(tuple(_lines(_by_category(first), _by_category(second))), tuple(lines))


def functions(answer: Explanation, span: Span) -> dict[str, Use]:
    """Returns all functions that executed an instruction or were called, inlined ones included."""
    found: dict[str, Use] = {}
    for node in span.nodes:
        if node.function is None or node.kind == "hardware":
            continue
        name = answer.functions[node.function].name
        known = found.get(name, Use())
        found[name] = Use(known.calls + node.calls, known.cost + node.own)
    return found


def _by_category(side: Side) -> dict[str, Use]:
    costs = categories.costs(side.answer, side.span, side.rules)
    return {name: Use(0.0, cost) for name, cost in costs.items()}


def _lines(first: dict[str, Use], second: dict[str, Use]) -> list[NameDifference]:
    names = [*first, *(name for name in second if name not in first)]
    return [NameDifference(name, first.get(name, Use()), second.get(name, Use())) for name in names]
