# SPDX-License-Identifier: MIT
"""The result of a span: figures, or the reason why there are none. Part of the vocabulary of
model.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ticklab.description.curve import Curve


class Status(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    UNSUPPORTED = "unsupported"
    BLOCKED = "blocked"


# Whole numbers stay whole in JSON.
Number = int | float

# Instructions of the mean sample, or of a sweep's worst sample, by kind of work (categories.py) and
# by function.
Work = Mapping[str, Mapping[str, Number]]


@dataclass(frozen=True)
class Stats:
    """Statistics of the samples of a span."""

    n: int
    min: Number
    p50: Number
    mean: Number
    p99: Number
    p999: Number
    max: Number
    mode: Number


@dataclass(frozen=True)
class Cycles:
    """Low and high bounds of the modelled cycles. If cycles are clocked, both bounds are the exact
    value."""

    low: Stats
    high: Stats
    profile: str | None  # name of the timing profile; None: clocked

    @property
    def exact(self) -> Stats | None:
        return self.low if self.profile is None else None


@dataclass(frozen=True)
class Score:
    """Thread-Metric's unit: counts in 30 s at `clock_hz`. The time for ticks is deducted."""

    low: Number
    high: Number
    clock_hz: int


@dataclass(frozen=True)
class Rate:
    """Passes of a workload in a second at the clock of the board, with the time for ticks deducted.
    For a Loss, the number of passes that the measured service costs in a second."""

    low: Number
    high: Number
    unit: str  # name of one pass, in the plural


@dataclass(frozen=True)
class Reported:
    """The figures that a program in the guest measured with the guest's clock, in nanoseconds of
    virtual time. One instruction takes one nanosecond, so these figures count instructions; they
    are not times of a board."""

    n: int
    min: Number
    mean: Number
    max: Number
    resolution: int  # resolution of the program's clock readings
    # Pairs of a value and the number of times it occurred; empty: not printed.
    histogram: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Figures:
    """The figures of a span: statistics and means of its samples, or values computed from other
    spans."""

    instructions: Stats | None = None  # None: every sample was interrupted
    exceptions: Number | None = None
    reads: Number | None = None
    writes: Number | None = None
    cycles: Cycles | None = None
    per_second: Rate | None = None
    reported: Reported | None = None
    # The mean tally of the clean samples or, for a sweep, the tally of the worst position, by lane.
    # `compare` decides by these tallies.
    lanes: Mapping[str, Number] = field(default_factory=dict)

    @property
    def port(self) -> Number | None:
        """Returns the number of instructions that belong to the port, or None if it is not
        known."""
        return self.lanes.get("port")

    @property
    def marks(self) -> Number | None:
        """Returns the cycles that the code of marks inside the span takes, or None if marks have no
        code."""
        return self.lanes.get("marks")


@dataclass(frozen=True)
class Sampled(Figures):
    """The figures of a span that was passed many times."""

    interrupted: Stats | None = None
    score_30s: Score | None = None
    per_thread: tuple[int, ...] | None = None
    deterministic: bool | None = None
    # Tick rate in the log; None: the log is too short, or the processor sleeps.
    ticks_seen_hz: Number | None = None


@dataclass(frozen=True, kw_only=True)
class WorstCase(Sampled):
    """The figures of a sweep, whose samples are its positions."""

    curve: Curve


@dataclass(frozen=True)
class Computed(Figures):
    """A figure that comparison/means.py computes from other figures."""


@dataclass(frozen=True)
class NotMeasured:
    """No figures. `reason` says why; it is empty if the scenario passed and has no samples."""

    status: Status
    reason: str | None = None


Result = Sampled | WorstCase | Computed | NotMeasured

NO_FIGURES = Sampled()
