# SPDX-License-Identifier: MIT
"""Pends an interrupt at every instruction of a span of any image: the worst case of a firmware that
contains no code for it.

The span is passed again and again. In the first pass its instructions are listed, without
interrupts. In pass n the interrupt is pended before instruction n, and the steps to the first
instruction of its handler are counted. A pass on another path than the first is repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ticklab.analysis import injection
from ticklab.building import elf
from ticklab.description.model import Board, Curve
from ticklab.errors import TicklabError
from ticklab.targets import stepper
from ticklab.targets.stepper import Stepper

LONGEST_SPAN, LONGEST_WAIT, ATTEMPTS = 5_000, 20_000, 5
_SYSTEM_EXCEPTIONS = 16


@dataclass(frozen=True)
class Span:
    begin: int
    end: int | None  # None: where the function at `begin` returns


@dataclass(frozen=True)
class Reached:
    """How many different instructions of a function the span executes."""

    function: str
    instructions: int


@dataclass(frozen=True)
class Sweep:
    curve: Curve  # instructions from the pended interrupt to its handler, by position
    handler: str
    reached: tuple[Reached, ...]
    repeated: int  # passes on another path


def sweep(image: Path, board: Board, line: int, span: Span) -> Sweep:
    guest = elf.read(image)
    with stepper.stopped(image, board) as processor:
        handler = _handler(guest, board, line)
        processor.run_to(span.begin)
        path = _path(processor, span)
        waits, repeated = [], 0
        for position in range(len(path)):
            wait, again = _wait(processor, line, span, path[: position + 1], handler)
            waits.append(wait)
            repeated += again
    lengths = np.array(waits, np.int64)
    curve = injection.of_lengths(lengths, int(np.argmax(lengths)), path, guest)
    where = guest.symbol_at(handler) or f"{handler:#x}"
    return Sweep(curve, where, _reached(path, guest), repeated)


def _handler(guest: elf.Elf, board: Board, line: int) -> int:
    address = guest.word(board.vectors + 4 * (_SYSTEM_EXCEPTIONS + line))
    if not address:
        raise TicklabError(
            f"{guest.path}: the table of vectors has no handler of interrupt {line}",
            "name a line that the firmware serves",
        )
    return address & ~1


def _path(processor: Stepper, span: Span) -> list[int]:
    """Returns the addresses of the instructions of a pass, without interrupts."""
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
                "name a nearer --to",
            )


def _wait(
    processor: Stepper, line: int, span: Span, path: Sequence[int], handler: int
) -> tuple[int, int]:
    """Pends the interrupt before the last instruction of `path`. Returns the instructions until its
    handler begins, and how many passes took another path before."""
    for again in range(ATTEMPTS):
        processor.take_interrupts(True)
        processor.run_to(span.begin)
        processor.take_interrupts(False)
        if all(processor.step().pc == address for address in path[1:]):
            processor.pend(line)
            return _until(processor, handler, line), again
    other = f"{ATTEMPTS} passes of the span took another path to position {len(path)}"
    raise TicklabError(f"{processor.name}: {other}", "choose a span that is always the same")


def _until(processor: Stepper, handler: int, line: int) -> int:
    processor.take_interrupts(True)
    for steps in range(LONGEST_WAIT):
        # The step that takes the interrupt stops at the handler's first instruction.
        if processor.step().pc == handler:
            return steps
    raise TicklabError(
        f"{processor.name}: interrupt {line} was not taken in {LONGEST_WAIT:,} instructions",
        "name a line that the firmware enables",
    )


def _reached(path: Sequence[int], guest: elf.Elf) -> tuple[Reached, ...]:
    functions: dict[str, set[int]] = {}
    for address in path:
        name = (guest.symbol_at(address) or f"{address:#x}").partition("+")[0]
        functions.setdefault(name, set()).add(address)
    return tuple(Reached(name, len(found)) for name, found in functions.items())
