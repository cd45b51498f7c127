# SPDX-License-Identifier: MIT
"""What did not pass, grouped so that one cause is one line: the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ticklab.model import Record, Status

_WORST_FIRST = (Status.FAIL, Status.BLOCKED, Status.UNSUPPORTED)


@dataclass(frozen=True)
class Group:
    status: Status
    who: str
    reason: str
    scenarios: tuple[str, ...]


def groups(records: Sequence[Record]) -> tuple[Group, ...]:
    found: dict[tuple[Status, str, str], dict[str, None]] = {}
    for record in records:
        if record.status is not Status.PASS:
            who = f"{record.kernel}/{record.config} {record.optimise} on {record.board}"
            key = (record.status, who, record.reason or "no reason given")
            found.setdefault(key, {})[record.scenario] = None
    rows = [Group(*key, tuple(scenarios)) for key, scenarios in found.items()]
    return tuple(sorted(rows, key=lambda group: _WORST_FIRST.index(group.status)))


def failed(records: Sequence[Record]) -> int:
    """How many records should have figures and have none."""
    return sum(record.status in (Status.FAIL, Status.BLOCKED) for record in records)
