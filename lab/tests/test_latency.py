# SPDX-License-Identifier: MIT
"""Tests the views of interrupt latency by position: curves of all kernels overlaid, and
deadlines."""

from __future__ import annotations

import argparse
import io
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import browser
import pytest
from rich.console import Console
from synthetic import BOARD, CLOCK_HZ, LANES, record, run, swept, unmeasured

from ticklab import options
from ticklab.commands import report as command
from ticklab.description.model import Call, Curve, Interval, Lane, Record, Run, Status
from ticklab.errors import UsageError
from ticklab.storage.store import Store
from ticklab.summary.answer import Unit
from ticklab.summary.deadline import Deadline, Met, tallies
from ticklab.summary.matrix import matrices
from ticklab.views import answer, html, latency
from ticklab.views.html import Asked

CALLS = (Call(0, "task", 0, 30), Call(1, "xQueueSend", 20, 30), Call(2, "vListInsert", 10, 10))
CURVE = Curve(
    (9, 30, 12, 12),
    2,
    "xQueueSend+0x4",
    "vListInsert+0x8",
    {"xQueueSend": 20, "vListInsert": 10},
    pended_at="queue.c:812",
    held_at="list.c:180",
    calls=CALLS,
    cycles=Interval(40, 60),
)


def sweep(kernel: str, cycles: tuple[float, float], scenario: str = "queue-send") -> Record:
    curve = replace(CURVE, cycles=Interval(*cycles))
    return swept(replace(record(kernel, scenario), suite="worst-case"), curve)


def sweeps() -> Run:
    records = (
        sweep("freertos", (70, 90)),
        sweep("rt", (40, 60)),
        sweep("null", (20, 30)),
        sweep("freertos", (40, 50), "queue-receive"),
        replace(unmeasured("rt", "queue-receive", Status.FAIL, "hung"), suite="worst-case"),
    )
    return replace(run(), records=records)


class Samples:
    """Stands in for a store. It has the samples of CURVE, one for each of the four instructions at
    which the interrupt was pended."""

    def samples(self, key: str, span: str, columns: Sequence[str] = ()) -> dict[str, list[int]]:
        known = {"cycles": [20, 50, 22, 22], "entry": [1, 1, 0, 0], "load": [0, 6, 0, 0]}
        if not columns:
            return {"length": [9, 30, 12, 12], "flags": [0, 0, 0, 0]}
        return {name: known[name] for name in columns}


# --- Deadlines ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("microseconds", "met"),
    [(4, Met.MET), (3.6, Met.MET), (3.5, Met.UNDECIDED), (2.8, Met.UNDECIDED), (2.7, Met.MISSED)],
)
def test_a_deadline_is_met_only_by_the_high_bound_and_missed_only_by_the_low(
    microseconds: float, met: Met
) -> None:
    assert Deadline(microseconds).judge(sweep("freertos", (70, 90)), CLOCK_HZ) is met


def test_only_sweeps_with_cycles_have_a_deadline() -> None:
    without = swept(record(), replace(CURVE, cycles=None))
    assert Deadline(2).judge(record(), CLOCK_HZ) is None
    assert Deadline(2).judge(without, CLOCK_HZ) is None
    assert Deadline(2).judge(sweep("rt", (1, 2)), None) is None


def test_the_tally_of_a_kernel_names_its_slowest_sweep() -> None:
    (matrix,) = matrices(sweeps().records)
    found = {one.column.kernel: one for one in tallies(matrix, Deadline(2), CLOCK_HZ)}
    assert found["freertos"].counts == {Met.MET: 1, Met.UNDECIDED: 0, Met.MISSED: 1}
    assert found["freertos"].slowest.scenario == "queue-send"
    assert found["rt"].counts == {Met.MET: 0, Met.UNDECIDED: 1, Met.MISSED: 0}


@pytest.mark.parametrize(("word", "us"), [("2us", 2), ("500ns", 0.5), ("1.5ms", 1500), ("3µs", 3)])
def test_a_deadline_is_a_time_with_its_unit(word: str, us: float) -> None:
    assert options.deadline(word).microseconds == us


@pytest.mark.parametrize("word", ["2", "us", "-1us", "0ns", "2 us", "2s", "1e3us"])
def test_anything_else_is_refused(word: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a time with its unit"):
        options.deadline(word)


# --- The curves -----------------------------------------------------------------------------------


def overlays(lanes: Sequence[Lane] = LANES) -> tuple[latency.Latency, ...]:
    def cycles(record: Record, lanes: Sequence[Lane]) -> list[float] | None:
        return [24, 60, 22, 22] if lanes else None

    (matrix,) = matrices(sweeps().records)
    return latency.overlays(matrix, lanes, CLOCK_HZ, cycles, Deadline(2))


def test_the_curves_of_a_row_share_a_plane_and_the_deadline() -> None:
    first, second = overlays()
    assert [line.label for line in first.lines] == ["freertos", "rt", "null"]
    assert [line.label for line in second.lines] == ["freertos"]
    assert (first.unit, first.scale.high, first.positions.high) == ("cycles", 60, 4)
    assert first.limit == pytest.approx(100 - 100 * 50 / 60, abs=0.01)
    line = first.lines[0]
    assert (line.x, line.y, line.late, line.met) == (37.5, 0, 1, Met.MISSED)
    assert line.points == "0,60 25,60 25,0 50,0 50,63.33 100,63.33"


def test_curves_without_cycles_show_instructions_and_no_deadline() -> None:
    first = overlays(())[0]
    assert (first.unit, first.limit, first.lines[0].late) == ("instructions", None, 0)
    assert first.lines[0].values == CURVE.instructions


def test_a_narrow_peak_of_a_long_curve_is_drawn() -> None:
    lengths = [10] * 5000
    lengths[2345] = 400
    curve = replace(CURVE, instructions=tuple(lengths), position=2346)
    one = replace(sweeps(), records=(swept(replace(record(), suite="w"), curve),))
    (matrix,) = matrices(one.records)
    (found,) = latency.overlays(matrix, (), None, lambda *_: None, None)
    heights = [float(point.split(",")[1]) for point in found.lines[0].points.split()]
    assert min(heights) == 0
    assert len(heights) < 20


# --- The report -----------------------------------------------------------------------------------


def test_the_terminal_has_a_line_for_each_kernel() -> None:
    out = Console(file=io.StringIO(), width=80, highlight=False, markup=False)
    answer.show(sweeps(), out, Unit.CYCLES, None, Deadline(2))
    assert isinstance(out.file, io.StringIO)
    said = out.file.getvalue()
    assert f"deadline of 2 µs (50 cycles at 25 MHz): sweeps of worst-case on {BOARD}" in said
    assert "freertos: met 1, missed 1; slowest queue-send, ~70.0–90.0 cycles" in said
    assert "rt: undecided 1" in said


def test_the_report_draws_the_high_bound_of_each_position() -> None:
    text = html.render([sweeps()], Samples(), asked=Asked(deadline=Deadline(2)))
    # The high bounds of the curve: cycles + 4 · entry + load, which are 24, 60, 22, 22.
    assert '<polyline points="0,60 25,60 25,0 50,0 50,63.33 100,63.33"/>' in text
    assert re.search(r'class="deadline"[^>]*y1="16.67%"', text)
    assert "deadline missed" in text
    assert "queue.c:812" in text
    assert 'class="deadline"' not in html.render([sweeps()], Samples())


def test_a_deadline_without_sweeps_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.open_for_writing()
    store.add_run(run())
    parser = argparse.ArgumentParser()
    command.configure(parser)
    words = ["--deadline", "2us", "--store", str(tmp_path), "-o", str(tmp_path / "x.html")]
    with pytest.raises(UsageError, match="--deadline is for sweeps with cycles"):
        command.run(parser.parse_args(words))


@pytest.mark.skipif(os.environ.get("TICKLAB_NO_BROWSER") == "1", reason="TICKLAB_NO_BROWSER=1")
def test_a_dot_opens_the_cause_of_its_worst_position(
    tmp_path: Path, chromium: browser.Browser
) -> None:
    file = tmp_path / "report.html"
    html.write(sweeps(), Samples(), file, asked=Asked(deadline=Deadline(2)))
    with chromium.page() as page:
        for width in (390, 800, 1400):
            page.open(file, width, 900)
            assert (
                page.evaluate(
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                )
                == 0
            )
        page.evaluate("document.querySelector('.latency a').dispatchEvent(new MouseEvent('click'))")
        page.wait("document.querySelector('.cause').open")
        cause = page.evaluate("document.querySelector('.cause').innerText")
        assert "vListInsert" in cause
        assert "list.c:180" in cause
        assert page.errors == []
