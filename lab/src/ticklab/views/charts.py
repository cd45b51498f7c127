# SPDX-License-Identifier: MIT
"""The geometry of the report's charts: what is drawn where, in percent of the width and height.

Pure arithmetic. The template draws it with SVG shapes whose coordinates are percentages, so that a
chart is as wide as its place and its text is never stretched.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ticklab.model import Record

_MOST_BINS = 48
_MOST_LEVELS = 8
_LEAST_WIDTH = 0.8  # percent: a bar that nobody can see tells nothing


@dataclass(frozen=True)
class Scale:
    """A linear axis from `low` to `high` with round ticks."""

    low: float
    high: float

    def percent(self, value: float) -> float:
        return round(100 * (value - self.low) / (self.high - self.low), 3)

    def ticks(self) -> list[tuple[float, float]]:
        """(position in percent, value); the first and the last are the ends."""
        step = (self.high - self.low) / 4
        return [(25.0 * index, self.low + index * step) for index in range(5)]


@dataclass(frozen=True)
class Range:
    """One kernel's row of a scenario's chart: a dot for what is counted, a bar for the bounds."""

    label: str
    record: Record
    instructions: float | None
    low: float | None
    width: float | None
    worst: float | None  # the longest sample


@dataclass(frozen=True)
class Bar:
    left: float
    width: float
    height: float  # logarithmic in the number of samples, so that a single one still shows
    text: str


@dataclass(frozen=True)
class Level:
    """One of few lengths: how many samples have it, and which percentage."""

    length: int
    samples: int
    share: float


@dataclass(frozen=True)
class Histogram:
    """`levels` where the samples have few different lengths, `bars` otherwise."""

    title: str
    samples: int
    low: float
    high: float
    levels: tuple[Level, ...]
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, float], ...]  # position in percent, length


def scale_from_zero(values: Iterable[float]) -> Scale:
    """From 0, so that lengths compare like the figures do, to a round number."""
    return Scale(0, _round_up(max(values, default=1)))


def ranges(records: Sequence[tuple[str, Record]]) -> tuple[Scale, list[Range]]:
    """All kernels of one scenario on one axis."""
    scale = scale_from_zero(value for _, record in records for value in _extent(record))
    return scale, [_range(label, record, scale) for label, record in records]


def histogram(title: str, samples: Mapping[int, int]) -> Histogram | None:
    """`samples` by length: as a list while it is short, as bars otherwise."""
    if not samples:
        return None
    low, high, count = min(samples), max(samples), sum(samples.values())
    if len(samples) <= _MOST_LEVELS:
        levels = tuple(Level(k, n, round(100 * n / count, 3)) for k, n in sorted(samples.items()))
        return Histogram(title, count, low, high, levels, (), ())
    bars, end = _bars(samples)
    axis = Scale(low, end)
    marks = (axis.low + quarter * (high - low) / 4 for quarter in range(5))
    ticks = tuple((axis.percent(math.floor(mark) + 0.5), math.floor(mark)) for mark in marks)
    return Histogram(title, count, low, high, (), bars, ticks)


def _bars(samples: Mapping[int, int]) -> tuple[tuple[Bar, ...], int]:
    """One for each bin of equal width, and where the last bin ends."""
    low, high = min(samples), max(samples)
    bin_size = max(math.ceil((high - low + 1) / _MOST_BINS), 1)
    counts: Counter[int] = Counter()
    for length, count in samples.items():
        counts[(length - low) // bin_size] += count
    bins = (high - low) // bin_size + 1
    tallest = math.log1p(max(counts.values()))
    bars = tuple(
        _bar(index, bins, math.log1p(count) / tallest, _bin_text(low, index, bin_size, count))
        for index, count in sorted(counts.items())
    )
    return bars, low + bins * bin_size


def shares(per_thread: Sequence[int]) -> list[tuple[int, float]]:
    """Each thread's count, and its percentage of the greatest."""
    greatest = max(per_thread, default=0) or 1
    return [(count, round(100 * count / greatest, 3)) for count in per_thread]


def _range(label: str, record: Record, scale: Scale) -> Range:
    counted = None if record.counted is None else scale.percent(record.counted)
    worst = scale.percent(record.instructions.max) if record.instructions else None
    if record.bounds is None:
        return Range(label, record, counted, None, None, worst)
    low = scale.percent(record.bounds.low)
    width = max(scale.percent(record.bounds.high) - low, _LEAST_WIDTH)
    return Range(label, record, counted, low, round(width, 3), worst)


def _extent(record: Record) -> Iterable[float]:
    if record.instructions:
        yield record.instructions.max
    if record.bounds:
        yield record.bounds.high


def _bar(index: int, bins: int, height: float, text: str) -> Bar:
    each = 100 / bins
    width = each * 0.9
    left = (index + 0.5) * each - width / 2
    return Bar(round(left, 3), round(max(width, _LEAST_WIDTH), 3), round(100 * height, 2), text)


def _bin_text(low: int, index: int, bin_size: int, count: int) -> str:
    first = low + index * bin_size
    values = f"{first:,}" if bin_size == 1 else f"{first:,} to {first + bin_size - 1:,}"
    return f"{values} instructions: {count:,} {'sample' if count == 1 else 'samples'}"


def _round_up(value: float) -> float:
    """The next round number: a digit times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 3, 4, 5, 6, 8, 10) if step * power >= value)
