# SPDX-License-Identifier: MIT
"""The output of `inject`: the latency of an interrupt at each instruction of a service at which the
interrupt is pended."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from rich.console import Console
from rich.text import Text

from ticklab.description.model import Curve
from ticklab.measurement.injecting import Lost, Reached, Sweep, Wait
from ticklab.views import curves, figures
from ticklab.views.document import SCHEMA, Part, Schema

_WIDTH = 80
_WAITS, _MISSED = 5, 5


def show(sweep: Sweep, out: Console) -> None:
    curve = sweep.curve
    positions = len(curve.instructions)
    out.print(
        Text(
            f"{positions:,} positions, {figures.count(curve.least)} to {figures.count(curve.most)} "
            f"instructions to {sweep.handler}, counted; held at {100 * curve.held:.1f} %"
        )
    )
    out.print(Text(curves.sparkline(curve.instructions, _WIDTH)))
    if curve.most > curve.least:
        functions = ", ".join(f"{name} {count}" for name, count in curve.functions.items())
        out.print(
            Text(
                f"worst: position {curve.position}, pended before {curve.pended_before}, held "
                f"until {curve.held_until}; meanwhile: {functions}"
            )
        )
    for wait in sweep.waits[:_WAITS]:
        begin, end = _with_line(wait.begin, wait.begin_line), _with_line(wait.end, wait.end_line)
        where = f"at positions {wait.first}–{wait.last}"
        out.print(Text(f"  {wait.instructions:>6,} {where}: {begin} to {end}"))
    for lost in sweep.lost:
        where = f"position {lost.position}, pended before {lost.pended_before}"
        out.print(Text(f"lost after {where}: {lost.reason}"))
    _show_reached(sweep, out)
    if sweep.repeated:
        out.print(f"{sweep.repeated} passes took another path and were repeated")


def _show_reached(sweep: Sweep, out: Console) -> None:
    reached = ", ".join(
        f"{each.function} {each.instructions}{f' of {each.of}' if each.of else ''}"
        for each in sweep.reached
    )
    out.print(Text(f"different instructions reached: {reached}"))
    missed = [part for each in sweep.reached for part in each.missed]
    longest = sorted(missed, key=lambda part: -part.instructions)[:_MISSED]
    if longest:
        places = (f"{_with_line(part.begin, part.line)} {part.instructions}" for part in longest)
        more = f", and {len(missed) - len(longest)} more" if len(missed) > len(longest) else ""
        out.print(Text(f"not reached: {', '.join(places)}{more}"))


def _with_line(place: str, line: str | None) -> str:
    return f"{place} ({line})" if line else place


class InjectionFields(Part, frozen=True):
    """The latency of an interrupt at each instruction at which it was pended."""

    schema: Schema
    image: Annotated[str, Meta(description="the SHA-256 of the image")]
    board: Annotated[str, Meta(description="the board that it ran on")]
    line: Annotated[int, Meta(description="the number of the interrupt line")]
    curve: Annotated[
        Curve,
        Meta(
            description="instructions from the moment at which the interrupt is pended to its "
            "handler, for each position, and the cause of the worst latency "
            "([sweeps](formats.md))"
        ),
    ]
    handler: Annotated[str, Meta(description="the handler of the interrupt")]
    waits: Annotated[
        list[Wait],
        Meta(description="positions in a row that wait for the same instant, longest first"),
    ]
    reached: Annotated[
        list[Reached],
        Meta(
            description="the number of different instructions of each function, how many it has "
            "(`of`), and those that the span does not reach"
        ),
    ]
    repeated: Annotated[
        int, Meta(description="executions of the span that took another path and were repeated")
    ]
    lost: Annotated[
        list[Lost],
        Meta(
            description="positions whose interrupt was taken, but after which the guest served no "
            "other; the machine was then reset"
        ),
    ]


def document(sweep: Sweep, image: str, board: str, line: int) -> InjectionFields:
    """Returns the JSON document of `inject --json`, with the latency at each position of the pended
    interrupt."""
    return InjectionFields(
        SCHEMA,
        image,
        board,
        line,
        sweep.curve,
        sweep.handler,
        list(sweep.waits),
        list(sweep.reached),
        sweep.repeated,
        list(sweep.lost),
    )
