# SPDX-License-Identifier: MIT
"""Tests the answer of a run: which tests and kernels count in a mean, how certain the mean is, and
which sentences say so."""

from __future__ import annotations

import io
import json as standard_json
import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from rich.console import Console
from synthetic import BOARD, FEATURES, LANES, record, run, stats, unmeasured, with_figures
from test_injection import NoSamples

from ticklab.comparison.compare import Interval
from ticklab.description.features import Protection
from ticklab.description.model import Cycles, Record, Run, Status
from ticklab.errors import UsageError
from ticklab.summary.answer import Answer, Unit, answers
from ticklab.summary.matrix import check_reference
from ticklab.views import answer, html, json, sentence

# The tests and kernels of the README's first command: Thread-Metric, and the kernels of the default
# board.
TESTS = (
    "cooperative-scheduling", "preemptive-scheduling", "interrupt-processing",
    "interrupt-preemption", "message-processing", "synchronization", "synchronization-mutex",
    "synchronization-notification", "memory-allocation",
)  # fmt: skip
SUBJECTS: Mapping[str, Mapping[str, str | None]] = {
    "bulkhead/process-each": {"protection": "tasks", "interest": "The authors wrote Bulkhead."},
    "bulkhead/default": {"protection": "kernel", "interest": "The authors wrote Bulkhead."},
    "freertos/default": {"protection": "none", "interest": None},
    "freertos-mpu/default": {"protection": "tasks", "interest": None},
    "null/default": {"protection": "none", "interest": None},
    "rt/default": {"protection": "none", "interest": None},
    "rt-mpu/default": {"protection": "kernel", "interest": None},
}


def with_records(*records: Record) -> Run:
    return replace(run(), records=records)


def only(shown: Run, wanted: str | None = None) -> Answer:
    (found,) = answers(shown, wanted)
    return found


def idle(one: Record) -> Record:
    return replace(one, exercises_kernel=False)


def text_of(shown: Run, unit: Unit = Unit.CYCLES, width: int = 80) -> str:
    out = Console(file=io.StringIO(), width=width, highlight=False, markup=False)
    answer.show(shown, out, unit)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


@pytest.fixture(name="first")
def first_run() -> Run:
    """Returns the run of the README's first command, with made-up figures."""
    records = []
    for place, subject in enumerate(SUBJECTS):
        kernel, _, config = subject.partition("/")
        for number, test in enumerate(TESTS):
            one = record(kernel, test, 100 + number, 150 + 40 * place + number)
            records.append(replace(one, config=config))
        for name in ("bare-increment", "basic-processing"):
            records.append(replace(idle(record(kernel, name)), config=config))
    shown = [one for one in records if one.kernel != "null" or not one.exercises_kernel]
    provenance = {**run().provenance, "subjects": SUBJECTS}
    return replace(run(), records=tuple(shown), provenance=provenance)


def test_every_view_says_what_the_tasks_of_a_kernel_are_if_no_threads(first: Run) -> None:
    subjects = {**SUBJECTS, "rt/default": {"protection": "none", "tasks": "async, no stacks"}}
    shown = replace(first, provenance={**first.provenance, "subjects": subjects})
    assert only(shown).tasks == ("rt: async, no stacks.",)
    assert only(first).tasks == ()
    assert "rt: async, no stacks." in " ".join(text_of(shown).split())
    (summary,) = json.document(shown)["summary"]
    assert "rt: async, no stacks." in summary["sentence"]
    assert "<strong>Tasks:</strong> rt: async, no stacks." in html.render([shown], NoSamples())


# --- Means over tests -----------------------------------------------------------------------------


def test_a_mean_is_geometric_and_each_end_is_that_of_the_tests() -> None:
    """The lanes of both kernels are proportional, so the ratios 1/2 and 2/3 hold in every corner,
    and the mean has no width."""
    found = only(
        with_records(
            record("freertos", "a", 200, 200, 0, 40),
            record("freertos", "b", 300, 300, 0, 0),
            record("rt", "a", 100, 100, 0, 20),
            record("rt", "b", 200, 200, 0, 100),
        )
    )
    (rt,) = found.others
    assert rt.mean.tests == 2
    assert rt.mean.instructions == pytest.approx(math.sqrt(1 / 2 * 2 / 3))
    assert rt.mean.cycles
    assert rt.mean.cycles.low == pytest.approx(math.sqrt(1 / 2 * 2 / 3))
    assert rt.mean.cycles.high == pytest.approx(math.sqrt(1 / 2 * 3 / 3))


def test_rows_that_measure_no_kernel_and_computed_rows_are_in_no_mean() -> None:
    found = only(
        with_records(
            record("freertos", "a", cycles=200),
            idle(record("freertos", "b")),
            replace(record("freertos", "c"), formula="a + b"),
            record("rt", "a", cycles=100),
            idle(record("rt", "b", cycles=9000)),
            replace(record("rt", "c", cycles=9000), formula="a + b"),
        )
    )
    assert [row.scenario for row in found.tests] == ["a"]
    assert found.others[0].mean.tests == 1


def test_the_null_kernel_is_not_in_the_answer(first: Run) -> None:
    assert "null" not in text_of(first)
    assert len(only(first).entries) == 6


def test_a_doubted_test_is_in_no_mean() -> None:
    doubted = replace(record("rt", "b", cycles=1), doubts={"conformance": "skipped"})
    found = only(
        with_records(
            record("freertos", "a", cycles=200),
            record("freertos", "b", cycles=200),
            record("rt", "a", cycles=200),
            doubted,
        )
    )
    assert found.others[0].mean.tests == 1
    assert "? rt is not ranked" in text_of(with_records(*found.matrix.cells.values()))


def test_a_test_that_samples_cannot_resolve_counts_as_one_that_may_be_equal() -> None:
    spread = replace(stats(250, n=2), min=0, max=250)
    coarse = with_figures(record("rt", cycles=200), cycles=Cycles(spread, spread, "zero-wait"))
    (rt,) = only(with_records(record("freertos"), coarse)).others
    assert rt.mean.cycles
    assert rt.mean.cycles.low < 1 == rt.mean.cycles.high


# --- Reference kernel, classes of protection, unbeaten kernels ------------------------------------


def test_the_reference_is_freertos_unless_another_is_named(first: Run) -> None:
    most = with_records(*first.records[:9], record("freertos", TESTS[0]))
    assert only(most).label == "freertos"
    assert only(most, "bulkhead").label == "bulkhead/process-each"
    assert only(first, "rt").label == "rt"
    check_reference("rt/default", [("rt", "default")])
    with pytest.raises(UsageError, match=r"no column 'zephyr'.*rt/default"):
        check_reference("zephyr", [("rt", "default")])


def test_kernels_are_grouped_by_what_they_protect(first: Run) -> None:
    groups = {
        group.protection: [entry.label for entry in group.entries] for group in only(first).groups
    }
    assert groups == {
        Protection.NONE: ["freertos", "rt"],
        Protection.KERNEL: ["bulkhead/default", "rt-mpu"],
        Protection.TASKS: ["bulkhead/process-each", "freertos-mpu"],
    }


def test_without_a_stored_class_an_isolating_kernel_protects_itself_alone() -> None:
    guard = replace(record("guard"), features={**FEATURES, "isolation": "memory"})
    groups = only(with_records(record("freertos"), guard)).groups
    assert [group.protection for group in groups] == [Protection.NONE, Protection.KERNEL]


def test_a_kernel_is_unbeaten_among_those_of_its_class(first: Run) -> None:
    standings = {entry.label: entry.standing for entry in only(first).entries}
    leaders = ("freertos", "bulkhead/default", "bulkhead/process-each")
    assert all(standings.pop(name) == "unbeaten" for name in leaders)
    assert set(standings.values()) == {None}


def test_kernels_whose_bounds_overlap_are_undecided() -> None:
    records = (record("a"), record("b", cycles=240, load=60), record("freertos", cycles=900))
    entries = {entry.label: entry.standing for entry in only(with_records(*records)).entries}
    assert entries == {"freertos": None, "a": "undecided", "b": "undecided"}
    assert "are undecided" in text_of(with_records(*records))


# --- The text of the answer -----------------------------------------------------------------------


def test_the_first_run_fits_25_lines_of_80_columns(first: Run) -> None:
    works = {"freertos": 90, "rt": 40}
    divided = (
        replace(one, work={"critical-sections": {"enter": works.get(one.kernel, 20)}})
        for one in first.records
    )
    lines = text_of(replace(first, records=tuple(divided))).splitlines()
    assert len(lines) <= 23  # two more name the report and the time
    assert max(map(len, lines)) <= 80
    shown = " ".join(" ".join(lines).split())
    assert "(less is faster), geometric mean over 9 tests." in shown
    assert "bulkhead/process-each is unbeaten, ~0.65–0.71." in shown
    (why,) = (line for line in lines if line.startswith("why: "))
    assert why.endswith("bulkhead/default -78 % in critical sections"), "whole entries, no cut"
    assert shown.count("The authors wrote Bulkhead.") == 1
    assert all(test[:20] in shown for test in TESTS)


def test_a_bar_has_one_line_in_a_suite_of_many_tests(first: Run) -> None:
    many = (replace(one, scenario=f"{one.scenario}{i}") for one in first.records for i in range(20))
    some = [one for one in many if one.kernel != "rt" or one.scenario.endswith("1")]
    lines = text_of(replace(first, records=tuple(some))).splitlines()
    (rt,) = (line for line in lines if line.startswith("nothing  rt"))
    assert rt.endswith(" of 180")
    assert len(rt) == 80


def test_an_undecided_test_is_hatched_and_has_no_figure() -> None:
    undecided = text_of(with_records(record("freertos"), record("rt", cycles=240, load=60)))
    row = undecided.splitlines()[-1]
    assert row.split() == ["message-processing", "▒▒▒▒▒"]
    decided = text_of(with_records(record("freertos"), record("rt", cycles=200)))
    assert "≤0.83" in decided.splitlines()[-1]
    assert "≥1.20" in text_of(with_records(record("freertos"), record("rt", cycles=310)))


def test_a_run_without_cycles_compares_instructions_without_a_verdict() -> None:
    counted = (
        with_figures(one, cycles=None)
        for one in (record("freertos"), record("rt", "message-processing", 96))
    )
    shown = text_of(with_records(*counted))
    assert "Instructions ÷ freertos's" in shown
    assert "0.500" in shown
    assert not any(word in shown for word in ("unbeaten", "undecided.", "≤0", "care"))


def test_units_are_switched() -> None:
    shown = with_records(record("freertos"), record("rt", "message-processing", 96, 200))
    assert "0.500." in text_of(shown, Unit.INSTRUCTIONS)
    assert "Time ÷ freertos's" in text_of(shown, Unit.MICROSECONDS)


def test_clocked_ratios_are_exact() -> None:
    exact = (
        with_figures(one, cycles=Cycles(one.figures.cycles.low, one.figures.cycles.low, None))
        for one in (record("freertos", load=0), record("rt", cycles=125, load=0))
        if one.figures.cycles
    )
    shown = text_of(replace(with_records(*exact), lanes={BOARD: LANES[:2]}))
    assert "0.500" in shown
    assert "~" not in shown


def test_a_failure_is_never_hidden() -> None:
    failed = unmeasured("rt", "message-processing", Status.FAIL, "lost a message")
    others = (record("freertos"), record("freertos", "a"), record("rt", "a"))
    shown = text_of(with_records(*others, failed))
    assert "lost a message" in shown
    assert "FAILED" in shown


def test_one_kernel_has_no_answer() -> None:
    assert answers(with_records(record("freertos"))) == ()
    assert text_of(with_records(record("freertos"))) == ""


def test_the_json_has_the_same_answer(first: Run) -> None:
    (summary,) = standard_json.loads(json.dumps(json.document(first)))["summary"]
    assert summary["tests"] == list(TESTS)
    assert summary["reference"] == "freertos"
    assert summary["sentence"] == sentence.whole(only(first), Unit.CYCLES)
    found = {(one["kernel"], one["config"]): one for one in summary["means"]}
    entry = next(one for one in only(first).entries if one.label == "bulkhead/default")
    mean = found["bulkhead", "default"]
    assert Interval(**mean["cycles_ratio"]) == entry.mean.cycles
    assert (mean["protection"], mean["standing"], mean["over_tests"]) == ("kernel", "unbeaten", 9)
