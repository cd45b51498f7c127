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

# Instructions of the mean sample, or of the worst one of a sweep, by kind of work (categories.py)
# and by function.
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
    """Bounds of a model; a clocked value is both bounds."""

    low: Stats
    high: Stats
    profile: str | None  # None: clocked

    @property
    def exact(self) -> Stats | None:
        return self.low if self.profile is None else None


@dataclass(frozen=True)
class Score:
    """Thread-Metric's unit: counts in 30 s at `clock_hz`, including ticks."""

    low: Number
    high: Number
    clock_hz: int


@dataclass(frozen=True)
class Rate:
    """Passes of a workload in a second at the clock of the board, including ticks; of a Loss, the
    passes that a second loses."""

    low: Number
    high: Number
    unit: str  # name of one pass, in the plural


@dataclass(frozen=True)
class Reported:
    """The figures that a program in the guest measured by the guest's clock, in nanoseconds of
    virtual time. An instruction takes one, so that they count instructions; they are no time of a
    board."""

    n: int
    min: Number
    mean: Number
    max: Number
    resolution: int  # of the program's figures
    histogram: tuple[tuple[int, int], ...] = ()  # value and number; empty: the program has none


@dataclass(frozen=True)
class Figures:
    """The figures of a span: statistics and means of its samples, or values computed from other
    spans."""

    instructions: Stats | None = None  # None: an interrupt came in every sample
    exceptions: Number | None = None
    reads: Number | None = None
    writes: Number | None = None
    cycles: Cycles | None = None
    per_second: Rate | None = None
    reported: Reported | None = None
    # Mean tally of the samples without a tick, lane by lane; of a sweep, the tally of the worst
    # position. `compare` decides by these.
    lanes: Mapping[str, Number] = field(default_factory=dict)

    @property
    def port(self) -> Number | None:
        """Returns how many of the instructions are the port's; None: not known."""
        return self.lanes.get("port")

    @property
    def marks(self) -> Number | None:
        """Returns how many of the cycles are those of the marks inside; None: marks have no
        code."""
        return self.lanes.get("marks")


@dataclass(frozen=True)
class Sampled(Figures):
    """The figures of a span that was passed many times."""

    interrupted: Stats | None = None
    score_30s: Score | None = None
    per_thread: tuple[int, ...] | None = None
    deterministic: bool | None = None
    ticks_seen_hz: Number | None = None  # in the log; None: the log is too short, or tasks sleep


@dataclass(frozen=True, kw_only=True)
class WorstCase(Sampled):
    """The figures of a sweep, whose samples are its positions."""

    curve: Curve


@dataclass(frozen=True)
class Computed(Figures):
    """A figure that means.py computes from others."""


@dataclass(frozen=True)
class NotMeasured:
    """No figures: the reason; or none, if the scenario passed and has no samples."""

    status: Status
    reason: str | None = None


Result = Sampled | WorstCase | Computed | NotMeasured

NO_FIGURES = Sampled()
