# SPDX-License-Identifier: MIT
"""What every target does: run one image under one plan and say what was observed.

A guest that hangs, faults or dies is an observation like any other; an error is raised only when
the target itself is missing or the image is none that it can run.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ticklab.checks import Ending
from ticklab.emulation import EMULATION, Emulation
from ticklab.eventlog import EventLog
from ticklab.span import ENTRY


@dataclass(frozen=True)
class Place:
    """A mark that is not in the image: an address with a name."""

    name: str
    address: int


@dataclass(frozen=True)
class Plan:
    """What to watch and when to stop (docs/architecture.md, the observation plan)."""

    machine: str  # the target's name for the board
    core: str
    vectors: int
    until_marks: str | None  # name of the marks whose passes are counted; `*` matches anything
    passes: int  # 0: the guest ends by itself
    instructions: int  # the budget
    stall_instructions: int
    marks: tuple[Place, ...] = ()
    entries: tuple[str, ...] = ()  # of ENTRIES: kinds of exceptions whose entries pass marks
    # Marks where functions begin, each with the mark that is passed where the call returns. If not
    # None, the log says in which call each mark was passed.
    calls: Mapping[str, str] | None = None
    profile: Mapping[str, Any] | None = None  # of the memories; None: nothing is modelled
    record: Path | None = None  # where to keep the block stream
    emulation: Emulation = EMULATION
    bus_latency: int = 0  # cycles, where rtl/ is simulated

    def as_json(self, image: Path, log: Path) -> dict[str, Any]:
        finisher = self.emulation.finisher
        until = {"name": self.until_marks, "passes": self.passes} if self.until_marks else None
        return {
            "schema": 1,
            "image": str(image),
            "log": str(log),
            "marks": [{"name": mark.name, "address": mark.address} for mark in self.marks],
            **({"entries": {kind: ENTRY + kind for kind in self.entries}} if self.entries else {}),
            **({"calls": dict(self.calls)} if self.calls is not None else {}),
            "until": {"marks": until, "instructions": self.instructions},
            "stall_instructions": self.stall_instructions,
            "core": self.core,
            "vectors": self.vectors,
            **({"finisher": finisher} if finisher is not None else {}),
            "model": None if self.profile is None else {"profile": self.profile},
            "record": None if self.record is None else {"file": str(self.record), "until": None},
        }


@dataclass(frozen=True)
class Observation:
    """`log` is None if the target died before it could write one."""

    ending: Ending
    log: EventLog | None


class CancelledError(Exception):
    """Somebody asked for the observation to end before it was complete."""


@dataclass(frozen=True)
class Cancel:
    """Asks observations under way to end; they raise CancelledError."""

    _event: threading.Event = field(default_factory=threading.Event)

    def request(self) -> None:
        self._event.set()

    def requested(self) -> bool:
        return self._event.is_set()


class Target(Protocol):
    def identity(self) -> Mapping[str, str]:
        """Name, version and observer: what of the target determines its logs."""
        ...

    def observe(self, image: Path, plan: Plan, cancel: Cancel) -> Observation: ...
