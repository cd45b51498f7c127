# SPDX-License-Identifier: MIT
"""Analyses sweeps: runs in which an interrupt is pended at each instruction of a service, one
position after another (bench/injection.h).

In each call of the service the guest pends the interrupt one instruction later than in the call
before, and prints the address at which the interrupt was pended. The event log shows the same
position as a count of instructions, from mark `begin` to mark `injected`. Both must agree with the
order of the samples, so that sample n is position n; otherwise the sweep has a gap, and a gap could
hide the worst case. Before each such call, the guest calls the service without an interrupt. These
calls must all have the same length, because otherwise position n + 1 need not follow position n. No
sample is left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from ticklab.analysis import checks, statistics
from ticklab.analysis.samples import Samples, extract
from ticklab.building.elf import Elf
from ticklab.description.model import Bound, Curve, Interval, Kernel, Span, Sweep, is_clocked
from ticklab.targets.eventlog import EventLog
from ticklab.targets.protocol import AddedMark

# Matches the line that the scenarios print after each call (bench/suites/worst-case/worst_case.h).
_PENDED = re.compile(r"^ticklab: pended ([0-9a-f]{8})$", re.MULTILINE)

# A kernel declares this service if its application handles interrupts in a handler. Under other
# kernels, the application's first code after an interrupt is that of the woken task.
_HANDLES = "interrupt-handler"
_HANDLER_MARK = "served.handler"

_POSITION = Span("position", start="begin", end="injected")
_CALM = Span("calm", start="calm.begin", end="calm.end")


def places(sweep: Sweep, guest: Elf, kernel: Kernel) -> tuple[AddedMark, ...]:
    """Returns a mark at the first instruction of each interrupt handler of the application."""
    if _HANDLES not in kernel.services:
        return ()
    handlers = {s.address for s in guest.symbols if fnmatchcase(s.name, sweep.handlers)}
    return tuple(AddedMark(_HANDLER_MARK, address) for address in sorted(handlers))


def addresses(console: str) -> tuple[int, ...]:
    """Returns the addresses at which the interrupts were pended, in order."""
    return tuple(int(digits, 16) for digits in _PENDED.findall(console))


def verdict(log: EventLog, samples: Sequence[Samples], console: str) -> str | None:
    """Returns why the sweep does not cover every position, or None if it does."""
    if not checks.finished(console):
        return "the sweep did not come to its end within the instruction budget"
    calm = extract(log, _CALM, external=0, warm_up=0).tallies
    if (calm != calm[:1]).any():
        at = int(np.flatnonzero((calm != calm[:1]).any(axis=1))[0])
        return f"the service is not always the same: it differs at position {at + 1}"
    positions = extract(log, _POSITION, external=0, warm_up=0).length
    wanted = np.arange(1, len(addresses(console)) + 1)
    if not np.array_equal(positions, wanted):
        return f"the sweep has a gap after position {_gap(positions, wanted)}"
    for of_span in samples:
        if len(of_span) != len(wanted):
            return f"{len(wanted)} interrupts were pended and {len(of_span)} came to {of_span.span}"
    return None


def located(reason: str, console: str, guest: Elf) -> str:
    """Returns a reason of failure, extended by the instruction at which the last interrupt was
    pended."""
    found = addresses(console)
    if not found:
        return reason
    place = _place(found[-1], guest)
    return f"{reason}; pended before {place} (0x{found[-1]:x}), position {len(found)}"


def curve(samples: Samples, console: str, guest: Elf) -> Curve:
    """Returns the curve of a sweep: the latency at each position, the worst position, and the code
    for which the interrupt waited there."""
    first = _worst(samples)
    found = of_lengths(samples.length, first, addresses(console), guest)
    return replace(found, chosen_by=_chosen_by(samples), cycles=_cycles(samples, first))


def of_lengths(lengths: NDArray[np.int64], first: int, pended: Sequence[int], guest: Elf) -> Curve:
    """Returns the curve of a sweep from the latency `lengths` at each position. `first` is the
    index of the worst position; `pended` has the address at which the interrupt was pended for each
    position."""
    last = _end_of_wait(lengths, first)
    functions = Counter(_function(address, guest) for address in pended[first : last + 1])
    return Curve(
        instructions=tuple(lengths.tolist()),
        position=first + 1,
        pended_before=_place(pended[first], guest),
        held_until=_place(pended[last], guest),
        functions=dict(functions),
    )


def worst(samples: Samples) -> dict[str, float]:
    """Returns the counts of each lane in the sample with the greatest latency. Kernels are ranked
    by this sample."""
    tally = samples.tallies[_worst(samples)].tolist()
    return dict(zip((lane.name for lane in samples.lanes), map(float, tally), strict=True))


def _worst(samples: Samples) -> int:
    """Returns the index of the sample with the greatest high bound of cycles. This need not be the
    sample with the most instructions: a position with fewer but more expensive instructions, such
    as those of an exception entry, may be worse. Without a cycle model, returns the sample with the
    most instructions."""
    if _chosen_by(samples) is Bound.COUNTED:
        return int(np.argmax(samples.length))
    return int(np.argmax(_high(samples)))


def _chosen_by(samples: Samples) -> Bound:
    if is_clocked(samples.lanes):
        return Bound.EXACT
    return Bound.HIGH if statistics.is_modelled(samples.lanes) else Bound.COUNTED


def _cycles(samples: Samples, index: int) -> Interval | None:
    if not statistics.is_modelled(samples.lanes):
        return None
    low = statistics.cycles(samples, statistics.low_weights(samples.lanes))
    return Interval(low[index].item(), _high(samples)[index].item())


def _high(samples: Samples) -> NDArray[np.float64]:
    return statistics.cycles(samples, statistics.high_weights(samples.lanes))


def _end_of_wait(lengths: NDArray[np.int64], first: int) -> int:
    """Returns the last position at which the interrupt waits for the same end of masking as at
    position `first`, with all positions between."""
    free = np.flatnonzero(lengths[first:] == lengths.min())
    beyond = first + int(free[0]) if len(free) else len(lengths)
    ends = np.arange(len(lengths)) + lengths
    same = np.flatnonzero(ends[first:beyond] == ends[first])
    return first + int(same[-1]) if len(same) else first


def _gap(found: NDArray[np.int64], wanted: NDArray[np.int64]) -> int:
    shared = min(len(found), len(wanted))
    differing = np.flatnonzero(found[:shared] != wanted[:shared])
    return int(differing[0]) if len(differing) else shared


def _place(address: int, guest: Elf) -> str:
    return guest.symbol_at(address) or f"0x{address:x}"


def _function(address: int, guest: Elf) -> str:
    return _place(address, guest).partition("+")[0]
