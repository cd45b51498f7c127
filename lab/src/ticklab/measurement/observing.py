# SPDX-License-Identifier: MIT
"""The spans that `observe` measures in an image without declared marks, and their figures.

A span runs from one mark to the next mark on the command line (pairing.py finds the pass that ends
a sample), from pass to pass of a single mark, or over the calls of a function, from its first
instruction to its return.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ticklab.analysis import checks, pairing, samples
from ticklab.analysis.pairing import Pairs, Scope
from ticklab.analysis.samples import Samples
from ticklab.building.elf import Elf
from ticklab.description.model import End, Profile, Sampled, Span
from ticklab.errors import TicklabError, UsageError
from ticklab.measurement import observation
from ticklab.targets.eventlog import KIND_MARK, EventLog
from ticklab.targets.protocol import Ending, Observation, Place

RETURN = ".return"  # suffix of the name of a mark where a call returns


@dataclass(frozen=True)
class Watched:
    """A span, and what its begin and end must have in common; None: every pass of its mark ends a
    sample and begins the next."""

    span: Span
    scope: Scope | None
    is_call: bool = False


@dataclass(frozen=True)
class Found:
    """The figures of a span. `pairs` is None for a span of a single mark."""

    span: str
    figures: Sampled
    samples: Samples
    pairs: Pairs | None


def watched(
    marks: Sequence[Place], calls: Sequence[Place], image: Elf, follows_calls: bool
) -> tuple[Watched, ...]:
    """Returns the spans between `marks`, in order, and those of `calls`."""
    _require_free({place.name for place in (*marks, *calls)}, calls)
    found = [_call(call) for call in calls]
    if len(marks) == 1:
        name = marks[0].name
        return (Watched(Span(name, each=(name,)), None), *found)
    between = [
        Watched(
            Span(f"{a.name} → {b.name}", start=a.name, end=b.name),
            _scope(a, b, image) if follows_calls else Scope.ORDER,
        )
        for a, b in pairwise(marks)
    ]
    return (*between, *found)


def _require_free(names: Set[str], calls: Sequence[Place]) -> None:
    """Refuses a mark with the name of a call's return."""
    for taken in (call.name + RETURN for call in calls):
        if taken in names:
            raise UsageError(f"'{taken}' is the name of a call's return", "give another name")


def _call(place: Place) -> Watched:
    span = Span(place.name, start=place.name, end=place.name + RETURN)
    return Watched(span, Scope.CALL, is_call=True)


def _scope(begin: Place, end: Place, image: Elf) -> Scope:
    """Returns the scope of two marks: marks in one function belong to one call of it."""
    functions = [_function(image, place.address) for place in (begin, end)]
    return Scope.CALL if functions[0] and functions[0] == functions[1] else Scope.TASK


def _function(image: Elf, address: int) -> str:
    return (image.symbol_at(address) or "").partition("+")[0]


def passes(seen: Observation, names: Sequence[str]) -> Mapping[str, int]:
    """Counts the passes of each mark. Raises an error for a mark without passes; the remedy names
    the end of the run."""
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
    """Returns the end of the run in words."""
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
    """Returns the faults that the guest took, in words."""
    taken = checks.faults(seen.log) if seen.log else ()
    if not taken:
        return None
    others = f" and {len(taken) - 1} more" if len(taken) > 1 else ""
    return f"the guest took a {taken[0]}{others}"


def failure(seen: Observation) -> str | None:
    """Returns why the run is incomplete, or None. A guest may handle faults, so faults count only
    if the run ended badly."""
    ending = seen.ending
    wanted = ending.end is End.MARKS or (ending.end is End.EXIT and not ending.status)
    if wanted:
        return None
    if ending.end is End.INSTRUCTIONS:
        return faults(seen)
    return ended(ending)


def find(
    log: EventLog,
    watched: Watched,
    profile: Profile | None,
    external: int | None,
    warm_up: int,
) -> Found:
    span = watched.span
    if watched.scope is None:
        found, pairs = samples.extract(log, span, external, warm_up), None
    else:
        pairs = _pairs(log, watched, watched.scope)
        pairing.require_sound(pairs, span.start or "", span.end or "", _hint(watched))
        found = samples.between(log, span.name, pairs.first, pairs.last, external, warm_up)
    if not len(found):
        raise TicklabError(
            f"'{span.name}' was passed only once, so it has no sample", "raise --until"
        )
    if warm_up >= len(found):
        reason = f"a warm-up of {warm_up:,} leaves none of the {len(found):,} samples"
        raise TicklabError(f"'{span.name}': {reason}", "lower --warm-up, or raise --until")
    return Found(span.name, observation.summary(found, profile), found, pairs)


def _pairs(log: EventLog, watched: Watched, scope: Scope) -> Pairs:
    begin, end = watched.span.start or "", watched.span.end or ""
    if watched.is_call:
        return pairing.pair_calls(log, begin, end)
    return pairing.pair(log, begin, end, scope)


def numbered(log: EventLog, found: Sequence[Found]) -> dict[str, list[tuple[int, int]]]:
    """Returns the pairs of each span that has any, as numbers among the passes of all marks."""
    number = np.cumsum(log.records["kind"] == KIND_MARK) - 1
    return {
        one.span: [(int(number[a]), int(number[b])) for a, b in one.pairs.found]
        for one in found
        if one.pairs
    }


def _hint(watched: Watched) -> str:
    if watched.is_call:
        return "most calls leave by another way than a return: name two marks instead"
    if watched.scope is Scope.CALL:
        return "measure whole calls with --call FUNCTION, or move a mark to where every call passes"
    return "give the marks in the order in which they are passed, or --call FUNCTION"
