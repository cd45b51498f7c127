# SPDX-License-Identifier: MIT
"""Tests the line charts of a suite: which figures belong to a line, and where lines cross."""

from __future__ import annotations

from dataclasses import replace

import synthetic

from ticklab.description.model import Cycles, NotMeasured, Record, Status
from ticklab.description.plot import Plot
from ticklab.summary.matrix import matrices
from ticklab.views import plots

PLOT = Plot("Switch tasks", "switch", "latency", {"placement": "slave"})


def record(kernel: str, latency: int, cycles: float, placement: str = "slave") -> Record:
    exact = synthetic.stats(cycles)
    params = {"latency": str(latency), "placement": placement}
    one = replace(synthetic.record(kernel, "switch"), params=params)
    return synthetic.with_figures(one, cycles=Cycles(exact, exact, None))


def drawing(*records: Record, plot: Plot = PLOT) -> plots.Drawing:
    (matrix,) = matrices(records)
    (found,) = plots.drawings(matrix, [plot])
    return found


def test_a_line_has_the_kernels_records_by_the_parameter() -> None:
    found = drawing(
        record("rt", 100, 50), record("rt", 8, 40), record("rt", 8, 99, placement="master")
    )
    assert [line.points for line in found.lines] == [((8, 40), (100, 50))]
    assert found.constant == "placement slave"


def test_what_has_no_figure_is_no_point() -> None:
    failed = replace(record("rt", 33, 1), result=NotMeasured(Status.FAIL, "wrong"))
    found = drawing(record("rt", 8, 40), failed, record("rt", 100, 50))
    assert found.values == [8, 100]


def test_one_value_of_the_parameter_is_no_figure() -> None:
    (matrix,) = matrices([record("rt", 8, 40), record("freertos", 8, 50)])
    assert plots.drawings(matrix, [PLOT]) == ()


def test_a_parameter_that_is_a_number_has_a_chart_for_each_combination_of_the_others() -> None:
    (matrix,) = matrices([
        record("rt", 8, 40), record("rt", 100, 50),
        record("rt", 8, 60, "master"), record("rt", 100, 70, "master"),
        record("rt", 8, 80, "alone"),
    ])  # fmt: skip
    found = plots.by_parameter(matrix, [])
    assert [(one.plot.x, dict(one.plot.where), one.lines[0].points) for one in found] == [
        ("latency", {"placement": "slave"}, ((8, 40), (100, 50))),
        ("latency", {"placement": "master"}, ((8, 60), (100, 70))),
    ]
    assert [one.constant for one in plots.by_parameter(matrix, [PLOT])] == ["placement master"]


def test_spans_of_a_scenario_have_charts_of_their_own() -> None:
    other = [replace(record("rt", at, 9), span="other") for at in (8, 100)]
    (matrix,) = matrices([record("rt", 8, 40), record("rt", 100, 50), *other])
    found = plots.by_parameter(matrix, [])
    assert [line.points for one in found for line in one.lines] == [
        ((8, 40), (100, 50)),
        ((8, 9), (100, 9)),
    ]


def test_bandwidth_is_bytes_in_a_thousand_cycles() -> None:
    found = drawing(record("rt", 8, 2000), record("rt", 9, 500), plot=replace(PLOT, bytes=1000))
    assert [line.points for line in found.lines] == [((8, 500), (9, 2000))]


def test_lines_cross_where_they_would_if_they_were_straight() -> None:
    flat, rising = (
        plots.Series("flat", ((0, 100), (100, 100))),
        plots.Series("rising", ((0, 60), (100, 160))),
    )
    (found,) = plots.crossings(flat, rising)
    assert found.startswith("rising is below flat up to about 40, ")
    assert not list(plots.crossings(flat, plots.Series("above", ((0, 101), (100, 102)))))


def test_lines_cross_where_they_are_equal() -> None:
    flat, rising = (
        plots.Series("flat", ((0, 100), (50, 100), (100, 100))),
        plots.Series("rising", ((0, 60), (50, 100), (100, 160))),
    )
    (found,) = plots.crossings(flat, rising)
    assert found.startswith("rising is below flat up to about 50, ")
    touching = plots.Series("touching", ((0, 60), (50, 100), (100, 60)))
    assert not list(plots.crossings(flat, touching))


def test_points_are_inside_the_drawing() -> None:
    found = drawing(record("rt", 8, 40), record("rt", 100, 50))
    assert found.lines[0].at(found.x, found.y) == [(28.8, 36.0), (360.0, 0.0)]
