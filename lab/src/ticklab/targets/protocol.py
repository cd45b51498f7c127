# SPDX-License-Identifier: MIT
"""The interface of every target: it runs one image under one plan and returns an observation.

A guest that hangs, faults or dies is an observation, too. A target raises an error only if the
target itself is missing or cannot run the image.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ticklab.description.architecture import Core
from ticklab.description.machine import Emulated, Machine
from ticklab.description.model import Board, End
from ticklab.description.span import ENTRY
from ticklab.targets.eventlog import EventLog


@dataclass(frozen=True)
class AddedMark:
    """A mark that is not in the image: a name for an address."""

    name: str
    address: int
    is_write: bool = False  # of a byte that is written, not of an instruction

    def as_json(self) -> dict[str, Any]:
        place = {"name": self.name, "address": self.address}
        return {**place, "is_write": True} if self.is_write else place


@dataclass(frozen=True)
class ObservationPlan:
    """The marks to observe and when to stop (docs/reference/formats.md, the observation plan)."""

    machine: Machine
    core: Core
    vectors: int
    until_marks: str | None  # name of the marks that are counted; `*` is a wildcard
    passes: int  # 0: the guest ends by itself
    instructions: int  # the maximum
    stall_instructions: int
    marks: tuple[AddedMark, ...] = ()
    entries: tuple[str, ...] = ()  # kinds of exceptions (ENTRIES) whose entries count as marks
    # Maps the mark at the start of a function to the mark at the return of a call to it. If not
    # None, the log records the enclosing call of each mark.
    calls: Mapping[str, str] | None = None
    profile: Mapping[str, Any] | None = None  # of the memories; None: no cycle model
    record: Path | None = None  # the file for the block stream
    bus_latency: int = 0  # cycles; for simulations of rtl/

    @property
    def names(self) -> list[str]:
        """Returns the names of the marks, except those where calls return."""
        every = (*(mark.name for mark in self.marks), *(ENTRY + kind for kind in self.entries))
        return list(dict.fromkeys(every))

    def as_json(self, image: Path, log: Path) -> dict[str, Any]:
        finisher = self.machine.exit_register if isinstance(self.machine, Emulated) else None
        until = {"name": self.until_marks, "passes": self.passes} if self.until_marks else None
        return {
            "schema": 1,
            "image": str(image),
            "log": str(log),
            "marks": [mark.as_json() for mark in self.marks],
            **({"entries": {kind: ENTRY + kind for kind in self.entries}} if self.entries else {}),
            **({"calls": dict(self.calls)} if self.calls is not None else {}),
            "until": {"marks": until, "instructions": self.instructions},
            "stall_instructions": self.stall_instructions,
            "core": self.core.name,
            "vectors": self.vectors,
            **({"finisher": finisher} if finisher is not None else {}),
            "model": None if self.profile is None else {"profile": self.profile},
            "record": None if self.record is None else {"file": str(self.record), "until": None},
        }


def until_instructions(board: Board, instructions: int) -> ObservationPlan:
    """Returns a plan that ends after this many instructions of a guest of the board, whatever marks
    the guest passes."""
    return ObservationPlan(
        machine=board.machine,
        core=board.core,
        vectors=board.vectors,
        until_marks=None,
        passes=0,
        instructions=instructions,
        stall_instructions=instructions,
    )


@dataclass(frozen=True)
class Ending:
    """The end of an observation, with or without a log."""

    end: End
    console: str
    detail: str = ""
    pc: int | None = None
    symbol: str | None = None
    node: int | None = None  # the node that caused the end, if there are several
    status: int | None = None  # exit status of the guest, if it exited with one
    flooded: bool = False  # the guest wrote more than `console` holds

    @property
    def place(self) -> str:
        """Returns ` on node N in FUNCTION (0x…)`, as far as it is known."""
        if self.pc is None:
            return ""
        node = "" if self.node is None else f" on node {self.node}"
        place = f"in {self.symbol} (0x{self.pc:x})" if self.symbol else f"at 0x{self.pc:x}"
        return f"{node} {place}"


@dataclass(frozen=True)
class Observation:
    """`log` is None if the target died before it wrote one."""

    ending: Ending
    log: EventLog | None


class CancelledError(Exception):
    """The observation was cancelled before it was complete."""


@dataclass(frozen=True)
class Cancel:
    """Cancels observations in progress, which raise CancelledError."""

    _event: threading.Event = field(default_factory=threading.Event)

    def request(self) -> None:
        self._event.set()

    def requested(self) -> bool:
        return self._event.is_set()


class Target(Protocol):
    def identity(self) -> Mapping[str, str]:
        """Returns name, version and observer: everything of the target that determines its logs."""
        ...

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation: ...
