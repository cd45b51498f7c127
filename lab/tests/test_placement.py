# SPDX-License-Identifier: MIT
"""Tests placements of code: what a placement may change and what not, and verdicts that must hold
for every placement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from synthetic import LANES, record, stats, with_figures

from ticklab import cli
from ticklab.comparison import placement
from ticklab.comparison.compare import Interval, Verdict
from ticklab.comparison.placement import Placed
from ticklab.storage.store import Store
from ticklab.summary.matrix import matrices


def placed(kernel: str, *cycles: float) -> Placed:
    """Returns records of 150 instructions, one for each layout, with exactly these `cycles`."""
    return tuple(
        replace(record(kernel, "message-processing", 150, value, 0, 0), layout=layout)
        for layout, value in enumerate(cycles)
    )


def test_a_matrix_shows_one_row_for_all_layouts() -> None:
    records = (*placed("freertos", 300, 330), *placed("rt", 200, 190))
    (matrix,) = matrices(records)
    assert len(matrix.rows) == 1
    assert [one.layout for one in matrix.records(matrix.columns[0])] == [0]
    assert matrix.layouts == 2


def test_the_spread_is_what_placement_alone_moves() -> None:
    found = placed("freertos", 300, 330, 315)
    assert placement.cycles(found) == Interval(300, 330)
    assert placement.spread(found) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("subject", "verdict"),
    [((290, 295), Verdict.FASTER), ((290, 305), Verdict.UNDECIDED), ((340, 341), Verdict.SLOWER)],
)
def test_a_verdict_holds_for_every_placement(subject: tuple[float, ...], verdict: Verdict) -> None:
    found = placement.compare_all(placed("rt", *subject), placed("freertos", 300, 330), LANES)
    assert found
    assert found.verdict is verdict
    assert found.cycles == Interval(min(subject) / 330, max(subject) / 300)


def test_counts_that_move_are_reported() -> None:
    still = placed("freertos", 300, 330)
    assert not placement.counts_moved(still)
    assert placement.counts_moved((still[0], with_figures(still[1], instructions=stats(151))))


@pytest.mark.parametrize("kernel", ["freertos", "bulkhead"])
def test_no_counted_figure_of_a_real_kernel_moves(tmp_path: Path, kernel: str) -> None:
    words = ["run", "--no-why", "--kernel", kernel, "--config", "default"]
    words += ["--scenario", "preemptive-scheduling"]
    how = ["--layouts", "4", "--samples", "50", "--skip-conformance", "--no-model"]
    places = ["--store", str(tmp_path / "store"), "--output", str(tmp_path / "report.html")]
    assert cli.main([*words, *how, *places]) == 0
    records = Store(tmp_path / "store").run().records
    (found,) = placement.group(records)
    assert [one.layout for one in found] == [0, 1, 2, 3]
    assert len({one.measurement for one in found}) == 4  # four images
    assert not placement.counts_moved(found)
