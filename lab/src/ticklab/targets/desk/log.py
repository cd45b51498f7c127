# SPDX-License-Identifier: MIT
"""Makes the event log of a run on a board, and decides when the run ends. Accesses no board and no
file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import msgspec

from ticklab.description.observation import Lane
from ticklab.targets import schema
from ticklab.targets.desk.ring import COST, Passed
from ticklab.targets.desk.rsp import DeskError

_SOURCES = {
    "systick": "SysTick's current value at both marks",
    "marks": "cycles of the marks inside, by the image's own measurement",
    "stops": "the debugger",
}


@dataclass
class Log:
    """The event log so far. `end` says why the run ended, and is None while the board runs."""

    plan: schema.PlanFile
    version: str
    end: str | None = None
    _rows: list[tuple[int, int, int, int]] = field(default_factory=list)  # id, ticks, stops, cycles
    _cycles: int = 0
    _passes: int = 0

    def __post_init__(self) -> None:
        self.names = tuple(dict.fromkeys(m.name for m in self.plan.marks if m.name != COST))
        self._ids = {name: number for number, name in enumerate(self.names)}
        self._at: dict[int, list[str]] = {}
        for mark in self.plan.marks:
            self._at.setdefault(mark.address, []).append(mark.name)
        until = self.plan.until.marks
        if until and not any(map(self._is_awaited, self.names)):
            raise DeskError(f"the plan ends at mark {until.name}, which it does not name")

    @property
    def marks(self) -> dict[int, list[str]]:
        """Returns the names of the marks at each address."""
        return self._at

    def add(self, found: Iterable[Passed]) -> None:
        """Adds passes of marks to the log, up to the pass that ends the run."""
        for each in found:
            if self.end is None:
                self._add(each)

    def _add(self, each: Passed) -> None:
        if each.cycles > self.plan.stall_instructions:
            self.stop("stalled", self.plan.stall_instructions)
        elif self._cycles + each.cycles > self.plan.until.instructions:
            self.stop("instructions", each.cycles)
        else:
            self._cycles += each.cycles
            tally = (each.ticks, each.stops, each.cycles)
            for name in self._at[each.address]:
                self._rows.append((self._ids[name], *tally))
                self._passes += self._is_awaited(name)
                tally = (0, 0, 0)
            until = self.plan.until.marks
            if until and self._passes >= until.passes:
                self.stop("marks", 0)

    def stop(self, why: str, further_cycles: int = 0) -> None:
        """Ends the log. `further_cycles` have passed since the last mark; the cycles among them
        that exceed the plan's budget are left out."""
        self.end = why
        self._further = min(further_cycles, self.plan.until.instructions - self._cycles)

    def _is_awaited(self, name: str) -> bool:
        until = self.plan.until.marks
        pattern = until.name.replace("[", "[[]").replace("?", "[?]") if until else ""
        return bool(until) and fnmatchcase(name, pattern)

    def lines(self, mark_cycles: int, pc: int | None) -> Iterator[bytes]:
        """Yields the lines of the log. `mark_cycles` is the number of cycles that the code of one
        mark takes."""
        yield msgspec.json.encode(self._header())
        for place, (number, ticks, stops, cycles) in enumerate(self._rows):
            marks = mark_cycles if place and cycles else 0
            row = {"kind": "mark", "node": 0, "exception": 0, "id": number}
            yield msgspec.json.encode({**row, "tally": [ticks, marks, stops, cycles]})
        end = {"kind": "end", "node": 0, "end": self.end, "pc": pc, "symbol": None, "detail": None}
        yield msgspec.json.encode({**end, "tally": [0, 0, 0, self._further]})

    def _header(self) -> dict[str, Any]:
        counted = [Lane(name, None, None, _SOURCES[name]) for name in schema.COUNTED_ON_BOARDS]
        lanes = [*counted, Lane("cycles", 1, 1, "the board's counter")]
        return {
            "version": schema.VERSION,
            "observer": self.version,
            "core": self.plan.core,
            "lanes": lanes,
            "marks": self.names,
        }
