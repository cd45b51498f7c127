# SPDX-License-Identifier: MIT
"""Reads an event log, which every target writes (format: docs/reference/formats.md).

Nothing in a log is trusted: it may be truncated, belong to another program or come from another
observer. Each of these is an error that names the log. samples.py interprets the records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ticklab import plain_text
from ticklab.description.model import End, Lane
from ticklab.errors import TicklabError
from ticklab.targets import schema

KIND_MARK = 1
KIND_FAULT = 2
KIND_FRAME = 3  # the call in which the mark of the preceding record was passed
KIND_STACK = 4  # the task, or activation of an exception, to which this call belongs
_KINDS = {"mark": KIND_MARK, "fault": KIND_FAULT, "frame": KIND_FRAME, "stack": KIND_STACK}

_CHUNK_BYTES = 1 << 22  # bytes of a log that are decoded at a time
_COUNTED = (schema.COUNTED, schema.COUNTED_ON_BOARDS)
_VERSION = msgspec.json.Decoder(schema.LogVersion)
_HEADER = msgspec.json.Decoder(schema.LogHeader)
_ROW = msgspec.json.Decoder(schema.LogRow)
_END = msgspec.json.Decoder(schema.LogEnd)


@dataclass(frozen=True)
class EventLog:
    """The event log of one observation. `records` has the fields kind, node, exception, id and
    tally (one column for each lane)."""

    observer: str  # version of the observer
    core: str
    lanes: tuple[Lane, ...]
    marks: tuple[str, ...]
    records: NDArray[np.void]
    end: End
    pc: int | None = None
    symbol: str | None = None
    detail: str = ""
    node: int = 0  # the node at `pc`, if there is one
    # The tasks, in the order in which they first ran. For each: its number, and the address of the
    # function in which it began. Empty if the log does not follow calls.
    tasks: tuple[tuple[int, int], ...] = ()

    def counts(self, name: str) -> bool:
        """Returns whether the log has a lane with this name."""
        return any(lane.name == name for lane in self.lanes)

    def lane(self, name: str) -> int:
        """Returns the number of a lane's column in `tally`."""
        return [lane.name for lane in self.lanes].index(name)

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """The nodes that wrote records, in ascending order."""
        return tuple(map(int, np.flatnonzero(np.bincount(self.records["node"]))))

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """For each record of the log, the sum of all tallies of the record's node up to this
        record: one row for each record, one column for each lane. Computed once, because each span
        of a log needs it."""
        return self._total(self.records["tally"])

    def total(self, lane: str) -> NDArray[np.int64]:
        """Returns the column of `totals` for one lane, without computing the others."""
        return self._total(self.records["tally"][:, self.lane(lane)])

    def _total(self, tallies: NDArray[np.uint32]) -> NDArray[np.int64]:
        if len(self.nodes) == 1:
            return np.cumsum(tallies, axis=0, dtype=np.int64)
        totals = tallies.astype(np.int64)
        for node in self.nodes:
            here = np.flatnonzero(self.records["node"] == node)
            totals[here] = np.cumsum(totals[here], axis=0)
        return totals


def record_type(lanes: int) -> np.dtype[np.void]:
    """Returns the memory layout of a log record with this number of lanes."""
    fields = [("kind", "u1"), ("node", "u1"), ("exception", "<u2"), ("id", "<u4")]
    return np.dtype([*fields, ("tally", "<u4", (lanes,))])


def read(path: Path) -> EventLog:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TicklabError(
            f"cannot read event log {path}: {error.strerror}", "measure again"
        ) from error
    return parse(data, str(path))


def parse(data: bytes, name: str) -> EventLog:
    """Decodes an event log. `name` identifies the log in errors."""
    body = data.find(b"\n") + 1
    _require_version(data, body, name)
    if not data.endswith(b"\n"):
        raise _damaged(name, "cut short")
    last = data.rfind(b"\n", 0, -1) + 1
    try:
        return _log(data, body, last)
    except (msgspec.DecodeError, ValueError, OverflowError) as error:
        raise _damaged(name, str(error)) from error


def _require_version(data: bytes, body: int, name: str) -> None:
    """Raises an error if a file is no event log, or has another version. `body` is the offset of
    its second line; 0 if there is none."""
    if body == 0 and data.startswith(b"{"):
        raise _damaged(name, "cut short in its header")
    try:
        version = _VERSION.decode(data[:body]).version
    except (msgspec.DecodeError, ValueError):
        raise TicklabError(
            f"{name} is not an event log: its first line has no version", "measure again"
        ) from None
    if version != schema.VERSION:
        raise TicklabError(
            f"event log {name} has version {version}; this Ticklab reads version {schema.VERSION}",
            "use the target that belongs to this Ticklab",
        )


def _log(data: bytes, body: int, last: int) -> EventLog:
    header, end = _HEADER.decode(data[:body]), _end(data[max(body, last) :])
    names = tuple(lane.name for lane in header.lanes)
    if not any(names[: len(counted)] == counted for counted in _COUNTED):
        raise ValueError(f"its lanes do not begin with {' '.join(schema.COUNTED)}")
    records = _records(data[body:last], header)
    return EventLog(
        observer=header.observer,
        core=header.core,
        lanes=header.lanes,
        marks=tuple(map(plain_text.shown, header.marks)),
        records=records,
        end=End(end.end),
        pc=end.pc,
        symbol=plain_text.shown(end.symbol) if end.symbol else None,
        detail=plain_text.shown(end.detail or ""),
        node=end.node,
        tasks=end.tasks,
    )


def _end(line: bytes) -> schema.LogEnd:
    try:
        return _END.decode(line)
    except msgspec.DecodeError as error:
        raise ValueError(f"cut short: its last line is no end ({error})") from error


def _records(lines: bytes, header: schema.LogHeader) -> NDArray[np.void]:
    layout = record_type(len(header.lanes))
    parts = [_part(chunk, layout) for chunk in _chunks(lines)]
    records = np.concatenate([np.empty(0, layout), *parts])
    marks = records["id"][records["kind"] == KIND_MARK]
    if len(marks) and marks.max() >= len(header.marks):
        raise ValueError(f"it passes mark {marks.max()} of {len(header.marks)}")
    return records


def _chunks(lines: bytes) -> Iterator[bytes]:
    """Yields the lines of the log in pieces, each of which fits into memory when it is decoded."""
    begin = 0
    while begin < len(lines):
        end = lines.find(b"\n", min(begin + _CHUNK_BYTES, len(lines) - 1)) + 1
        yield lines[begin:end]
        begin = end


def _part(lines: bytes, layout: np.dtype[np.void]) -> NDArray[np.void]:
    """Decodes some lines of the log. Equal lines are decoded once, because most lines of a steady
    run are equal."""
    different: defaultdict[bytes, int] = defaultdict(count().__next__)
    order = np.array([different[line] for line in lines[:-1].split(b"\n")])
    records: NDArray[np.void] = _decoded(_ROW.decode_lines(b"\n".join(different)), layout)[order]
    return records


def _decoded(rows: Sequence[schema.LogRow], layout: np.dtype[np.void]) -> NDArray[np.void]:
    records = np.empty(len(rows), layout)
    records["kind"] = [_KINDS[row.kind] for row in rows]
    records["node"] = [row.node for row in rows]
    records["exception"] = [row.exception for row in rows]
    records["id"] = [row.id for row in rows]
    records["tally"] = np.array([row.tally for row in rows], "<u4").reshape(records["tally"].shape)
    return records


def _damaged(name: str, what: str) -> TicklabError:
    return TicklabError(f"event log {name} is damaged: {what}", "measure again")
