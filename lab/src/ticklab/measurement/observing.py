# SPDX-License-Identifier: MIT
"""Finds the samples of spans in an image that declares no marks. The options of `observe`, or a
recipe, name the spans.

A span lasts from one mark to another (pairing.py finds which pass ends a sample), from one pass of
a mark to the next, or, for a call of a function, from the function's first instruction to its
return.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ticklab.analysis import checks, pairing, samples, tasks
from ticklab.analysis.pairing import Pairs, Scope, Wanted
from ticklab.analysis.samples import Samples
from ticklab.building.elf import Elf
from ticklab.description.model import End, Sampled, Selection, Span, Watch
from ticklab.errors import TicklabError, UsageError
from ticklab.targets.eventlog import KIND_MARK, EventLog
from ticklab.targets.mark_resolver import Marks
from ticklab.targets.protocol import Ending, Observation

EVERY = Selection()  # selects all samples


@dataclass(frozen=True)
class Watched:
    """A span to measure. `scope` is the property, such as the call or the task, that the begin and
    the end of a sample must share. None: the span has a single mark, each pass of which ends a
    sample and begins the next."""

    span: Span
    scope: Scope | None
    is_call: bool = False
    selection: Selection = EVERY


@dataclass(frozen=True)
class Found:
    """The figures of a span. `pairs` says how begins and ends were paired; it is None for a span
    with a single mark."""

    span: str
    figures: Sampled
    samples: Samples
    pairs: Pairs | None
    selection: Selection = EVERY


def spans(watch: Watch) -> tuple[Span, ...]:
    """Returns the spans between neighbouring marks, in order, and a span for each function whose
    calls are measured."""
    marks = list(watch.marks)
    calls = (Span(name, start=name, end=name + Watch.RETURN) for name in watch.calls)
    if len(marks) == 1:
        return (Span(marks[0], each=(marks[0],)), *calls)
    between = (Span(f"{a} → {b}", start=a, end=b) for a, b in pairwise(marks))
    return (*between, *calls)


def watched(
    spans: Sequence[Span], watch: Watch, marks: Marks, image: Elf, follows_calls: bool
) -> tuple[Watched, ...]:
    """Returns for each span how its samples are found. `follows_calls` says whether the log records
    calls."""
    if watch.selected and not follows_calls:
        raise UsageError(
            "this board does not record calls and tasks", "leave out --task and --depth"
        )
    return tuple(
        Watched(span, None)
        if span.each
        else Watched(
            span,
            _scope(span, marks, image) if follows_calls else Scope.ORDER,
            is_call=span.start in watch.calls,
            selection=watch.selected.get(span.name, EVERY),
        )
        for span in spans
    )


def _scope(span: Span, marks: Marks, image: Elf) -> Scope:
    """Returns by which property the passes of two marks are paired. If both marks are in one
    function, this is the call of the function."""
    begin, end = (marks.functions(name or "", image) for name in (span.start, span.end))
    in_one_function = len(begin) == 1 and begin == end and all(begin)
    is_call = span.end == f"{span.start}{Watch.RETURN}"
    return Scope.CALL if is_call or in_one_function else Scope.TASK


def names(spans: Sequence[Span]) -> Iterator[str]:
    """Yields the names of the marks of `spans`."""
    for span in spans:
        yield from span.each or filter(None, (span.start, span.end))


def passes(seen: Observation, names: Sequence[str]) -> Mapping[str, int]:
    """Counts the passes of each mark. Raises an error if a mark was never passed; its hint says how
    the run ended."""
    if seen.log is None:
        raise TicklabError(f"nothing was observed: {checks.end_reason(seen.ending)}")
    passed = {name: len(samples.passes(seen.log, (name,))) for name in names}
    for name, count in passed.items():
        if not count:
            raise TicklabError(
                f"mark '{name}' was never passed", f"the run ended: {ended(seen.ending)}"
            )
    return passed


def ended(ending: Ending) -> str:
    """Describes how the run ended."""
    where = ending.place
    match ending.end:
        case End.MARKS:
            return "the marks were passed as often as asked for"
        case End.INSTRUCTIONS:
            return f"the budget of instructions was spent{where}"
        case End.STALLED:
            return f"no mark was passed any more{where}"
        case End.EXIT if ending.status is not None:
            return f"the guest exited with status {ending.status}{where}"
        case End.EXIT:
            return f"the guest ended its machine{where}"
    return checks.end_reason(ending)


def faults(seen: Observation) -> str | None:
    """Describes the faults that the guest took, or returns None."""
    taken = checks.faults(seen.log) if seen.log else ()
    if not taken:
        return None
    others = f" and {len(taken) - 1} more" if len(taken) > 1 else ""
    return f"the guest took a {taken[0]}{others}"


def failure(seen: Observation) -> str | None:
    """Returns why the run is incomplete, or None. A guest may handle faults, so faults are a reason
    only if the run also ended badly."""
    ending = seen.ending
    wanted = ending.end is End.MARKS or (ending.end is End.EXIT and not ending.status)
    if wanted:
        return None
    if ending.end is End.INSTRUCTIONS:
        return faults(seen)
    return ended(ending)


def require_external(found: Sequence[Found], wanted: int | None) -> None:
    """Raises an error if no sample of any span has as many external interrupts as it must."""
    counted = [each.samples for each in found if each.samples.counts("external")]
    most = max((int(each.lane("external").max(initial=0)) for each in counted), default=None)
    if wanted and most is not None and most < wanted:
        raise TicklabError(
            f"no sample has {wanted:,} external interrupts, the most is {most:,}",
            "give a smaller --external",
        )


def extract(
    log: EventLog, image: Elf, watched: Watched, external: int | None, warm_up: int
) -> tuple[Samples, Pairs | None]:
    """Returns the samples of a span, and how the passes of its two marks were paired."""
    span = watched.span
    if watched.scope is None:
        return samples.extract(log, span, external, warm_up), None
    pairs = _pairs(log, image, watched, watched.scope)
    inside = span.inside(external)
    return samples.between(log, span.name, pairs.first, pairs.last, inside, warm_up), pairs


def require_sound(watched: Watched, pairs: Pairs | None, log: EventLog, image: Elf) -> None:
    """Raises an error if most passes of a span's marks belong to no sample."""
    if pairs:
        span, selection = watched.span, watched.selection
        if not pairs.begins:
            raise TicklabError(
                f"no sample of '{span.name}' {selected(selection)}",
                f"the greatest depth is {pairs.deepest}; the tasks are: {tasks.listed(log, image)}",
            )
        pairing.require_sound(pairs, span.start or "", span.end or "", _hint(watched))


def require_samples(found: Samples, warm_up: int) -> None:
    if not len(found):
        raise TicklabError(
            f"'{found.span}' was passed only once, so it has no sample", "raise --until"
        )
    if warm_up >= len(found):
        reason = f"a warm-up of {warm_up:,} leaves none of the {len(found):,} samples"
        raise TicklabError(f"'{found.span}': {reason}", "lower --warm-up, or raise --until")


def selected(selection: Selection) -> str:
    """Describes which samples of a span were selected."""
    task = f"in task {selection.task}" if selection.task is not None else ""
    depth = f"at depth {selection.depth}" if selection.depth is not None else ""
    return " ".join(filter(None, ("begins", task, depth)))


def _pairs(log: EventLog, image: Elf, watched: Watched, scope: Scope) -> Pairs:
    begin, end = watched.span.start or "", watched.span.end or ""
    task = watched.selection.task
    stacks = None if task is None else tasks.stacks(log, image, task)
    wanted = Wanted(stacks, watched.selection.depth)
    if watched.is_call:
        return pairing.pair_calls(log, begin, end, wanted)
    return pairing.pair(log, begin, end, scope, wanted)


def numbered(log: EventLog, paired: Mapping[str, Pairs | None]) -> dict[str, list[tuple[int, int]]]:
    """Returns the samples of each span as pairs of numbers. The numbers count the passes of all
    marks."""
    number = np.cumsum(log.records["kind"] == KIND_MARK) - 1
    return {
        span: [(int(number[a]), int(number[b])) for a, b in pairs.found]
        for span, pairs in paired.items()
        if pairs
    }


def _hint(watched: Watched) -> str:
    if watched.is_call:
        return "most calls leave by another way than a return: name two marks instead"
    if watched.scope is Scope.CALL:
        return "measure whole calls with --call FUNCTION, or move a mark to where every call passes"
    return "give the marks in the order in which they are passed, or --call FUNCTION"
