# SPDX-License-Identifier: MIT
"""Checks a target against its description: compares suite `calibration` with cycles from manuals.

The expected cycles are derived by hand from the reference manuals (calibration.toml of a board),
not from the cycle model. So the check finds a profile with another cache or other wait states, and
a core that is not the named one. The unfavourable corner of a modelled figure must be one that the
manuals allow; the favourable corner may assume that every wait state is hidden. Each loop checks
its own alignment in the guest, and fails if it is wrong. The tick checks the clock: a tick must
come every clock_hz / tick_hz instructions of QEMU, because QEMU derives time from instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ticklab.comparison import compare
from ticklab.comparison.compare import Interval
from ticklab.description import toml_file
from ticklab.description.model import Board, Record, Run, Status

SUITE = "calibration"
_CLOCKED = "straight"  # samples are adjacent, so no tick falls between two of them
FILE = "calibration.toml"
_TICK = "a tick every"
CLOCKED = "clocked"  # the profile of a board with exact cycles

Expected = Mapping[str, Interval]  # cycles by scenario or span

# Returns where samples with a tick begin, in instructions, of a record.
TickedStarts = Callable[[Record], Sequence[int]]


@dataclass(frozen=True)
class Finding:
    """A difference between the target and its description."""

    record: Record
    what: str


def expected(board: Board, profile: str) -> Expected:
    """Returns the expected cycles, or none if the board or the profile has no derivation."""
    file = board.folder / FILE
    return _read(file).get(profile, {}) if file.is_file() else {}


def _read(file: Path) -> dict[str, Expected]:
    profiles = toml_file.load(file)
    return {
        profile: {name: Interval(float(low), float(high)) for name, (low, high) in rows.items()}
        for profile, rows in profiles.items()
    }


def judge(
    run: Run, expectations: Callable[[Record], Expected], ticked: TickedStarts
) -> tuple[Finding, ...]:
    """Returns the differences that the run's records of the suite show. `expectations` are those of
    the board and profile of a record."""
    records = [record for record in run.records if record.suite == SUITE]
    return tuple(
        finding
        for record in records
        if record.status is not Status.UNSUPPORTED
        for finding in _of_record(run, record, expectations(record), ticked)
    )


def _of_record(
    run: Run, record: Record, expectation: Expected, ticked: TickedStarts
) -> Iterator[Finding]:
    if record.status is not Status.PASS:
        yield Finding(record, record.reason or record.status.value)
        return
    wanted = expectation.get(record.span) or expectation.get(record.scenario)
    cycles = record.figures.cycles
    marks = float(record.figures.marks or 0)
    if wanted and cycles and not wanted.low <= cycles.high.mean - marks <= wanted.high:
        low, high = cycles.low.mean - marks, cycles.high.mean - marks
        found = f"{high:,.0f}" if cycles.exact else f"~{low:,.0f}–{high:,.0f}"
        yield Finding(
            record,
            f"{found} cycles where {wanted.low:,.0f} to {wanted.high:,.0f} are "
            "expected: another cache, wait states or core than described",
        )
    if record.scenario == _CLOCKED:
        yield from _of_the_clock(run, record, ticked(record))


def _of_the_clock(run: Run, record: Record, starts: Sequence[int]) -> Iterator[Finding]:
    """Returns the least gap between two ticks. Each tick is known to within its sample."""
    gaps = [later - earlier for earlier, later in pairwise(starts)]
    longest = _longest(record)
    if not gaps or longest is None:
        return
    build = run.provenance["builds"][compare.build_key(record)]
    period = build["clock_hz"] / build["tick_hz"]
    if abs(min(gaps) - period) > 2 * longest:
        unit = "instructions" if record.figures.instructions else "cycles"
        yield Finding(
            record,
            f"{_TICK} {min(gaps):,} {unit} where {period:,.0f} are expected: another clock than "
            "described",
        )


def is_of_tick(finding: Finding) -> bool:
    """Returns whether a finding is about the tick, and not about the cost of code."""
    return finding.what.startswith(_TICK)


def _longest(record: Record) -> float | None:
    """Returns the longest sample with a tick, or without one if instructions are not counted; None:
    there is none."""
    if record.sampled.interrupted:
        return record.sampled.interrupted.max
    cycles = record.figures.cycles
    return cycles.high.max if cycles and not record.figures.instructions else None
