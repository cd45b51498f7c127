# SPDX-License-Identifier: MIT
"""Pairs the passes of marks for `observe`: finds which pass ends a sample that another pass began.

Scenarios declare spans that cannot overlap (samples.py). In any other image a function may call
itself, a handler may call it, or a task is preempted between two marks. So each pass of a mark
carries the frame in which it happened (docs/reference/formats.md, the event log), and a pass ends
a sample that the same call or task began (Scope names the one exception). Passes without a partner
are counted, never paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ticklab.analysis.samples import Indices, passes
from ticklab.errors import TicklabError
from ticklab.targets.eventlog import KIND_FRAME, EventLog


class Scope(StrEnum):
    """The common frame of the begin and the end of a sample."""

    CALL = "call"  # the call of a function that contains both marks
    # The task or handler. If that of an end has begun no sample, the end belongs to the last begin
    # of any: one task wakes another. Such samples are counted as crossing.
    TASK = "task"
    ORDER = "order"  # the order in time only: the target does not follow calls


class Pass(NamedTuple):
    record: int  # in the log
    is_begin: bool
    frame: int  # number of the call; 0 if calls are not followed
    stack: int  # task, or activation of an exception
    depth: int  # calls in progress


@dataclass
class Pairs:
    """The records that begin and end each sample, in the order of the begins, and the numbers of
    passes that belong to no sample."""

    scope: Scope
    found: list[tuple[int, int]] = field(default_factory=list)
    begins: int = 0
    ends: int = 0
    crossing: int = 0  # samples that began in one task or handler and ended in another

    @property
    def first(self) -> Indices:
        return np.array([first for first, _ in self.found], np.int64)

    @property
    def last(self) -> Indices:
        return np.array([last for _, last in self.found], np.int64)

    @property
    def without_end(self) -> int:
        return self.begins - len(self.found)

    @property
    def without_begin(self) -> int:
        return self.ends - len(self.found)

    @property
    def is_sound(self) -> bool:
        """Returns whether at least half of all passes belong to a sample. The last begin may be in
        progress when the observation ends."""
        paired = len(self.found)
        return paired > 0 and 2 * paired >= max(self.begins - 1, self.ends)


def pair(log: EventLog, begin: str, end: str, scope: Scope) -> Pairs:
    """Pairs each pass of mark `begin` with the pass of mark `end` that belongs to it."""
    return _pairs(list(_passes(log, begin, end)), scope)


def pair_calls(log: EventLog, entry: str, back: str) -> Pairs:
    """Pairs the calls of a function: mark `entry` at its first instruction, mark `back` at its
    return."""
    return _pairs(list(_entries(_passes(log, entry, back))), Scope.CALL)


def _pairs(order: Sequence[Pass], scope: Scope) -> Pairs:
    pairs = Pairs(scope)
    pairs.begins = sum(each.is_begin for each in order)
    pairs.ends = len(order) - pairs.begins
    match scope:
        case Scope.CALL:
            pairs.found = list(_by_call(order))
        case Scope.TASK:
            ended = list(_by_task(order))
            pairs.found = [(first.record, last.record) for first, last in ended]
            pairs.crossing = sum(first.stack != last.stack for first, last in ended)
        case Scope.ORDER:
            pairs.found = list(_by_order(order))
    pairs.found.sort()
    return pairs


def _passes(log: EventLog, begin: str, end: str) -> Iterator[Pass]:
    """Returns all passes of both marks. If calls are followed, a frame record and a stack record
    follow each pass."""
    begins, ends = passes(log, (begin,)), passes(log, (end,))
    records = log.records
    is_begin = dict.fromkeys(begins.tolist(), True) | dict.fromkeys(ends.tolist(), False)
    at = np.array(sorted(is_begin), np.int64)
    if (records["kind"] == KIND_FRAME).any():
        places = [records["id"][at + 1], records["id"][at + 2], records["exception"][at + 1]]
    else:
        places = [np.zeros_like(at), records["node"][at], np.zeros_like(at)]
    columns = (column.tolist() for column in (at, *places))
    for record, frame, stack, depth in zip(*columns, strict=True):
        yield Pass(record, is_begin[record], frame, stack, depth)


def _entries(order: Iterable[Pass]) -> Iterator[Pass]:
    """Leaves out passes of the first instruction by which no call begins: a loop may start there,
    or a tail call may jump there."""
    running: set[int] = set()
    for each in order:
        if not each.is_begin:
            running.discard(each.frame)
        elif each.frame in running:
            continue
        else:
            running.add(each.frame)
        yield each


def _by_call(order: Iterable[Pass]) -> Iterator[tuple[int, int]]:
    """Pairs by call. A begin that its call passes again, in a loop, is replaced."""
    begun: dict[int, int] = {}
    for each in order:
        if each.is_begin:
            begun[each.frame] = each.record
        elif each.frame in begun:
            yield begun.pop(each.frame), each.record


def _by_task(order: Iterable[Pass]) -> Iterator[tuple[Pass, Pass]]:
    """An end belongs to the last begin of its own task or handler. If that has begun nothing, the
    end belongs to the last begin of all: one task wakes another. A begin is replaced by a later
    one of the same task, unless the later one is in a function that the earlier one called."""
    begun: list[Pass] = []
    for each in order:
        own = [at for at, other in enumerate(begun) if other.stack == each.stack]
        if each.is_begin:
            for at in reversed(own):
                if begun[at].depth >= each.depth:
                    del begun[at]
            begun.append(each)
        elif begun:
            yield begun.pop(own[-1] if own else -1), each


def _by_order(order: Iterable[Pass]) -> Iterator[tuple[int, int]]:
    """Pairs each end with the last begin of its node."""
    begun: dict[int, int] = {}
    for each in order:
        if each.is_begin:
            begun[each.stack] = each.record
        elif each.stack in begun:
            yield begun.pop(each.stack), each.record


def require_sound(pairs: Pairs, begin: str, end: str, hint: str) -> None:
    """Refuses figures that would represent a small part of the passes."""
    if pairs.is_sound:
        return
    raise TicklabError(
        f"{len(pairs.found):,} of {pairs.begins:,} passes of '{begin}' have an end of their own "
        f"among {pairs.ends:,} passes of '{end}'",
        hint,
    )
