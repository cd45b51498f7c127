# SPDX-License-Identifier: MIT
"""Reads an event log, which every target writes (format: docs/reference/formats.md).

Nothing in a log is trusted: it may be truncated, belong to another program or come from another
observer. Each of these is an error that names the log. samples.py interprets the records.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ticklab import plain_text
from ticklab.description.model import End, Lane
from ticklab.errors import TicklabError

MAGIC = b"TICKLOG1"
SCHEMA = 1

KIND_MARK = 1
KIND_FAULT = 2
KIND_FRAME = 3  # call in which the mark of the record before was passed
KIND_STACK = 4  # task, or activation of an exception, of this call
KIND_END = 255


@dataclass(frozen=True)
class EventLog:
    """One observation. `records` has the fields kind, node, exception, id and tally (one column for
    each lane)."""

    observer: str  # version of the observer
    core: str
    lanes: tuple[Lane, ...]
    marks: tuple[str, ...]
    records: NDArray[np.void]
    end: End
    pc: int | None = None
    symbol: str | None = None
    detail: str = ""
    node: int = 0  # node that caused the end, if there is a pc

    def lane(self, name: str) -> int:
        """Returns the column of a lane in `tally`."""
        return [lane.name for lane in self.lanes].index(name)


def record_type(lanes: int) -> np.dtype[np.void]:
    """Returns the layout of a record with so many lanes."""
    fields = [("kind", "u1"), ("node", "u1"), ("exception", "<u2"), ("id", "<u4")]
    return np.dtype([*fields, ("tally", "<u4", (lanes,))])


def read(path: Path) -> EventLog:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TicklabError(f"event log {path}: {error.strerror}", "measure again") from error
    return parse(data, str(path))


def parse(data: bytes, name: str) -> EventLog:
    """Decodes a log. `name` identifies the log in errors."""
    header, body = _header(data, name)
    try:
        return _log(data, body, header, name)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(name, f"its header or trailer lacks or misstates {error}") from error


def _log(data: bytes, body: int, header: dict[str, Any], name: str) -> EventLog:
    lanes = tuple(Lane(x["name"], x["low"], x["high"], x["source"]) for x in header["lanes"])
    layout = record_type(len(lanes))
    if header["record_bytes"] != layout.itemsize:
        raise _damaged(name, f"records of {header['record_bytes']} bytes for {len(lanes)} lanes")
    records, last, trailer = _records(data, body, layout, name)
    return EventLog(
        observer=header["observer"],
        core=header["core"],
        lanes=lanes,
        marks=tuple(map(plain_text.shown, header["marks"])),
        records=records,
        end=End(trailer["end"]),
        pc=trailer["pc"],
        symbol=trailer["symbol"] and plain_text.shown(trailer["symbol"]),
        detail=plain_text.shown(trailer["detail"] or ""),
        node=int(last["node"]),
    )


def _header(data: bytes, name: str) -> tuple[dict[str, Any], int]:
    """Returns the JSON header and the offset of the first record."""
    if not data.startswith(MAGIC):
        raise TicklabError(
            f"{name} is not an event log: it does not begin with TICKLOG1", "measure again"
        )
    if len(data) < len(MAGIC) + 4:
        raise _damaged(name, "cut short in its header")
    (size,) = struct.unpack_from("<I", data, len(MAGIC))
    begin = len(MAGIC) + 4
    if begin + size > len(data):
        raise _damaged(name, "cut short in its header")
    header = _json(data[begin : begin + size], name)
    if header.get("schema") != SCHEMA:
        raise TicklabError(
            f"event log {name} has schema {header.get('schema')}; this Ticklab reads {SCHEMA}",
            "use the observer that belongs to this Ticklab",
        )
    return header, begin + size


def _records(
    data: bytes, body: int, layout: np.dtype[np.void], name: str
) -> tuple[NDArray[np.void], np.void, dict[str, Any]]:
    """Returns all records before the end record, the end record, and the trailer after it."""
    whole = (len(data) - body) // layout.itemsize
    rows = np.frombuffer(data, layout, count=whole, offset=body)
    ends = np.flatnonzero(rows["kind"] == KIND_END)
    if not len(ends):
        raise _damaged(name, "cut short: it has no end record")
    last = int(ends[0])
    begin = body + (last + 1) * layout.itemsize
    size = int(rows["id"][last])
    if begin + size > len(data):
        raise _damaged(name, "cut short in its trailer")
    return rows[:last], rows[last], _json(data[begin : begin + size], name)


def _json(text: bytes, name: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise _damaged(name, f"its JSON is broken ({error})") from error
    if not isinstance(value, dict):
        raise _damaged(name, "its JSON is no object")
    return value


def _damaged(name: str, what: str) -> TicklabError:
    return TicklabError(f"event log {name} is damaged: {what}", "measure again")
