# SPDX-License-Identifier: MIT
"""Tests verdicts and ratios against brute force over all corners, and the reasons for which
`compare` refuses to rank."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest
from synthetic import BOARD, LANES, record, run, stats, unmeasured, with_figures

from ticklab.comparison import compare
from ticklab.comparison.compare import Interval, Verdict
from ticklab.description.model import Cycles, Lane, Sampled, Status

OTHER_PROFILE = Cycles(stats(250.0), stats(290.0), "stm32l4-80mhz")

Form = dict[str, float]
Box = dict[str, Interval]


def corners(box: Box) -> list[Form]:
    ends = [(cost.low, cost.high) for cost in box.values()]
    return [dict(zip(box, values, strict=True)) for values in itertools.product(*ends)]


def cycles(form: Form, corner: Form) -> float:
    return sum(form.get(lane, 0.0) * corner[lane] for lane in corner)


def made_up(generator: random.Random) -> tuple[Form, Form, Box]:
    lanes = [f"lane{index}" for index in range(6)]
    box = {"cycles": Interval(1, 1)}
    for lane in lanes:
        low = generator.uniform(0, 4)
        box[lane] = Interval(low, low + generator.uniform(0, 3))
    forms = [
        {"cycles": generator.uniform(5, 30)} | {lane: generator.randint(0, 9) for lane in lanes}
        for _ in range(2)
    ]
    return forms[0], forms[1], box


@pytest.mark.parametrize("seed", range(60))
def test_ratio_and_verdict_agree_with_every_corner(seed: int) -> None:
    one, other, box = made_up(random.Random(seed))
    ratios = [cycles(one, corner) / cycles(other, corner) for corner in corners(box)]

    found = compare.ratio(one, other, box)

    assert found is not None
    assert found.low == pytest.approx(min(ratios), rel=1e-12)
    assert found.high == pytest.approx(max(ratios), rel=1e-12)
    decided = {Verdict.FASTER: max(ratios) < 1, Verdict.SLOWER: min(ratios) > 1}
    assert decided.get(compare.verdict(one, other, box), min(ratios) <= 1 <= max(ratios))


def test_overlapping_intervals_are_decided_where_the_shared_part_cancels() -> None:
    box = {"cycles": Interval(1, 1), "load": Interval(0, 10)}
    one, other = {"cycles": 100.0, "load": 20.0}, {"cycles": 101.0, "load": 20.0}

    assert compare.extremes(one, box).high > compare.extremes(other, box).low
    assert compare.verdict(one, other, box) is Verdict.FASTER
    assert compare.verdict(other, one, box) is Verdict.SLOWER
    assert compare.verdict(one, one, box) is Verdict.EQUAL
    assert compare.verdict(one, other, box, resolution=1.0) is Verdict.UNDECIDED


def test_corners_that_disagree_are_undecided() -> None:
    box = {"cycles": Interval(1, 1), "load": Interval(0, 1), "entry": Interval(0, 1)}
    one, other = {"cycles": 10.0, "load": 5.0}, {"cycles": 10.0, "entry": 5.0}

    assert compare.verdict(one, other, box) is Verdict.UNDECIDED
    assert compare.ratio(one, other, box) == Interval(10 / 15, 15 / 10)


def test_a_difference_finer_than_the_mean_resolves_decides_nothing() -> None:
    """One sample in 100 takes 20 cycles more, and ticks took 3 samples: up to 4 * 20 / 100 cycles
    of a mean are an accident."""
    uneven = replace(stats(250.0), min=249.8, max=269.8)
    one = with_figures(record(cycles=250, load=0), cycles=Cycles(uneven, uneven, "zero-wait"))
    near, far = (with_figures(one, lanes={"cycles": cycles}) for cycles in (251.5, 251.7))

    assert compare.resolution(one) == pytest.approx(0.8)
    verdicts = [compare.compare(one, other, LANES) for other in (near, far)]
    assert [found and found.verdict for found in verdicts] == [Verdict.UNDECIDED, Verdict.FASTER]


def test_a_reference_that_may_cost_nothing_has_no_ratio() -> None:
    box = {"load": Interval(0, 1)}
    assert compare.ratio({"load": 1.0}, {"load": 1.0}, box) is None


def test_models_that_differ_share_no_corner() -> None:
    one, other = record(cycles=100, load=10), record(cycles=105, load=10)
    wider = tuple(replace(lane, high=2.0) if lane.name == "load" else lane for lane in LANES)

    same = compare.compare(one, other, LANES)
    apart = compare.compare(one, other, LANES, wider)

    assert same is not None
    assert same.verdict is Verdict.FASTER
    assert apart is not None
    assert apart.verdict is Verdict.UNDECIDED
    assert apart.cycles == Interval(100 / 125, 110 / 105)


def test_a_core_without_an_fpu_shares_the_corners_of_one_with() -> None:
    """A run on both cores has the lanes of both; a run on one core has only its own."""
    floating = Lane("float_context", 0.0, 1.0, "lazy stacking")
    soft = record(cycles=100, load=10)
    hard = record(cycles=105, load=10)
    hard = with_figures(hard, lanes={**hard.figures.lanes, "float_context": 4.0})

    together = compare.compare(soft, hard, (*LANES, floating))
    apart = compare.compare(soft, hard, LANES, (*LANES, floating))

    assert together is not None
    assert together.verdict is Verdict.FASTER
    assert apart == together
    both = replace(run(), lanes={BOARD: (*LANES, floating)})
    assert compare.differences(both, soft, run(), record()) == ()


def test_only_work_that_was_done_is_compared() -> None:
    failed = unmeasured("rt", "message-processing", Status.FAIL, "lost word 3")
    assert compare.compare(record(), failed, LANES) is None
    assert compare.compare(failed, record(), LANES) is None


def test_without_a_model_there_is_no_verdict() -> None:
    counted = with_figures(record(instructions=150), cycles=None)
    found = compare.compare(counted, record(instructions=200), LANES)
    assert found == compare.Comparison(instructions=0.75, cycles=None, verdict=None)


def test_like_is_compared_with_like() -> None:
    one = run()
    assert compare.differences(one, record("freertos"), one, record("rt")) == ()


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"features": {"isolation": True, "inheritance": True}}, "feature isolation"),
        ({"features": {"isolation": False}}, "feature inheritance"),
        ({"board": "mps2-an385"}, "board"),
        ({"optimise": "O3"}, "optimisation"),
        ({"result": Sampled(cycles=OTHER_PROFILE)}, "timing profile"),
    ],
)
def test_what_differs_in_a_record_is_named(change: dict[str, Any], name: str) -> None:
    one = run()
    other = replace(record("rt"), **change)
    assert name in {found.name for found in compare.differences(one, record(), one, other)}


@pytest.mark.parametrize(
    ("build", "name"),
    [
        ({"compiler": "arm-none-eabi-gcc 14.2.1"}, "compiler"),
        ({"rust": {"compiler": "rustc 1.95.0"}}, "compiler of the kernel"),
        ({"flags": ["-O2", "-mthumb", "-flto"]}, "flags"),
        ({"core": "cortex-m4"}, "core"),
        ({"clock_hz": 80_000_000}, "clock in Hz"),
        ({"tick_hz": 1000}, "tick in Hz"),
    ],
)
def test_what_differs_in_a_build_is_named(build: dict[str, object], name: str) -> None:
    one = run()
    key = f"rt/default/O2/{BOARD}"
    builds = one.provenance["builds"] | {key: one.provenance["builds"][key] | build}
    other = replace(one, provenance={**one.provenance, "builds": builds})

    found = compare.differences(one, record("freertos"), other, record("rt"))

    assert [difference.name for difference in found] == [name]


def test_include_paths_and_macros_are_no_flags_policy() -> None:
    one = run()
    key = f"rt/default/O2/{BOARD}"
    flags = [*one.provenance["builds"][key]["flags"], "-DRT_MPU=0", "-Irt/include"]
    builds = one.provenance["builds"] | {key: one.provenance["builds"][key] | {"flags": flags}}
    other = replace(one, provenance={**one.provenance, "builds": builds})
    assert compare.differences(one, record("freertos"), other, record("rt")) == ()
