# SPDX-License-Identifier: MIT
"""Shows an explanation on the terminal and as JSON: call tree, critical sections, and the
instructions of one sample.

Percentages are shares of the span's instructions. Small items are added up in one line and never
left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.description.curve import Call, Interval
from ticklab.description.model import CategoryRule
from ticklab.description.result import Number
from ticklab.explain import categories, causes
from ticklab.explain.answer import Code, Cost, Explanation, ListedInstruction, Masked, Node, Span
from ticklab.explain.difference import functions
from ticklab.explain.second_run import WORST
from ticklab.views import figures
from ticklab.views.document import SCHEMA, Part, Schema

SMALL = 0.005  # of the instructions or cycles of the span: smaller items have no line in the tree
SECTIONS = 8
_END = "the end of the sample"
_NO_SOURCES: Mapping[str, str] = {}


@dataclass(frozen=True)
class TreeLine:
    """A line of the printed call tree."""

    depth: int
    name: str
    calls: float
    total: Cost
    own: Cost


class FunctionFields(Part, frozen=True):
    """The cost of one function without its callees, so that the costs of all functions add up to
    the span's."""

    name: Annotated[str, Meta(description="the function")]
    calls: Annotated[Number, Meta(description="how often a sample calls it")]
    instructions: Annotated[Number, Meta(description="its instructions in a sample")]


class SpanFields(Part, frozen=True):
    """The cost of a span: in total, by function and by kind of work."""

    span: Annotated[str, Meta(description="the span")]
    instructions: Annotated[Number, Meta(description="instructions a sample, counted")]
    cycles: Annotated[
        Interval | None,
        Meta(description='`{"low", "high"}`: cycles a sample, modelled; null without a model'),
    ]
    functions: Annotated[
        list[FunctionFields], Meta(description="the functions, the most expensive first")
    ]


class SampleFields(SpanFields, frozen=True):
    """One sample of the span, which the option `--sample` selects."""

    number: Annotated[int, Meta(description="the number of the sample")]
    calls: Annotated[
        list[Call],
        Meta(
            description='`{"depth", "name", "own", "total"}`: the tree of calls in instructions, '
            "parents first"
        ),
    ]


class ExplanationFields(SpanFields, frozen=True):
    """The mean of those samples of the span that contain no tick and no foreign interrupt."""

    schema: Schema
    sample: Annotated[
        SampleFields | UnsetType, Meta(description="the sample that `--sample` names")
    ] = UNSET


def document(means: Explanation, one: Explanation | None = None) -> ExplanationFields:
    """Returns the document with the means of the samples without a tick and, if `one` is given, the
    figures of one sample."""
    sample = _sample(one) if one else UNSET
    return ExplanationFields(**_figures(means), schema=SCHEMA, sample=sample)


def _sample(one: Explanation) -> SampleFields:
    (span,) = one.spans
    assert span.listing
    calls = list(causes.calls(span))
    return SampleFields(**_figures(one), number=span.listing.sample, calls=calls)


def _figures(answer: Explanation) -> dict[str, Any]:
    (span,) = answer.spans
    found = sorted(functions(answer, span).items(), key=lambda item: -item[1].cost.instructions)
    return {
        "span": span.name,
        "instructions": span.total.instructions,
        "cycles": Interval(span.total.low, span.total.high) if span.total.high else None,
        "functions": [
            FunctionFields(name, use.calls, use.cost.instructions) for name, use in found
        ],
    }


def show(answer: Explanation, out: Console) -> None:
    """Prints an explanation, which has exactly one span."""
    (span,) = answer.spans
    out.print(summary(span))
    for note in answer.notes:
        out.print(Text(f"note: {note}", style="yellow"))
    out.print(_tree(span))
    out.print(_masks(span))
    if span.suspended:
        out.print(_suspension(span.suspended, span))
    out.print(_sections(answer, span))


GUESSED = "by the names of functions, because kernel.toml has no [[category]]"


def kinds(
    answer: Explanation, span: Span, rules: Sequence[CategoryRule]
) -> Iterator[tuple[str, Cost]]:
    """Yields each kind of work that a sample does, with its mean cost in a sample."""
    titles = categories.titles()
    for name, cost in categories.costs(answer, span, rules).items():
        if cost != Cost():
            yield titles[name], cost


def show_kinds(answer: Explanation, rules: Sequence[CategoryRule], out: Console) -> None:
    """Prints the mean cost of a sample by kind of work. Prints nothing for an image of an unknown
    kernel, for which there are no rules."""
    if not rules:
        return
    (span,) = answer.spans
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("instr.", "%", "~cycles"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("kind of work")
    for title, cost in kinds(answer, span, rules):
        share = percent(cost.instructions, span.total.instructions)
        bounds = figures.modelled(cost.low, cost.high)
        table.add_row(figures.count(cost.instructions), share, bounds, title)
    out.print(table)
    if categories.is_guessed(rules):
        out.print(Text(f"kinds {GUESSED}", style="dim"))


def summary(span: Span) -> str:
    total = span.total
    cycles = figures.modelled(total.low, total.high)
    rest = f"{cycles} cycles, modelled" if total.high else "without a cycle model"
    return f"{which(span)}: {figures.count(total.instructions)} instructions, counted; {rest}"


def which(span: Span) -> str:
    """Returns the title, which says whether the figures are of one sample or of the mean."""
    if span.alone and span.listing:
        return f"sample {span.listing.sample} of {figures.count(span.samples)}{_excess(span)}"
    kind = "without an interrupt of others" if span.less is None else "with one tick"
    return f"mean of {figures.count(span.plain)} samples {kind}{_excess(span)}"


def _excess(span: Span) -> str:
    return "" if span.less is None else f", less sample {span.less}, which has no tick"


# --- The call tree --------------------------------------------------------------------------------


def _tree(span: Span) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("instr.", "%", "own", "~cycles", "calls"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("function", no_wrap=True)
    for line in lines(span):
        table.add_row(
            figures.count(line.total.instructions),
            percent(line.total.instructions, span.total.instructions),
            figures.count(line.own.instructions),
            figures.modelled(line.total.low, line.total.high),
            figures.count(line.calls),
            "  " * line.depth + line.name,
        )
    return table


def lines(span: Span) -> Iterator[TreeLine]:
    """Yields the lines of the call tree from the root; among the callees of a function, the most
    expensive comes first."""
    children: dict[int | None, list[int]] = {}
    for index, node in enumerate(span.nodes):
        if node.total != Cost():  # otherwise it belongs to other samples
            children.setdefault(node.parent, []).append(index)
    waiting = [*_siblings(span, children.get(None, ()), 0)][::-1]
    while waiting:  # not recursive, because a guest may recurse thousands of calls deep
        parent, line = waiting.pop()
        yield line
        if parent is not None:
            waiting += [*_siblings(span, children.get(parent, ()), line.depth + 1)][::-1]


def _siblings(
    span: Span, indices: Sequence[int], depth: int
) -> Iterator[tuple[int | None, TreeLine]]:
    """Yields a line for each callee of one node of the call tree, with its index, and one line for
    all callees with a small cost."""
    small = [i for i in indices if _is_small(span.nodes[i], span)]
    for index in sorted(set(indices) - set(small), key=lambda i: (-span.nodes[i].total.high, i)):
        node = span.nodes[index]
        yield index, TreeLine(depth, _name(node), node.calls, node.total, node.own)
    if small:
        nodes = [span.nodes[i] for i in small]
        total = sum((node.total for node in nodes), Cost())
        calls = sum(node.calls for node in nodes)
        yield None, TreeLine(depth, f"… {len(nodes)} smaller", calls, total, total)


def _is_small(node: Node, span: Span) -> bool:
    return (
        node.total.instructions <= SMALL * span.total.instructions
        and node.total.high <= SMALL * span.total.high
    )


def _name(node: Node) -> str:
    marks = {"inlined": " (inlined)", "hardware": " (hardware)"}
    kinds = {"task": "task ", "exception": "exception "}
    return f"{kinds.get(node.kind, '')}{node.name}{marks.get(node.kind, '')}"


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}" if whole else figures.NOTHING


# --- Critical sections ----------------------------------------------------------------------------


def _masks(span: Span) -> str:
    masked = span.masked
    share = percent(masked.instructions, span.total.instructions)
    return (
        f"interrupts masked: {figures.count(masked.count)} critical sections a sample, "
        f"{figures.count(masked.instructions)} instructions, {share} %; "
        f"entered {figures.count(masked.enters)} and left {figures.count(masked.leaves)} times; "
        f"{figures.count(masked.handlers)} instructions in exceptions{_unknown(masked)}"
    )


def _sections(answer: Explanation, span: Span) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("times", "instr.", "longest"):
        table.add_column(head, justify="right")
    table.add_column("from … to, called by")
    for section in span.masked.sections[:SECTIONS]:
        caller = "" if section.caller is None else f", {answer.functions[section.caller].name}"
        begins = answer.functions[section.begins].name
        ends = _END if section.ends is None else answer.functions[section.ends].name
        table.add_row(
            figures.count(section.count),
            figures.count(section.instructions),
            figures.count(section.longest),
            f"{begins} … {ends}{caller}",
        )
    return table


def _suspension(suspended: Masked, span: Span) -> str:
    """Describes suspensions of the scheduler, in which interrupts are taken but wake no task."""
    share = percent(suspended.instructions, span.total.instructions)
    longest = suspended.longest.longest if suspended.longest else 0
    return (
        f"scheduler suspended: {figures.count(suspended.count)} times a sample, "
        f"{figures.count(suspended.instructions)} instructions, {share} %; "
        f"longest {figures.count(longest)}"
    )


def _unknown(masked: Masked) -> str:
    if not masked.unknown:
        return ""
    return f"; {figures.count(masked.unknown)} masking instructions are of unknown effect"


# --- One sample -----------------------------------------------------------------------------------


def show_listing(answer: Explanation, assembly: Mapping[int, str], out: Console) -> None:
    (span,) = answer.spans
    if span.listing is None:
        return
    size = figures.count(span.listing.instructions)
    out.print(f"\nsample {span.listing.sample}, {size} instructions; | interrupts are masked")
    for line in listing(answer, span, assembly, len(span.listing.rows)):
        out.print(Text(line), soft_wrap=True)


def listing(
    answer: Explanation,
    span: Span,
    assembly: Mapping[int, str],
    most: int,
    sources: Mapping[str, str] = _NO_SOURCES,
) -> list[str]:
    """Returns the first `most` instructions of the sample, one on each line, with a heading where
    the task or the function changes. `sources` has the text of source lines; each is printed before
    its instructions."""
    return [] if span.listing is None else list(_listing(answer, span, assembly, most, sources))


def _listing(
    answer: Explanation,
    span: Span,
    assembly: Mapping[int, str],
    most: int,
    sources: Mapping[str, str],
) -> Iterator[str]:
    rows = span.listing.rows if span.listing else ()
    code = {one.address: one for one in span.code}
    shown = ""
    for before, row in zip((None, *rows), rows[:most], strict=False):
        if before is None or row.context != before.context:
            yield f"— {row.context}"
        if before is None or row.function != before.function:
            yield f"{'  ' * row.depth}{answer.functions[row.function].name}"
        line = _line(code.get(row.address))
        if line in sources and line != shown:
            yield f"{'':12}{sources[line]}"
        shown = line
        yield _instruction(row, code.get(row.address), assembly)
    if len(rows) > most:
        yield f"… {len(rows) - most} more: 'ticklab explain … --sample {WORST}' lists them"


def _instruction(row: ListedInstruction, code: Code | None, assembly: Mapping[int, str]) -> str:
    known = assembly.get(row.address) or (code.opcode if code else "")
    text = known if row.executed else f"({known})"
    return f"{'|' if row.masked else ' '} {row.address:8x}  {text:44} {_line(code)}".rstrip()


def _line(code: Code | None) -> str:
    return (code.line if code else None) or ""
