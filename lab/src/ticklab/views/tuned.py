# SPDX-License-Identifier: MIT
"""Prints the result of `tune`: the builds of a kernel that no other build beats, with the lines of
the configuration to change; also as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.description.curve import Interval
from ticklab.description.model import Record
from ticklab.description.result import Number
from ticklab.summary.tuning import Build, Point, Tuning
from ticklab.views import figures
from ticklab.views.document import SCHEMA, Kernel, Level, Part, Schema

_HEADS = ("", "configuration", "level", "cycles ÷ base", "code bytes", "worst")
_SHOWN_FAILURES = 3


def show(found: Tuning, kernel: str, out: Console) -> None:
    base = found.base
    out.print(
        Text(
            f"{kernel}: {len(found.front)} of {len(found.front) + len(found.beaten)} builds are "
            f"beaten by none, relative to {_name(base)}",
            "bold",
        )
    )
    out.print(_table(found))
    for point in found.front:
        out.print(Text(f"{_name(point.build)}: {'; '.join(_changes(point.build))}"))
    for reasons, builds in _failed(found).items():
        names = ", ".join(map(_name, builds))
        out.print(Text(f"no figures of {names}: {'; '.join(reasons)}", "bold red"))


def _failed(found: Tuning) -> dict[tuple[str, ...], list[Build]]:
    """Returns the builds without figures, grouped by reason, because a port that does not compile
    fails in every build for the same long reason."""
    groups: dict[tuple[str, ...], list[Build]] = {}
    for build in found.failed:
        groups.setdefault(build.failures[:_SHOWN_FAILURES], []).append(build)
    return groups


def _table(found: Tuning) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for number, head in enumerate(_HEADS):
        table.add_column(head, justify="right" if number > 2 else "left", no_wrap=number < 4)
    for point in found.front:
        table.add_row("★", *_cells(point))
    for point in found.beaten:
        table.add_row("", *_cells(point), style="dim")
    return table


def _cells(point: Point) -> Iterator[str]:
    build = point.build
    yield f"{build.config} {build.flags}".strip()
    yield build.optimise
    ratio = point.mean.cycles
    yield figures.ratio(ratio, _is_exact(build)) if ratio else _counted(point)
    yield figures.NOTHING if build.bytes is None else figures.count(build.bytes)
    yield figures.NOTHING if build.worst is None else figures.count(build.worst)


def _counted(point: Point) -> str:
    """Formats the ratio of instructions, which is shown if there is no cycle model."""
    return f"{point.mean.instructions:.3f} instr." if point.mean.instructions else figures.NOTHING


def _is_exact(build: Build) -> bool:
    return any(map(figures.is_clocked, build.records.values()))


def _name(build: Build) -> str:
    return " ".join(part for part in (build.config, build.optimise, build.flags) if part)


def _changes(build: Build) -> Sequence[str]:
    """Returns the compiler level, flags and configuration lines that a user must change to get the
    build."""
    level = f"compile at -{build.optimise.partition('+')[0]}"
    parts = [level]
    if "lto" in build.optimise:
        parts.append("with -flto")
    if build.flags:
        parts.append(f"add {build.flags}")
    return [*build.lines, " ".join(parts)] if build.lines else ["as configured", " ".join(parts)]


class PointFields(Part, frozen=True):
    """One build."""

    config: Annotated[str, Meta(description="the configuration")]
    optimise: Level
    flags: Annotated[str, Meta(description="more flags of the compiler; empty if none")]
    instructions_ratio: Annotated[
        Number | None, Meta(description="the geometric mean of instructions divided by the base's")
    ]
    cycles_ratio: Annotated[
        Interval | None, Meta(description='`{"low", "high"}` of the geometric mean for cycles')
    ]
    code_bytes: Annotated[int | None, Meta(description="the code of the image")]
    worst: Annotated[
        Number | None,
        Meta(description="the longest sample or worst position, in cycles by the high bound"),
    ]
    lines: Annotated[
        list[str], Meta(description="values of the configuration that differ from the default")
    ]
    run: Annotated[str, Meta(description="the id of the run that measured it")]


class TuningFields(Part, frozen=True):
    """The builds of a kernel that no other build beats."""

    schema: Schema
    kernel: Kernel
    scenarios: Annotated[list[str], Meta(description="the scenarios that were measured")]
    base: Annotated[str, Meta(description="the build that ratios are relative to")]
    front: Annotated[
        list[PointFields], Meta(description="builds that no other one beats; the fastest first")
    ]
    beaten: Annotated[list[PointFields], Meta(description="the other builds with figures")]
    failed: Annotated[
        dict[str, list[str]], Meta(description="builds without figures, each with its reasons")
    ]


def document(found: Tuning, kernel: str) -> TuningFields:
    records: Sequence[Record] = list(found.base.records.values())
    return TuningFields(
        SCHEMA,
        kernel,
        list(dict.fromkeys(record.scenario for record in records)),
        _name(found.base),
        [_point(point) for point in found.front],
        [_point(point) for point in found.beaten],
        {_name(build): list(build.failures) for build in found.failed},
    )


def _point(point: Point) -> PointFields:
    build = point.build
    return PointFields(
        build.config,
        build.optimise,
        build.flags,
        point.mean.instructions,
        point.mean.cycles,
        build.bytes,
        build.worst,
        list(build.lines),
        build.run.id,
    )
