# SPDX-License-Identifier: MIT
"""Tests statistics of samples, compared with values that were computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from logs import Writer

from ticklab.analysis import statistics
from ticklab.analysis.samples import Samples, extract
from ticklab.description.model import Span

EACH = Span("iteration", each=("iteration.0",))


def samples(*steps: dict[str, int], modelled: bool = True, warm_up: int = 0) -> Samples:
    writer = Writer(["iteration.0"], modelled).mark("iteration.0", 1000)
    for step in steps:
        writer.mark("iteration.0", **step)
    return extract(writer.log(), EACH, external=0, warm_up=warm_up)


def test_a_summary_by_hand() -> None:
    stats = statistics.summarise(np.array([5, 1, 3, 3, 5, 100]))
    assert stats is not None
    assert (stats.n, stats.min, stats.max, stats.mean) == (6, 1, 100, 19.5)
    assert stats.p50 == 3, "nearest rank: the third of six"
    assert stats.mode == 3, "the least of the most frequent"


def test_percentiles_are_observed_values() -> None:
    assert statistics.percentile(np.array([1, 2, 3, 4, 5]), 0.5) == 3, "ceil(2.5): the third"
    values = np.arange(1, 1001)
    stats = statistics.summarise(values)
    assert stats is not None
    assert (stats.p50, stats.p99, stats.p999) == (500, 990, 999)


def test_nothing_has_no_summary() -> None:
    assert statistics.summarise(np.zeros(0, np.int64)) is None


def test_cycles_are_a_linear_form_of_the_tally() -> None:
    found = samples({"instructions": 10, "cycles": 20, "refill": 4})
    low = statistics.cycles(found, statistics.low_weights(found.lanes))
    high = statistics.cycles(found, statistics.high_weights(found.lanes))
    assert (low.tolist(), high.tolist()) == ([24.0], [32.0])


def test_the_mean_tally_is_over_the_selected_samples() -> None:
    found = samples({"instructions": 10}, {"instructions": 20}, {"instructions": 90, "systick": 1})
    assert statistics.mean_tally(found, found.clean)["instructions"] == 15
    assert statistics.mean_tally(found, np.zeros(3, np.bool_)) == {}


def test_the_score_takes_the_tick_off_the_work() -> None:
    """An iteration takes 100 cycles, and a tick 50 more, at 1 MHz and 100 Hz. The score is 30 (1e6
    - 100 * 50) / 100."""
    found = samples(
        {"instructions": 10, "cycles": 100},
        {"instructions": 10, "cycles": 100},
        {"instructions": 15, "cycles": 150, "systick": 1},
    )
    score = statistics.score_30s(found, 1_000_000, 100)
    assert score is not None
    assert score.low == score.high == pytest.approx(298_500)


def test_the_best_score_is_in_the_corner_with_the_fewest_cycles() -> None:
    found = samples({"instructions": 10, "cycles": 100, "refill": 10})
    score = statistics.score_30s(found, 1_000_000, 100)
    assert score is not None
    assert score.low == pytest.approx(30e6 / 130)
    assert score.high == pytest.approx(30e6 / 110)


def test_ticks_are_counted_as_they_came() -> None:
    """The ticks come 25 instructions apart at 1 MHz, which is 40,000 a second, whatever rate the
    board declares."""
    clean, ticked = {"instructions": 10, "cycles": 10}, {"instructions": 15, "cycles": 15}
    found = samples(*[{**ticked, "systick": 1}, clean] * 4)
    score = statistics.score_30s(found, 1_000_000, 100)
    assert score is not None
    assert score.low == pytest.approx(30 * (1e6 - 40_000 * 5) / 10)


def test_two_ticks_in_one_sample_are_two_ticks() -> None:
    found = samples(
        {"instructions": 10, "cycles": 100}, {"instructions": 10, "cycles": 180, "systick": 2}
    )
    score = statistics.score_30s(found, 1_000_000, 100)
    assert score is not None
    assert score.low == pytest.approx(30 * (1e6 - 100 * 40) / 100)


def test_what_takes_no_time_has_no_score() -> None:
    found = samples({"instructions": 1, "cycles": 0}, {"instructions": 1, "cycles": 0})
    assert statistics.score_30s(found, 1_000_000, 100) is None


def test_counts_alone_have_no_score_in_cycles() -> None:
    found = samples({"instructions": 10}, modelled=False)
    assert statistics.score_30s(found, 1_000_000, 100) is None
    assert statistics.instruction_score(found, 1_000_000, 100) == pytest.approx(3_000_000)


def test_the_geometric_mean_and_deviation_are_those_of_the_logarithms() -> None:
    mean, deviation = statistics.geometric([0.5, 2.0, 1.0])
    assert mean == pytest.approx(1.0)
    assert deviation == pytest.approx(2 ** math.sqrt(2 / 3))
    assert statistics.geometric([1.25, 1.25]) == pytest.approx((1.25, 1.0))
