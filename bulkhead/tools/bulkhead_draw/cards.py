# SPDX-License-Identifier: MIT
"""Describes the isolation of a system in words: a card for each process, and one for the kernel.

A row of a card describes one thing that the process reaches: a thread, memory, or an object. Rows
of several cards that concern the same thing have ends of the same *link*, which the picture draws
as a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from bulkhead_draw.isolation import Isolation, Memory, Process, Right, Source, Thread

_WAITING = (
    "take", "receive", "wait", "allocate", "acknowledge", "fault_read", "stack_left", "time",
)  # fmt: skip


class Way(Enum):
    """The direction in which a row affects the thing to which it is linked."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


@dataclass(frozen=True)
class End:
    """One end of a link (a line of the picture), at a row."""

    link: tuple[str, str]  # kind and name of the thing
    way: Way


@dataclass(frozen=True)
class Row:
    kind: str
    name: str
    detail: str
    ends: tuple[End, ...] = ()


@dataclass(frozen=True)
class Card:
    title: str
    note: str
    rows: tuple[Row, ...]
    ends: tuple[End, ...] = ()


def title(isolation: Isolation) -> str:
    threads = sum(len(each.threads) for each in isolation.processes)
    parts = (_count(len(isolation.processes), "process", "es"), _count(threads, "thread"))
    return f"Isolation of {' and '.join(parts)} on {isolation.architecture}"


def closing(isolation: Isolation) -> str:
    return (
        f"All processes also execute the {isolation.shared_code_bytes} bytes of code that they "
        "share, and read the kernel's page. The hardware and the kernel refuse everything else."
    )


def cards(isolation: Isolation) -> list[Card]:
    return [*(_process(each) for each in isolation.processes), _kernel(isolation.sources)]


def _process(process: Process) -> Card:
    ends = (End(("process", process.name), Way.OUT),) if process.supervisor else ()
    rows = (
        *map(_thread, process.threads),
        *map(_memory, process.memory),
        *map(_right, process.rights),
    )
    return Card(f"process {process.name}", _note(process), rows, ends)


def _note(process: Process) -> str:
    after = "restarts after a fault" if process.restarts else "stays ended after a fault"
    return f"{after}; tells thread {process.supervisor}" if process.supervisor else after


def _thread(thread: Thread) -> Row:
    state = "" if thread.initially == "ready" else f", {thread.initially} at the start"
    detail = f"priority {thread.priority}, stack {thread.stack_bytes} bytes{state}"
    return Row("thread", thread.name, detail, (End(("thread", thread.name), Way.IN),))


def _memory(memory: Memory) -> Row:
    if memory.kind == "code":
        return Row("code", "of its own", f"{memory.bytes} bytes, for no other process")
    size = f"{memory.address:#010x}, {memory.bytes} bytes"
    if not memory.is_written:
        size += f", only read; written by {', '.join(memory.others)}"
    elif memory.others:
        size += f", also of {', '.join(memory.others)}"
    if memory.readers:
        size += f", read by {', '.join(memory.readers)}"
    ends = (End((memory.kind, memory.name), Way.BOTH if memory.is_written else Way.IN),)
    return Row(memory.kind, memory.name, size, ends)


def _right(right: Right) -> Row:
    detail = ", ".join(_words(each) for each in right.methods)
    if right.local:
        return Row(right.kind, right.name, f"{detail}; in the process itself")
    others = f"; also {', '.join(right.others)}" if right.others else ""
    kind = f"right to {right.kind}" if right.kind in ("thread", "process") else right.kind
    linked = "thread" if right.kind == "measured" else right.kind
    ends = (End((linked, right.name), _way(right)),)
    return Row(kind, right.name, f"{detail}{others}", ends)


def _words(method: str) -> str:
    return method.replace("_", " ")


def _way(right: Right) -> Way:
    waits = [each.startswith(_WAITING) for each in right.methods]
    if all(waits) or (right.kind == "gate" and any(waits)):
        return Way.IN
    return Way.BOTH if any(waits) else Way.OUT


def _kernel(sources: Sequence[Source]) -> Card:
    rows = tuple(_source(each) for each in sources)
    return Card("the kernel", "alone is privileged; no process reaches its memory", rows)


def _source(source: Source) -> Row:
    when = "when due" if source.line is None else f"line {source.line}"
    return Row(source.kind, source.name, f"{when}: {_action(source)}", tuple(_ends(source)))


def _action(source: Source) -> str:
    return {
        "posts": f"gives semaphore {source.target}",
        "sets": f"sets bits {source.flags:#x} of flags {source.target}",
        "resumes": f"resumes thread {source.target}",
        "notifies": f"notifies thread {source.target}",
        "delivers": f"is delivered to thread {source.target}",
    }[source.action]


def _ends(source: Source) -> Iterator[End]:
    """Yields the ends of an interrupt or a timer: one for the processes that have a right to it,
    and one for the object that it changes. An interrupt that is delivered to a thread needs only
    the first, because the process of the thread has a right to the interrupt."""
    delivers = source.action == "delivers"
    yield End((source.kind, source.name), Way.OUT if delivers else Way.IN)
    if not delivers:
        yield End((source.target_kind, source.target), Way.OUT)


def _count(number: int, noun: str, ending: str = "s") -> str:
    return f"{number} {noun}{'' if number == 1 else ending}"
