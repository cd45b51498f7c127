# SPDX-License-Identifier: MIT
"""Computes the geometry of the charts in the report, in percent of the width and height.

Pure arithmetic. The template draws SVG shapes at percentages, so that a chart is as wide as the
page allows and its text is never stretched.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ticklab.description.model import Interval, Record

_MOST_BINS = 48
_MOST_LEVELS = 8
_LEAST_WIDTH = 0.8  # percent: a narrower bar would be invisible


@dataclass(frozen=True)
class Scale:
    """A linear axis from `low` to `high` with round ticks."""

    low: float
    high: float

    def percent(self, value: float) -> float:
        return round(100 * (value - self.low) / (self.high - self.low), 3)

    def ticks(self) -> list[tuple[float, float]]:
        """Returns (position in percent, value) for each tick; the first and the last are the ends
        of the axis."""
        step = (self.high - self.low) / 4
        return [(25.0 * index, self.low + index * step) for index in range(5)]


@dataclass(frozen=True)
class LogScale:
    """A logarithmic axis between powers of two around 1."""

    low: int  # exponents
    high: int

    @classmethod
    def around(cls, intervals: Iterable[Interval]) -> LogScale:
        every = list(intervals)
        low = min(math.floor(math.log2(one.low)) for one in every)
        high = max(math.ceil(math.log2(one.high)) for one in every)
        return cls(min(low, -1), max(high, 1))

    def percent(self, value: float) -> float:
        return round(100 * (math.log2(value) - self.low) / (self.high - self.low), 2)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Returns (position in percent, value) for each power of two on the axis."""
        values = [2.0**exponent for exponent in range(self.low, self.high + 1)]
        return tuple((self.percent(value), f"{value:g}") for value in values)


@dataclass(frozen=True)
class Range:
    """The row of one kernel in the chart of a scenario: a dot for a counted value, a bar for the
    two bounds of a modelled value."""

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
    height: float  # logarithm of the number of samples, so that a single sample is visible
    text: str


@dataclass(frozen=True)
class Level:
    """One length of samples, in instructions: the number of samples with this length, and their
    percentage."""

    length: int
    samples: int
    share: float


@dataclass(frozen=True)
class Histogram:
    """The distribution of the lengths of a span's samples: `levels` if there are only a few
    different lengths, otherwise `bars`."""

    title: str
    samples: int
    low: float
    high: float
    levels: tuple[Level, ...]
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, float], ...]  # position in percent, length


def scale_from_zero(values: Iterable[float]) -> Scale:
    """Returns an axis from 0 to a round number. It begins at 0, so that the lengths of bars are
    proportional to the figures."""
    return Scale(0, _round_up(max(values, default=1)))


def ranges(records: Sequence[tuple[str, Record]]) -> tuple[Scale, list[Range]]:
    """Returns the chart of one scenario, all kernels on one axis."""
    scale = scale_from_zero(value for _, record in records for value in _extent(record))
    return scale, [_range(label, record, scale) for label, record in records]


def histogram(title: str, samples: Mapping[int, int]) -> Histogram | None:
    """Returns the distribution of the lengths of samples: a list of lengths if there are few,
    otherwise bars. Returns None without samples."""
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


@dataclass(frozen=True)
class Overlay:
    """The cumulative distributions of several kernels on one axis: for each number of instructions
    the share of samples that take at most that many. Points are `x,y` in percent, with y
    downwards."""

    scale: Scale
    lines: tuple[tuple[str, str], ...]  # label, points


def overlay(samples: Mapping[str, Mapping[int, int]]) -> Overlay | None:
    """Returns the distributions, each with its kernel's label. Returns None if there are fewer than
    two, or if all samples of each kernel have the same length."""
    if len(samples) < 2 or all(len(found) < 2 for found in samples.values()):
        return None
    scale = scale_from_zero(max(found) for found in samples.values())
    return Overlay(scale, tuple((k, _cumulative(found, scale)) for k, found in samples.items()))


def _cumulative(samples: Mapping[int, int], scale: Scale) -> str:
    """Returns the corners of the step line of one kernel. Steps that would be at the same height in
    the drawing are merged."""
    total, reached, corners = sum(samples.values()), 0, ["0,100"]
    steps: dict[float, tuple[float, float]] = {}
    for length, count in sorted(samples.items()):
        x, below = round(scale.percent(length), 1), round(100 - 100 * reached / total, 2)
        reached += count
        begin = steps[x][0] if x in steps else below
        steps[x] = begin, round(100 - 100 * reached / total, 2)
    for x, (below, above) in steps.items():
        corners += [f"{x:g},{below:g}", f"{x:g},{above:g}"]
    return " ".join((*corners, "100,0"))


def _bars(samples: Mapping[int, int]) -> tuple[tuple[Bar, ...], int]:
    """Returns a bar for each of several bins of equal width, and the end of the last bin."""
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
    """Returns for each thread its count, and this count as a percentage of the greatest count."""
    greatest = max(per_thread, default=0) or 1
    return [(count, round(100 * count / greatest, 3)) for count in per_thread]


def _range(label: str, record: Record, scale: Scale) -> Range:
    counted = None if record.counted is None else scale.percent(record.counted)
    instructions = record.figures.instructions
    worst = scale.percent(instructions.max) if instructions else None
    if record.bounds is None:
        return Range(label, record, counted, None, None, worst)
    low = scale.percent(record.bounds.low)
    width = max(scale.percent(record.bounds.high) - low, _LEAST_WIDTH)
    return Range(label, record, counted, low, round(width, 3), worst)


def _extent(record: Record) -> Iterable[float]:
    if record.figures.instructions:
        yield record.figures.instructions.max
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
    """Returns the next round number: a digit times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 3, 4, 5, 6, 8, 10) if step * power >= value)
