# SPDX-License-Identifier: MIT
"""Prints whether the suite `calibration` found each board as its description says: one line for
each board, and one for each difference."""

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
    """Prints the findings about each board. Prints nothing for a run without the suite
    `calibration`."""
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
    """Returns the properties of the board that were found to be as described. If the run has counts
    and no cycles, it confirms nothing about the timing of the memory."""
    measured = [one for one in run.records if (one.board, one.suite) == (board, SUITE)]
    has_cycles = any(one.figures.cycles for one in measured if one.status is Status.PASS)
    return _AS_DESCRIBED if has_cycles else _COUNTED
