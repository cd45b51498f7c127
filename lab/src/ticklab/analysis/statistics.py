# SPDX-License-Identifier: MIT
"""Computes statistics of samples. Depends on no kernel, board or file.

Means of modelled cycles are sums of exactly rounded terms, and percentiles are observed values
(nearest rank), so that a figure has the same bits on every machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ticklab.analysis.samples import Samples
from ticklab.description.model import Lane, Rate, Score, Stats

Values = NDArray[np.int64] | NDArray[np.float64]

THREAD_METRIC_SECONDS = 30  # duration of a Thread-Metric test


def summarise(values: Values) -> Stats | None:
    """Returns the statistics of values; None if there are no values."""
    if not len(values):
        return None
    ordered = cast(Values, np.sort(values))
    distinct, times = np.unique(ordered, return_counts=True)
    return Stats(
        n=len(ordered),
        min=ordered[0].item(),
        p50=percentile(ordered, 0.5),
        mean=math.fsum(ordered.tolist()) / len(ordered),
        p99=percentile(ordered, 0.99),
        p999=percentile(ordered, 0.999),
        max=ordered[-1].item(),
        mode=distinct[np.argmax(times)].item(),  # the least of the values that occur most often
    )


def percentile(ordered: Values, share: float) -> float:
    """Returns the least observed value that at least `share` of all values do not exceed."""
    rank = max(1, math.ceil(share * len(ordered)))
    value: float = ordered[rank - 1].item()
    return value


def geometric(ratios: Sequence[float]) -> tuple[float, float]:
    """Returns the geometric mean and geometric standard deviation of positive ratios, as Embench
    reports a suite: most ratios lie between mean ÷ deviation and mean × deviation."""
    logs = [math.log(ratio) for ratio in ratios]
    mean = math.fsum(logs) / len(logs)
    variance = math.fsum((each - mean) ** 2 for each in logs) / len(logs)
    return math.exp(mean), math.exp(math.sqrt(variance))


def mean_tally(samples: Samples, where: NDArray[np.bool_]) -> dict[str, float]:
    """Returns the mean of each lane over the samples that `where` selects."""
    selected = int(where.sum())
    if not selected:
        return {}
    # Subtracts the samples that are left out from the sum of all, because they are few and indexing
    # copies each row.
    totals = (samples.tallies.sum(axis=0) - samples.tallies[~where].sum(axis=0)).tolist()
    return {lane.name: total / selected for lane, total in zip(samples.lanes, totals, strict=True)}


def is_modelled(lanes: tuple[Lane, ...]) -> bool:
    return any(lane.low is not None for lane in lanes)


def low_weights(lanes: tuple[Lane, ...]) -> list[float]:
    """Returns the cycles of each lane in the corner with the fewest cycles; counted lanes cost
    none."""
    return [lane.low or 0.0 for lane in lanes]


def high_weights(lanes: tuple[Lane, ...]) -> list[float]:
    return [lane.high or 0.0 for lane in lanes]


def cycles(samples: Samples, weights: list[float]) -> NDArray[np.float64]:
    """Returns the cycles of each sample in one corner of the model. Adds the lanes in a fixed
    order, so that rounding does not depend on the machine."""
    total = np.zeros(len(samples))
    for column, weight in enumerate(weights):
        if weight:
            total += samples.tallies[:, column] * weight
    return total


def score_30s(samples: Samples, clock_hz: int, tick_hz: int) -> Score | None:
    """Returns the count of a Thread-Metric test in 30 s from the steady state, with the time for
    ticks deducted. Returns None without a cycle model, without clean samples, and if clean samples
    take no time (a jitter of 0).

    The best score is in the low corner and the worst in the high corner. Proof: if an interrupted
    sample takes I cycles and a clean sample c, score = 30 (f - h (I - c)) / c = 30 (f - h I) / c +
    30 h. The score falls with I and with c, and both rise with every lane.
    """
    if not is_modelled(samples.lanes):
        return None
    low = _score(samples, high_weights(samples.lanes), clock_hz, tick_hz)
    high = _score(samples, low_weights(samples.lanes), clock_hz, tick_hz)
    return None if low is None or high is None else Score(low, high, clock_hz)


def rate(score: Score | None, unit: str) -> Rate | None:
    """Returns the score for one second (it counts 30 seconds), with the unit `unit`."""
    if score is None:
        return None
    return Rate(score.low / THREAD_METRIC_SECONDS, score.high / THREAD_METRIC_SECONDS, unit)


def instruction_score(samples: Samples, clock_hz: int, tick_hz: int) -> float | None:
    """Returns the score at `clock_hz` instructions a second, which is the clock of QEMU."""
    weights = [float(lane.name == "instructions") for lane in samples.lanes]
    return _score(samples, weights, clock_hz, tick_hz)


def _score(samples: Samples, weights: list[float], clock_hz: int, tick_hz: int) -> float | None:
    """Returns 30 (f - h t) / c, where f is the clock, h the tick rate, c the mean of clean samples,
    and t the cycles that one tick adds to the sample that contains it.

    If no sample contains a tick (the kernel has none), t is 0."""
    each = cycles(samples, weights)
    clean = each[samples.clean]
    if not len(clean):
        return None
    mean = math.fsum(clean.tolist()) / len(clean)
    if mean <= 0:
        return None
    ticks = int(samples.lane("systick")[samples.ticked].sum())
    interrupted = each[samples.ticked]
    extra = math.fsum(interrupted.tolist()) - len(interrupted) * mean
    per_tick = extra / ticks if ticks else 0.0
    ticks_per_s = _tick_rate(samples, clock_hz) or tick_hz
    return THREAD_METRIC_SECONDS * (clock_hz - ticks_per_s * per_tick) / mean


def _tick_rate(samples: Samples, clock_hz: int) -> float | None:
    """Returns the ticks a second as measured, because a configuration may use another tick rate
    than the board declares. The begins of samples are in the unit of the clock."""
    at = samples.start[samples.ticked]
    ticks = samples.lane("systick")[samples.ticked]
    return clock_hz * int(ticks[1:].sum()) / int(at[-1] - at[0]) if len(at) > 1 else None
