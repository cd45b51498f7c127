# SPDX-License-Identifier: MIT
"""The profile of a whole run, computed from the observer's explanation: shares of tasks, exceptions
and functions, task switches, critical sections and stacks. Figures are counted, and so exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ticklab.description.kernel_table import Known
from ticklab.explain.answer import Cost, Explanation, Interrupt, Span
from ticklab.explain.difference import functions


@dataclass(frozen=True)
class Share:
    """The share of a task, an exception's handler, or a function (without its callees) in the
    instructions of the run."""

    name: str
    # Number of switches to the task, of entries of the exception, or of calls of the function.
    entries: float
    cost: Cost
    stack_bytes: int | None = None  # the deepest stack; None for a function


@dataclass(frozen=True)
class Stretch:
    """The critical sections that begin at one instruction: their number and their lengths."""

    function: str
    caller: str | None
    ends: str | None
    line: str | None  # source line where the longest section begins
    count: float
    longest: int  # length of the longest section, in instructions


@dataclass(frozen=True)
class Profile:
    kernel: str | None
    in_kernel: Cost | None  # None: unknown
    total: Cost
    tasks: tuple[Share, ...]
    exceptions: tuple[Share, ...]
    functions: tuple[Share, ...]
    switches: int
    masked: tuple[Stretch, ...]  # longest first
    unknown_masks: float  # masking instructions that could not be classified
    frame_bytes: int  # bytes that an exception stacks in addition to the deepest stack
    interrupts: tuple[Interrupt, ...] | None  # None: unknown
    notes: tuple[str, ...]


def summarise(answer: Explanation, kernel: Known | None) -> Profile:
    (span,) = answer.spans
    used = [Share(name, use.calls, use.cost) for name, use in functions(answer, span).items()]
    owned = [each.cost for each in used if kernel and kernel.owns(each.name)]
    tasks = _roots(answer, span, "task")
    return Profile(
        kernel=kernel.name if kernel else None,
        in_kernel=sum(owned, Cost()) if kernel and kernel.functions else None,
        total=span.total,
        tasks=tasks,
        exceptions=_roots(answer, span, "exception"),
        functions=_greatest(used),
        switches=int(sum(task.entries for task in tasks)),
        masked=tuple(sorted(_stretches(answer, span), key=lambda each: -each.longest)),
        unknown_masks=span.masked.unknown,
        frame_bytes=answer.frame_bytes,
        interrupts=answer.interrupts,
        notes=answer.notes,
    )


def _greatest(shares: Sequence[Share]) -> tuple[Share, ...]:
    return tuple(sorted(shares, key=lambda each: (-each.cost.instructions, each.name)))


def _roots(answer: Explanation, span: Span, kind: str) -> tuple[Share, ...]:
    """Returns the shares of all tasks or of all exceptions, each with the depth of its stack."""
    is_handler = kind == "exception"
    stacks = {each.name: each for each in answer.stacks if each.is_handler == is_handler}
    found = []
    for node in span.nodes:
        if node.kind == kind:
            stack = stacks.get(node.name)
            entries = node.calls if is_handler else float(stack.switches if stack else 0)
            found.append(Share(node.name, entries, node.total, stack.bytes if stack else None))
    return _greatest(found)


def _stretches(answer: Explanation, span: Span) -> Iterator[Stretch]:
    names = answer.functions
    lines = {code.address: code.line for code in span.code}
    for section in span.masked.sections:
        yield Stretch(
            names[section.begins].name,
            None if section.caller is None else names[section.caller].name,
            None if section.ends is None else names[section.ends].name,
            lines.get(section.address),
            section.count,
            section.longest,
        )
