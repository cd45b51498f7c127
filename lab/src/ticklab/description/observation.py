# SPDX-License-Identifier: MIT
"""Types for the end of an observation, and for the lanes in which its event log counts. They belong
to the data types of model.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class End(StrEnum):
    """The reason why an observation ended."""

    MARKS = "marks"
    INSTRUCTIONS = "instructions"
    STALLED = "stalled"
    EXIT = "exit"
    LOCKUP = "lockup"
    ABORTED = "aborted"  # the target died; `detail` has its error
    REFUSED = "refused"  # the guest requested a file or program of the host; see `detail`
    FLOODED = "flooded"  # the guest wrote or passed too much; see `detail`
    TIMED_OUT = "timed-out"  # reached no end within the wall-clock limit


@dataclass(frozen=True)
class Lane:
    name: str
    low: float | None  # cycles that one count costs at least; None for counted lanes
    high: float | None
    source: str


def is_clocked(lanes: Sequence[Lane]) -> bool:
    """Returns whether the cycles of a log are clocked, not modelled. The tick period and the end of
    the observation are then in cycles."""
    timing = [lane for lane in lanes if lane.low is not None]
    return [(lane.name, lane.low, lane.high) for lane in timing] == [("cycles", 1, 1)]
