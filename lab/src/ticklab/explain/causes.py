# SPDX-License-Identifier: MIT
"""Finds what the worst sample of a sweep waited for: the calls during the wait, and its begin and
end in the source. Explains this sample alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ticklab.analysis import injection
from ticklab.description.model import Call, Curve, Record, WorstCase
from ticklab.explain import second_run
from ticklab.explain.answer import Span
from ticklab.explain.second_run import FirstRun


def add(records: Sequence[Record], first: FirstRun, console: str) -> tuple[Record, ...]:
    """Returns the records of a sweep, with causes in their curves. A failed sweep has no curves."""
    swept = [one.result for one in records if isinstance(one.result, WorstCase)]
    if len(swept) < len(records):
        return tuple(records)
    positions = [result.curve.position for result in swept]
    spans = {span.name: span for span in first.about.spans}
    asked = [spans[record.span] for record in records]
    found = second_run.explain(first, asked, positions, alone=True)
    return tuple(
        replace(one, result=replace(result, curve=_with_cause(result.curve, span, console)))
        for one, result, span in zip(records, swept, found.spans, strict=True)
    )


def _with_cause(curve: Curve, span: Span, console: str) -> Curve:
    pended = injection.addresses(console)
    first = curve.position - 1
    last = first + sum(curve.functions.values()) - 1
    lines = {code.address: code.line for code in span.code}
    return replace(
        curve,
        pended_at=lines.get(pended[first]),
        held_at=lines.get(pended[last]),
        calls=tuple(calls(span)),
    )


def calls(span: Span) -> Iterator[Call]:
    """Returns the call tree of one sample, the most expensive first. Hardware executes no
    instruction."""
    children: dict[int | None, list[int]] = {}
    for index, node in enumerate(span.nodes):
        if node.total.instructions:
            children.setdefault(node.parent, []).append(index)

    def below(parent: int | None, depth: int) -> Iterator[Call]:
        for index in sorted(
            children.get(parent, ()), key=lambda i: -span.nodes[i].total.instructions
        ):
            node = span.nodes[index]
            own, total = round(node.own.instructions), round(node.total.instructions)
            yield Call(depth, node.name, own, total)
            yield from below(index, depth + 1)

    return below(None, 0)
