# SPDX-License-Identifier: MIT
"""Checks a target against its description: compares the figures of the suite `calibration` with
cycles from manuals.

The expected cycles are derived by hand from the processor's reference manuals (calibration.toml of
a board), not from the cycle model. So the check finds a wrong cache or wrong wait states in a
timing profile, and a core of another type than the description names. The high bound of a modelled
figure must be a number of cycles that the manuals allow; the low bound may assume that every wait
state is hidden. Each loop checks its own alignment in the guest, and the scenario fails if the
alignment is wrong. The tick checks the clock: QEMU derives time from instructions, so a tick must
come every clock_hz / tick_hz instructions.
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
_CLOCKED = "straight"  # in this scenario, samples are adjacent, so that every tick lies in a sample
FILE = "calibration.toml"
_TICK = "a tick every"
CLOCKED = "clocked"  # in place of a timing profile's name, for boards with exact cycles

Expected = Mapping[str, Interval]  # by name of the scenario or span

# For a record, returns the begin of each sample that contains a tick, in instructions since the
# begin of the observation.
TickedStarts = Callable[[Record], Sequence[int]]


@dataclass(frozen=True)
class Finding:
    """A difference between the target and its description."""

    record: Record
    what: str


def expected(board: Board, profile: str) -> Expected:
    """Returns the expected cycles, or none if nobody has derived them for this board and timing
    profile."""
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
    """Returns the differences between the calibration figures of a run and the expected cycles.
    `expectations` returns the expected cycles for the board and the profile of a record."""
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
    """Returns a finding if the least gap between two ticks differs from the declared period by more
    than the length of a sample, because the log shows only in which sample a tick lies."""
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
    """Returns whether a finding is about the tick rate, and not about the cost of code."""
    return finding.what.startswith(_TICK)


def _longest(record: Record) -> float | None:
    """Returns the length of the longest sample with a tick, in instructions or, if those are not
    counted, cycles; None if no sample has a tick."""
    if record.sampled.interrupted:
        return record.sampled.interrupted.max
    cycles = record.figures.cycles
    return cycles.high.max if cycles and not record.figures.instructions else None
