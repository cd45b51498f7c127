# SPDX-License-Identifier: MIT
"""Decodes the entries that marks wrote to the ring buffer in a board's memory (bench/ring.h).

An entry has the address of its mark, the value of the board's counter, and the value of SysTick,
which counts down. The counter gives the cycles between two entries. From both values, the number of
ticks follows: a tick occurs when SysTick reaches zero.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ticklab.targets.desk.rsp import DeskError

ENTRY_BYTES = 12
# Name of the marks at the start of an image that measure how many cycles a mark takes.
COST = "ring.cost"
_COUNTER = 1 << 32
# A mark reads SysTick some cycles after the cycle counter. If the two differ by more than this, the
# cycle counter was stopped, for example while the core slept.
_LATE_CYCLES = 64


@dataclass(frozen=True)
class Entry:
    mark: int
    count: int
    tick: int
    after_stop: bool = False  # the debugger stopped the board between the entry before and this one


@dataclass(frozen=True)
class Passed:
    """A pass of the marks at one address, with the cycles and ticks since the previous pass of any
    mark."""

    address: int
    ticks: int
    stops: int
    cycles: int


def entries(data: bytes, after_stop: bool) -> list[Entry]:
    """Decodes the entries of the ring buffer. `after_stop` says whether the debugger had stopped
    the board before the first entry."""
    if len(data) % ENTRY_BYTES:
        raise DeskError(
            f"the ring of marks ends with half a record: {len(data) % ENTRY_BYTES} bytes of 12"
        )
    words = struct.iter_unpack("<III", data)
    return [
        Entry(mark, count, tick, after_stop and number == 0)
        for number, (mark, count, tick) in enumerate(words)
    ]


@dataclass
class Decoder:
    """Converts entries of the ring buffer into passes of marks. `names` has the names of the marks
    at each address."""

    names: Mapping[int, Sequence[str]]
    costs: list[int] = field(default_factory=list)
    _last: Entry | None = None
    _began: bool = False  # a mark of the scenario was passed

    @property
    def mark_cycles(self) -> int:
        """Returns the cycles that the code of a mark takes: the median of the values that the image
        measured at its start."""
        return sorted(self.costs)[len(self.costs) // 2] if self.costs else 0

    def passes(self, found: Iterable[Entry], period: int) -> Iterator[Passed]:
        """Yields the passes that the entries record. `period` is the period of SysTick in cycles; 0
        if SysTick does not run."""
        for entry in found:
            self._require(entry)
            last, self._last = self._last, entry
            if COST in self.names[entry.mark]:
                self.costs += [_cycles(last, entry)] if last else []
                continue
            begins, self._began = not self._began, True
            if last is None:
                yield Passed(entry.mark, 0, 0, 0)
                continue
            ticks = 0 if begins else _ticks(last, entry, period)
            yield Passed(entry.mark, ticks, int(entry.after_stop), _cycles(last, entry))

    @property
    def last_count(self) -> int | None:
        return self._last.count if self._last else None

    def _require(self, entry: Entry) -> None:
        if entry.mark not in self.names:
            raise DeskError(f"the ring names {entry.mark:#x}, which is no mark: half a record?")
        if self._began and COST in self.names[entry.mark]:
            raise DeskError("the board was reset while it ran: its marks begin again")


def _cycles(one: Entry, other: Entry) -> int:
    return (other.count - one.count) % _COUNTER


def _ticks(one: Entry, other: Entry, period: int) -> int:
    """Returns how often SysTick reached zero between two entries."""
    if not period:
        return 0
    begun, ended = (period - 1 - entry.tick for entry in (one, other))  # cycles since the last tick
    whole = begun + _cycles(one, other) - ended  # a multiple of the period, if nothing stopped
    return max(0, -(-(whole - _LATE_CYCLES) // period))
