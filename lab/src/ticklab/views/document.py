# SPDX-License-Identifier: MIT
"""The types that the JSON documents of several commands share: objects with named, typed fields,
from which the published schemas (docs/reference/schemas) and the reference (docs/reference/json.md)
are made.

A view builds its document from these types, so no field can be written that the schema lacks.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ticklab.description.model import Record

SCHEMA: Literal[1] = 1
Schema = Annotated[Literal[1], Meta(description="version of the format: 1")]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """An object in a JSON document. Every field is always present, and null if it has no value."""


# Fields that several objects have, each with its type and its meaning.
Kernel = Annotated[str, Meta(description="the kernel")]
ConfigName = Annotated[str, Meta(description="its configuration")]
Level = Annotated[str, Meta(description="the level of optimisation")]
BoardName = Annotated[str, Meta(description="the board")]


class Configured(Part, frozen=True):
    """A kernel in one configuration, built at one optimisation level."""

    kernel: Kernel
    config: ConfigName
    optimise: Level


class BuildName(Configured, frozen=True):
    """One build: a kernel in one configuration, built for one board at one optimisation level."""

    board: BoardName


class FigureName(BuildName, frozen=True):
    """The fields that name a figure. They are the same in every run."""

    suite: Annotated[str, Meta(description="the suite of the scenario")]
    scenario: Annotated[str, Meta(description="the scenario")]
    span: Annotated[str, Meta(description="the span")]
    params: Annotated[
        dict[str, str], Meta(description="the parameters of the scenario: name → value, both texts")
    ]
    layout: Annotated[
        int, Meta(description="the number of the code placement; 0 is the linker's own")
    ]


def name_of(record: Record) -> dict[str, Any]:
    return {name: getattr(record, name) for name in FigureName.__struct_fields__}
