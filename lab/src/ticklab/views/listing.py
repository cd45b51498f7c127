# SPDX-License-Identifier: MIT
"""The output of `list`: a block of lines for each item (a kernel, a board, a run …), and the same
content as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import singledispatch
from pathlib import Path
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ticklab.description.model import Board, Kernel, Profile, RunSummary, Scenario, Suite
from ticklab.plural import number_of
from ticklab.views import figures
from ticklab.views.document import SCHEMA, Part, Schema


@singledispatch
def show(item: object, out: Console) -> None:
    raise TypeError(f"nothing is known about {type(item).__name__}")


@show.register
def _(kernel: Kernel, out: Console) -> None:
    facts = [(fact.name, f"{fact.value} ({fact.source}, {fact.date})") for fact in kernel.facts]
    _block(
        out,
        kernel.name,
        f"{kernel.title} {kernel.version}",
        [
            ("runs on", _joined(kernel.cores)),
            ("services", _joined(kernel.services)),
            ("features", _features(kernel, absent=False)),
            ("not", _features(kernel, absent=True)),
            *facts,
        ],
    )
    rows = [
        (f"{name} *" if name in kernel.ranked else name, config.reason)
        for name, config in kernel.configs.items()
    ]
    _table(out, ("configuration (* ranked)", "why"), rows)


@show.register
def _(board: Board, out: Console) -> None:
    core = f"{board.core.name} at {figures.hertz(board.clock_hz)}, {board.tick_hz} ticks a second"
    memory = [
        (f"memory {name}", f"{length // 1024} KiB at {origin:#010x}")
        for name, (origin, length) in board.memory.items()
    ]
    none = "none: it is clocked" if board.machine.is_clocked else "none: it is counted only"
    rows = [("core", core), ("profile", board.profile or none), *memory]
    _block(out, board.name, board.title, rows)


@show.register
def _(suite: Suite, out: Console) -> None:
    _block(out, suite.name, suite.title, [("source", suite.source)])
    rows = [
        (
            scenario.name,
            _spans(scenario),
            _joined(scenario.services),
            _joined(f"{name}={'|'.join(values)}" for name, values in scenario.values.items()),
        )
        for scenario in suite.scenarios
    ]
    _table(out, ("scenario", "spans", "needs services", "parameters"), rows)


def _spans(scenario: Scenario) -> str:
    names = [span.name for span in scenario.spans]
    return "the same" if names == [scenario.name] else _joined(names)


@show.register
def _(profile: Profile, out: Console) -> None:
    _block(out, profile.name, profile.title, [])


@show.register
def _(run: RunSummary, out: Console) -> None:
    """Prints a run as one line, because there are many runs."""
    records = f"{number_of(run.records, 'record')}, {run.passed} passed, {run.failed} failed"
    what = f"{', '.join(run.suites)} on {', '.join(run.boards)}: {', '.join(run.kernels)}"
    out.out(f"{run.id}  {records}  {what}")


def plain(value: Any) -> Any:
    """Converts dataclasses, tables of descriptions, paths, sets and enumerations to JSON values. A
    file is its name, without its folder; a table has the keys of its file."""
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Struct):
        keys = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        return {key: plain(getattr(value, name)) for key, name in keys}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, Path):
        return value.name
    return value.value if isinstance(value, Enum) else value


class ListFields(Part, frozen=True):
    """The listed items, of the kind that the command names. Items have the fields of their TOML
    descriptions."""

    schema: Schema
    kernels: Annotated[list[Kernel] | UnsetType, Meta(description="`list kernels`")] = UNSET
    boards: Annotated[list[Board] | UnsetType, Meta(description="`list boards`")] = UNSET
    suites: Annotated[list[Suite] | UnsetType, Meta(description="`list suites`")] = UNSET
    profiles: Annotated[list[Profile] | UnsetType, Meta(description="`list profiles`")] = UNSET
    runs: Annotated[list[RunSummary] | UnsetType, Meta(description="`list runs`")] = UNSET


def document(kind: str, items: Iterable[object]) -> dict[str, Any]:
    """Returns the document of `list --json`."""
    return {"schema": SCHEMA, kind: [plain(item) for item in items]}


def _features(kernel: Kernel, absent: bool) -> str:
    chosen = {name: value for name, value in kernel.features.items() if (value is False) is absent}
    return _joined(
        name if isinstance(value, bool) else f"{name}: {value}" for name, value in chosen.items()
    )


def _joined(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)) or "none"


def _block(out: Console, name: str, title: str, rows: Sequence[tuple[str, str]]) -> None:
    out.print(Text.assemble((name, "bold"), f"  {title}"))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    for row in rows:
        grid.add_row(*map(Text, row))
    if rows:
        out.print(Padding(grid, (0, 0, 0, 2)))


def _table(out: Console, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(*heads, box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    out.print(Padding(table, (1, 0, 0, 2)))
