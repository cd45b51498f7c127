# SPDX-License-Identifier: MIT
"""Assigns instructions to kinds of work: the first rule that matches decides. The rules are applied
in this order:

1. Rules for every kernel: work of the hardware, and the services of the port, whose names the
contract defines.
2. The kernel's own rules from kernel.toml or, if there are none, the default rules
(description/default_categories.py).
3. Sources of the benchmark (after the kernel's, because a kernel may have sources with the same
names), and functions of the C library that handle texts, which no kernel uses.
4. Everything else that is inlined into a service.

If services are inlined into the scenario, the debug information names the service of each
instruction. Code inlined into the scenario that is neither the kernel's by a rule nor the
benchmark's counts as inlined into a service.

Two kernels are compared by kind of work, so instructions without a kind are an error as soon as
they could change the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ticklab import paths
from ticklab.description import catalogue
from ticklab.description.model import CATEGORIES, CategoryRule
from ticklab.errors import TicklabError
from ticklab.explain.answer import Code, Cost, Explanation, Function, Span

UNASSIGNED = "unassigned"
PORT = "api"
MOST_UNASSIGNED = 0.01  # share of the instructions

_HARDWARE = "exceptions"
_SERVICE = re.compile(r"(bench|tm)_\w+")
_TEXTS = re.compile(r"str\w+")
# The suffix of a function's name if GCC made a variant of the function: `give.part.0`,
# `take.isra.0.cold`.
_CLONE = re.compile(r"(\.(part|constprop|isra|cold|lto_priv)(\.\d+)?)+$")

ByCategory = dict[str, Cost]


def costs(answer: Explanation, span: Span, rules: Sequence[CategoryRule]) -> ByCategory:
    """Returns the cost of the mean sample by kind of work. Every kind has an entry, in the order of
    the tables; `unassigned` has one only if its cost is not 0."""
    found = {name: Cost() for name in CATEGORIES}
    for category, cost in _parts(answer, span, rules):
        found[category] = found.get(category, Cost()) + cost
    return found


def is_guessed(rules: Sequence[CategoryRule]) -> bool:
    """Returns whether the rules are the default rules, because the kernel has none of its own."""
    return any(rule.is_default for rule in rules)


def require_assigned(
    subject: str, answer: Explanation, span: Span, rules: Sequence[CategoryRule]
) -> None:
    """Raises an error if a kernel's rules leave too many instructions without a kind of work."""
    lost = costs(answer, span, rules).get(UNASSIGNED, Cost()).instructions
    if lost > MOST_UNASSIGNED * span.total.instructions:
        share = 100 * lost / span.total.instructions
        functions = ", ".join(_unassigned(answer, span, rules)[:5])
        raise TicklabError(
            f"{subject}: {share:.1f} % of the instructions have no category ({functions})",
            "add [[category]] rules to its kernel.toml",
        )


def _parts(
    answer: Explanation, span: Span, rules: Sequence[CategoryRule]
) -> Iterator[tuple[str, Cost]]:
    category = assigner(answer.functions, rules)
    for code in span.code:
        yield category(code), code.own
    for node in span.nodes:
        if node.kind == "hardware":
            yield _HARDWARE, node.own


def _unassigned(answer: Explanation, span: Span, rules: Sequence[CategoryRule]) -> list[str]:
    """Returns the functions with instructions that no rule assigns to a kind of work. Those with
    the most such instructions come first."""
    category = assigner(answer.functions, rules)
    lost: dict[str, float] = {}
    for code in span.code:
        if category(code) == UNASSIGNED:
            name = answer.functions[code.function].name
            lost[name] = lost.get(name, 0.0) + code.own.instructions
    return sorted(lost, key=lambda name: -lost[name])


def assigner(functions: Sequence[Function], rules: Sequence[CategoryRule]) -> Callable[[Code], str]:
    """Returns a function that finds the kind of work of an instruction."""
    category = chooser(rules)
    return lambda code: category(code.opcode, functions[code.function], functions[code.symbol])


def chooser(rules: Sequence[CategoryRule]) -> Callable[[str, Function, Function], str]:
    """Returns a function that finds the kind of work from the opcode, the innermost function of the
    instruction, and the function with a symbol that contains it."""
    compiled = [
        ([_pattern(r.opcode), _pattern(r.function), _pattern(r.file)], r.category) for r in rules
    ]

    def category(opcode: str, function: Function, symbol: Function) -> str:
        if common := _common(function):
            return common
        texts = (opcode, _CLONE.sub("", function.name), function.file or "")
        for patterns, found in compiled:
            if all(p.fullmatch(text) for p, text in zip(patterns, texts, strict=True)):
                return found
        return _ours(function, symbol)

    return category


def _common(function: Function) -> str | None:
    if function.is_hardware:
        return _HARDWARE
    return PORT if _SERVICE.fullmatch(function.name) else None


def _ours(function: Function, symbol: Function) -> str:
    if function.file in benchmark_files() or _TEXTS.fullmatch(function.name):
        return "benchmark"
    is_inlined = _SERVICE.fullmatch(symbol.name) or symbol.file in benchmark_files()
    return PORT if is_inlined else UNASSIGNED


@cache
def benchmark_files() -> frozenset[str]:
    """Returns the names of the source files of the benchmark, its workloads and the platform,
    without folders, because debug information has none."""
    folders = [paths.CHECKOUT / name for name in ("bench/suites", "bench/src", "platform")]
    kinds = ("*.c", "*.h", "*.rs")
    own = {file.name for folder in folders for kind in kinds for file in folder.rglob(kind)}
    scenarios = (each for suite in catalogue.suites().values() for each in suite.scenarios)
    named = (each.workload.sources for each in scenarios if each.workload)
    return frozenset(own | {Path(name).name for sources in named for name in sources})


def _pattern(text: str | None) -> re.Pattern[str]:
    return re.compile(text or ".*")


def titles() -> Mapping[str, str]:
    return {**CATEGORIES, UNASSIGNED: "unassigned"}
