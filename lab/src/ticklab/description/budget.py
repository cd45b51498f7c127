# SPDX-License-Identifier: MIT
"""Reads ticklab.toml, which sets limits for `gate`: how many cycles and bytes a kernel may take,
and how much they may grow."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from ticklab.description import table
from ticklab.description.keys import Name, Positive, Text
from ticklab.description.table import Table

FILE = "ticklab.toml"
BUILD = ("kernel", "config", "optimise", "board")
FILTERS = ("suite", "span", "kernel", "config", "optimise", "board")


class Budget(Table, frozen=True):
    """A limit for the figures of a scenario. Keys that name a build or a span restrict the limit to
    them."""

    scenario: Annotated[Name, Meta(description="scenario whose figures have this limit")]
    suite: Annotated[Text | None, Meta(description="suite (default: every one)")] = None
    span: Annotated[Text | None, Meta(description="span of the scenario (default: every one)")] = (
        None
    )
    kernel: Annotated[Name | None, Meta(description="kernel (default: every one)")] = None
    config: Annotated[Text | None, Meta(description="configuration (default: every one)")] = None
    optimise: Annotated[Text | None, Meta(description="compiler level (default: every one)")] = None
    board: Annotated[Name | None, Meta(description="board (default: every one)")] = None
    instructions: Annotated[
        Positive | None,
        Meta(description="most instructions: the mean of a sample, or of a sweep the worst"),
    ] = None
    cycles: Annotated[
        Positive | None, Meta(description="most cycles, by the high bound of the model")
    ] = None


class FootprintBudget(Table, frozen=True):
    """A limit for the bytes of a kernel in its image. Keys that name a build restrict the limit to
    it."""

    kernel: Annotated[Name | None, Meta(description="kernel (default: every one)")] = None
    config: Annotated[Text | None, Meta(description="configuration (default: every one)")] = None
    optimise: Annotated[Text | None, Meta(description="compiler level (default: every one)")] = None
    board: Annotated[Name | None, Meta(description="board (default: every one)")] = None
    code: Annotated[
        Positive | None, Meta(description="most bytes of the kernel's own code and constants")
    ] = None
    variables: Annotated[
        Positive | None, Meta(description="most bytes of the kernel's own variables")
    ] = None


class Settings(Table, frozen=True):
    """A file ticklab.toml."""

    threshold_percent: Annotated[
        Annotated[float, Meta(ge=0)],
        Meta(description="growth of instructions that is no regression"),
    ] = 0.0
    budget: Annotated[tuple[Budget, ...], Meta(description="limits of figures")] = ()
    footprint: Annotated[
        tuple[FootprintBudget, ...], Meta(description="limits of the bytes of kernels")
    ] = ()


NO_SETTINGS = Settings()


def read(file: Path) -> Settings:
    """Reads ticklab.toml. Raises UsageError if a budget has no limit, or the threshold is
    infinite."""
    found, place = table.read(file, Settings)
    if math.isinf(found.threshold_percent):
        place.fail("threshold_percent", "is infinite, so nothing would fail", "give a number")
    for number, one in enumerate(found.budget, start=1):
        if one.instructions is None and one.cycles is None:
            place.inside(f"budget {number}").fail(
                "scenario", "has no limit", "give instructions, cycles or both"
            )
    for number, size in enumerate(found.footprint, start=1):
        if size.code is None and size.variables is None:
            place.inside(f"footprint {number}").fail(
                "code", "is missing, so there is no limit", "give code, variables or both"
            )
    return found
