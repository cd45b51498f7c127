# SPDX-License-Identifier: MIT
"""The types for the result of a span: figures, or the reason why there are none. They belong to the
data types of model.py."""

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


# A figure. Whole numbers are ints, so that JSON shows them without a decimal point.
Number = int | float

# The instructions of the mean sample, or of the worst sample of a sweep, by kind of work
# (categories.py), and for each kind by function.
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
    """The score of Thread-Metric: the number of iterations in 30 s at `clock_hz`, without the time
    that ticks take."""

    low: Number
    high: Number
    clock_hz: int


@dataclass(frozen=True)
class Rate:
    """The iterations of a workload in a second at the board's clock, without the time that ticks
    take. For a `Loss`, the number of iterations that the measured service costs in a second."""

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
    # Pairs of a value and the number of times it occurred. Empty if the program prints none.
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
        """Returns the instructions of the port in the mean sample, or None if they are not
        counted."""
        return self.lanes.get("port")

    @property
    def marks(self) -> Number | None:
        """Returns the cycles that the code of marks takes inside the mean sample, or None if marks
        have no code."""
        return self.lanes.get("marks")


@dataclass(frozen=True)
class Sampled(Figures):
    """The figures of a span that has samples."""

    interrupted: Stats | None = None
    score_30s: Score | None = None
    per_thread: tuple[int, ...] | None = None
    deterministic: bool | None = None
    # The rate of ticks in the event log. None: the log is too short, or the processor sleeps
    # between ticks.
    ticks_seen_hz: Number | None = None


@dataclass(frozen=True, kw_only=True)
class WorstCase(Sampled):
    """The figures of a sweep. Each of its samples belongs to one position of the pended
    interrupt."""

    curve: Curve


@dataclass(frozen=True)
class Computed(Figures):
    """A figure that comparison/means.py computes from other figures."""


@dataclass(frozen=True)
class NotMeasured:
    """The result of a span without figures. `reason` says why there are none; it is empty if the
    scenario passed and is not measured."""

    status: Status
    reason: str | None = None


Result = Sampled | WorstCase | Computed | NotMeasured

NO_FIGURES = Sampled()
