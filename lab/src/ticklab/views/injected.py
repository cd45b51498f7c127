# SPDX-License-Identifier: MIT
"""The output of `inject`: the latency of an interrupt by the instruction at which it is pended."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

from ticklab.measurement.injecting import Sweep
from ticklab.views import curves, figures

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


def document(sweep: Sweep, image: str, board: str, line: int) -> dict[str, Any]:
    """Returns the same as JSON values, with the latency of each position."""
    return {"schema": 1, "image": image, "board": board, "line": line, **asdict(sweep)}
