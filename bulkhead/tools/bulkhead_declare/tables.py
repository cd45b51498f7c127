# SPDX-License-Identifier: MIT
"""The tables of a declaration: which keys each has, of which types, and what each key means.

These types are the only description of the keys: `read` refuses a file that does not fit them, and
the published schema and the reference are made from them. Only the standard library is used,
because the build of an application runs this generator with the Python that it finds.
"""

from __future__ import annotations

import difflib
import tomllib
import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from bulkhead_declare.model import DeclarationError

# A range of addresses: its origin, and its length in bytes.
Range = tuple[int, int]
Names = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ImageTable:
    """The memory of the image, and properties of the kernel."""

    code: Annotated[Range, "origin and bytes of the memory for code"]
    data: Annotated[Range, "origin and bytes of the memory for data"]
    architecture: Annotated[str, "`armv7-m`, `armv8-m` or `rv32`"] = "armv7-m"
    tickless: Annotated[bool, "whether the idle thread runs without a tick"] = False
    kernel_code_bytes: Annotated[int, "room for the code of the kernel"] = 0x8000
    region_alignment: Annotated[
        int,
        "regions begin at multiples of this power of two, for an emulator or a debugger that reads "
        "memory by pages",
    ] = 1
    stack_marks: Annotated[
        bool, "whether the kernel marks each stack, so that its use can be measured"
    ] = False
    thread_times: Annotated[
        bool, "whether the kernel measures the processor time of each thread"
    ] = False
    trace_events: Annotated[
        int,
        "events that the kernel's trace of switches and faults keeps, a power of two; 0: no trace",
    ] = 0
    trace_calls: Annotated[
        bool, "with `trace_events`: whether system calls are in the trace, too"
    ] = False
    user_code_bytes: Annotated[int, "room for the code that all processes share"] = 0x4000


@dataclass(frozen=True, kw_only=True)
class Named:
    """A table with a name, by which other tables and applications refer to it."""

    name: Annotated[str, "its name; `handles.h` has it in capitals"]

    @property
    def kind(self) -> str:
        """Returns the key of the table in the file."""
        return type(self).__name__.removesuffix("Table").lower()

    def fail(self, what: str) -> DeclarationError:
        return DeclarationError(f"{self.kind} {self.name}: {what}")


@dataclass(frozen=True, kw_only=True)
class Used(Named):
    """An object to which some processes have a right."""

    users: Annotated[Names, "processes that have a right to it"]


@dataclass(frozen=True, kw_only=True)
class Shared(Used):
    """An object that may lie in the memory of the process that owns it."""

    local: Annotated[bool, "whether its word lies in the only process that uses it"] = False


@dataclass(frozen=True, kw_only=True)
class Sided(Shared):
    """An object with two sides: a process may have the right to send to it, to receive from it, or
    both."""

    users: Annotated[Names, "processes that may make every call for it"] = ()


@dataclass(frozen=True, kw_only=True)
class Acting(Named):
    """An interrupt or a timer, which has one action: the change that the kernel makes to an object
    when the interrupt comes or the timer is due."""

    posts: Annotated[str | None, "the semaphore that it posts"] = None
    resumes: Annotated[str | None, "the thread that it resumes"] = None
    notifies: Annotated[str | None, "the thread that it notifies"] = None
    sets: Annotated[str | None, "the flags of which it sets some"] = None
    flags: Annotated[int | None, "with `sets`: the bits, of 0 to 30, that it sets"] = None


@dataclass(frozen=True, kw_only=True)
class ProcessTable(Named):
    """A process: threads that share memory and rights."""

    restarts: Annotated[bool, "whether it starts again after a fault"] = False
    supervisor: Annotated[str | None, "the thread of another process that may end it"] = None
    controls: Annotated[Names, "threads of other processes that it may suspend and resume"] = ()
    notifies: Annotated[Names, "threads of other processes that it may notify"] = ()
    ceiling: Annotated[
        int | None,
        "the highest priority that it may give to threads that it controls (by default the highest "
        "declared one of these)",
    ] = None
    pends: Annotated[Names, "interrupts that it may request"] = ()
    measures: Annotated[
        Names,
        "threads, its own among them, of which it may read what `stack_marks` and `thread_times` "
        "keep",
    ] = ()
    budget_ticks: Annotated[
        int, "ticks of processor time that its threads may consume in each period; 0: no limit"
    ] = 0
    budget_period_ticks: Annotated[int, "with `budget_ticks`: the period"] = 0
    escalation: Annotated[
        Literal["end", "reset"] | None,
        "lets the supervisor restart it, and says what follows the last restart: `end` leaves it "
        "ended, `reset` resets the system",
    ] = None
    restart_limit: Annotated[
        int, "with `escalation`: restarts until then; 0: the first failure escalates"
    ] = 0
    restart_delay_ticks: Annotated[
        int, "with `restart_limit`: the delay of the first restart, doubled for each next one"
    ] = 0
    stable_ticks: Annotated[
        int, "with `restart_limit`: time without a failure after which restarts count from 0 again"
    ] = 0
    alive: Annotated[
        str | None, "with `escalation`: the flags by which it says in each period that it is alive"
    ] = None
    alive_flags: Annotated[int, "with `alive`: the bits that its threads have to set"] = 1
    log_events: Annotated[int, "entries that its log keeps, a power of two; 0: no log"] = 0
    code_files: Annotated[
        Names, "linker patterns of the objects whose code and constants only it may access"
    ] = ()
    code_bytes: Annotated[int, "room for that code"] = 0


@dataclass(frozen=True, kw_only=True)
class ThreadTable(Named):
    """A thread."""

    process: Annotated[str, "the process that it belongs to"]
    entry: Annotated[str, "the function that it executes"]
    priority: Annotated[int, "its priority: 0, the highest, to 31"]
    stack_bytes: Annotated[
        int,
        "bytes of its stack for its own functions: the generator adds what the kernel and the "
        "hardware put on it (128 on Arm, none on RISC-V), and rounds up to what can be protected",
    ] = 0
    initially: Annotated[str, "`ready`, `suspended` or `dormant`"] = "ready"
    slice_ticks: Annotated[
        int, "ticks after which another thread of the priority runs; 0: it runs until it blocks"
    ] = 0


@dataclass(frozen=True, kw_only=True)
class RegionTable(Named):
    """Memory that its user processes read and write. One of them, the owner, initialises it. A
    process owns one region."""

    owner: Annotated[str, "the process that initialises it at each of its starts"]
    bytes: Annotated[int, "its size"]
    files: Annotated[
        Names, "linker patterns of the objects whose data lies in it; `*`: what no other one claims"
    ]
    users: Annotated[Names, "other processes that read and write it"] = ()
    readers: Annotated[Names, "other processes that only read it"] = ()


@dataclass(frozen=True, kw_only=True)
class WindowTable(Used):
    """The registers of a device."""

    address: Annotated[int, "the first address"]
    bytes: Annotated[int, "the number of bytes"]


@dataclass(frozen=True, kw_only=True)
class SemaphoreTable(Sided):
    """A semaphore."""

    initial: Annotated[int, "its value at the start"]
    maximum: Annotated[int, "its greatest value"]
    givers: Annotated[Names, "processes that may only give it"] = ()
    takers: Annotated[Names, "processes that may only take it"] = ()


@dataclass(frozen=True, kw_only=True)
class MutexTable(Shared):
    """A mutex."""


@dataclass(frozen=True, kw_only=True)
class QueueTable(Sided):
    """A queue of messages."""

    capacity: Annotated[int, "the number of messages that it holds"]
    message_bytes: Annotated[int, "bytes of a message: a multiple of 4"]
    senders: Annotated[Names, "processes that may only send"] = ()
    receivers: Annotated[Names, "processes that may only receive"] = ()


@dataclass(frozen=True, kw_only=True)
class FlagsTable(Sided):
    """Event flags: 31 flags, bits 0 to 30."""

    initial: Annotated[int, "the flags that are set at the start"] = 0
    setters: Annotated[Names, "processes that may only set them"] = ()
    waiters: Annotated[Names, "processes that may only wait for them, take and clear them"] = ()


@dataclass(frozen=True, kw_only=True)
class GateTable(Named):
    """A gate: the object through which threads of its user processes call the server."""

    server: Annotated[str, "the thread that serves the calls"]
    users: Annotated[Names, "processes whose threads may call it, besides the server's own"]
    leases: Annotated[bool, "whether a caller may lend memory to the server with its call"] = False


@dataclass(frozen=True, kw_only=True)
class PoolTable(Sided):
    """A pool of blocks."""

    blocks: Annotated[int, "the number of blocks"]
    block_bytes: Annotated[int, "bytes of a block: a multiple of 8"]
    region: Annotated[str, "the region that has room for the blocks, unless the pool is local"] = ""
    allocators: Annotated[Names, "processes that may only allocate blocks"] = ()
    freers: Annotated[Names, "processes that may only free blocks"] = ()


@dataclass(frozen=True, kw_only=True)
class TimerTable(Acting):
    """A timer, with one action."""

    users: Annotated[Names, "processes that have a right to it"]


@dataclass(frozen=True, kw_only=True)
class RecordTable(Used):
    """The record of faults, panics and resets, which survives a reset. Its user processes read it,
    and may reset the system."""


@dataclass(frozen=True, kw_only=True)
class InterruptTable(Acting):
    """An interrupt line, with one action."""

    line: Annotated[int, "the number of the line"]
    handler: Annotated[
        str | None, "its name in the table of vectors (by default `interrupt_NAME`)"
    ] = None
    delivers: Annotated[str | None, "the thread of a driver to which it is delivered"] = None
    trigger: Annotated[
        Literal["edge", "level"] | None,
        "with `delivers`: `level` if the device holds its line until it is served (by default "
        "`edge`)",
    ] = None


@dataclass(frozen=True, kw_only=True)
class SystemFile:
    """A file system.toml."""

    image: ImageTable
    process: tuple[ProcessTable, ...] = ()
    thread: tuple[ThreadTable, ...] = ()
    region: tuple[RegionTable, ...] = ()
    window: tuple[WindowTable, ...] = ()
    semaphore: tuple[SemaphoreTable, ...] = ()
    mutex: tuple[MutexTable, ...] = ()
    queue: tuple[QueueTable, ...] = ()
    interrupt: tuple[InterruptTable, ...] = ()
    flags: tuple[FlagsTable, ...] = ()
    gate: tuple[GateTable, ...] = ()
    pool: tuple[PoolTable, ...] = ()
    timer: tuple[TimerTable, ...] = ()
    record: tuple[RecordTable, ...] = ()

    def named(self) -> dict[str, tuple[Named, ...]]:
        """Returns the tables of each kind that can be named."""
        names = [field.name for field in fields(self) if field.name != "image"]
        return {name: getattr(self, name) for name in names}


# --- Reading --------------------------------------------------------------------------------------

SomeTable = TypeVar("SomeTable")

_WORDS: Mapping[Any, str] = {
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    Range: "an origin and a length",
    Names: "a list of texts",
}


def read(file: Path) -> SystemFile:
    """Reads a file. Raises DeclarationError for the first mistake."""
    try:
        whole = tomllib.loads(file.read_text())
    except (ValueError, RecursionError) as error:  # not UTF-8, no TOML, or nested without end
        raise DeclarationError(f"the file is not TOML: {error}") from None
    known = [field.name for field in fields(SystemFile)]
    for key in whole:
        if key not in known:
            raise DeclarationError(f"no kind of table is named {key}; use {', '.join(known)}")
    hints = get_type_hints(SystemFile)
    image = _table(ImageTable, whole.pop("image", {}), "image")
    rows = {kind: _rows(kind, get_args(hints[kind])[0], found) for kind, found in whole.items()}
    return SystemFile(image=image, **rows)


def _rows(kind: str, table: type[SomeTable], found: Any) -> tuple[SomeTable, ...]:
    if not isinstance(found, list):
        raise DeclarationError(f"{kind} is one table; write [[{kind}]] before each {kind}")
    return tuple(_table(table, row, f"{kind} {row.get('name', '?')}") for row in found)


def _table(table: type[SomeTable], entries: Any, place: str) -> SomeTable:
    known = {field.name: field for field in fields(table)}  # type: ignore[arg-type]
    hints = get_type_hints(table)
    for key in entries:
        if key not in known:
            way = _way(key, known)
            raise DeclarationError(f"{place}: {key} is no key of this table; {way}")
    for name, field in known.items():
        if name not in entries and _is_required(field):
            raise DeclarationError(f"{place}: has no key {name}; add it")
    values = {key: _value(each) for key, each in entries.items()}
    for key, value in values.items():
        if not _fits(value, hints[key]):
            words = _words(hints[key])
            raise DeclarationError(f"{place}: {key} is {entries[key]!r}; it must be {words}")
    return table(**values)


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _way(key: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(key, known, 1)
    return f"write {near[0]}, or remove it" if near else "remove it"


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _fits(value: Any, kind: Any) -> bool:
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if origin is not tuple:
        return type(value) is kind
    if not isinstance(value, tuple):
        return False
    kinds = (parts[0],) * len(value) if parts[-1] is ... else parts
    return len(value) == len(kinds) and all(map(_fits, value, kinds))


def _words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(map(repr, get_args(kind)))
    if get_origin(kind) in (Union, types.UnionType):
        return _words(get_args(kind)[0])
    return _WORDS[kind]
