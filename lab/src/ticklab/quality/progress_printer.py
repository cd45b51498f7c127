# SPDX-License-Identifier: MIT
"""Prints the progress of the items: on a terminal one line that changes, elsewhere a line for each
item. Also prints the end of the output of each item that fails."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TextIO

from ticklab import paths
from ticklab.quality.item import Item
from ticklab.quality.runner import ItemResult

_SHOWN_LINES = 40
_LONG_S = 120  # of processor time
_CLEAR = "\r\x1b[K"


class ProgressPrinter:
    def __init__(
        self, items: Sequence[Item], looked_up: int, verbose: bool, stream: TextIO
    ) -> None:
        self._stream = stream
        self._verbose = verbose
        self._status = sys.stderr.isatty()
        self._left = {item.name: item.seconds for item in items}
        self._all = sum(self._left.values())
        self._total, self._failed = len(items), 0
        self._begun = time.monotonic()
        if looked_up:
            self._print(f"{looked_up} passed before, and their inputs are the same")
        if self._all > _LONG_S:
            minutes = f"{self._all / 60:.0f} min"
            self._print(f"{self._total} items take about {minutes} of processor time")

    def ended(self, result: ItemResult) -> None:
        del self._left[result.name]
        self._failed += not result.passed
        if not (result.passed and self._status) or self._verbose:
            verdict = "ok" if result.passed else "failed"
            self._print(f"{verdict:7} {result.name:40} {result.cpu_seconds:7.1f} s of CPU")
        if not result.passed or self._verbose:
            self._quote(result)
        if self._status:
            self._show_status(result.name)

    def _print(self, line: str) -> None:
        clear = _CLEAR if self._status else ""
        print(f"{clear}{line}", file=self._stream, flush=True)

    def _quote(self, result: ItemResult) -> None:
        """Prints the end of an item's output, because programs print their summary last."""
        lines = result.output.splitlines()
        if len(lines) > _SHOWN_LINES:
            log = paths.home() / "test" / f"{result.name}.log"
            where = f" are in {log}" if not result.passed else ""
            self._print(f"  … {len(lines) - _SHOWN_LINES} lines before these{where}")
        for line in lines[-_SHOWN_LINES:]:
            self._print(f"  {line}")

    def _show_status(self, name: str) -> None:
        done = self._total - len(self._left)
        left = sum(self._left.values())
        passed = max(self._all - left, 1e-3)
        seconds = (time.monotonic() - self._begun) / passed * left
        line = f"{done}/{self._total}, {self._failed} failed, about {seconds:.0f} s left: {name}"
        end = "" if self._left else _CLEAR
        print(f"{_CLEAR}{line[:79]}{end}", end="", file=sys.stderr, flush=True)
