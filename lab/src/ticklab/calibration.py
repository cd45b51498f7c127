# SPDX-License-Identifier: MIT
"""Is a target as its description says? Suite `calibration` beside what its work must cost.

The expected cycles are derived by hand from the reference manuals (boards' calibration.toml), not
from the cycle model: so a profile with another cache, other wait states or none is found out, and
so is a core that is not what it is called. Of a modelled figure the unfavourable corner must be one
that the manuals allow: the favourable one may take every wait state for hidden. Each loop checks
its own alignment in the guest, and fails. The clock is known from the tick: it must come every
clock_hz / tick_hz instructions of QEMU, whose time follows instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ticklab import compare, toml_table
from ticklab.compare import Interval
from ticklab.model import Board, Record, Run, Status

SUITE = "calibration"
_CLOCKED = "straight"  # one sample follows the other, so that no tick comes between
FILE = "calibration.toml"
CLOCKED = "clocked"  # stands for the profile of a board whose cycles are exact

Expected = Mapping[str, Interval]  # cycles by scenario or span

# Where samples with a tick inside begin, in instructions: of a record.
TickedStarts = Callable[[Record], Sequence[int]]


@dataclass(frozen=True)
class Finding:
    """Something that is not as described."""

    record: Record
    what: str


def expected(board: Board, profile: str) -> Expected:
    """Nothing is expected where the board or the profile has no derivation."""
    file = board.folder / FILE
    return _read(file).get(profile, {}) if file.is_file() else {}


def _read(file: Path) -> dict[str, Expected]:
    profiles = toml_table.read(file).entries
    return {
        profile: {name: Interval(float(low), float(high)) for name, (low, high) in rows.items()}
        for profile, rows in profiles.items()
    }


def judge(
    run: Run, expectations: Callable[[Record], Expected], ticked: TickedStarts
) -> tuple[Finding, ...]:
    """What the run's records of the suite show that is not as described. `expectations` are those
    of a record's board and profile."""
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
    if wanted and record.cycles and not wanted.low <= record.cycles.high.mean <= wanted.high:
        low, high = record.cycles.low.mean, record.cycles.high.mean
        found = f"{high:,.0f}" if record.cycles.exact else f"~{low:,.0f}–{high:,.0f}"
        yield Finding(
            record,
            f"{found} cycles where {wanted.low:,.0f} to {wanted.high:,.0f} are "
            "expected: another cache, wait states or core than described",
        )
    if record.scenario == _CLOCKED:
        yield from _of_the_clock(run, record, ticked(record))


def _of_the_clock(run: Run, record: Record, starts: Sequence[int]) -> Iterator[Finding]:
    """The least gap between two ticks, each known to within the sample that it came in."""
    gaps = [later - earlier for earlier, later in pairwise(starts)]
    if not gaps or record.interrupted is None:
        return
    build = run.provenance["builds"][compare.build_key(record)]
    period = build["clock_hz"] / build["tick_hz"]
    if abs(min(gaps) - period) > 2 * record.interrupted.max:
        yield Finding(
            record,
            f"a tick every {min(gaps):,} instructions where {period:,.0f} are expected: another "
            "clock than described",
        )
