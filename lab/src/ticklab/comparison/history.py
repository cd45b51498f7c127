# SPDX-License-Identifier: MIT
"""The figures of one kernel from run to run, and the commits at which they changed.

A point is a figure at one commit. Points are in the order of the runs, and runs of one commit with
the same figure are one point. The name of a commit ends in `-dirty` if the run was made with
uncommitted changes.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from ticklab.comparison import gate, selection
from ticklab.description.model import Record, Run, Status
from ticklab.errors import TicklabError


@dataclass(frozen=True)
class HistoryPoint:
    run: str
    commit: str  # the kernel's commit
    record: Record

    @property
    def instructions(self) -> float | None:
        """Returns the figure at this point, or None if the kernel failed or was blocked."""
        record = self.record
        passed = record.status is Status.PASS and record.figures.instructions
        return record.counted if passed else None

    @property
    def state(self) -> tuple[float | None, Set[str]]:
        """Returns the figure at this point and the kinds of doubt about it. A change of either
        starts a new point."""
        return self.instructions, self.record.doubts.keys()


@dataclass(frozen=True)
class FigureHistory:
    """The points of one figure: the first, and those at which the figure or a doubt changed."""

    points: tuple[HistoryPoint, ...]

    @property
    def changes(self) -> tuple[HistoryPoint, ...]:
        pairs = zip(self.points, self.points[1:], strict=False)
        return tuple(now for then, now in pairs if now.state != then.state)


def collect(
    column: str, scenarios: Sequence[str], runs: Sequence[Run]
) -> tuple[FigureHistory, ...]:
    """Collects the histories of the figures that `column` selects: KERNEL[/CONFIG[/OPTIMISE]]. An
    empty `scenarios` selects all scenarios."""
    lines: dict[object, list[HistoryPoint]] = {}
    for run in runs:
        for record in selection.filter_column(run, column):
            if not scenarios or record.scenario in scenarios:
                point = HistoryPoint(run.id, _commit(run, record), record)
                lines.setdefault(gate.identity(record), []).append(point)
    if not lines:
        raise TicklabError(
            f"no run in the store has figures of {column}", "see 'ticklab list runs'"
        )
    return tuple(FigureHistory(tuple(points)) for points in lines.values())


def _commit(run: Run, record: Record) -> str:
    kernel = run.provenance.get("kernels", {}).get(record.kernel, {})
    commit: str = kernel.get("commit") or run.provenance["ticklab"]["commit"]
    return commit
