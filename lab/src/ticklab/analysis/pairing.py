# SPDX-License-Identifier: MIT
"""Pairs the passes of two marks for the command `observe`: finds which pass of the end mark ends
the sample that a pass of the begin mark began.

In Ticklab's scenarios, spans cannot overlap (samples.py). In any other image, a function may call
itself, a handler may call the function, or a task may be preempted between the two marks. So each
pass records the call and the task in which it happened (docs/reference/formats.md, the event log),
and a sample ends in the call or task in which it began (`Scope.TASK` has one exception). Passes
without a partner are counted, never paired. All passes are paired before samples are selected, so
that no end is paired with a wrong begin because the right begin was not selected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ticklab.analysis.samples import Indices, passes
from ticklab.errors import TicklabError
from ticklab.targets.eventlog import KIND_FRAME, EventLog


class Scope(StrEnum):
    """The property that the begin and the end of a sample must share."""

    CALL = "call"  # the call of a function that contains both marks
    # The same task or handler. If that task began no sample, its end belongs to the newest begin of
    # any task, because one task may wake another. Such samples are counted as `crossing`.
    TASK = "task"
    ORDER = "order"  # nothing: pairs by time only, for targets that do not follow calls


class Pass(NamedTuple):
    record: int  # index of the record in the log
    is_begin: bool
    frame: int  # number of the call that contains the pass; 0 if calls are not followed
    stack: int  # number of the task, or of the activation of an exception
    depth: int  # number of calls in progress


@dataclass(frozen=True)
class Wanted:
    """Selects samples by the task and by the depth at which they begin."""

    stacks: frozenset[int] | None = None  # tasks by number; None: any task or handler
    # 1: the sample lies inside no other sample of its task or handler. None: any depth.
    depth: int | None = None

    def accepts(self, begin: Pass, depths: Mapping[int, int]) -> bool:
        is_in_task = self.stacks is None or begin.stack in self.stacks
        return is_in_task and self.depth in (None, depths[begin.record])


EVERY = Wanted()


@dataclass
class Pairs:
    """The pairs of records that begin and end the samples, in order of their begins, and the
    numbers of passes that belong to no sample."""

    scope: Scope
    found: list[tuple[int, int]] = field(default_factory=list)
    begins: int = 0
    ends: int = 0
    crossing: int = 0  # samples that began in one task or handler and ended in another
    left_out: int = 0  # samples that were not selected; no other count includes them
    deepest: int = 0  # greatest depth of any sample

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
        """Returns whether at least half of all passes belong to a sample. The last begin does not
        count if its sample is in progress when the observation ends."""
        paired = len(self.found)
        return paired > 0 and 2 * paired >= max(self.begins - 1, self.ends)


def pair(log: EventLog, begin: str, end: str, scope: Scope, wanted: Wanted = EVERY) -> Pairs:
    """Pairs each pass of mark `begin` with the pass of mark `end` that belongs to it."""
    return _pairs(list(_passes(log, begin, end)), scope, wanted)


def pair_calls(log: EventLog, entry: str, back: str, wanted: Wanted = EVERY) -> Pairs:
    """Pairs the entry of each call of a function with its return. Mark `entry` is at the function's
    first instruction, mark `back` at the return."""
    return _pairs(list(_entries(_passes(log, entry, back))), Scope.CALL, wanted)


def _pairs(order: Sequence[Pass], scope: Scope, wanted: Wanted) -> Pairs:
    ways = {Scope.CALL: _by_call, Scope.TASK: _by_task, Scope.ORDER: _by_order}
    every = list(ways[scope](order))
    depths = _depths(order, every)
    found = [(first, last) for first, last in every if wanted.accepts(first, depths)]
    # Only a pass that begins a sample has a depth; a pass that ends none has only a task.
    partners = {last.record for _, last in every}
    alone = [each for each in order if not each.is_begin and each.record not in partners]
    return Pairs(
        scope,
        sorted((first.record, last.record) for first, last in found),
        begins=sum(each.is_begin and wanted.accepts(each, depths) for each in order),
        ends=len(found) + sum(wanted.stacks is None or end.stack in wanted.stacks for end in alone),
        crossing=0 if scope is Scope.ORDER else sum(a.stack != b.stack for a, b in found),
        left_out=len(every) - len(found),
        deepest=max((depths[first.record] for first, _ in every), default=0),
    )


def _depths(order: Iterable[Pass], pairs: Iterable[tuple[Pass, Pass]]) -> Mapping[int, int]:
    """Returns the depth of each begin: the number of samples in progress in its task or handler,
    including its own. A sample is no longer in progress after its end. If a call was left by
    another way than a return (longjmp, for example), its sample has no end; it counts as ended when
    its task passes a begin with no more calls in progress than it had."""
    ended = {last.record: first for first, last in pairs}
    running: defaultdict[int, list[Pass]] = defaultdict(list)
    depths: dict[int, int] = {}
    for each in order:
        begin = each if each.is_begin else ended.get(each.record)
        if begin is None:
            continue
        begun = running[begin.stack]
        while begun and begun[-1].depth >= begin.depth:
            begun.pop()
        if each.is_begin:
            begun.append(begin)
            depths[begin.record] = len(begun)
    return depths


def _passes(log: EventLog, begin: str, end: str) -> Iterator[Pass]:
    """Returns the passes of both marks in the order of the log. If calls are followed, the log has
    a frame record and a stack record after each pass."""
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
    """Leaves out passes of a function's first instruction that do not begin a call: a loop may jump
    back to this instruction, or a tail call may jump to it."""
    running: set[int] = set()
    for each in order:
        if not each.is_begin:
            running.discard(each.frame)
        elif each.frame in running:
            continue
        else:
            running.add(each.frame)
        yield each


def _by_call(order: Iterable[Pass]) -> Iterator[tuple[Pass, Pass]]:
    """Pairs passes of the same call. If the call passes the begin mark again, in a loop, the later
    begin replaces the earlier one."""
    begun: dict[int, Pass] = {}
    for each in order:
        if each.is_begin:
            begun[each.frame] = each
        elif each.frame in begun:
            yield begun.pop(each.frame), each


def _by_task(order: Iterable[Pass]) -> Iterator[tuple[Pass, Pass]]:
    """Pairs each end with the newest begin of its own task or handler. If that task has begun no
    sample, the end belongs to the newest begin of any task, because one task may wake another. A
    later begin of the same task replaces an earlier one, unless it is in a function that the
    earlier one's call has called."""
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


def _by_order(order: Iterable[Pass]) -> Iterator[tuple[Pass, Pass]]:
    """Pairs each end with the last begin of its node."""
    begun: dict[int, Pass] = {}
    for each in order:
        if each.is_begin:
            begun[each.stack] = each
        elif each.stack in begun:
            yield begun.pop(each.stack), each


def require_sound(pairs: Pairs, begin: str, end: str, hint: str) -> None:
    """Raises an error if most passes belong to no sample, because figures of the others would not
    be representative."""
    if pairs.is_sound:
        return
    raise TicklabError(
        f"only {len(pairs.found):,} of {pairs.begins:,} passes of mark '{begin}' have an end of "
        f"their own among the {pairs.ends:,} passes of mark '{end}'",
        hint,
    )
