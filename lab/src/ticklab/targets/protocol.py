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

from ticklab.building import elf
from ticklab.description.architecture import Core
from ticklab.description.machine import Machine
from ticklab.description.model import Board, Boot, End
from ticklab.description.span import ENTRY
from ticklab.errors import TicklabError
from ticklab.targets import schema
from ticklab.targets.eventlog import EventLog


@dataclass(frozen=True)
class AddedMark:
    """A mark that the image does not declare: a name for one of its addresses."""

    name: str
    address: int
    is_write: bool = False  # the address is that of a byte that is written, not of an instruction

    def planned(self) -> schema.PlannedMark:
        return schema.PlannedMark(name=self.name, address=self.address, is_write=self.is_write)


@dataclass(frozen=True)
class ObservationPlan:
    """The plan of an observation: which marks to observe and when to stop
    (docs/reference/formats.md, the observation plan)."""

    machine: Machine
    core: Core
    vectors: int
    until_marks: str | None  # name of the marks whose passes are counted; `*` is a wildcard
    passes: int  # number of passes that end the observation; 0: the guest ends by itself
    instructions: int  # greatest number of instructions
    stall_instructions: int
    marks: tuple[AddedMark, ...] = ()
    # The address ranges of the port's code, as pairs of the first address and the address after the
    # last. Empty: unknown.
    port: tuple[tuple[int, int], ...] = ()
    entries: tuple[str, ...] = ()  # kinds of exceptions (ENTRIES) whose entries count as marks
    # Maps the mark at the start of a function to the mark at the return of a call to it. If not
    # None, the log records the enclosing call of each mark.
    calls: Mapping[str, str] | None = None
    profile: Mapping[str, Any] | None = None  # timing profile; None: no cycle model
    bus_latency: int = 0  # cycles; for simulations of rtl/
    boot: Boot | None = None  # the kernel that starts the image, if the image is a program

    @property
    def names(self) -> list[str]:
        """Returns the names of the marks, except those at which calls return."""
        every = (*(mark.name for mark in self.marks), *(ENTRY + kind for kind in self.entries))
        return list(dict.fromkeys(every))

    def document(self, image: Path, log: Path) -> schema.PlanFile:
        """Returns the plan in the form in which a target reads it. `log` is the file to which the
        target is to write the event log."""
        declared = (schema.PlannedMark(name=name, address=at) for at, name in elf.marks(image))
        own = (mark.planned() for mark in self.marks)
        return schema.PlanFile(
            version=schema.VERSION,
            image=str(image.resolve()),
            log=str(log),
            marks=(*declared, *own),
            entries={kind: ENTRY + kind for kind in self.entries},
            port=self.port,
            calls=None if self.calls is None else dict(self.calls),
            until=self._until(),
            stall_instructions=self.stall_instructions,
            core=self.core.name,
            vectors=self.vectors,
            exit_register=self.machine.exit_register,
            bus_latency=self.bus_latency if self.machine.has_bus else 0,
            model=None if self.profile is None else schema.ModelRequest(profile=dict(self.profile)),
        )

    def _until(self) -> schema.EndConditions:
        marks = None
        if self.until_marks:
            marks = schema.PassLimit(name=self.until_marks, passes=self.passes)
        return schema.EndConditions(marks=marks, instructions=self.instructions)


def guest_of(image: Path, plan: ObservationPlan) -> elf.Elf:
    """Reads the image of a plan. Raises an error if the plan's core cannot run the image, if
    neither image nor plan has marks, or if the image is a program for a booted kernel and the plan
    names no kernel."""
    guest = elf.read(image)
    elf.require_core(guest, plan.core, plan.vectors)
    if plan.core.arch.compiler.hosted and plan.boot is None:
        raise TicklabError(
            f"{image} is a program, and no kernel is named that would run it on {plan.core.title}",
            "measure scenarios: 'ticklab run --board virt-linux --kernel linux'; or choose --board",
        )
    if not plan.marks and not plan.entries:
        elf.require_marks(guest)
    return guest


def until_instructions(board: Board, instructions: int) -> ObservationPlan:
    """Returns a plan that ends after this number of instructions, whatever marks the guest
    passes."""
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
    """How an observation ended, with or without an event log."""

    end: End
    console: str
    detail: str = ""
    pc: int | None = None
    symbol: str | None = None
    node: int | None = None  # the node that caused the end, if there are several
    status: int | None = None  # exit status of the guest, if it exited with one
    flooded: bool = False  # the guest wrote more to its console than is kept

    @property
    def place(self) -> str:
        """Returns where the guest was at the end, as ` on node N in FUNCTION (0x…)`, as far as it
        is known."""
        if self.pc is None:
            return ""
        node = "" if self.node is None else f" on node {self.node}"
        place = f"in {self.symbol} (0x{self.pc:x})" if self.symbol else f"at 0x{self.pc:x}"
        return f"{node} {place}"


@dataclass(frozen=True)
class Observation:
    """The event log of an observation, and how the observation ended. `log` is None if the target
    died before it wrote a log."""

    ending: Ending
    log: EventLog | None
    # The file of the event log, if the target cannot produce exactly the same log again.
    counters: bytes | None = None


class CancelledError(Exception):
    """Raised by an observation that was cancelled before it was complete."""


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
        """Returns the name and the version of the target and of its observer, which together
        determine its logs."""
        ...

    def observe(self, image: Path, plan: ObservationPlan, cancel: Cancel) -> Observation: ...
