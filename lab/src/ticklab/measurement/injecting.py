# SPDX-License-Identifier: MIT
"""Makes a sweep of an image that contains no code for it: a debugger pends an interrupt at every
instruction of a span, to find the longest latency of the firmware's handler.

In the first execution of the span, interrupts are off and the instructions are listed. During
execution n, the interrupt is pended before instruction n, and the steps to the first instruction of
its handler are counted. If the span takes another path than the first time, the position is tried
again. So the sweep covers one path completely; its report names the instructions on other paths.
A guest that ends before it has executed the span often enough is started again. If it executes the
span only once, it is not known whether it continues after an interrupt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ticklab.analysis import injection, statistics
from ticklab.analysis.samples import Samples
from ticklab.building import debug_lines, elf
from ticklab.description.model import Board, Curve, Lane, Pending, WorstCase
from ticklab.errors import TicklabError
from ticklab.explain import disassembly
from ticklab.targets import mark_resolver, stepper
from ticklab.targets.stepper import Stepper

LONGEST_SPAN, LONGEST_WAIT, ATTEMPTS = 5_000, 20_000, 5
_SYSTEM_EXCEPTIONS = 16
_VTOR = 0xE000_ED08  # the address of the table of vectors (DDI 0403E, B3.2.5)


@dataclass(frozen=True)
class Span:
    begin: int
    end: int | None  # None: the span ends where the function at `begin` returns


class _Position(NamedTuple):
    """The result of one position."""

    wait: int  # instructions until the handler begins
    handler: int
    repeats: int  # passes that took another path


@dataclass(frozen=True)
class Missed:
    """Adjacent instructions that no execution of the span reaches."""

    begin: str
    line: str | None  # of the source
    instructions: int


@dataclass(frozen=True)
class Reached:
    """How many different instructions of a function the span executes."""

    function: str
    instructions: int
    of: int | None  # in the function; None: unknown
    missed: tuple[Missed, ...]  # longest first


@dataclass(frozen=True)
class Wait:
    """Adjacent positions at which the interrupt waits for the same moment, with the code that runs
    until then."""

    first: int
    last: int
    instructions: int  # length of the longest wait, which is that of the first position
    begin: str
    begin_line: str | None
    end: str
    end_line: str | None


@dataclass(frozen=True)
class Lost:
    """The position at which the interrupt was taken once and after which the guest took no further
    interrupt."""

    position: int
    pended_before: str
    reason: str


@dataclass(frozen=True)
class Sweep:
    curve: Curve  # instructions from the pended interrupt to its handler, by position
    waits: tuple[Wait, ...]  # longest first
    handlers: tuple[str, ...]  # those of the interrupt, in the order of their first entry
    reached: tuple[Reached, ...]
    repeated: int  # number of passes that took another path and were repeated
    lost: tuple[Lost, ...]

    @property
    def handler(self) -> str:
        return " or ".join(self.handlers)


def places(image: elf.Elf, pending: Pending) -> Span:
    """Returns the addresses at which the span that the user named begins and ends."""
    end = mark_resolver.instruction(pending.end, image) if pending.end else None
    return Span(mark_resolver.instruction(pending.begin, image), end)


def result(found: Sweep) -> WorstCase:
    """Returns the figures of a record: the latency at each position, and the worst position. Raises
    an error if the guest took no further interrupt, because the injected interrupts break it."""
    if lost := failure(found):
        raise TicklabError(lost, "'ticklab inject' draws the curve with these positions")
    lengths = np.array(found.curve.instructions, np.int64)
    return WorstCase(instructions=statistics.summarise(lengths), curve=found.curve)


def samples(found: Sweep, span: str) -> Samples:
    """Returns one sample for each position, with a single lane, because stepping counts only
    instructions."""
    lengths = np.array(found.curve.instructions, np.int64)
    none, numbers = np.zeros(len(lengths), np.uint8), np.arange(len(lengths))
    lanes = (Lane("instructions", None, None, "counted"),)
    return Samples(span, lanes, none, numbers, lengths[:, np.newaxis], none, numbers, numbers)


def failure(found: Sweep) -> str | None:
    """Returns why the result of a sweep is not kept, or None if it is."""
    if not found.lost:
        return None
    first = found.lost[0]
    return (
        f"the guest was lost after the interrupt at {len(found.lost)} of "
        f"{len(found.curve.instructions)} positions, first at {first.pended_before}: {first.reason}"
    )


def sweep(image: Path, board: Board, line: int, span: Span) -> Sweep:
    guest = elf.read(image)
    with stepper.stopped(image, board) as processor:
        processor.run_to(span.begin)
        path = _path(processor, span)
    found_at: list[_Position] = []
    lost = []
    passes = None
    while len(found_at) < len(path):
        with stepper.stopped(image, board) as processor:
            reason = _sweep_on(processor, line, span, path, found_at, passes)
        if reason and passes is None:
            passes = _passes(image, board, span, processor.runs)
        if reason and (passes is None or processor.runs <= passes):
            pended = _place(guest, path[len(found_at) - 1])
            lost.append(Lost(len(found_at), pended, reason))
    waits, handlers, repeats = zip(*found_at, strict=True)
    lengths = np.array(waits, np.int64)
    found = tuple(_waits(waits, path, guest))
    curve = injection.of_lengths(lengths, int(np.argmax(lengths)), path, guest)
    if found:
        curve = replace(curve, pended_at=found[0].begin_line, held_at=found[0].end_line)
    reached = tuple(_reached(path, guest))
    served = tuple(_place(guest, each) for each in dict.fromkeys(handlers))
    return Sweep(curve, found, served, reached, sum(repeats), tuple(lost))


def _sweep_on(
    processor: Stepper,
    line: int,
    span: Span,
    path: Sequence[int],
    found: list[_Position],
    passes: int | None,
) -> str | None:
    """Measures the positions that `found` lacks, as many as the guest's `passes` of the span allow,
    and adds their results to it. Returns why the guest came to no further pass after the last one,
    or None. An error at the first position is raised, because the machine was reset before and no
    earlier interrupt can be the cause."""
    first = len(found)
    try:
        for position in range(first, len(path)):
            if passes and processor.runs >= max(passes - 1, 1):
                break
            found.append(_wait(processor, line, span, path[: position + 1]))
        processor.take_interrupts(True)
        if processor.runs != passes:
            processor.run_to(span.begin)
    except TicklabError as error:
        if len(found) == first:
            raise
        return error.message.removeprefix(f"{processor.name}: ")
    return None


def _passes(image: Path, board: Board, span: Span, wanted: int) -> int | None:
    """Returns how often a guest without the interrupt executes the span before it ends, or None if
    `wanted` times at least."""
    with stepper.stopped(image, board) as processor:
        for number in range(wanted):
            try:
                processor.run_to(span.begin)
                processor.step()
            except TicklabError:
                return number
    return None


def _handler(processor: Stepper, line: int) -> int:
    """Returns the handler of an interrupt in the table of vectors that the guest uses now."""
    table = processor.word(_VTOR)
    address = None if table is None else processor.word(table + 4 * (_SYSTEM_EXCEPTIONS + line))
    if not address:
        raise TicklabError(
            f"{processor.name}: the table of vectors has no handler of interrupt {line}",
            "name a line that the firmware serves",
        )
    return address & ~1


def _path(processor: Stepper, span: Span) -> list[int]:
    """Executes the span once without interrupts and returns the addresses of its instructions."""
    processor.take_interrupts(False)
    start = here = processor.registers()
    path = []
    while True:
        path.append(here.pc)
        here = processor.step()
        is_back = here.pc == start.lr & ~1 and here.sp == start.sp
        if here.pc == span.end or (span.end is None and is_back):
            return path
        if len(path) == LONGEST_SPAN:
            raise TicklabError(
                f"{processor.name}: the span has more than {LONGEST_SPAN:,} instructions",
                "choose a --to that is nearer to --from",
            )


def _wait(processor: Stepper, line: int, span: Span, path: Sequence[int]) -> _Position:
    """Pends the interrupt before the last instruction of `path`."""
    for again in range(ATTEMPTS):
        processor.take_interrupts(True)
        processor.run_to(span.begin)
        processor.take_interrupts(False)
        if all(processor.step().pc == address for address in path[1:]):
            handler = _handler(processor, line)
            processor.pend(line)
            return _Position(_until(processor, handler, line), handler, again)
    other = f"{ATTEMPTS} passes of the span took another path to position {len(path)}"
    raise TicklabError(
        f"{processor.name}: {other}", "choose a span that always executes the same instructions"
    )


def _until(processor: Stepper, handler: int, line: int) -> int:
    processor.take_interrupts(True)
    for steps in range(LONGEST_WAIT):
        # A step in which the processor takes the interrupt ends at the first instruction of the
        # handler.
        if processor.step().pc == handler:
            return steps
    raise TicklabError(
        f"{processor.name}: interrupt {line} was not taken in {LONGEST_WAIT:,} instructions",
        "name a line that the firmware enables",
    )


def _waits(lengths: Sequence[int], path: Sequence[int], guest: elf.Elf) -> Sequence[Wait]:
    """Returns where the interrupt waits longer than the shortest latency, the longest wait
    first."""
    held = (index for index, length in enumerate(lengths) if length > min(lengths))
    found = []
    for _, group in groupby(held, key=lambda index: index + lengths[index]):
        inside = list(group)
        begin, end = path[inside[0]], path[inside[-1]]
        found.append(
            Wait(
                inside[0] + 1,
                inside[-1] + 1,
                lengths[inside[0]],
                _place(guest, begin),
                debug_lines.line_of(guest, begin),
                _place(guest, end),
                debug_lines.line_of(guest, end),
            )
        )
    return sorted(found, key=lambda wait: -wait.instructions)


def _reached(path: Sequence[int], guest: elf.Elf) -> Iterator[Reached]:
    """Yields for each function on a path how many of its instructions are on the path."""
    code = [address for address, text in disassembly.read(guest.path).items() if text[:1] != "."]
    functions: dict[str, set[int]] = {}
    for address in path:
        functions.setdefault(_place(guest, address).partition("+")[0], set()).add(address)
    ends = {each.name: (each.address, each.address + each.size) for each in guest.symbols}
    for name, executed in functions.items():
        begin, end = ends.get(name, (0, 0))
        whole = [address for address in code if begin <= address < end]
        missed = sorted(_missed(whole, executed, guest), key=lambda each: -each.instructions)
        yield Reached(name, len(executed), len(whole) or None, tuple(missed))


def _missed(whole: Sequence[int], executed: Collection[int], guest: elf.Elf) -> Iterator[Missed]:
    for is_executed, group in groupby(whole, key=lambda address: address in executed):
        if not is_executed:
            run = list(group)
            line = debug_lines.line_of(guest, run[0])
            yield Missed(_place(guest, run[0]), line, len(run))


def _place(guest: elf.Elf, address: int) -> str:
    return guest.symbol_at(address) or f"{address:#x}"
