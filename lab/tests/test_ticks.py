# SPDX-License-Identifier: MIT
"""Tests samples with ticks: the cost that a tick adds to a sample, and by how much the time between
releases differs from the tick period."""

from __future__ import annotations

import pytest
from logs import Writer

from ticklab.analysis import ticks
from ticklab.analysis.samples import Flag, Samples, extract
from ticklab.description.model import Span
from ticklab.errors import TicklabError

STEP = Span("tick", each=("step",), ticks="cost")


def steps(*lengths: tuple[int, int], modelled: bool = False) -> Samples:
    """Returns samples with these numbers of instructions and of ticks."""
    writer = Writer(["step"], modelled).mark("step", 1)
    for instructions, systick in lengths:
        cycles = {"cycles": 2 * instructions} if modelled else {}
        writer.mark("step", instructions, systick=systick, reads=3 + systick, **cycles)
    return extract(writer.log(), STEP, external=0, warm_up=2)


def test_a_ticks_cost_is_what_it_adds_to_a_step_in_every_lane() -> None:
    found = ticks.cost(steps((10, 0), (14, 1), (10, 0), (17, 1), (10, 0), modelled=True))
    assert found.length.tolist() == [4, 7]
    assert found.lane("reads").tolist() == [1, 1]
    assert found.lane("cycles").tolist() == [8, 14]
    assert found.flags.tolist() == [Flag.WARM_UP, 0], "a tick is no disturbance, a warm-up is one"


def test_steps_with_two_ticks_or_none_are_no_samples() -> None:
    assert ticks.cost(steps((10, 0), (10, 0), (18, 2))).length.tolist() == []


def test_unequal_steps_are_refused() -> None:
    with pytest.raises(TicklabError, match="2 different lengths"):
        ticks.cost(steps((9, 0), (9, 0), (10, 0), (12, 0), (14, 1)))


def test_a_workload_with_ticks_inside_is_a_figure_like_any_other() -> None:
    found = ticks.included(steps((10, 0), (10, 0), (18, 2), (10, 0)))
    assert found.length.tolist() == [10, 10, 18, 10]
    assert found.flags.tolist() == [Flag.WARM_UP, Flag.WARM_UP, 0, 0]


def test_jitter_is_the_signed_difference_from_the_period() -> None:
    found = ticks.jitter(steps((99, 1), (99, 1), (100, 1), (103, 1), (97, 1), modelled=True), 100)
    assert found.length.tolist() == [-1, -1, 0, 3, -3]
    assert found.clean.tolist() == [False, False, True, True, True]
    assert all(lane.low is None for lane in found.lanes), "no cycles: they know no period"
