# SPDX-License-Identifier: MIT
"""Adds causes to the records of a run: how many instructions of the mean sample each kind of work
takes. For a sweep (an interrupt is pended at every instruction of a service), explains only the
sample with the longest latency: which functions ran while the interrupt waited, and where in the
source the wait began and ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ticklab.analysis import injection
from ticklab.description.model import (
    Call,
    CategoryRule,
    Curve,
    NotMeasured,
    Record,
    WorstCase,
)
from ticklab.explain import second_run, work
from ticklab.explain.answer import Span
from ticklab.explain.second_run import FirstRun


def add(
    records: Sequence[Record], first: FirstRun, console: str, rules: Sequence[CategoryRule]
) -> tuple[Record, ...]:
    """Returns the records with their instructions by kind of work; for sweeps, also with the cause
    of the worst latency. `rules` are the kernel's rules for kinds of work. Records without figures
    are unchanged."""
    if any(isinstance(one.result, NotMeasured) for one in records):
        return tuple(records)
    spans = {span.name: span for span in first.about.spans}
    asked = [spans[record.span] for record in records]
    positions = [one.curve.position if one.curve else None for one in records]
    found = second_run.explain(first, asked, positions, alone=True)
    return tuple(
        replace(_explained(one, span, console), work=work.of_span(found, span, rules))
        for one, span in zip(records, found.spans, strict=True)
    )


def _explained(record: Record, span: Span, console: str) -> Record:
    if not isinstance(record.result, WorstCase):
        return record
    curve = _with_cause(record.result.curve, span, console)
    return replace(record, result=replace(record.result, curve=curve))


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
    """Returns the call tree of one sample, the most expensive call first. Nodes for work of
    hardware are left out, because they execute no instruction."""
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
