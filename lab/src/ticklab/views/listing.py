# SPDX-License-Identifier: MIT
"""What `list` prints: one block an item, and the same as plain values for JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import singledispatch
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ticklab.model import Board, Kernel, Profile, RunSummary, Suite
from ticklab.views import figures


@singledispatch
def show(item: object, out: Console) -> None:
    raise TypeError(f"nothing is known about {type(item).__name__}")


@show.register
def _(kernel: Kernel, out: Console) -> None:
    _head(out, kernel.name, f"{kernel.title} {kernel.version}")
    _line(out, "runs on", _joined(kernel.cpus))
    _line(out, "services", _joined(kernel.services))
    _line(out, "features", _features(kernel, absent=False))
    _line(out, "not", _features(kernel, absent=True))
    for fact in kernel.facts:
        _line(out, fact.name, f"{fact.value} ({fact.source}, {fact.date})")
    rows = [
        (f"{name} *" if name in kernel.ranked else name, config.reason)
        for name, config in kernel.configs.items()
    ]
    _table(out, ("configuration (* ranked)", "why"), rows)


@show.register
def _(board: Board, out: Console) -> None:
    _head(out, board.name, board.title)
    _line(out, "core", f"{board.core} at {figures.hertz(board.clock_hz)}, {board.tick_hz} ticks/s")
    _line(out, "profile", board.profile)
    for name, (origin, length) in board.memory.items():
        _line(out, f"memory {name}", f"{length // 1024} KiB at {origin:#010x}")


@show.register
def _(suite: Suite, out: Console) -> None:
    _head(out, suite.name, suite.title)
    _line(out, "source", suite.source)
    rows = [
        (scenario.name, _joined(span.name for span in scenario.spans), _joined(scenario.services))
        for scenario in suite.scenarios
    ]
    _table(out, ("scenario", "spans", "needs services"), rows)


@show.register
def _(profile: Profile, out: Console) -> None:
    _head(out, profile.name, profile.title)


@show.register
def _(run: RunSummary, out: Console) -> None:
    _head(out, run.id, f"{', '.join(run.suites)} on {', '.join(run.boards)}")
    _line(out, "kernels", ", ".join(run.kernels))
    _line(out, "records", f"{run.records}: {run.passed} passed, {run.failed} failed")


def plain(value: Any) -> Any:
    """Dataclasses, paths, sets and enumerations as what JSON has. Files are named, not located."""
    if dataclasses.is_dataclass(value):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, Path):
        return value.name
    return value.value if isinstance(value, Enum) else value


def _features(kernel: Kernel, absent: bool) -> str:
    chosen = {name: value for name, value in kernel.features.items() if (value is False) is absent}
    return _joined(
        name if isinstance(value, bool) else f"{name}: {value}" for name, value in chosen.items()
    )


def _joined(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)) or "none"


def _head(out: Console, name: str, title: str) -> None:
    out.print(Text.assemble((name, "bold"), f"  {title}"))


def _line(out: Console, name: str, value: str) -> None:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", min_width=14, no_wrap=True)
    grid.add_column()
    grid.add_row(Text(name), Text(value))
    out.print(Padding(grid, (0, 0, 0, 2)))


def _table(out: Console, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    table = Table(*heads, box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    out.print(Padding(table, (1, 0, 1, 2)))
