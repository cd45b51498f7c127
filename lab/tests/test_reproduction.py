# SPDX-License-Identifier: MIT
"""Bundles, and runs that are measured again: equal in every field, or named."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from synthetic import record, run

from ticklab import cli, paths
from ticklab.comparison import reproduction
from ticklab.description.model import NotMeasured, Sampled, SamplePlan, Status
from ticklab.errors import ExitStatus, TicklabError
from ticklab.storage import baseline, bundle
from ticklab.storage.bundle import Bundle
from ticklab.views import reproduction as view

PLAN = SamplePlan(warm_up=1, samples=10, ticks=1)
FIGURE = record("freertos", "message-processing", 150, 300, 0, 40)
NOTHING = replace(
    record("rt", "message-processing", 1, 1, 0, 1),
    result=NotMeasured(Status.UNSUPPORTED, "no queue"),
)

# --- What is equal --------------------------------------------------------------------------------


def changed(**fields: Any) -> bool:
    assert isinstance(FIGURE.result, Sampled)
    other = replace(FIGURE, result=replace(FIGURE.result, **fields))
    return bool(reproduction.compare([FIGURE], [other]).different)


def test_a_record_is_equal_in_every_field_of_its_result() -> None:
    assert not changed()
    assert FIGURE.figures.cycles
    one_more = replace(FIGURE.figures.cycles.low, p99=FIGURE.figures.cycles.low.p99 + 1)
    assert changed(cycles=replace(FIGURE.figures.cycles, low=one_more))
    assert changed(lanes={**FIGURE.figures.lanes, "more": 1})


def test_a_record_that_was_not_measured_again_differs() -> None:
    found = reproduction.compare([FIGURE, NOTHING], [])
    assert (len(found.different), found.without) == (1, 1)


def test_the_differences_are_printed_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    gone = replace(FIGURE, result=NotMeasured(Status.FAIL, "hung"))
    found = reproduction.compare([FIGURE], [gone])
    assert view.conclude("it", "r", found, "-") is ExitStatus.FAILED
    said = capsys.readouterr()
    assert json.loads(said.out)["different"][0]["reason"] == "hung"
    assert "message-processing" in said.err
    assert "0 of 1" in said.err


# --- Files ----------------------------------------------------------------------------------------


@pytest.fixture
def written(tmp_path: Path) -> Path:
    file, image = tmp_path / "x.bundle", tmp_path / "image"
    image.write_bytes(b"an image")
    write(file, tmp_path / "parts", image)
    return file


def write(file: Path, scratch: Path, image: Path) -> None:
    scratch.mkdir()
    kept = baseline.make(replace(run(), records=(FIGURE,)), lambda _: PLAN, lambda _: {})
    bundle.write(Bundle(kept, {"key": image}), file, scratch)


def test_a_bundle_comes_back_and_is_the_same_bytes_each_time(written: Path, tmp_path: Path) -> None:
    held = bundle.read(written, tmp_path / "read")
    assert [entry.record for entry in held.kept.entries] == [FIGURE]
    assert held.images["key"].read_bytes() == b"an image"
    write(tmp_path / "again.bundle", tmp_path / "more", tmp_path / "image")
    assert (tmp_path / "again.bundle").read_bytes() == written.read_bytes()


def test_a_bundle_without_images_is_read(tmp_path: Path) -> None:
    kept = baseline.make(replace(run(), records=(FIGURE,)), lambda _: PLAN, lambda _: {})
    bundle.write(Bundle(kept, {}), tmp_path / "x.bundle", tmp_path)
    assert bundle.read(tmp_path / "x.bundle", tmp_path / "read").images == {}


def rewritten(file: Path, part: str, old: bytes, new: bytes) -> None:
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    (name,) = (each for each in parts if each.startswith(part))
    assert old in parts[name]
    parts[name] = parts[name].replace(old, new, 1)
    with zipfile.ZipFile(file, "w") as archive:
        for each, content in parts.items():
            archive.writestr(each, content)


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [("run.json", b"150", b"151"), ("images.json", b'"key"', b'"kez"'), ("images/", b"an", b"no")],
)
def test_a_changed_part_is_refused(
    written: Path, tmp_path: Path, part: str, old: bytes, new: bytes
) -> None:
    rewritten(written, part, old, new)
    with pytest.raises(TicklabError, match=r"is damaged.*again|not as it was written"):
        bundle.read(written, tmp_path / "read")


@pytest.mark.parametrize("length", [0, 10, 200, -30])
def test_a_truncated_bundle_is_refused(written: Path, tmp_path: Path, length: int) -> None:
    written.write_bytes(written.read_bytes()[:length])
    with pytest.raises(TicklabError, match=r"x\.bundle is damaged"):
        bundle.read(written, tmp_path / "read")


def test_a_part_cannot_leave_its_folder(written: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(written, "a") as archive:
        archive.writestr("../../escaped", b"x")
    bundle.read(written, tmp_path / "deep" / "read")
    assert not list(tmp_path.parent.glob("escaped"))
    assert not (tmp_path / "escaped").exists()


# --- End to end -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bundle of a run; one of the kernels lacks the service."""
    folder = tmp_path_factory.mktemp("bundle")
    words = ["--store", str(folder / "store"), "--output", str(folder / "report.html")]
    which = ["--kernel", "freertos", "null", "--scenario", "synchronization", "--samples", "20"]
    assert cli.main(["run", *which, *words]) == 0
    file = str(folder / "x.bundle")
    assert cli.main(["bundle", "--output", file, "--store", str(folder / "store")]) == 0
    return folder


def test_a_bundle_is_verified_on_a_machine_that_built_nothing(
    measured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "builds", lambda: tmp_path / "builds")
    answer = tmp_path / "answer.json"
    words = ["verify", str(measured / "x.bundle"), "--json", str(answer)]
    assert cli.main(words) == ExitStatus.OK
    assert json.loads(answer.read_text())["equal"] >= 1
    assert not (tmp_path / "builds").exists()


def test_a_figure_that_was_forged_is_found(measured: Path, tmp_path: Path) -> None:
    """One instruction is taken from a record, and every checksum is made again."""
    held = bundle.read(measured / "x.bundle", tmp_path / "read")
    first = next(entry.record for entry in held.kept.entries if entry.plan)
    assert isinstance(first.result, Sampled)
    assert first.result.instructions
    fewer = replace(first.result.instructions, p50=first.result.instructions.p50 - 1)
    forged = replace(first, result=replace(first.result, instructions=fewer))
    records = tuple(forged if one is first else one for one in held.kept.run.records)
    entries = tuple(
        replace(entry, record=one) for entry, one in zip(held.kept.entries, records, strict=True)
    )
    kept = replace(held.kept, run=replace(held.kept.run, records=records), entries=entries)
    (tmp_path / "parts").mkdir()
    bundle.write(replace(held, kept=kept), tmp_path / "forged.bundle", tmp_path / "parts")
    assert cli.main(["verify", str(tmp_path / "forged.bundle")]) == ExitStatus.FAILED


def test_a_run_is_reproduced_from_its_sources(measured: Path) -> None:
    assert cli.main(["reproduce", "--store", str(measured / "store")]) == ExitStatus.OK


def test_an_image_that_is_built_differently_today_is_not_bundled(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    shutil.copytree(measured / "store", store)
    kernel = tmp_path / "other"
    shutil.copytree(paths.CHECKOUT / "kernels" / "freertos", kernel)
    text = (kernel / "kernel.toml").read_text()
    (kernel / "kernel.toml").write_text(
        text.replace("config/default.h", "config/generic-selection.h")
    )
    words = ["bundle", "--output", str(tmp_path / "x.bundle"), "--store", str(store)]
    assert cli.main([*words, "--kernel", str(kernel)]) == ExitStatus.FAILED
    assert "freertos/default in synchronization" in capsys.readouterr().err
    assert not (tmp_path / "x.bundle").exists()
