# SPDX-License-Identifier: MIT
"""Prints the verdict of a calibration: a line for each board, and a line for each difference."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from ticklab.comparison.calibration import SUITE, Finding
from ticklab.description.model import Run, Status
from ticklab.views import gate

_AS_DESCRIBED = "clock, caches, wait states and alignment are as described"
_COUNTED = (
    "clock and alignment are as described; caches and wait states are not part of the emulator"
)


def show(run: Run, findings: Sequence[Finding], out: Console) -> None:
    """Prints nothing for a run without the suite."""
    boards = dict.fromkeys(record.board for record in run.records if record.suite == SUITE)
    for board in boards:
        here = [finding for finding in findings if finding.record.board == board]
        profile = run.provenance["boards"][board]["profile"] or "no timing profile"
        head = f"calibration of {board}, {profile}:"
        verdict = "NOT as described" if here else _confirmed(run, board)
        out.print(Text(f"{head} {verdict}", style="bold red" if here else "green"), soft_wrap=True)
        for finding in here:
            line = f"    {gate.label(finding.record)}: {finding.what}"
            out.print(Text(line, style="red"), soft_wrap=True)


def _confirmed(run: Run, board: str) -> str:
    """Returns which properties of the board were found to be as described. If only counts were
    measured, they say nothing about the memory."""
    measured = [one for one in run.records if (one.board, one.suite) == (board, SUITE)]
    has_cycles = any(one.figures.cycles for one in measured if one.status is Status.PASS)
    return _AS_DESCRIBED if has_cycles else _COUNTED
