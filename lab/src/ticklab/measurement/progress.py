# SPDX-License-Identifier: MIT
"""Shows the progress of a run on standard error: on a terminal a bar with an estimate of the
remaining time, otherwise lines. The bar fits a terminal of 40 columns: a terminal of fewer than 80
columns does not show the name of the last finished item, and a long name is shortened."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

_LABELLED = 80  # terminals of fewer columns do not show the last finished item


class Bar:
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._building: TaskID | None = None

    def begin(self, what: str, total: int) -> None:
        self._task = self._progress.add_task(what, total=total, label="")

    def done(self, label: str, looked_up: bool = False) -> None:
        self._progress.update(self._task, advance=1, label=label)

    def building(self, done: int, total: int) -> None:
        if self._building is None:
            self._building = self._progress.add_task("building", total=total, label="")
        self._progress.update(self._building, completed=done, total=total)

    def say(self, line: str) -> None:
        self._progress.console.print(Text(f"ticklab: {line}"))


class Lines:
    """Prints a line for each finished item, with the estimated time that remains. Items whose
    results are in the store are only counted, and do not affect the estimate. For built files,
    prints a line after each tenth of them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._building_since: float | None = None
        self._built = 0

    def begin(self, what: str, total: int) -> None:
        self._what, self._total, self._count, self._looked_up = what, total, 0, 0
        self._begun = time.monotonic()

    def done(self, label: str, looked_up: bool = False) -> None:
        self._count += 1
        self._looked_up += looked_up
        if not looked_up:
            done, rest = f"{self._what} {self._count}/{self._total}", self._total - self._count
            each = self._count - self._looked_up
            self.say(f"{done}: {label} ({_left(self._begun, each, rest)})")
        if self._looked_up and self._count == self._total:
            self.say(f"{self._what}: found {self._looked_up} of {self._total} in the store")

    def building(self, done: int, total: int) -> None:
        if self._building_since is None:
            self._building_since, self._built = time.monotonic(), done
        if done == total:
            self.say(f"built {total} files")
            self._building_since = None
        elif 10 * done // total > 10 * self._built // total:
            self._built = done
            left = _left(self._building_since, done, total - done)
            self.say(f"built {done}/{total} files ({left})")

    def say(self, line: str) -> None:
        print(line, file=self._stream, flush=True)


def _left(begun: float, done: int, rest: int) -> str:
    """Returns how long the rest takes if each item takes as long as those that are done."""
    return f"about {(time.monotonic() - begun) / done * rest:.0f} s left"


@contextmanager
def waiting(what: str, stream: TextIO | None = None, every_s: float = 10.0) -> Iterator[None]:
    """Shows that `what` is in progress, and for how long: as a clock on a terminal, otherwise as a
    line every `every_s` seconds. Prints to standard error unless another stream is given."""
    stream = stream or sys.stderr
    console = Console(file=stream)
    if console.is_terminal:
        columns = (TextColumn("{task.description}"), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as progress:
            progress.add_task(what, total=None)
            yield
        return
    ended, begun = threading.Event(), time.monotonic()

    def tell() -> None:
        while not ended.wait(every_s):
            print(f"{what}: {time.monotonic() - begun:.0f} s", file=stream, flush=True)

    printer = threading.Thread(target=tell, daemon=True)
    printer.start()
    try:
        yield
    finally:
        ended.set()
        printer.join()


@contextmanager
def shown(stream: TextIO | None = None) -> Iterator[Bar | Lines]:
    """Yields the progress display: a bar on a terminal, otherwise lines. Prints to standard error
    unless another stream is given."""
    stream = stream or sys.stderr
    console = Console(file=stream)
    if not console.is_terminal:
        yield Lines(stream)
        return
    with bar(console) as progress:
        yield Bar(progress)


def bar(console: Console) -> Progress:
    """Returns a bar that is at most as wide as the console."""
    return Progress(*_columns(console.width), console=console, transient=True, expand=True)


def _columns(width: int) -> Iterator[ProgressColumn]:
    is_narrow = width < _LABELLED
    yield TextColumn("{task.description}", table_column=_cut(max_width=width // 3))
    yield BarColumn(bar_width=None if is_narrow else 20)
    yield MofNCompleteColumn(table_column=Column(no_wrap=True))
    yield TimeRemainingColumn(compact=is_narrow, table_column=Column(no_wrap=True))
    if not is_narrow:
        yield TextColumn("{task.fields[label]}", table_column=_cut(ratio=1))


def _cut(max_width: int | None = None, ratio: int | None = None) -> Column:
    return Column(no_wrap=True, overflow="ellipsis", max_width=max_width, ratio=ratio)
