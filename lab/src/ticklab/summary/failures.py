# SPDX-License-Identifier: MIT
"""Groups the records that did not pass. The records of a group have the same status, variant and
reason; groups of failures come first, then blocked ones, then unsupported ones. A suite that no
kernel of the run supports on a board is one group, and the report has no table of its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ticklab.description.model import Record, Status

_WORST_FIRST = (Status.FAIL, Status.BLOCKED, Status.UNSUPPORTED)


@dataclass(frozen=True)
class Group:
    status: Status
    subject: str
    reason: str
    scenarios: tuple[str, ...]


def by_suite(records: Sequence[Record]) -> dict[tuple[str, str], list[Record]]:
    """Returns the records grouped by board and suite, in their order."""
    found: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        found.setdefault((record.board, record.suite), []).append(record)
    return found


def is_absent(suite: Sequence[Record]) -> bool:
    """Returns whether no kernel of the run supports any scenario of the suite."""
    return all(record.status is Status.UNSUPPORTED for record in suite)


def groups(records: Sequence[Record]) -> tuple[Group, ...]:
    suites = by_suite(records)
    absent = [_absent(*key, suite) for key, suite in suites.items() if is_absent(suite)]
    present = [record for suite in suites.values() if not is_absent(suite) for record in suite]
    return (*_groups(present), *absent)


def _absent(board: str, name: str, suite: Sequence[Record]) -> Group:
    rows = {(one.scenario, one.span, *sorted(one.params.items())) for one in suite}
    reasons = dict.fromkeys(one.reason or "no reason given" for one in suite)
    what = f"all {len(rows)} rows of suite {name}" if len(rows) > 1 else suite[0].scenario
    return Group(Status.UNSUPPORTED, f"every kernel on {board}", "; ".join(reasons), (what,))


def _groups(records: Sequence[Record]) -> tuple[Group, ...]:
    found: dict[tuple[Status, str, str], dict[str, None]] = {}
    for record in records:
        if record.status is not Status.PASS:
            subject = f"{record.kernel}/{record.config} {record.optimise} on {record.board}"
            key = (record.status, subject, record.reason or "no reason given")
            found.setdefault(key, {})[record.scenario] = None
    rows = [Group(*key, tuple(scenarios)) for key, scenarios in found.items()]
    return tuple(sorted(rows, key=lambda group: _WORST_FIRST.index(group.status)))


def failed(records: Sequence[Record]) -> int:
    """Counts the records without figures whose scenario the kernel supports: it failed, or was
    blocked."""
    return sum(record.status in (Status.FAIL, Status.BLOCKED) for record in records)
