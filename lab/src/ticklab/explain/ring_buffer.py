# SPDX-License-Identifier: MIT
"""Reads the trace of a Linux kernel from the memory of its machine, after the run.

The kernel keeps its trace in pages of a ring buffer. Nothing reads the pages while the guest runs,
so the trace costs the guest only the writing. Pages are found by their content: every record in a
page must be an event that the kernel describes, with the length of that event. Stale pages and
other memory fail this test, and so does a page whose times overlap with those of another page.

The layout of the buffer is defined by include/linux/ring_buffer.h and kernel/trace/ring_buffer.c of
Linux. The kernel itself describes its pages and events (tracefs,
platform/arch/linux-armhf/init/tracepoints.c).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ticklab.errors import TicklabError

_PAGE_BYTES = 4096
_FIELD = re.compile(
    r"field:(?P<type>[^;]*?)(?P<name>\w+)(?P<array>\[\w*\])?;\s*"
    r"offset:(?P<offset>\d+);\s*size:(?P<size>\d+);\s*signed:(?P<signed>[01]);"
)
# Values in the header of a record. A smaller value is the length of the record's data in words.
_MOST_WORDS, _PADDING, _TIME_EXTEND, _TIME_STAMP = 28, 29, 30, 31
_KIND_BITS, _DELTA_BITS = 5, 27
_LATEST_NS = 1 << 50  # a page with a later begin is not part of the buffer


@dataclass(frozen=True)
class Field:
    name: str
    offset: int
    size: int
    signed: bool
    # For a text: "array" (the characters are in the record) or "elsewhere" (their offset and length
    # are).
    text: str | None

    def read(self, record: bytes) -> int | str:
        data = record[self.offset : self.offset + self.size]
        number = int.from_bytes(data, "little", signed=self.signed)
        if self.text is None:
            return number
        if self.text == "elsewhere":
            data = record[number & 0xFFFF :][: number >> 16]
        return data.partition(b"\0")[0].decode(errors="replace")


@dataclass(frozen=True)
class Format:
    """The format of an event, as the kernel describes it."""

    name: str
    number: int
    common: tuple[Field, ...]
    fields: tuple[Field, ...]

    @property
    def bytes(self) -> int:
        return max(each.offset + each.size for each in (*self.common, *self.fields))


@dataclass(frozen=True)
class Layout:
    commit_offset: int
    data_offset: int
    formats: Mapping[int, Format]  # by number


@dataclass(frozen=True)
class KernelEvent:
    name: str
    fields: Mapping[str, int | str]
    guest_ns: int  # time by the kernel's clock


def parse_layout(text: str) -> Layout:
    """Parses the kernel's description of its trace."""
    page, *events = re.split(r"^name: ", text, flags=re.MULTILINE)
    offsets = {field.name: field.offset for field in _fields(page)}
    formats = [_format(event) for event in events]
    if not formats or not {"commit", "data"} <= offsets.keys():
        raise TicklabError(
            "the kernel traces no events",
            "name a configuration whose command line has 'trace_event=', such as linux/traced",
        )
    return Layout(offsets["commit"], offsets["data"], {each.number: each for each in formats})


def _format(text: str) -> Format:
    name, _, rest = text.partition("\n")
    found = re.search(r"ID: (\d+)", rest)
    fields = list(_fields(rest))
    own = [field for field in fields if not field.name.startswith("common_")]
    common = [field for field in fields if field.name.startswith("common_")]
    return Format(name.strip(), int(found[1]) if found else -1, tuple(common), tuple(own))


def _fields(text: str) -> Iterator[Field]:
    for found in _FIELD.finditer(text):
        kind = None
        if found["type"].lstrip().startswith("__data_loc"):
            kind = "elsewhere"
        elif found["array"] and "char" in found["type"]:
            kind = "array"
        numbers = int(found["offset"]), int(found["size"])
        yield Field(found["name"], *numbers, found["signed"] == "1" and kind is None, kind)


def read(memory: Path, layout: Layout) -> list[KernelEvent]:
    """Returns the events in the memory of a machine, in order of time."""
    pages = np.memmap(memory, np.uint8, mode="r").reshape(-1, _PAGE_BYTES)
    found = [events for page in _likely(pages, layout) if (events := _page(bytes(page), layout))]
    found.sort(key=lambda events: events[0].guest_ns)
    for earlier, later in pairwise(found):
        if later[0].guest_ns < earlier[-1].guest_ns:
            raise TicklabError(
                "the kernel's trace is not readable: two pages of its buffer overlap in time",
                "report it with the version of the kernel",
            )
    return [event for events in found for event in events]


def _likely(pages: NDArray[np.uint8], layout: Layout) -> Iterator[NDArray[np.uint8]]:
    """Yields the pages of memory that begin like a page of the ring buffer."""
    begins = pages[:, :8].copy().view(np.uint64)[:, 0]
    commit = slice(layout.commit_offset, layout.commit_offset + 4)
    lengths = pages[:, commit].copy().view(np.uint32)[:, 0]
    fits = (lengths > 0) & (lengths % 4 == 0) & (lengths <= _PAGE_BYTES - layout.data_offset)
    yield from pages[(begins > 0) & (begins < _LATEST_NS) & fits]


def _page(page: bytes, layout: Layout) -> list[KernelEvent]:
    """Returns the events of a page; empty if the page is not part of the buffer."""
    (at,) = struct.unpack_from("<Q", page)
    (length,) = struct.unpack_from("<I", page, layout.commit_offset)
    data, events = page[layout.data_offset : layout.data_offset + length], list[KernelEvent]()
    offset = 0
    while offset + 8 <= length:
        first, second = struct.unpack_from("<II", data, offset)
        kind, delta = first & ((1 << _KIND_BITS) - 1), first >> _KIND_BITS
        if kind == _TIME_STAMP:
            at = (second << _DELTA_BITS) + delta
        else:
            at += delta + ((second << _DELTA_BITS) if kind == _TIME_EXTEND else 0)
        size = _bytes_of(kind, second)
        if kind == _PADDING and delta == 0:
            return events
        if kind <= _MOST_WORDS:
            begin = offset + (4 if kind else 8)
            event = _event(data[begin : offset + size], at, layout)
            if event is None:
                return []
            events.append(event)
        offset += size
    return events if offset == length else []


def _bytes_of(kind: int, second: int) -> int:
    """Returns the length of a record, including its header. `second` is the word after the header's
    first word."""
    if kind in (_TIME_EXTEND, _TIME_STAMP):
        return 8
    if kind == 0 or kind == _PADDING:
        return 4 + max(second, 4)
    return 4 + 4 * kind


def _event(record: bytes, at: int, layout: Layout) -> KernelEvent | None:
    found = layout.formats.get(int.from_bytes(record[:2], "little"))
    if found is None or len(record) < found.bytes:
        return None
    return KernelEvent(found.name, {each.name: each.read(record) for each in found.fields}, at)
