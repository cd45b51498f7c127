# SPDX-License-Identifier: MIT
"""Prints footprints (bytes of memory): a row for each kernel and scenario, and the sizes of kernel
objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.building.footprint import Footprint, Owner, summary
from ticklab.description.model import Case
from ticklab.measurement.stacks import Stacks
from ticklab.views import figures
from ticklab.views.document import SCHEMA, BuildName, Part, Schema

_SHOWN_CALLS = 2  # innermost
_HEADS = ("code", "const.", "variables", "port", "image")

_NOTE = """\
code, const. and variables are the kernel's own; a heap that it gives out is among its variables.
port: code of the port. image: code of the kernel, port, scenario, platform and library."""
_STACKS_NOTE = """\
stacks: what this run needed, exactly. An exception takes 32 bytes more wherever it comes, 104 with
the floating-point unit in use; registers that a kernel saves on a task's stack come on top."""


@dataclass(frozen=True)
class ImageSizes:
    case: Case
    parts: Mapping[Owner, Footprint]
    objects: Mapping[str, int]  # bytes of control blocks in the debug information of this image
    stacks: Stacks | None = None


def show(rows: Sequence[ImageSizes], out: Console) -> None:
    out.print(Text("COUNTED: bytes that the linker kept", style="bold"))
    out.print(_memory(rows))
    out.print()
    out.print(Text("COUNTED: bytes of a control block", style="bold"))
    out.print(_objects(rows))
    for row in rows:
        if row.stacks:
            title = f"deepest stacks, {_name(row)} in {row.case.scenario.name}"
            out.print()
            out.print(Text(f"COUNTED: bytes of the {title}", style="bold"))
            out.print(_stacks(row.stacks))
    out.print()
    out.print(Text(_NOTE, style="dim"))
    for line in _prebuilt(rows):
        out.print(Text(line))
    if any(row.stacks for row in rows):
        out.print(Text(_STACKS_NOTE, style="dim"))


def _memory(rows: Sequence[ImageSizes]) -> Table:
    table = _table("kernel", "scenario", *_HEADS)
    for row in rows:
        counts = [figures.count(each) for each in summary(row.parts).values()]
        if row.case.variant.kernel.libraries:
            counts = [figures.NOTHING] * len(_HEADS)
        table.add_row(_name(row), row.case.scenario.name, *counts)
    return table


def _prebuilt(rows: Sequence[ImageSizes]) -> Iterator[str]:
    for kernel in {row.case.variant.kernel.name: row.case.variant.kernel for row in rows}.values():
        if kernel.libraries:
            names = ", ".join(kernel.libraries)
            yield f"{kernel.name}: no figures; {names} was compiled elsewhere, with unknown flags."


def _objects(rows: Sequence[ImageSizes]) -> Table:
    found = _merged(rows)
    kinds = list(dict.fromkeys(kind for sizes in found.values() for kind in sizes))
    table = _table("kernel", *kinds)
    for name, sizes in found.items():
        cells = (figures.count(sizes[kind]) if kind in sizes else "·" for kind in kinds)
        table.add_row(name, *cells)
    return table


def _stacks(found: Stacks) -> Table:
    table = _table("stack of", "bytes", "deepest in")
    for stack in found.rows:
        name = f"{stack.name} (handler)" if stack.is_handler else stack.name
        table.add_row(name, figures.count(stack.bytes), " > ".join(stack.calls[-_SHOWN_CALLS:]))
    return table


def _merged(rows: Sequence[ImageSizes]) -> dict[str, dict[str, int]]:
    """Returns the sizes of objects by kernel, collected from all images of a kernel, because an
    image contains only the structures that it uses."""
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        found.setdefault(_name(row), {}).update(row.objects)
    return {name: sizes for name, sizes in found.items() if sizes}


def _name(row: ImageSizes) -> str:
    return f"{row.case.variant.subject} {row.case.variant.optimise}"


def _table(*heads: str) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in heads:
        left = head in ("kernel", "scenario", "stack of", "deepest in")
        table.add_column(head, justify="left" if left else "right", no_wrap=left)
    return table


# --- JSON -----------------------------------------------------------------------------------------


class RowFields(BuildName, frozen=True):
    """The sizes of one image, in bytes."""

    scenario: Annotated[str, Meta(description="the scenario that it was built with")]
    prebuilt: Annotated[
        list[str],
        Meta(description="the prebuilt parts of the kernel, whose compiler flags are unknown"),
    ]
    memory: Annotated[
        dict[Owner, Footprint | None],
        Meta(
            description='bytes by owner: `{"code", "constants", "initial", "variables"}`; null for '
            "a prebuilt kernel"
        ),
    ]
    objects: Annotated[
        dict[str, int], Meta(description="bytes of a control block, by kind of object")
    ]
    stacks: Annotated[
        Stacks | None,
        Meta(
            description="with `--stacks`, the deepest stacks in bytes, and the calls at that "
            "depth; otherwise null"
        ),
    ]


class FootprintFields(Part, frozen=True):
    """The memory that kernels need."""

    schema: Schema
    rows: Annotated[list[RowFields], Meta(description="one for each image")]


def document(rows: Sequence[ImageSizes]) -> FootprintFields:
    return FootprintFields(SCHEMA, [_row(row) for row in rows])


def _row(row: ImageSizes) -> RowFields:
    variant, libraries = row.case.variant, list(row.case.variant.kernel.libraries)
    return RowFields(
        kernel=variant.kernel.name,
        config=variant.config.name,
        optimise=variant.optimise,
        board=variant.board.name,
        scenario=row.case.scenario.name,
        prebuilt=libraries,
        memory={part: None if libraries else found for part, found in row.parts.items()},
        objects=dict(row.objects),
        stacks=row.stacks,
    )
