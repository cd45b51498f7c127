# SPDX-License-Identifier: MIT
"""Shows the explanations of two spans side by side: by category, by function, and the greatest
changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.description.curve import Interval
from ticklab.description.result import Number
from ticklab.explain import categories, instructions
from ticklab.explain.answer import Cost
from ticklab.explain.difference import Difference, NameDifference, Side, Use
from ticklab.explain.instructions import CodeLine, Edit
from ticklab.views import figures
from ticklab.views.document import SCHEMA, Part, Schema

MOST = 20
TAKEN_APART = 5  # number of functions that are compared instruction by instruction
LEAST = 0.005  # least change, in instructions, that is shown


def show(first: Side, second: Side, found: Difference, out: Console) -> None:
    for letter, side in (("A", first), ("B", second)):
        out.print(Text(f"{letter}: {side.title}", style="bold"))
        out.print(f"   {figures.count(side.code_bytes)} bytes of code in the image")
    titles = categories.titles()
    named = [(titles[line.name], line) for line in found.categories]
    total = NameDifference("", Use(0, first.span.total), Use(0, second.span.total))
    out.print(_table("by category, mean sample", [*named, ("all", total)]))
    changed = [line for line in found.functions if _is_seen(line)]
    shown = [(line.name, line) for line in changed[:MOST]]
    rest = len(changed) - len(shown)
    more = f"; {rest} more in the JSON" if rest > 0 else ""
    out.print(_table(f"by function, what changed most first{more}", shown))
    _show_edits(first, second, [line for line in changed if _is_in_both(line)], out)


def _is_seen(line: NameDifference) -> bool:
    """Returns whether the change of a function is shown. Smaller changes are hidden, because two
    means differ by that much if their samples are not all equal."""
    return abs(line.change.instructions) >= LEAST


def _is_in_both(line: NameDifference) -> bool:
    return bool(line.first.cost.instructions and line.second.cost.instructions)


def _show_edits(first: Side, second: Side, changed: Sequence[NameDifference], out: Console) -> None:
    """Prints the changed instructions of each function: `-` if only A executes the instruction, `+`
    if only B does; otherwise A and B execute it a different number of times."""
    if changed:
        out.print("by instruction, times a sample: - in A alone, + in B alone, = in both")
    for line in changed[:TAKEN_APART]:
        out.print(Text(f"{line.name}  {_signed(line.change.instructions)}", style="bold"))
        edits = instructions.edits(first, second, line.name)
        for edit in edits[:MOST]:
            out.print(Text(_edit(edit)), soft_wrap=True)
        if len(edits) > MOST:
            out.print(f"  … {len(edits) - MOST} more in the JSON")


def _edit(edit: Edit) -> str:
    step = edit.second or edit.first
    assert step
    sign = "=" if edit.first and edit.second else "-" if edit.first else "+"
    return f"  {sign} {_signed(edit.change):>7}  {step.text:44} {step.line or ''}".rstrip()


def _table(title: str, lines: Sequence[tuple[str, NameDifference]]) -> Table:
    table = Table(title, box=SIMPLE_HEAD, pad_edge=False)
    for head in ("A instr.", "B instr.", "B - A", "A ~cycles", "B ~cycles"):
        table.add_column(head, justify="right", no_wrap=True)
    for name, line in lines:
        first, second = line.first.cost, line.second.cost
        table.add_row(
            name,
            figures.count(first.instructions),
            figures.count(second.instructions),
            _signed(line.change.instructions),
            figures.modelled(first.low, first.high),
            figures.modelled(second.low, second.high),
        )
    return table


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '-' if value < 0 else ''}{figures.count(abs(value))}"


# --- JSON -----------------------------------------------------------------------------------------


class CostFields(Part, frozen=True):
    """The cost of a function, a kind of work or a whole span, in the mean sample."""

    instructions: Annotated[Number, Meta(description="instructions a sample, counted")]
    cycles: Annotated[Interval, Meta(description='`{"low", "high"}`: cycles a sample, modelled')]


class SideFields(CostFields, frozen=True):
    """The whole span on one side of the comparison."""

    title: Annotated[str, Meta(description="the selection in words")]
    code_bytes: Annotated[int, Meta(description="bytes of code in the image")]


class CategoryFields(Part, frozen=True):
    """The cost of one kind of work on both sides of the comparison."""

    name: Annotated[str, Meta(description="the kind of work or the function")]
    first: Annotated[CostFields, Meta(description="its cost on the first side")]
    second: Annotated[CostFields, Meta(description="its cost on the second side")]


class EditFields(Part, frozen=True):
    """An instruction that only one side executes, or that the sides execute a different number of
    times."""

    first: Annotated[
        CodeLine | None,
        Meta(
            description='the instruction on the first side, `{"text", "line", "executed"}`; null '
            "if that side does not execute it"
        ),
    ]
    second: Annotated[
        CodeLine | None,
        Meta(
            description="the instruction on the second side; null if that side does not execute it"
        ),
    ]


class FunctionChange(CategoryFields, frozen=True):
    """The cost of one function on both sides, without its callees."""

    calls: Annotated[
        tuple[Number, Number],
        Meta(description="calls in a sample, on the first and on the second side"),
    ]
    edits: Annotated[
        list[EditFields], Meta(description="changed instructions of a function on both sides")
    ]


class DifferenceFields(Part, frozen=True):
    """The difference between two explanations of the same span."""

    schema: Schema
    span: Annotated[str, Meta(description="the span")]
    first: Annotated[SideFields, Meta(description="the first selection")]
    second: Annotated[SideFields, Meta(description="the second selection")]
    categories: Annotated[list[CategoryFields], Meta(description="the difference by kind of work")]
    functions: Annotated[
        list[FunctionChange], Meta(description="the difference by function, the largest first")
    ]


def document(first: Side, second: Side, found: Difference) -> DifferenceFields:
    return DifferenceFields(
        schema=SCHEMA,
        span=first.span.name,
        first=_side(first),
        second=_side(second),
        categories=[CategoryFields(**_line(line)) for line in found.categories],
        functions=[
            FunctionChange(
                **_line(line),
                calls=(line.first.calls, line.second.calls),
                edits=_edits(first, second, line),
            )
            for line in found.functions
        ],
    )


def _edits(first: Side, second: Side, line: NameDifference) -> list[EditFields]:
    """Returns the changed instructions of a function, if both sides execute the function."""
    if not (_is_in_both(line) and _is_seen(line)):
        return []
    edits = instructions.edits(first, second, line.name)
    return [EditFields(edit.first, edit.second) for edit in edits]


def _side(side: Side) -> SideFields:
    return SideFields(**_cost(side.span.total), title=side.title, code_bytes=side.code_bytes)


def _line(line: NameDifference) -> dict[str, Any]:
    first, second = (CostFields(**_cost(use.cost)) for use in (line.first, line.second))
    return {"name": line.name, "first": first, "second": second}


def _cost(cost: Cost) -> dict[str, Any]:
    return {"instructions": cost.instructions, "cycles": Interval(cost.low, cost.high)}
