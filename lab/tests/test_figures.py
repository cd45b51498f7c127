# SPDX-License-Identifier: MIT
"""Tests the figures in documents: tables and pictures show those of the baseline, and a sample of
the baseline is measured again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from synthetic import record, stats, swept, with_figures

from ticklab import cli, paths
from ticklab.description.model import Curve, Interval, Record
from ticklab.description.result import Cycles
from ticklab.documents import (
    answers,
    bars,
    baseline,
    figures,
    filling,
    measurements,
    pictures,
    sentences,
    sweeps,
    tuned,
    whole_tables,
)
from ticklab.documents.answers import Answer
from ticklab.documents.baseline import Figure
from ticklab.documents.measurements import Measurement
from ticklab.errors import TicklabError, UsageError
from ticklab.measurement import provenance
from ticklab.storage import tables
from ticklab.views import columns
from ticklab.views.json import record_object

USUAL = ("waiters=1", "ready=0", "tasks=1", "fpu=unused", "sleepers=0")
SERVICES_OF = ("--suite", "services", "--kernel", "rt", "bulkhead", "--optimise", "O2+called")
SERVICES = ("cooperative-switch", "mutex-lock-block", "queue-uncontended", "tick")
TESTS = ("cooperative-scheduling", "preemptive-scheduling", "message-processing")
FIGURE = Figure(38.5, 40, 51, 1.0, 115.2, 134.1, "abc")


def records(**figures_of: Figure) -> dict[str, Figure]:
    return {
        f"{kernel}/default O2 mps2-an386 services/take take fpu=unused,waiters=1": figure
        for kernel, figure in figures_of.items()
    }


def table(kind: str, more: str = "") -> str:
    query = f"<!-- figures: {kind} suite=services columns=a/default,b/default{more} -->"
    return f"{query}\n| s | a | b |\n|---|---|---|\n| `take` | 1 (9) | 2 |\n| prose | 1 | 2 |\n"


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("mean", "38.5 (9) | 77"),
        ("extremes", "38.5 / 40 / 51 | 77 / 40 / ·"),
        ("cycles", "~115–135 | ~115–135"),
        ("both", "38.5 (~115–135) | 77 (~115–135)"),
        ("exceptions", "38.5 (1) | 77 (1)"),
        ("change", "38.5 | 77 (+100.0 %)"),
        ("percent", "38.5 | +100.0"),
    ],
)
def test_a_row_is_filled_from_its_query(kind: str, cells: str) -> None:
    both = records(a=FIGURE, b=replace(FIGURE, mean=77, ticked=None))
    lines = figures.filled(table(kind), both).splitlines()
    assert lines[3] == f"| `take` | {cells} |"
    assert lines[4] == "| prose | 1 | 2 |"


def test_a_swept_parameter_gives_its_values_in_order() -> None:
    start = "a/default O2 mps2-an386 services/take take fpu=unused,waiters="
    both = {start + str(n): replace(FIGURE, mean=n) for n in (50, 1, 10)}
    line = figures.filled(table("sweep", " with=waiters=*"), both).splitlines()[3]
    assert line == "| `take` | 1, 10, 50 | 2 |"


def test_a_column_has_its_own_level_board_span_and_kind() -> None:
    names = {
        "a/default O2 mps2-an386 worst-case/lock to-task waiters=1": FIGURE,
        "a/default Os mps2-an385 worst-case/lock to-task waiters=1": replace(FIGURE, waits=0.375),
        "a/default O2 mps2-an386 worst-case/give to-task waiters=1": replace(FIGURE, mean=90),
    }
    columns = "a/default#to-task,waits=a/default:Os@mps2-an385#to-task,-,b/default"
    table = (
        f"<!-- figures: longest suite=worst-case columns={columns} -->\n"
        "| service | a | a | text | b |\n|---|---|---|---|---|\n"
        "| a lock <!-- lock --> | 1 | 2 | 3 | 4 |\n"
        "| all <!-- * --> | 1 | 2 | 3 | 4 |\n"
    )
    _, _, _, lock, every = figures.filled(table, names).splitlines()
    assert lock == "| a lock <!-- lock --> | 38.5 | 38 % | 3 | 4 |"
    assert every == "| all <!-- * --> | 90 | 38 % | 3 | 4 |"


@pytest.mark.parametrize(
    "query", ["mean colums=a/default", "meen columns=a/default", "mean columns=meen=a/default"]
)
def test_a_query_with_an_unknown_word_is_refused(query: str) -> None:
    with pytest.raises(TicklabError, match=query.split()[-1]):
        figures.parse(f"<!-- figures: {query} -->")


def test_a_number_without_a_query_or_a_reason_is_found() -> None:
    table = "| s | a |\n|---|---|\n| `take` | 7 |\n"
    words = "| s | a |\n|---|---|\n| `take 1` | none |\n"
    reason = "<!-- figures elsewhere: counted by another program -->\n"
    text = f"{words}\n{reason}{table}\nA table:\n{table}"
    assert [text.splitlines()[at - 1] for at in figures.unfilled(text)] == ["| s | a |"]


SENTENCE = "It takes 7<!-- = mean a/default services/take --> instructions, not 9 instructions."


def test_a_figure_in_a_sentence_is_filled_from_its_query() -> None:
    filled = sentences.filled(SENTENCE, records(a=FIGURE))
    assert filled == SENTENCE.replace("7", "38.5")
    other = SENTENCE.replace("mean a/default", "difference b/default,a/default")
    both = records(a=FIGURE, b=replace(FIGURE, mean=77))
    assert sentences.filled(other, both) == other.replace("7", "38.5")


def test_a_figure_in_a_sentence_without_a_record_or_a_query_is_found() -> None:
    assert sentences.missing(SENTENCE, {}) == ["mean a/default services/take"]
    assert sentences.missing(SENTENCE, records(a=FIGURE)) == []
    assert list(sentences.unfilled(SENTENCE)) == ["9 instructions"]
    assert list(sentences.unfilled("| 9 instructions |\n```\n9 cycles\n```\n")) == []


def test_a_row_without_a_record_is_found() -> None:
    rows = table("mean").replace("`take`", "`give`")
    found = filling.missing(rows, records(a=FIGURE, b=FIGURE))
    assert found == ["| `give` | 1 (9) | 2 |", "| prose | 1 | 2 |"]
    found = filling.missing(table("mean"), records(a=FIGURE))
    assert found[0] == "b/default O2 mps2-an386 services/"


def test_a_curve_that_a_picture_shows_is_kept_as_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeps, "FILE", tmp_path / "curves.json")
    curves = {
        f"{kernel} {one.sweep}": [9, 9, 8, 1] for one in sweeps.SWEEPS for kernel in one.kernels
    }
    sweeps.write(curves)
    assert "[[2, 9], [1, 8], [1, 1]]" in sweeps.FILE.read_text()
    assert sweeps.read() == curves
    assert "polyline" in "".join(sweeps.draw(sweeps.SWEEPS[0], curves))


def footprint() -> dict[str, Any]:
    row = {"kernel": "a", "config": "default", "optimise": "Os", "board": "b", "scenario": "s"}
    memory = {"kernel": {"code": 4000}, "port": {"code": 90}, "rest": {"code": 1}}
    sizes = {"memory": memory, "objects": {"queue": 36}}
    depths = {"Reset_Handler": 90, "task a": 76, "task b": 40, "SVC_Handler": 16}
    stacks = [
        {"name": name, "bytes": depth, "is_handler": name == "SVC_Handler"}
        for name, depth in depths.items()
    ]
    return {"rows": [{**row, **sizes, "stacks": {"rows": stacks}}]}


def test_bytes_of_a_footprint_are_figures() -> None:
    found = {name: one.mean for name, one in baseline.of_run(footprint()).items()}
    start = "a/default Os b footprint/s "
    stacks = {"stack-start": 90, "stack-task": 76, "stack-SVC_Handler": 16}
    sizes = {"kernel-code": 4000, "port-code": 90, "object-queue": 36, **stacks}
    assert found == {start + name: number for name, number in sizes.items()}


def of_records(*found: Record) -> list[Figure]:
    objects = [record_object(one) for one in found]
    document = {"records": objects, "provenance": {"ticklab": {"commit": "abc"}}}
    return list(baseline.of_run(document).values())


def test_a_sweep_has_the_figures_of_its_worst_position() -> None:
    curve = Curve((1, 40, 39, 1), 3, "lock", "unlock", {}, cycles=Interval(90, 120))
    (found,) = of_records(swept(record(), curve))
    assert (found.mean, found.longest, found.low, found.high) == (39, 40, 90, 120)
    assert found.waits == 0.5


def test_clocked_cycles_are_two_equal_bounds() -> None:
    exact = Cycles(stats(149), stats(149), profile=None)
    (found,) = of_records(with_figures(record(), cycles=exact))
    assert (found.low, found.high) == (149, 149)


def test_a_file_that_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(UsageError, match=r"a\.json.*run --json"):
        measurements.update([tmp_path / "a.json"])


def point(config: str, is_best: bool, lines: list[str]) -> dict[str, Any]:
    cycles = {"low": 0.8, "high": 0.914}
    return {
        "config": config,
        "optimise": "Os",
        "flags": "",
        "cycles_ratio": cycles,
        "code_bytes": 7846,
        "worst": None,
        "lines": lines,
        "front": is_best,
    }


def test_a_table_of_builds_is_replaced_by_what_tune_found() -> None:
    """The rest of the document stays unchanged, and so does a table whose measurement is not among
    the results."""
    text = "a\n<!-- tuned: mine -->\n| old |\n|---|\n| 9 |\n\nb\n<!-- tuned: other -->\n| 1 |\n"
    found = {"mine": [point("x", True, ["configX: 0 -> a|b"]), point("y", False, ["z"])]}
    filled = tuned.filled(text, found)
    assert filled.splitlines()[4:7] == [
        "| ★ **x Os** | ~0.80–0.92 | 7,846 | · | `configX: 0 -> a\\|b` |",
        "| y Os | ~0.80–0.92 | 7,846 | · |  |",
        "",
    ]
    assert "old" not in filled
    assert filled.endswith("b\n<!-- tuned: other -->\n| 1 |\n")
    assert tuned.filled(filled, found) == filled
    assert whole_tables.missing(text, tuned.QUERY, found) == ["other"]
    assert list(figures.unfilled(filled)) == []


def test_a_tuning_is_kept_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def tune(words: list[str]) -> int:
        best, other = point("x", True, []), point("y", False, [])
        answer = {"front": [{**best, "run": "r"}], "beaten": [{**other, "run": "r"}]}
        Path(words[-1]).write_text(json.dumps(answer))
        return 0

    monkeypatch.setattr(tuned, "FILE", tmp_path / "tuned.json")
    assert measurements._records(Measurement("mine", ("tune", "freertos")), tune) == {}
    assert tuned.read() == {"mine": [point("x", True, []), point("y", False, [])]}


ANSWER = Answer(
    ("configuration", "O2", "Os"), (("asserts", 921, None), ("fpu-off", 802.5, 770)), "c"
)


def test_an_answer_fills_a_table_and_a_sentence() -> None:
    text = "a\n<!-- answer: c/worst -->\n| old |\n|---|\n\n<!-- answer: c/other -->\n| 1 |\n"
    filled = answers.filled(text, {"c/worst": ANSWER})
    assert filled.splitlines()[2:6] == [
        "| configuration | O2 | Os |",
        "|---|---|---|",
        "| asserts | 921 | – |",
        "| fpu-off | 802.5 | 770 |",
    ]
    assert answers.filled(filled, {"c/worst": ANSWER}) == filled
    assert whole_tables.missing(text, answers.QUERY, ["c/worst"]) == ["c/other"]
    assert list(figures.unfilled(filled)) == []
    assert answers.figure("c/worst fpu-off O2", {"c/worst": ANSWER}) == "802.5"
    assert answers.figure("c/worst cubemx O2", {"c/worst": ANSWER}) is None


def test_a_campaign_is_asked_each_query_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers to queries that no longer exist are dropped; answers of other campaigns stay."""

    def campaign(words: list[str]) -> int:
        rows = [columns.row(replace(record(), scenario=name)) for name in ("give", "take")]
        file = Path(words[words.index("--parquet") + 1])
        tables.write_rows(columns.arrays(rows), columns.typed(), file)
        Path(words[-1]).write_text("{}")
        return 0

    monkeypatch.setattr(answers, "FILE", tmp_path / "answers.json")
    monkeypatch.setattr(provenance, "commit", lambda: 40 * "d")
    old = {
        name: {"columns": ["a"], "rows": [[1]], "commit": "c"}
        for name in ("mine/gone", "other/kept")
    }
    answers.FILE.write_text(json.dumps(old))
    (tmp_path / "names.sql").write_text("SELECT scenario, 1 AS one FROM records ORDER BY scenario")
    words = ("campaign", str(tmp_path / "campaign.toml"))
    assert measurements._records(Measurement("mine", words), campaign) == {}
    assert answers.read() == {
        "mine/names": Answer(["scenario", "one"], [["give", 1], ["take", 1]], 9 * "d"),
        "other/kept": Answer(["a"], [[1]], "c"),
    }
    picture = "".join(bars.draw_answer(bars.AnswerBars("a.svg", "a", "mine/names")))
    assert "give" in picture
    assert picture.count("<rect") == 3


def test_the_documents_have_the_figures_of_the_baseline() -> None:
    """If this test fails, run ./ticklab docs figures."""
    found = baseline.read()
    queries = 0
    for document in filling.documents():
        text = document.read_text()
        queries += sum(figures.parse(line) is not None for line in text.splitlines())
        assert filling.filled(text, found) == text, document
        assert filling.missing(text, found) == [], document
    assert queries > 10
    for name, picture in pictures.drawn(found).items():
        assert (pictures.FOLDER / name).read_text() == picture


GUARDED = ("README.md", "docs/explanation/")
# Documents in which each number of instructions or cycles in a sentence also needs a query or a
# reason.
TEMPLATED = ("docs/explanation/findings/", "docs/explanation/bulkhead/rv32.md")


def test_each_number_in_a_table_has_a_query_or_a_reason() -> None:
    """If this test fails, name the query of the table, or give the reason why it has none."""
    for document in filling.documents():
        name = str(document.relative_to(paths.CHECKOUT))
        if name.startswith(GUARDED):
            assert list(figures.unfilled(document.read_text())) == [], name
        if name.startswith(TEMPLATED):
            assert list(sentences.unfilled(document.read_text())) == [], name


def test_measurements_replace_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline, "FILE", tmp_path / "baseline.json")
    monkeypatch.setattr(tuned, "FILE", tmp_path / "tuned.json")
    monkeypatch.setattr(answers, "keep", lambda *_: None)
    asked: list[list[str]] = []

    def command_line(words: list[str]) -> int:
        asked.append(words[:-1])
        builds: dict[str, list[Any]] = {"front": [], "beaten": []} if words[0] == "tune" else {}
        Path(words[-1]).write_text(json.dumps({**footprint(), **builds}))
        return 0

    of_footprint = baseline.of_run(footprint())
    for names, kept in (["footprint"], ["old"]), ([], []):
        baseline.write({"old": FIGURE})
        measurements.measure(names, command_line)
        assert set(baseline.read()) == {*kept, *of_footprint}
    assert asked[0] == ["footprint", "--stacks", "--json"]
    assert len(asked) == 1 + len(measurements.read())
    assert tuned.read() == {"tune-freertos": []}


def test_a_measurement_that_fails_or_is_unknown_is_refused() -> None:
    with pytest.raises(TicklabError, match="'footprint' failed"):
        measurements.measure(["footprint"], lambda _: 2)
    with pytest.raises(UsageError, match="no measurement 'fotprint'"):
        measurements.measure(["fotprint"], lambda _: 1)


def fresh(folder: Path, *words: str) -> dict[str, Figure]:
    file = folder / "figures.json"
    places = ("--store", str(folder / "store"), "--json", str(file))
    assert cli.main(["run", *words, "--skip-conformance", "--no-model", "--no-why", *places]) == 0
    document: dict[str, Any] = json.loads(file.read_text())
    return baseline.of_run(document)


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (["--kernel", "freertos", "freertos-mpu", "rt", "rt-mpu", "bulkhead"], 16),
        ([*SERVICES_OF, "--param", *USUAL], 15),
    ],
    ids=["thread-metric", "services"],
)
def test_a_sample_of_the_baseline_is_fresh(tmp_path: Path, words: list[str], number: int) -> None:
    """If this test fails, measure again, then run ./ticklab docs baseline FILE."""
    before = baseline.read()
    scenarios = SERVICES if "services" in words else TESTS
    found = fresh(tmp_path, *words, "--scenario", *scenarios)
    assert len(found) == number
    for name, figure in found.items():
        known = before[name]
        counted = (figure.mean, figure.exceptions, figure.longest)
        assert counted == shown(known.mean, known.exceptions, known.longest), name
        if figure.ticked and known.ticked:
            assert figure.ticked == known.ticked, name


def shown(*values: float) -> Any:
    """Returns values that count as equal if documents would show the same figure. A change of the
    start-up code moves the ticks to other samples. If the samples are unequal, the mean of the
    samples without a tick then differs a little, and the set of samples with a tick may be empty.
    """
    return pytest.approx(values, rel=2e-4)
