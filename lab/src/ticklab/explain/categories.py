# SPDX-License-Identifier: MIT
"""Divides instructions by kind of work: the first rule that matches decides.

The rules of a kernel are in its kernel.toml, in order; a kernel without rules gets the default ones
(description/default_categories.py). Before them come rules for every kernel:
work of the hardware, and the services of the port, whose names the contract defines. After them
come the sources of the benchmark, which may have the names of a kernel's sources, work of the C
library on texts, which no kernel uses, and functions that a service inlines. At a level with
"+inline" the services themselves are inlined into the scenario, and the debug information names the
service of each instruction; what else is inlined into the scenario, and is neither the kernel's by
a rule nor the benchmark's, is a function that a service inlines.

Two kernels are compared by category. So instructions without a category are an error as soon as
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
MOST_UNASSIGNED = 0.01  # of the instructions

_HARDWARE = "exceptions"
_SERVICE = re.compile(r"(bench|tm)_\w+")
_TEXTS = re.compile(r"str\w+")
# The end of the name of a function of which GCC made a variant: `give.part.0`, `take.isra.0.cold`.
_CLONE = re.compile(r"(\.(part|constprop|isra|cold|lto_priv)(\.\d+)?)+$")

ByCategory = dict[str, Cost]


def costs(answer: Explanation, span: Span, rules: Sequence[CategoryRule]) -> ByCategory:
    """Returns the cost of the mean sample by category: every category in its order, and
    `unassigned` only if there is such work."""
    found = {name: Cost() for name in CATEGORIES}
    for category, cost in _parts(answer, span, rules):
        found[category] = found.get(category, Cost()) + cost
    return found


def is_guessed(rules: Sequence[CategoryRule]) -> bool:
    """Returns whether the kernel has no rules of its own."""
    return any(rule.is_default for rule in rules)


def require_assigned(
    subject: str, answer: Explanation, span: Span, rules: Sequence[CategoryRule]
) -> None:
    """Refuses to compare if a kernel's rules leave too many instructions without a category."""
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
    """Returns functions without a category, the most instructions first."""
    category = assigner(answer.functions, rules)
    lost: dict[str, float] = {}
    for code in span.code:
        if category(code) == UNASSIGNED:
            name = answer.functions[code.function].name
            lost[name] = lost.get(name, 0.0) + code.own.instructions
    return sorted(lost, key=lambda name: -lost[name])


def assigner(functions: Sequence[Function], rules: Sequence[CategoryRule]) -> Callable[[Code], str]:
    """Returns the category of an instruction."""
    category = chooser(rules)
    return lambda code: category(code.opcode, functions[code.function], functions[code.symbol])


def chooser(rules: Sequence[CategoryRule]) -> Callable[[str, Function, Function], str]:
    """Returns the category of an instruction by its opcode, its function, and the function that
    contains it and is not inlined."""
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
    """Returns file names of the sources of the benchmark, its workloads and the platform: debug
    information has no folders."""
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
