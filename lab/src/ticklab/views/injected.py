# SPDX-License-Identifier: MIT
"""The output of `inject`: the latency of an interrupt by the instruction at which it is pended."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from rich.console import Console
from rich.text import Text

from ticklab.description.model import Curve
from ticklab.measurement.injecting import Reached, Sweep
from ticklab.views import curves, figures
from ticklab.views.document import SCHEMA, Part, Schema

_WIDTH = 80


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
    reached = ", ".join(f"{each.function} {each.instructions}" for each in sweep.reached)
    out.print(Text(f"different instructions reached: {reached}"))
    if sweep.repeated:
        out.print(f"{sweep.repeated} passes took another path and were repeated")


class InjectionFields(Part, frozen=True):
    """The latency of an interrupt by the instruction at which it is pended."""

    schema: Schema
    image: Annotated[str, Meta(description="the SHA-256 of the image")]
    board: Annotated[str, Meta(description="the board that it ran on")]
    line: Annotated[int, Meta(description="the number of the interrupt line")]
    curve: Annotated[
        Curve,
        Meta(
            description="instructions from the pended interrupt to its handler, by position, and "
            "the cause of the worst ([sweeps](formats.md))"
        ),
    ]
    handler: Annotated[str, Meta(description="the handler of the interrupt")]
    reached: Annotated[
        list[Reached], Meta(description="the number of different instructions of each function")
    ]
    repeated: Annotated[int, Meta(description="passes that took another path and were repeated")]


def document(sweep: Sweep, image: str, board: str, line: int) -> InjectionFields:
    """Returns the same as JSON, with the latency of each position."""
    reached = list(sweep.reached)
    return InjectionFields(
        SCHEMA, image, board, line, sweep.curve, sweep.handler, reached, sweep.repeated
    )
