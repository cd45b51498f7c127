# SPDX-License-Identifier: MIT
"""The two files by which the laboratory and a target understand each other: the plan, a JSON object
that the laboratory writes, and the event log, JSON lines that the target writes.

Both have the same version number. Reading a file of another version, or with a key that is not
defined here, is an error, because a target that ignored a key of its plan would measure something
else. docs/reference/formats.md says what each member means.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from ticklab.description.model import Lane

VERSION = 3
# The lanes with which every log begins.
COUNTED = (
    *("instructions", "reads", "writes", "port", "entered", "left", "tail_chained"),
    *("svcall", "pendsv", "systick", "external", "faults"),
)
# The counted lanes of a log of a board on the desk: ticks, the cycles that marks take, and stops of
# the debugger.
COUNTED_ON_BOARDS = ("systick", "marks", "stops")

Byte = Annotated[int, msgspec.Meta(ge=0, le=0xFF)]
Half = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
Word = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF_FFFF)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A JSON object with exactly these members."""


# --- The plan. Every member is written, so that a reader needs no defaults. ---------------------


class PlannedMark(_Strict, frozen=True):
    """A name for an address. Several marks may have the same name or the same address."""

    name: str
    address: Word  # address of an instruction, or of a byte if `is_write`
    is_write: bool = False


class PassLimit(_Strict, frozen=True):
    """A number of passes of marks whose names match; `*` matches any text."""

    name: str
    passes: Count


class EndConditions(_Strict, frozen=True):
    marks: PassLimit | None
    instructions: Count  # cycles, if the target is clocked


class ModelRequest(_Strict, frozen=True):
    profile: dict[str, Any]  # the timing profile of the memories, as in its TOML file


class PlanFile(_Strict, frozen=True):
    version: int
    image: str
    log: str
    marks: tuple[PlannedMark, ...]  # all marks; those that the image declares come first
    entries: dict[str, str]  # kind of exceptions -> the mark that each entry passes
    port: tuple[tuple[Word, Word], ...]  # from an address up to another: lane `port` counts these
    calls: dict[str, str] | None  # mark at a function -> mark at its return; None: not followed
    until: EndConditions
    stall_instructions: Count
    core: str
    vectors: Word
    exit_register: Word | None  # a store to it ends the run; None: the machine has another way
    bus_latency: Count  # cycles
    model: ModelRequest | None


def encode(plan: PlanFile) -> bytes:
    """Returns the plan as the bytes of its file."""
    return msgspec.json.encode(plan)


# --- The event log: a header, rows, and an end, one on each line ----------------------------------


class LogVersion(msgspec.Struct, frozen=True):
    """The version, which a reader takes from the first line before it reads the other members."""

    version: int


class LogHeader(_Strict, frozen=True):
    version: int
    observer: str
    core: str
    lanes: tuple[Lane, ...]
    marks: tuple[str, ...]


class LogRow(_Strict, frozen=True):
    kind: Literal["mark", "fault", "frame", "stack"]
    node: Byte
    exception: Half
    id: Word
    tally: list[Word]


class LogEnd(_Strict, frozen=True):
    kind: Literal["end"]
    node: Byte
    end: Literal["marks", "instructions", "stalled", "exit", "lockup", "aborted", "refused"]
    pc: Word | None
    symbol: str | None
    detail: str | None
    tally: list[Word]
    # For each task, if calls are followed: the number of its stack, and the address of the function
    # in which it began.
    tasks: tuple[tuple[Word, Word], ...] = ()
