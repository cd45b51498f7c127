# SPDX-License-Identifier: MIT
"""Extracts samples from an event log: one row for each passage of a span.

The tally of a sample counts what the sample's node executed from the mark that begins the sample to
the mark that ends it. Samples of the warm-up, and samples that contain a tick or an interrupt that
the scenario did not request, are labelled; no sample is dropped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from ticklab.description.model import Lane, Span, is_clocked
from ticklab.targets.eventlog import KIND_MARK, EventLog

Indices = NDArray[np.int64]


class Flag(IntFlag):
    """Reasons why a sample does not count in the statistics of undisturbed samples."""

    TICK = 1  # the sample contains a tick interrupt
    FOREIGN = 2  # the sample contains an external interrupt that the scenario did not request
    WARM_UP = 4  # the sample lies before the steady state
    STOP = 8  # the debugger stopped the guest during the sample


@dataclass(frozen=True)
class Samples:
    """The samples of one span, in order of time within each node. All arrays have one row for each
    sample."""

    span: str
    lanes: tuple[Lane, ...]
    node: NDArray[np.uint8]
    # The times at which the samples began, since the begin of the observation, in the unit of
    # `duration`.
    start: NDArray[np.int64]
    tallies: NDArray[np.int64]  # one column for each lane
    flags: NDArray[np.uint8]
    first: Indices  # index of the log's record that begins the sample
    last: Indices  # index of the log's record that ends the sample
    external: int | None = 0  # external interrupts that each sample must contain; None: any number

    def __len__(self) -> int:
        return len(self.flags)

    def lane(self, name: str) -> NDArray[np.int64]:
        column: NDArray[np.int64] = self.tallies[:, [x.name for x in self.lanes].index(name)]
        return column

    def counts(self, name: str) -> bool:
        """Returns whether the target counted the lane `name`. A board counts few lanes."""
        return any(lane.name == name for lane in self.lanes)

    @property
    def length(self) -> NDArray[np.int64]:
        """Returns the instructions of each sample, or its cycles if instructions were not
        counted."""
        return self.lane("instructions") if self.counts("instructions") else self.duration

    @property
    def duration(self) -> NDArray[np.int64]:
        """Returns the duration of each sample in the unit of the tick period: in cycles if they are
        clocked, otherwise in instructions."""
        return self.lane(time_lane(self.lanes))

    @property
    def clean(self) -> NDArray[np.bool_]:
        return np.asarray(self.flags == 0)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """Selects all samples after the warm-up, interrupted or not."""
        return np.asarray(self.flags & Flag.WARM_UP == 0)

    @property
    def ticked(self) -> NDArray[np.bool_]:
        """Selects the samples after the warm-up that contain a tick and no other interrupt."""
        return np.asarray(self.flags == Flag.TICK)


def extract(log: EventLog, span: Span, external: int | None, warm_up: int) -> Samples:
    """Extracts all samples of `span`. `external` is the number of external interrupts that each
    passage of the scenario must contain; None accepts any number."""
    first, last = _pairs(log, span)
    return between(log, span.name, first, last, span.inside(external), warm_up)


def between(
    log: EventLog, span: str, first: Indices, last: Indices, external: int | None, warm_up: int
) -> Samples:
    """Makes one sample from each pair of records `first[i]` and `last[i]` of the log. Both records
    of a pair belong to the same node. `external` is the number of external interrupts that each
    sample must contain; None accepts any number."""
    tallies = _tallies(log, first, last)
    start = log.total(time_lane(log.lanes))[first]
    flags = np.where(tallies[:, log.lane("systick")] > 0, int(Flag.TICK), 0)
    if log.counts("stops"):
        flags |= np.where(tallies[:, log.lane("stops")] > 0, int(Flag.STOP), 0)
    if external is not None and log.counts("external"):
        flags |= np.where(tallies[:, log.lane("external")] > external, int(Flag.FOREIGN), 0)
    flags[:warm_up] |= int(Flag.WARM_UP)
    node = np.asarray(log.records["node"][first], np.uint8)
    return Samples(
        span,
        log.lanes,
        node,
        start,
        tallies,
        flags.astype(np.uint8),
        first,
        last,
        external,
    )


def _tallies(log: EventLog, first: Indices, last: Indices) -> NDArray[np.int64]:
    """Returns the sum of the tallies between the two records of each pair. If every pair consists
    of neighbouring records, as in a loop with one mark, this is the tally of the last record; the
    running totals of a long log, which take hundreds of megabytes, are then not needed."""
    if np.array_equal(first + 1, last):
        adjacent: NDArray[np.int64] = log.records["tally"][last].astype(np.int64)
        return adjacent
    tallies = log.totals[last]
    tallies -= log.totals[first]
    return tallies


def time_lane(lanes: tuple[Lane, ...]) -> str:
    """Returns the name of the lane that measures time: cycles if they are clocked, otherwise
    instructions."""
    return "cycles" if is_clocked(lanes) else "instructions"


def passes(log: EventLog, patterns: tuple[str, ...]) -> Indices:
    """Returns the indices of the records at which a mark was passed whose name matches one of
    `patterns` (`*` matches any text)."""
    ids = [i for i, name in enumerate(log.marks) if any(fnmatchcase(name, p) for p in patterns)]
    is_mark = log.records["kind"] == KIND_MARK
    return np.flatnonzero(is_mark & np.isin(log.records["id"], ids))


def _pairs(log: EventLog, span: Span) -> tuple[Indices, Indices]:
    """Returns the indices of the records that begin and end each sample, node after node."""
    parts = [_pairs_of_node(log, span, node) for node in log.nodes]
    empty = np.zeros(0, np.int64)
    first, last = zip((empty, empty), *parts, strict=True)
    return np.concatenate(first), np.concatenate(last)


def _pairs_of_node(log: EventLog, span: Span, node: int) -> tuple[Indices, Indices]:
    """Returns the records that begin and end each sample of a node."""

    def here(*patterns: str) -> Indices:
        found = passes(log, patterns)
        of_node: Indices = found[log.records["node"][found] == node]
        return of_node

    if span.each:
        at = here(*span.each)
        return at[:-1], at[1:]
    begins, ends = here(span.start or ""), here(span.end or "")
    following = np.searchsorted(ends, begins, side="right")
    complete = following < len(ends)
    return begins[complete], ends[following[complete]]
