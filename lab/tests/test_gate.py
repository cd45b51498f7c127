# SPDX-License-Identifier: MIT
"""Tests baselines and the gate: which difference counts as a change, and that the gate finds a
planted regression and names its function."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from documents import fits
from synthetic import record, run

from ticklab import cli, paths
from ticklab.comparison import gate, history
from ticklab.comparison.gate import ChangeKind
from ticklab.description.model import NotMeasured, Record, SamplePlan, Status
from ticklab.errors import ExitStatus, TicklabError, UsageError
from ticklab.storage import baseline, baseline_files, sealed
from ticklab.views import history as view
from ticklab.views import output

PLAN = SamplePlan(warm_up=1, samples=10, ticks=1)
FREERTOS = Path(__file__).parents[2] / "kernels" / "freertos"

# --- Differences that count as a change -----------------------------------------------------------


def judged(then: Record, now: Record | None, functions: Mapping[str, float]) -> gate.Change | None:
    """Compares a record with a baseline in which the sample took 100 instructions in `give` and 50
    in `take`."""
    before = replace(run(), records=(then,))
    entry = baseline.BaselineEntry(then, PLAN, {"give": 100.0, "take": 50.0})
    kept = baseline.Baseline(before, (entry,))
    found = gate.judge(kept, [now] if now else [], before.lanes, lambda _: functions)
    return found[0] if found else None


def kernel(instructions: float, cycles: float = 300) -> Record:
    return record("freertos", "message-processing", instructions, cycles, 0, 40)


def test_what_did_not_change_is_no_change() -> None:
    assert judged(kernel(150), kernel(150), {}) is None


@pytest.mark.parametrize(("now", "kind"), [(151, ChangeKind.WORSE), (149, ChangeKind.BETTER)])
def test_one_instruction_is_a_change_and_has_a_cause(now: int, kind: ChangeKind) -> None:
    change = judged(kernel(150), kernel(now), {"give": 100.0 + now - 150, "take": 50.0})
    assert change
    assert change.kind is kind
    assert change.cause == gate.Cause("give", now - 150)


def test_a_regression_has_a_status_of_its_own() -> None:
    assert [status.value for status in ExitStatus] == [0, 1, 2, 3]
    gone = judged(kernel(150), None, {})
    better, worse = (judged(kernel(150), kernel(now), {}) for now in (149, 151))
    assert gone
    assert better
    assert worse
    assert gate.status([]) == 0
    assert gate.status([better]) == 0
    assert gate.status([better, gone]) == ExitStatus.FAILED
    assert gate.status([better, gone, worse]) == ExitStatus.REGRESSION


def test_the_cause_is_a_function_that_changed_the_same_way() -> None:
    change = judged(kernel(150), kernel(151), {"give": 80.0, "take": 71.0})
    assert change
    assert change.cause == gate.Cause("take", 21)


def test_slower_with_as_many_instructions_is_worse() -> None:
    change = judged(kernel(150, cycles=300), kernel(150, cycles=310), {"give": 100.0, "take": 50.0})
    assert change
    assert change.kind is ChangeKind.WORSE
    assert change.cause is None


def test_figures_that_are_no_more_are_gone() -> None:
    failed = replace(kernel(150), result=NotMeasured(Status.FAIL, "wrong order"))
    for now in (failed, None):
        change = judged(kernel(150), now, {})
        assert change
        assert change.kind is ChangeKind.GONE


# --- Files of baselines ---------------------------------------------------------------------------


def test_a_baseline_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    kept = baseline.make(
        replace(run(), records=(kernel(150), replace(kernel(1), measurement=None))),
        lambda _: PLAN,
        lambda _: {"give": 1.5},
    )
    file = baseline_files.path("main", tmp_path)
    baseline.write(kept, file)
    assert baseline.read(file) == kept
    assert baseline_files.saved(tmp_path) == ["main"]
    assert [entry.plan for entry in kept.entries] == [PLAN, None]


def test_a_damaged_baseline_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cut.json"
    file.write_text('{"schema": 1, "id"')
    with pytest.raises(TicklabError, match=r"cut\.json is damaged"):
        baseline.read(file)


def test_a_figure_that_changed_in_a_baseline_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "main.json"
    baseline.write(kept_of(150), file)
    assert baseline.read(file) == kept_of(150)
    file.write_text(file.read_text().replace("150", "151", 1))
    with pytest.raises(TicklabError, match=r"main\.json is damaged: its checksum.*baseline save"):
        baseline.read(file)


def test_a_baseline_that_finds_no_room_leaves_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "main.json"
    baseline.write(kept_of(150), file)

    def full(*_: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(sealed, "synchronise", full)
    with pytest.raises(TicklabError, match=r"cannot write baseline .*No space left.*another file"):
        baseline.write(kept_of(151), file)
    assert baseline.read(file) == kept_of(150)
    assert [each.name for each in tmp_path.iterdir()] == ["main.json"]


def kept_of(instructions: int) -> baseline.Baseline:
    run_ = replace(run(), records=(kernel(instructions),))
    return baseline.make(run_, lambda _: PLAN, lambda _: {"give": 1.5})


def test_a_baseline_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="baseline save"):
        baseline_files.find("main", tmp_path)
    with pytest.raises(UsageError, match=r"\.\./main.*name a word"):
        baseline_files.path("../main", tmp_path)


# --- `ticklab history` ----------------------------------------------------------------------------


def test_history_tells_at_which_commit_a_figure_changed() -> None:
    runs = [
        replace(run(), id=str(n), records=(kernel(figure),), provenance=origin(commit))
        for n, (figure, commit) in enumerate([(150, "a"), (150, "b"), (151, "c"), (151, "d")])
    ]
    (line,) = history.collect("freertos", [], runs)
    assert [point.commit for point in line.points] == ["a", "b", "c", "d"]
    assert [(point.commit, point.instructions) for point in line.changes] == [("c", 151)]


def test_history_shows_what_is_doubted(capsys: pytest.CaptureFixture[str]) -> None:
    doubted = replace(kernel(150), doubts={"conformance": "skipped"})
    runs = [
        replace(run(), id=str(n), records=(one,), provenance=origin(commit))
        for n, (one, commit) in enumerate([(kernel(150), "a"), (doubted, "b"), (kernel(151), "c")])
    ]
    lines = history.collect("freertos", [], runs)
    view.show(lines, output.console(None))
    shown = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert shown == [
        ["0", "a", "150"],
        ["1", "b", "?150", "0", "%", "not", "ranked:", "conformance:", "skipped"],
        ["2", "c", "151", "+0.67", "%"],
    ]
    (figure,) = view.document(lines).figures
    doubts = [point.doubts for point in figure.points]
    assert doubts == [{}, {"conformance": "skipped"}, {}]


def test_a_kernel_without_a_history_is_an_error() -> None:
    with pytest.raises(TicklabError, match="no run in the store has figures of zephyr"):
        history.collect("zephyr", [], [run()])


def origin(commit: str) -> dict[str, Any]:
    return {"kernels": {"freertos": {"version": "1", "commit": commit}}}


# --- A planted regression -------------------------------------------------------------------------

SCENARIO = "synchronization"  # FreeRTOS takes 117 instructions an iteration

DESCRIPTION = """
[kernel]
name = "mine"
title = "FreeRTOS with a function of mine"
version = "11.2.0"
source = {{ crate = "freertos-next", version = "0.12.0", folder = "FreeRTOS-Kernel" }}
sources = [
    "@/tasks.c", "@/queue.c", "@/list.c", "@/timers.c", "@/event_groups.c", "@/stream_buffer.c",
    "@/portable/MemMang/heap_4.c",
    "@/portable/GCC/ARM_CM4F/port.c", "{freertos}/port.c", "give.c",
]
includes = ["@/include", "@/portable/GCC/ARM_CM4F", "{freertos}", "{freertos}/armv7-m"]
defines = {{ bench_semaphore_give = "plain_bench_semaphore_give" }}
services = ["semaphore"]

[core.cortex-m4f]

[config.default]
header = "{freertos}/config/default.h"
reason = "the honest kernel's own"
"""


class Workshop:
    """A user's kernel in a folder of its own: FreeRTOS with a wrapper function around the give of a
    semaphore, which executes `nops` additional instructions."""

    def __init__(self, root: Path) -> None:
        self.folder, self.store = root / "my kernel", root / "store"
        self.folder.mkdir()
        (self.folder / "kernel.toml").write_text(DESCRIPTION.format(freertos=FREERTOS))

    def with_nops(self, nops: int) -> None:
        (self.folder / "give.c").write_text(
            "#undef bench_semaphore_give\n#include <bench/port.h>\n"
            "enum bench_status plain_bench_semaphore_give(struct bench_semaphore semaphore);\n"
            "__attribute__((noinline)) static void count_gives(void) {\n"
            f'    __asm__ volatile("{"nop;" * nops}");\n}}\n'
            "enum bench_status bench_semaphore_give(struct bench_semaphore semaphore) {\n"
            "    count_gives();\n    return plain_bench_semaphore_give(semaphore);\n}\n"
        )

    def call(self, *words: str) -> int:
        return cli.main([*words, "--kernel", str(self.folder), "--store", str(self.store)])

    def gate(self, file: Path) -> tuple[int, dict[str, Any]]:
        answer = self.store.parent / "gate.json"
        status = self.call("gate", "--baseline", str(file), "--json", str(answer))
        return status, fits("gate", json.loads(answer.read_text()))


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    made = Workshop(tmp_path_factory.mktemp("gate"))
    made.with_nops(0)
    report = ("--output", str(made.store.parent / "report.html"))
    words = ("--scenario", SCENARIO, "--samples", "50", "--config", "default")
    assert made.call("run", *words, *report) == 0
    assert made.call("baseline", "save", str(made.store.parent / "baseline.json")) == 0
    return made


@pytest.mark.parametrize("nops", [1, 6])  # 6 of 117 are 5 %
def test_a_planted_regression_is_found_by_name(
    workshop: Workshop, nops: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workshop.folder.parent)
    workshop.with_nops(nops)
    status, answer = workshop.gate(workshop.store.parent / "baseline.json")
    (change,) = answer["changes"]
    assert status == ExitStatus.REGRESSION
    assert change["kind"] == "worse"
    assert change["instructions"]["now"] - change["instructions"]["then"] == nops
    assert (change["function"], change["function_file"]) == ("count_gives", "my kernel/give.c")
    assert change["function_instructions"] == nops


def test_an_unchanged_kernel_passes_on_another_machine(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the other machine, the folders of the kernel, the builds and the store have other
    paths."""
    monkeypatch.setattr(paths, "builds", lambda: tmp_path / "builds")
    other = Workshop(tmp_path)
    other.with_nops(0)
    status, answer = other.gate(workshop.store.parent / "baseline.json")
    assert (status, answer["changes"]) == (0, [])


def test_a_gate_builds_and_computes_as_its_baseline_did(tmp_path: Path) -> None:
    """The gate builds with the compiler and flags of the baseline's run, as `explain` does, and
    computes the figures that are derived from others."""
    mine = Workshop(tmp_path)
    mine.with_nops(0)
    description = tmp_path / "my kernel" / "kernel.toml"
    description.write_text(
        description.read_text().replace('["semaphore"]', '["semaphore", "delay-periodic"]')
    )
    flags = ("--cc", "arm-none-eabi-gcc", "--cflags=-fno-inline -DUNUSED='a b'")
    which = ("--suite", "dhrystone", "--scenario", "alone", "wake-up", "semaphore")
    assert mine.call("run", *which, *flags, "--output", str(tmp_path / "report.html")) == 0
    assert mine.call("explain", "mine", "--scenario", "semaphore") == 0
    assert mine.call("baseline", "save", str(tmp_path / "baseline.json")) == 0
    status, answer = mine.gate(tmp_path / "baseline.json")
    assert (status, answer["changes"]) == (0, [])
