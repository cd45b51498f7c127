# SPDX-License-Identifier: MIT
"""Event log + span -> samples: one row for each passage of the span.

A sample's tally is what the node did from the mark that begins it to the mark that ends it. Samples
with a tick or a foreign interrupt inside, and those of the warm-up, are labelled; none is ever
dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from ticklab.eventlog import KIND_MARK, EventLog
from ticklab.model import Lane, Span, is_clocked

Indices = NDArray[np.int64]


class Flag(IntFlag):
    """Why a sample is not summarised with the clean ones."""

    TICK = 1  # a tick interrupt inside
    FOREIGN = 2  # an external interrupt inside that the scenario did not ask for
    WARM_UP = 4  # before the steady state


@dataclass(frozen=True)
class Samples:
    """The samples of one span, in order of time within each node. All arrays have one row a
    sample."""

    span: str
    lanes: tuple[Lane, ...]
    node: NDArray[np.uint8]
    start: NDArray[np.int64]  # time since the observation began (see `duration`)
    tallies: NDArray[np.int64]  # one column a lane
    flags: NDArray[np.uint8]
    first: Indices  # the record of the log that begins the sample, …
    last: Indices  # … and the one that ends it
    external: int | None = 0  # external interrupts that each takes by itself; None: any number

    def __len__(self) -> int:
        return len(self.flags)

    def lane(self, name: str) -> NDArray[np.int64]:
        column: NDArray[np.int64] = self.tallies[:, [x.name for x in self.lanes].index(name)]
        return column

    @property
    def length(self) -> NDArray[np.int64]:
        """Instructions of each sample."""
        return self.lane("instructions")

    @property
    def duration(self) -> NDArray[np.int64]:
        """How long each sample took, in that by which ticks come: cycles where these are clocked,
        else instructions."""
        return self.lane(time_lane(self.lanes))

    @property
    def clean(self) -> NDArray[np.bool_]:
        return np.asarray(self.flags == 0)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Everything behind the warm-up, interrupted or not."""
        return np.asarray(self.flags & Flag.WARM_UP == 0)

    @property
    def ticked(self) -> NDArray[np.bool_]:
        """Interrupted by ticks and by nothing else, behind the warm-up."""
        return np.asarray(self.flags == Flag.TICK)


def extract(log: EventLog, span: Span, external: int | None, warm_up: int) -> Samples:
    """All samples of `span`. `external`: how many external interrupts a passage of the scenario
    takes by itself; None: as many as come."""
    external = span.inside(external)
    parts = [_of_node(log, span, int(node)) for node in np.unique(log.records["node"])]
    first, last, start, tallies = (
        [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else _none(log)
    )
    flags = np.where(tallies[:, log.lane("systick")] > 0, int(Flag.TICK), 0)
    if external is not None:
        flags |= np.where(tallies[:, log.lane("external")] > external, int(Flag.FOREIGN), 0)
    flags[:warm_up] |= int(Flag.WARM_UP)
    node = np.asarray(log.records["node"][first], np.uint8)
    return Samples(
        span.name,
        log.lanes,
        node,
        start,
        tallies,
        flags.astype(np.uint8),
        first,
        last,
        external,
    )


def time_lane(lanes: tuple[Lane, ...]) -> str:
    """The lane by which time passes in a log."""
    return "cycles" if is_clocked(lanes) else "instructions"


def passes(log: EventLog, patterns: tuple[str, ...]) -> Indices:
    """Records in which a mark with one of these names (`*` matches anything) was passed."""
    ids = [i for i, name in enumerate(log.marks) if any(fnmatchcase(name, p) for p in patterns)]
    is_mark = log.records["kind"] == KIND_MARK
    return np.flatnonzero(is_mark & np.isin(log.records["id"], ids))


def _of_node(log: EventLog, span: Span, node: int) -> list[NDArray[np.int64]]:
    """first, last, start and tallies of one node's samples."""
    here = np.flatnonzero(log.records["node"] == node)
    # What the node had done when each of its records was written.
    done = np.cumsum(log.records["tally"][here], axis=0, dtype=np.int64)
    begins, ends = _pairs(log, span, here)
    start = done[begins, log.lane(time_lane(log.lanes))]
    return [here[begins], here[ends], start, done[ends] - done[begins]]


def _pairs(log: EventLog, span: Span, here: Indices) -> tuple[Indices, Indices]:
    """Positions within `here` where samples begin and end."""
    if span.each:
        at = np.searchsorted(here, np.intersect1d(here, passes(log, span.each)))
        return at[:-1], at[1:]
    begins = np.searchsorted(here, np.intersect1d(here, passes(log, (span.start or "",))))
    ends = np.searchsorted(here, np.intersect1d(here, passes(log, (span.end or "",))))
    following = np.searchsorted(ends, begins, side="right")
    complete = following < len(ends)
    return begins[complete], ends[following[complete]]


def _none(log: EventLog) -> list[NDArray[np.int64]]:
    empty = np.zeros(0, np.int64)
    return [empty, empty, empty, np.zeros((0, len(log.lanes)), np.int64)]
