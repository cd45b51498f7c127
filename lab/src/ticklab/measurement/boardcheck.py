# SPDX-License-Identifier: MIT
"""`ticklab board check`: checks a board on the desk against its description before anything is
measured on it.

Code of known cost (suite calibration), which runs without a kernel, checks the cycle counter, the
tick, wait states and caches. A conformance program checks that a requested interrupt is taken. The
clock of a board with a GDB server is compared with that of this machine, because counter and tick
of the board depend on that clock and could not show its error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ticklab.comparison import calibration
from ticklab.description.model import Board, Case, Image, Record, Run, Status
from ticklab.errors import TicklabError
from ticklab.measurement import campaign, cases
from ticklab.measurement.campaign import Progress
from ticklab.measurement.environment import Environment
from ticklab.targets.desk import rate
from ticklab.targets.gdb import Gdb
from ticklab.targets.protocol import Cancel

KERNEL, OF_INTERRUPT = "null", "freertos"
_CLOCK = "clock"
_TOLERANCE = 0.05  # greatest difference of the clock from its description, as a share


@dataclass(frozen=True)
class Proof:
    """The result of checking one property of a board. `holds` is None if the property cannot be
    checked on the board."""

    name: str
    holds: bool | None
    said: str


def check(lab: Environment, board: Board, progress: Progress) -> tuple[Proof, ...]:
    """Checks each property of a board that its description states."""
    measured = campaign.measure(lab, _cases(board), progress, Cancel())
    run = Run("check", {"builds": measured.builds}, measured.records, measured.lanes)
    ours = [record for record in run.records if record.suite == calibration.SUITE]
    found = calibration.judge(run, lambda record: _expected(board, record), lab.store.ticked_starts)
    return (
        _counter(ours),
        _clock(lab, board),
        _tick(board, ours, found),
        _memories(board, ours, found),
        _interrupt([record for record in run.records if record.suite != calibration.SUITE]),
    )


def _cases(board: Board) -> list[Case]:
    choice = cases.CaseChoice([str(board.folder)], [calibration.SUITE], "O2", kernels=[KERNEL])
    plain = cases.expand(choice)
    (one,) = (each for each in cases.conformance() if each.name == "interrupt")
    port = cases.expand(
        cases.CaseChoice([str(board.folder)], ["thread-metric"], "O2", [OF_INTERRUPT])
    )[0]
    return [*plain, Case(port.variant, one)]


def _expected(board: Board, record: Record) -> calibration.Expected:
    cycles = record.figures.cycles
    profile = (cycles.profile or calibration.CLOCKED) if cycles else ""
    return calibration.expected(board, profile)


def _failure(records: Sequence[Record]) -> str | None:
    """Returns the reason why one of the records has no figures, or None if all have."""
    failed = (record for record in records if record.status is not Status.PASS)
    return next((record.reason or record.status.value for record in failed), None)


def _counter(records: Sequence[Record]) -> Proof:
    if why := _failure(records):
        return Proof("counter", False, why)
    cycles = [record.figures.cycles.high for record in records if record.figures.cycles]
    if not cycles:
        return Proof("counter", None, "this board has none")
    spread = max(each.max - each.min for each in cycles)
    marks = max(float(record.figures.marks or 0) for record in records)
    said = f"it counts; a mark takes {marks:g} cycles, samples differ by {spread:g} at most"
    return Proof("counter", True, said)


def _clock(lab: Environment, board: Board) -> Proof:
    machine = board.machine
    if not machine.has_ring:
        return Proof(_CLOCK, None, "a machine of this computer has no clock of its own")
    if machine.stand_in:
        return Proof(_CLOCK, None, f"a stand-in: {machine.stand_in}")
    (case,) = (each for each in _cases(board) if each.scenario.name == "straight")
    image = lab.build([case])[0]
    if not isinstance(image, Image):
        return Proof(_CLOCK, False, str(image))
    return of_rate(
        board, lambda: rate.counts_a_second(Gdb(board).settings(), image.path, board.vectors)
    )


def of_rate(board: Board, measured: Callable[[], float]) -> Proof:
    """Compares the measured rate of a board's counter with the clock frequency in the board's
    description."""
    try:
        hz = measured()
    except TicklabError as error:
        return Proof(_CLOCK, False, str(error))
    holds = abs(hz / board.clock_hz - 1) <= _TOLERANCE
    said = f"{hz / 1e6:,.1f} MHz by the clock of this machine"
    described = f"; board.toml says {board.clock_hz / 1e6:,.1f}"
    return Proof(_CLOCK, holds, said + ("" if holds else described))


def _tick(board: Board, records: Sequence[Record], found: Sequence[calibration.Finding]) -> Proof:
    if why := _failure(records):
        return Proof("tick", False, why)
    wrong = [each.what for each in found if calibration.is_of_tick(each)]
    period = board.clock_hz // board.tick_hz
    return Proof("tick", not wrong, wrong[0] if wrong else f"every {period:,} cycles of the clock")


def _memories(
    board: Board, records: Sequence[Record], found: Sequence[calibration.Finding]
) -> Proof:
    name = "wait states, caches, alignment"
    if why := _failure(records):
        return Proof(name, False, why)
    wrong = [
        f"{each.record.scenario} {each.record.span}: {each.what}"
        for each in found
        if not calibration.is_of_tick(each)
    ]
    known = [record for record in records if _is_expected(board, record)]
    if wrong or not known:
        return Proof(name, False if wrong else None, wrong[0] if wrong else _UNKNOWN)
    return Proof(name, True, f"{len(known)} pieces of code take the cycles of the manual")


_UNKNOWN = "no cycles derived from its manual; give it a calibration.toml"


def _is_expected(board: Board, record: Record) -> bool:
    wanted = _expected(board, record)
    return record.span in wanted or record.scenario in wanted


def _interrupt(records: Sequence[Record]) -> Proof:
    why = _failure(records)
    return Proof("interrupt trigger", why is None, why or "a requested interrupt is taken")


def lines(found: Sequence[Proof]) -> Iterator[str]:
    """Yields a line for each checked property."""
    words = {True: "proved", False: "WRONG", None: "unchecked"}
    for each in found:
        yield f"{words[each.holds]:<10} {each.name}: {each.said}"
