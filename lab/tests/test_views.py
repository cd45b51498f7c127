# SPDX-License-Identifier: MIT
"""Tests that the views show no figure without its grade, leave nothing out, and embellish
nothing."""

from __future__ import annotations

import csv as standard_csv
import io
import json as standard_json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from rich.console import Console
from synthetic import BOARD, LANES, record, run, stats, unmeasured, with_figures

from ticklab.analysis.samples import Flag
from ticklab.comparison import selection
from ticklab.comparison.compare import Interval
from ticklab.comparison.selection import Selection
from ticklab.description.model import Cycles, Fact, Run, Score, Stats, Status
from ticklab.errors import TicklabError
from ticklab.views import (
    answer,
    changes,
    charts,
    comparison,
    csv,
    figures,
    html,
    json,
    picture,
    table,
)
from ticklab.views.changes import ComparedSelection

RECORD_FIELDS = [
    "kernel", "config", "optimise", "board", "suite", "scenario", "span", "params", "layout",
    "status", "reason", "instructions", "interrupted", "exceptions", "reads", "writes", "port",
    "marks", "cycles", "score_30s", "per_second", "reported", "per_thread", "deterministic",
    "ticks_seen_hz",
    "features", "doubts", "curve", "formula", "exercises_kernel", "work",
]  # fmt: skip
STATS_FIELDS = ["n", "min", "p50", "mean", "p99", "p999", "max", "mode"]


class Samples:
    """A source of samples: clean samples take 61 instructions, interrupted ones 400."""

    def samples(
        self, key: str, span: str, columns: Sequence[str] = ("length", "flags")
    ) -> Mapping[str, list[int]]:
        if tuple(columns) != ("length", "flags"):
            raise TicklabError("no lanes were kept")
        flags = [Flag.WARM_UP] * 5 + [Flag(0)] * 20 + [Flag.TICK, Flag.FOREIGN]
        lengths = [90] * 5 + [61] * 20 + [400, 400]
        return {"length": lengths, "flags": [int(flag) for flag in flags]}


class NoSamples:
    def samples(self, key: str, span: str, columns: Sequence[str] = ()) -> Mapping[str, list[int]]:
        raise TicklabError(f"no samples of measurement {key}")


def text_of(shown: Run, width: int = 100, reference: str | None = None) -> str:
    out = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
    table.show(shown, out, reference)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


# --- Figures in all views -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (250.0, 290.0, "~250.0–290.0"),
        (250.06, 290.01, "~250.0–290.1"),
        (20500.9, 22547.2, "~20,500–22,548"),
        (9.001, 9.011, "~9.00–9.02"),
        (0.1 + 0.2, 0.3, "~0.30–0.30"),
    ],
)
def test_bounds_are_rounded_outwards(low: float, high: float, text: str) -> None:
    assert figures.bounds(low, high) == text


def test_a_ratio_near_one_is_never_rounded_to_one_sided_certainty() -> None:
    assert figures.ratio(Interval(0.999, 1.001)) == "~0.99–1.01"
    assert figures.ratio(Interval(1.0, 1.0)) == "~1.00"


def test_scores_have_a_unit_and_both_bounds() -> None:
    millions = with_figures(record(), score_30s=Score(4_400_000, 4_689_994, 80_000_000))
    thousands = with_figures(record(), score_30s=Score(33_262, 36_585, 25_000_000))
    assert figures.score(millions) == "~4.40–4.69 M"
    assert figures.score(thousands) == "~33.2–36.6 k"


def clocked() -> Run:
    """Returns the same run with clocked cycles."""
    exact = Cycles(stats(270.0), stats(270.0), None)
    score = Score(2_777_777, 2_777_777, 25_000_000)
    passed = [one for one in run().records if one.status is Status.PASS]
    lanes = {BOARD: (LANES[0], replace(LANES[1], source="clocked"))}
    records = tuple(
        with_figures(
            one, cycles=exact, score_30s=score, lanes={"instructions": 192.0, "cycles": 270.0}
        )
        for one in passed
    )
    return replace(run(), records=records, lanes=lanes)


def test_clocked_cycles_are_exact_and_say_so() -> None:
    shown = text_of(clocked())
    assert "CLOCKED, exact: cycles" in shown
    assert "270" in shown
    assert "2.778 M" in shown
    assert "~2" not in shown


def test_the_report_gives_clocked_cycles_their_grade() -> None:
    page = html.render([clocked()], Samples())
    assert '<div class="clocked">270 <small>cycles</small></div>' in page
    assert '<div class="modelled">' not in page


def test_a_report_of_several_suites_begins_with_their_standings() -> None:
    first = run()
    other = (replace(one, suite="services") for one in first.records)
    page = html.render([replace(first, records=(*first.records, *other))], Samples())
    glance = page[page.index("At a glance") :].split("</section>")[0]
    assert [glance.count(f">{suite}</a>") for suite in ("thread-metric", "services")] == [1, 1]
    assert glance.count("of 2</small>") == 2 * 3


def test_only_no_change_is_shown_as_none() -> None:
    assert figures.exact_change(1.0) == "0 %"
    assert figures.exact_change(0.99996) == "-0.004 %"


# --- Tables on a terminal -------------------------------------------------------------------------


def test_the_table_marks_every_modelled_figure() -> None:
    shown = text_of(run())
    assert "COUNTED, exact" in shown
    assert "~250.0–290.0" in shown
    assert "~1.08–1.09" in shown
    for number in ("250.0", "290.0", "2.58", "1.08"):
        assert shown.count(number) == shown.count(f"~{number}") + shown.count(f"–{number}")


def test_the_table_says_what_failed_and_why() -> None:
    shown = text_of(run())
    assert "FAILED" in shown
    assert "rt/default O2 on mps2-an386: basic-processing: order: after iteration.1" in shown
    assert "lacks service yield" in shown


def test_the_command_line_of_a_run_is_shown_everywhere() -> None:
    words = ["ticklab", "run", "--kernel", "freertos", "../my kernel", "--cflags=-O1 -g"]
    line = "command: ticklab run --kernel freertos '../my kernel' '--cflags=-O1 -g'"
    typed = replace(run(), provenance={**run().provenance, "command": words})
    assert line in text_of(typed)
    assert line in unescape(html.render([typed], Samples()))
    assert json.document(typed)["provenance"]["command"] == words


def suite_of_another_board() -> Run:
    """Returns a run that also has a suite of 155 rows which no kernel supports on this board."""
    reason = f"not for this board: {BOARD} has one node"
    absent = tuple(
        replace(
            unmeasured(kernel, "bandwidth", Status.UNSUPPORTED, reason),
            suite="multiprocessor",
            params={"bytes": str(size)},
        )
        for kernel in ("freertos", "rt")
        for size in range(155)
    )
    return replace(run(), records=(*run().records, *absent))


def test_the_suite_of_another_board_is_one_line() -> None:
    line = f"unsupported: every kernel on {BOARD}: all 155 rows of suite multiprocessor: not for"
    shown = text_of(suite_of_another_board(), width=200)
    assert shown.count("multiprocessor") == 1
    assert line in shown
    page = html.render([suite_of_another_board()], Samples())
    assert page.count("multiprocessor") == 1
    (row,) = [row for row in page.split("<tr>") if "multiprocessor" in row]
    assert "not for this board" in row
    only = replace(run(), records=suite_of_another_board().records[9:])
    assert line in text_of(only, width=200)
    assert "not for this board" in html.render([only], Samples())


def test_the_table_fits_100_columns_and_less() -> None:
    for width in (60, 100):
        assert max(map(len, text_of(run(), width).splitlines())) <= width


def eleven_columns() -> Run:
    """A run of every configuration of a kernel, of scenarios with long names."""
    scenarios = ("queue-send-wakes-reference", "synchronization-notification", "tick")
    long = [record(scenario=name, instructions=1_234_567) for name in scenarios]
    spans = [replace(each, span=name) for each in long for name in ("pend-to-interrupt", "send")]
    configs = ("default", *(f"ablation-of-protection-{number}" for number in range(10)))
    return replace(
        run(), records=tuple(replace(each, config=name) for name in configs for each in spans)
    )


@pytest.mark.parametrize("width", [80, 120])
def test_eleven_columns_are_readable(width: int) -> None:
    shown = eleven_columns()
    one, *others = (
        Selection(shown, tuple(each for each in shown.records if each.config == name))
        for name in dict.fromkeys(each.config for each in shown.records)
    )
    pairs = [ComparedSelection(each, selection.pair(one, each), ()) for each in others]
    out = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
    table.show(shown, out)
    answer.show(shown, out)
    comparison.show(one, others[0], pairs[0].pairing, (), out)
    changes.show(one, pairs, out)
    assert isinstance(out.file, io.StringIO)
    text = out.file.getvalue()
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    assert text.count("1,234,567") >= 11 * 6


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_legend_is_wrapped_beside_its_words(width: int) -> None:
    lines = text_of(run(), width).rstrip().splitlines()
    legend = lines[next(i for i, line in enumerate(lines) if line.startswith("counted ")) :]
    words = [line.split()[0] for line in legend if not line.startswith(" ")]
    assert words == ["counted", "modelled", "clocked", "fair"]
    assert all(line.startswith(" " * 10) for line in legend if line.startswith(" "))


def test_too_many_kernels_become_several_tables() -> None:
    many = tuple(record(f"kernel{index}") for index in range(9))
    shown = text_of(replace(run(), records=many))
    assert "(continued)" in shown
    assert all(f"kernel{index}" in shown for index in range(9))


def test_long_names_widen_their_columns_and_are_not_cut() -> None:
    configs = ("process-each-of-them", "kernel-calls-alone", "default")
    many = tuple(replace(record("bulkhead"), config=config) for config in configs)
    shown = text_of(replace(run(), records=many))
    assert max(map(len, shown.splitlines())) <= 100
    assert "…" not in shown
    assert all(config in shown for config in configs)


def test_the_reference_is_freertos_or_the_named_kernel() -> None:
    assert "cycles of freertos" in text_of(run())
    assert "cycles of rt" in text_of(run(), reference="rt")


def test_verdicts_between_unlike_kernels_carry_a_warning() -> None:
    isolating = replace(record("rt"), features={"isolation": True, "inheritance": True})
    shown = text_of(replace(run(), records=(record("freertos"), isolating)))
    assert "rt and freertos are not alike" in shown
    assert "feature isolation: yes against no" in shown


def test_a_run_without_a_model_shows_counts_and_no_verdict() -> None:
    counted = tuple(
        with_figures(one, cycles=None, score_30s=None)
        for one in (record("freertos"), replace(record("rt"), features={"isolation": True}))
    )
    shown = text_of(replace(run(), records=counted))
    assert "192" in shown
    assert "MODELLED" not in shown
    assert "with care" not in shown
    assert "faster\n" not in shown


def test_names_are_no_markup() -> None:
    shown = text_of(replace(run(), records=(record("[red]evil"),)))
    assert "[red]evil" in shown


def test_the_picture_shows_the_answer_and_fetches_no_font() -> None:
    shown = picture.svg(run())
    assert "~1.00–1.03" in shown
    assert "@font-face" not in shown
    assert not re.search(r"url\((?!#)|href=|@import|src=", shown)


# --- JSON and CSV ---------------------------------------------------------------------------------


def test_json_is_schema_1_with_every_field_in_every_record() -> None:
    document = standard_json.loads(json.dumps(json.document(run())))
    assert list(document) == ["schema", "run", "provenance", "records", "summary"]
    assert document["schema"] == 1
    assert all(list(one) == RECORD_FIELDS for one in document["records"])


def test_json_nests_statistics_as_the_schema_says() -> None:
    found = json.record_object(record())
    assert list(found["instructions"]) == STATS_FIELDS
    assert list(found["interrupted"]) == ["instructions"]
    assert list(found["cycles"]) == ["low", "high", "profile"]
    assert list(found["cycles"]["low"]) == STATS_FIELDS
    assert list(found["score_30s"]) == ["low", "high", "clock_hz"]


def test_json_has_null_for_what_there_is_not() -> None:
    found = json.record_object(unmeasured("null", "x", Status.UNSUPPORTED, "lacks service queue"))
    empty = ("instructions", "interrupted", "exceptions", "cycles", "score_30s", "per_thread")
    assert all(found[name] is None for name in empty)
    assert found["status"] == "unsupported"


def test_csv_has_a_row_a_record_and_a_column_a_figure() -> None:
    rows = list(standard_csv.DictReader(io.StringIO(csv.dumps(run()))))
    assert len(rows) == len(run().records)
    message = next(row for row in rows if row["kernel"] == "freertos")
    assert message["instructions.mean"] == "192"
    assert message["cycles.high.mean"] == "290"
    assert message["features"] == "isolation=False inheritance=True"
    assert rows[0]["instructions.mean"] == ""


# --- The report in HTML ---------------------------------------------------------------------------


def test_the_report_names_nothing_outside_itself() -> None:
    page = html.render([run()], Samples())
    assert "default-src 'none'" in page
    assert len(re.findall("<script", page)) == 2  # the page's own, and the data of the answer
    for word in ("http:", "https:", "<link", "@import", "url(", "src="):
        assert word not in page


def test_the_report_escapes_what_users_write() -> None:
    evil = "<script>alert(1)</script>"
    records = (
        replace(record(evil), features={evil: evil}),
        record("freertos"),
        unmeasured(evil, "x", Status.FAIL, evil),
    )
    shown = replace(run(), records=records, provenance={"builds": {}, evil: evil})
    page = html.render([shown], Samples(), html.About({evil: [Fact(evil, evil, evil, evil)]}))
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_the_report_shows_clean_and_interrupted_samples_apart() -> None:
    page = html.render([run()], Samples())
    assert "20 clean samples" in page
    assert "2 with a tick or a foreign interrupt inside" in page
    assert "5 warm-up samples" in page


def test_the_report_says_when_samples_are_gone() -> None:
    page = html.render([run()], NoSamples())
    assert "no samples of measurement" in page
    assert "~250.0–290.0" in page


def test_the_report_shows_flags_values_and_how_configurations_differ() -> None:
    builds = {
        f"freertos/{name}/O2/{BOARD}": {"flags": ["-O2"], "config": {"configASSERT": value}}
        for name, value in (("default", "off"), ("asserts", "on"))
    }
    page = html.render([replace(run(), provenance={"builds": builds})], Samples())
    assert "How the builds of freertos differ" in page
    assert "configASSERT" in page


def test_the_table_shows_in_what_a_configuration_differs_from_the_default() -> None:
    changed = {"differs_from_default": {"configUSE_TIME_SLICING": "0 -> 1"}}
    builds = {
        f"freertos/default/O2/{BOARD}": {"differs_from_default": {}},
        f"freertos/a folder/my.h/O2/{BOARD}": changed,
    }
    text = text_of(replace(run(), provenance={"builds": builds}))
    line = "freertos/a folder/my.h differs from the default: configUSE_TIME_SLICING 0 -> 1"
    assert line in text
    assert text.count("differs from the default") == 1


def test_a_report_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TicklabError, match=r"cannot write the report .*-o"):
        html.write(run(), Samples(), tmp_path / "no" / "where.html")


# --- Charts in the report -------------------------------------------------------------------------


def test_a_histogram_holds_every_sample_and_shows_a_lone_one() -> None:
    shape = charts.histogram("clean samples", dict.fromkeys(range(100, 120), 1000) | {450: 1})
    assert shape is not None
    assert shape.samples == 20_001
    assert (shape.low, shape.high) == (100, 450)
    assert shape.bars[-1].text.endswith(": 1 sample")
    assert shape.bars[-1].height > 5
    assert all(0 <= bar.left <= bar.left + bar.width <= 100 for bar in shape.bars)
    assert [length for _, length in shape.ticks] == [100, 187, 275, 362, 450]
    assert charts.histogram("none", {}) is None


def test_few_different_lengths_are_listed_with_their_counts() -> None:
    shape = charts.histogram("clean samples", {100: 3, 450: 1})
    assert shape is not None
    listed = [(level.length, level.samples, level.share) for level in shape.levels]
    assert listed == [(100, 3, 75.0), (450, 1, 25.0)]
    assert not shape.bars


def test_bars_stay_inside_the_chart() -> None:
    scale, rows = charts.ranges([("a", record(cycles=999, load=2)), ("b", record(cycles=3))])
    assert scale.low == 0
    for row in rows:
        assert row.low is not None
        assert row.width is not None
        assert 0 <= row.low <= row.low + row.width <= 100.8
    assert charts.scale_from_zero([273.6]).high == 300


def test_statistics_are_all_in_the_report() -> None:
    odd = Stats(7, 11, 12, 13, 14, 15, 16, 17)
    page = html.render(
        [replace(run(), records=(with_figures(record(), instructions=odd),))], Samples()
    )
    row = page[page.index('<th scope="row">instructions</th>') :].split("</tr>")[0]
    assert [int(cell.split("<")[0]) for cell in row.split('"number">')[1:]] == [
        7, 11, 12, 13, 14, 15, 16, 17,
    ]  # fmt: skip


def test_distributions_of_a_row_are_overlaid_on_one_axis() -> None:
    found = charts.overlay({"rt": {10: 3, 20: 1}, "freertos": {40: 2}})
    assert found
    assert found.scale.high == 40
    assert dict(found.lines) == {
        "rt": "0,100 25,100 25,25 50,25 50,0 100,0",
        "freertos": "0,100 100,100 100,0 100,0",
    }
    assert charts.overlay({"rt": {10: 3}, "freertos": {40: 2}}) is None  # nothing varies
    assert charts.overlay({"rt": {10: 3, 11: 1}}) is None


# --- The report of two runs -----------------------------------------------------------------------


def test_a_report_of_two_runs_begins_with_the_rows_that_changed() -> None:
    slower = record("freertos", "message-processing", 200, 250, 0, 40)  # more, in equal cycles
    before = run()
    records = (slower if one.measurement == slower.measurement else one for one in before.records)
    after = replace(before, id="20261121-after", records=tuple(records)[:-1])
    text = html.render([before, after], Samples())
    begin = text.index('id="changes"')
    changes = text[begin : text.index("<header>", begin)]
    assert "1 of 8 rows changed" in changes
    assert "Rows that only the first run has: 1; only the second: 0" in changes
    assert changes.count("message-processing") == 1
    assert "192 instr." in changes
    assert "200 instr." in changes
    assert "+4.17 %" in changes
    assert "equal" in changes
    assert 'id="changes"' not in html.render([before], Samples())
    assert "0 of 9 rows changed" in html.render([before, before], Samples())
