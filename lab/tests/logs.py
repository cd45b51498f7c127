# SPDX-License-Identifier: MIT
"""Writes event logs for tests: the format of docs/reference/formats.md, in the words of a test."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ticklab.targets import eventlog
from ticklab.targets.eventlog import EventLog

COUNTED = (
    *("instructions", "reads", "writes", "entered", "left", "tail_chained"),
    *("svcall", "pendsv", "systick", "external", "faults"),
)
TIMING = (
    {"name": "cycles", "low": 1.0, "high": 1.0, "source": "by definition"},
    {"name": "refill", "low": 1.0, "high": 3.0, "source": "a manual"},
)


@dataclass
class Writer:
    """Collects records; `step` is what happened since the record before."""

    marks: Sequence[str]
    modelled: bool = False
    rows: list[tuple[int, int, int, int, Mapping[str, int]]] = field(default_factory=list)

    @property
    def lanes(self) -> list[dict[str, Any]]:
        counted = [{"name": n, "low": None, "high": None, "source": "counted"} for n in COUNTED]
        return counted + (list(TIMING) if self.modelled else [])

    def mark(self, name: str, instructions: int, node: int = 0, **step: int) -> Writer:
        tally = {"instructions": instructions, **step}
        self.rows.append((eventlog.KIND_MARK, node, 0, self.marks.index(name), tally))
        return self

    def at(self, frame: int, stack: int = 1, depth: int = 0) -> Writer:
        """Where the mark before was passed."""
        self.rows.append((eventlog.KIND_FRAME, 0, depth, frame, {}))
        self.rows.append((eventlog.KIND_STACK, 0, 0, stack, {}))
        return self

    def fault(self, number: int, instructions: int = 1) -> Writer:
        self.rows.append((eventlog.KIND_FAULT, 0, number, number, {"instructions": instructions}))
        return self

    def data(self, end: str = "marks", schema: int = 1, **trailer: Any) -> bytes:
        layout = eventlog.record_type(len(self.lanes))
        header = {
            "schema": schema,
            "observer": "0.1.0",
            "core": "cortex-m4f",
            "lanes": self.lanes,
            "marks": list(self.marks),
            "record_bytes": layout.itemsize,
            "blocks": None,
        }
        words = {"end": end, "pc": None, "symbol": None, "detail": None, **trailer}
        tail = json.dumps(words).encode()
        rows = [*self.rows, (eventlog.KIND_END, 0, 0, len(tail), {})]
        records = np.zeros(len(rows), layout)
        for record, (kind, node, exception, number, tally) in zip(records, rows, strict=True):
            values = [tally.get(lane["name"], 0) for lane in self.lanes]
            record["kind"], record["node"], record["exception"] = kind, node, exception
            record["id"], record["tally"] = number, values
        head = json.dumps(header).encode()
        return b"".join(
            [eventlog.MAGIC, len(head).to_bytes(4, "little"), head, records.tobytes(), tail]
        )

    def log(self, end: str = "marks", **trailer: Any) -> EventLog:
        return eventlog.parse(self.data(end, **trailer), "a test's log")
