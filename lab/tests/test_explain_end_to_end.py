# SPDX-License-Identifier: MIT
"""Tests the way from runs of real kernels to explanations, comparisons, traces and a report."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from documents import fits

from ticklab import cli
from ticklab.storage.store import Store

SCENARIO = "semaphore-wait-block"
PARAMS = ("waiters=1", "ready=0", "fpu=unused")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store with a run of FreeRTOS whose images are kept, and a run of rt whose images are
    not."""
    root = tmp_path_factory.mktemp("explain") / "a store"
    common = (
        "run",
        "--suite",
        "services",
        "--scenario",
        SCENARIO,
        "--skip-conformance",
        "--param",
        *PARAMS,
    )
    for kernel, record in (("freertos", ["--record"]), ("rt", [])):
        words = [*common, "--kernel", kernel, "--samples", "50", *record]
        places = ["--store", str(root), "--output", str(root.parent / f"{kernel}.html")]
        assert cli.main([*words, *places]) == 0
    yield root
    shutil.rmtree(root)


def explain(store: Path, tmp_path: Path, *words: str) -> dict[str, Any]:
    file = tmp_path / "answer.json"
    assert cli.main(["explain", *words, "--store", str(store), "--json", str(file)]) == 0
    name = "difference" if len([word for word in words if ":" in word]) > 1 else "explanation"
    answer: dict[str, Any] = fits(name, json.loads(file.read_text()))
    return answer


def run_of(store: Path, kernel: str) -> str:
    found = (run for run in Store(store).summaries() if kernel in run.kernels)
    return f"{next(found).id}:{kernel}"


def test_the_explanation_is_the_measurement_taken_apart(store: Path, tmp_path: Path) -> None:
    word = run_of(store, "freertos")
    record = Store(store).run(word.partition(":")[0]).records[0]
    found = explain(store, tmp_path, word)
    assert record.figures.instructions
    assert record.figures.cycles
    assert found["instructions"] == pytest.approx(record.figures.instructions.mean, rel=1e-12)
    assert found["cycles"]["low"] == pytest.approx(record.figures.cycles.low.mean, rel=1e-12)
    assert found["cycles"]["high"] == pytest.approx(record.figures.cycles.high.mean, rel=1e-12)
    functions = found["functions"]
    assert sum(f["instructions"] for f in functions) == pytest.approx(found["instructions"])
    calls = {f["name"]: f["calls"] for f in functions}
    assert calls["vPortEnterCritical"] == calls["vPortExitCritical"] == 7


def test_a_run_divides_every_figure_by_kind_of_work_without_being_asked(store: Path) -> None:
    for kernel in ("freertos", "rt"):
        for record in Store(store).run(run_of(store, kernel).partition(":")[0]).records:
            assert record.work
            assert record.figures.instructions
            divided = sum(count for each in record.work.values() for count in each.values())
            assert divided == pytest.approx(record.figures.instructions.mean, abs=0.001)


def test_work_that_the_store_lacks_is_found_by_observing_again(store: Path) -> None:
    words = ("run", "--suite", "services", "--scenario", SCENARIO, "--kernel", "rt")
    again = [*words, "--skip-conformance", "--param", *PARAMS, "--samples", "50"]
    places = ["--store", str(store), "--output", str(store.parent / "again.html")]
    (first,) = Store(store).run("latest").records
    assert cli.main([*again, *places, "--no-why"]) == 0
    assert Store(store).run("latest").records == (replace(first, work=None),)
    shutil.rmtree(store / "work")
    assert cli.main([*again, *places]) == 0
    assert Store(store).run("latest").records == (first,)


def test_the_explained_tick_is_the_excess_that_was_measured(tmp_path: Path) -> None:
    """At each tick of Dhrystone a task wakes. A sample is the number of instructions by which this
    makes a pass of Dhrystone's loop longer."""
    store = tmp_path / "store"
    words = ["--kernel", "freertos", "--suite", "dhrystone", "--scenario", "wake-up"]
    places = ["--store", str(store), "--output", str(tmp_path / "report.html")]
    assert cli.main(["run", *words, "--skip-conformance", "--record", *places]) == 0
    (record,) = Store(store).run("latest").records
    found = explain(store, tmp_path, "freertos")
    assert record.figures.instructions
    assert record.figures.cycles
    assert found["instructions"] == pytest.approx(record.figures.instructions.mean, rel=1e-12)
    assert found["cycles"]["low"] == pytest.approx(record.figures.cycles.low.mean, rel=1e-12)
    assert found["cycles"]["high"] == pytest.approx(record.figures.cycles.high.mean, rel=1e-12)
    used = {f["name"]: f["instructions"] for f in found["functions"] if f["instructions"]}
    assert used["xTaskIncrementTick"] > 0
    assert "Proc_8" not in used


def test_two_kernels_stand_side_by_side(store: Path, tmp_path: Path) -> None:
    first, second = (run_of(store, kernel) for kernel in ("freertos", "rt"))
    found = explain(store, tmp_path, first, second)
    for side in ("first", "second"):
        parts = [line[side]["instructions"] for line in found["categories"]]
        assert sum(parts) == pytest.approx(found[side]["instructions"])
    masks = {line["name"]: line for line in found["categories"]}["critical-sections"]
    assert masks["first"]["instructions"] > 30 * masks["second"]["instructions"]


def test_a_trace_holds_the_samples_and_the_report_the_reasons(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    word, folder = run_of(store, "freertos"), tmp_path / "trace"
    assert cli.main(["trace", word, "--store", str(store), "--ctf", str(folder)]) == 0
    read = subprocess.run(["babeltrace2", str(folder)], capture_output=True, text=True, check=True)
    said = capsys.readouterr().out
    assert said.endswith(f"{len(read.stdout.splitlines())} events\n")
    record = Store(store).run(word.partition(":")[0]).records[0]
    assert record.figures.instructions
    assert read.stdout.count("span_begin:") >= record.figures.instructions.n
    assert 'name = "waiter", task = "low"' in read.stdout
    report = (store.parent / "freertos.html").read_text()
    assert 'class="main counted" href="#why-' in report


def test_the_listing_flame_graph_and_stacks(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flame, stacks = tmp_path / "flame.svg", tmp_path / "stacks"
    pictures = ("--flame", str(flame), "--collapsed", str(stacks))
    word = run_of(store, "freertos")
    found = explain(store, tmp_path, word, "--sample", "typical", *pictures)
    said = capsys.readouterr().out
    assert "scheduler suspended: 1 times a sample" in said
    listing = said.partition("interrupts are masked")[2]
    assert listing.count("msr BASEPRI") >= 14
    assert "queue.c:" in listing
    assert "<svg" in flame.read_text()
    weights = [int(line.rpartition(" ")[2]) for line in stacks.read_text().splitlines()]
    assert sum(weights) % found["instructions"] == 0


def test_another_image_is_not_explained_in_place_of_the_measured_one(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The store keeps FreeRTOS's image. If that file is damaged, or is the image of another kernel,
    nothing is run."""
    own = tmp_path / "store"
    shutil.copytree(store, own, symlinks=True)
    record = Store(own).run(run_of(own, "freertos").partition(":")[0]).records[0]
    image = Store(own).image(str(record.measurement))
    assert image
    image.write_bytes(image.read_bytes() + b"\0")
    assert cli.main(["explain", run_of(own, "freertos"), "--store", str(own)]) == 1
    assert "image.elf is damaged" in capsys.readouterr().err


def test_a_run_that_counts_something_else_is_refused(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The test adds one instruction to one stored sample."""
    samples = Store.samples

    def planted(*words: Any) -> Any:
        columns = samples(*words)
        columns["length"] = columns["length"] + (columns["start"] == columns["start"][7])
        return columns

    monkeypatch.setattr(Store, "samples", planted)
    assert cli.main(["explain", run_of(store, "freertos"), "--store", str(store)]) == 1
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "gave other samples than when it was measured" in error
    assert "measure it again: 'ticklab run --record --kernel freertos" in error
