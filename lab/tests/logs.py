# SPDX-License-Identifier: MIT
"""Writes event logs for tests, in the format of docs/reference/formats.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ticklab.targets import eventlog, schema
from ticklab.targets.eventlog import EventLog

TIMING = (
    {"name": "cycles", "low": 1.0, "high": 1.0, "source": "by definition"},
    {"name": "refill", "low": 1.0, "high": 3.0, "source": "a manual"},
)


@dataclass
class Writer:
    """Collects the lines of an event log. `step` is the tally since the preceding line."""

    marks: Sequence[str]
    modelled: bool = False
    rows: list[tuple[str, int, int, int, Mapping[str, int]]] = field(default_factory=list)

    @property
    def lanes(self) -> list[dict[str, Any]]:
        counted = [
            {"name": n, "low": None, "high": None, "source": "counted"} for n in schema.COUNTED
        ]
        return counted + (list(TIMING) if self.modelled else [])

    def mark(self, name: str, instructions: int, node: int = 0, **step: int) -> Writer:
        tally = {"instructions": instructions, **step}
        self.rows.append(("mark", node, 0, self.marks.index(name), tally))
        return self

    def at(self, frame: int, stack: int = 1, depth: int = 0) -> Writer:
        """Adds the lines that say in which call the preceding mark was passed: number of the call,
        number of the task or handler, and number of active calls."""
        self.rows.append(("frame", 0, depth, frame, {}))
        self.rows.append(("stack", 0, 0, stack, {}))
        return self

    def fault(self, number: int, instructions: int = 1) -> Writer:
        self.rows.append(("fault", 0, number, number, {"instructions": instructions}))
        return self

    def data(self, end: str = "marks", version: int = schema.VERSION, **trailer: Any) -> bytes:
        header = {
            "version": version,
            "observer": "0.1.0",
            "core": "cortex-m4f",
            "lanes": self.lanes,
            "marks": list(self.marks),
        }
        last = {"kind": "end", "node": 0, "end": end, "pc": None, "symbol": None, "detail": None}
        lines = [header, *map(self._line, self.rows), {**last, "tally": self._tally({}), **trailer}]
        return b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    def _line(self, row: tuple[str, int, int, int, Mapping[str, int]]) -> dict[str, Any]:
        kind, node, exception, number, tally = row
        counts = {"node": node, "exception": exception, "id": number, "tally": self._tally(tally)}
        return {"kind": kind, **counts}

    def _tally(self, step: Mapping[str, int]) -> list[int]:
        return [step.get(lane["name"], 0) for lane in self.lanes]

    def log(self, end: str = "marks", **trailer: Any) -> EventLog:
        return eventlog.parse(self.data(end, **trailer), "a test's log")
