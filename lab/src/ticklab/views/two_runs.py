# SPDX-License-Identifier: MIT
"""Compares the two runs of a report: which figures differ, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ticklab.comparison import selection
from ticklab.comparison.compare import Difference, Verdict
from ticklab.comparison.selection import Selection
from ticklab.description.model import Run
from ticklab.errors import TicklabError
from ticklab.views import comparison
from ticklab.views.comparison import RecordPair
from ticklab.views.comparison_document import Summary


@dataclass(frozen=True)
class TwoRuns:
    """The two runs of a report. `changed` has each pair of records whose figure differs, with the
    name of its row."""

    first: Run
    second: Run
    pairs: int
    changed: tuple[tuple[str, RecordPair], ...]
    summaries: tuple[Summary, ...]
    unlike: tuple[Difference, ...]
    only_first: int
    only_second: int


def compare(runs: Sequence[Run]) -> TwoRuns | None:
    """Compares the runs of a report. Returns None unless there are exactly two runs, with a
    scenario in common."""
    if len(runs) != 2:
        return None
    first, second = (Selection(run, run.records) for run in runs)
    try:
        pairing = selection.pair(first, second)
    except TicklabError:
        return None
    found = comparison.changes(first, second, pairing)
    named = zip(comparison.names(found), found, strict=True)
    return TwoRuns(
        first.run,
        second.run,
        len(found),
        tuple((name, pair) for name, pair in named if _differs(pair)),
        comparison.summaries(found),
        comparison.differences(first, second, pairing),
        len(pairing.only_first),
        len(pairing.only_second),
    )


def _differs(pair: RecordPair) -> bool:
    """Returns whether the instructions of a pair of records differ, or its cycles differ in every
    corner of the model."""
    found = pair.comparison
    if found is None:
        return pair.first.status is not pair.second.status
    counts = found.instructions not in (None, 1)
    return counts or found.verdict in (Verdict.FASTER, Verdict.SLOWER)
