# SPDX-License-Identifier: MIT
"""Recordings in the store and in folders of their own, and how a word leads to one."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import cells
import pytest
from test_measure import Quiet, answer, run

from ticklab.description.model import Image, Record, Run, Span
from ticklab.errors import TicklabError, UsageError
from ticklab.explain import replay, subjects
from ticklab.measurement.campaign import CampaignResult, measure
from ticklab.measurement.environment import Environment
from ticklab.storage import recordings
from ticklab.storage.store import Store
from ticklab.targets.fake import Fake
from ticklab.targets.protocol import Cancel, Observation, ObservationPlan

ABOUT = recordings.About((Span("a", ("x",)), Span("b", (), "x", "y")), 1, 50, 25_000_000, None)


def recording_answer(image: Path, plan: ObservationPlan) -> Observation:
    if plan.record:
        plan.record.write_bytes(b"blocks")
    return answer(image, plan)


@pytest.fixture
def image(tmp_path: Path) -> Image:
    path = tmp_path / "image.elf"
    path.write_bytes(b"code")
    return Image(path, "0" * 64, {})


def record(root: Path, image: Image, target: Fake) -> CampaignResult:
    store = Store(root)
    store.open_for_writing()
    lab = Environment(
        lambda wanted: [image] * len(wanted), lambda _: target, store, lambda _: cells.PROFILE, 1,
        records=lambda _: True,
    )  # fmt: skip
    return measure(lab, [cells.CASE], Quiet(), Cancel())


def test_a_recording_is_kept_beside_the_measurement_and_goes_with_it(
    tmp_path: Path, image: Image
) -> None:
    found = record(tmp_path / "store", image, Fake(recording_answer))
    store, key = Store(tmp_path / "store"), str(found.records[0].measurement)
    kept = recordings.read(store.recording(key) or tmp_path)
    assert (kept.image.read_bytes(), kept.blocks.read_bytes()) == (b"code", b"blocks")
    assert kept.about.spans == cells.CASE.scenario.spans
    assert kept.about.warm_up == cells.CASE.scenario.plan.warm_up
    store.prune(keep_runs=0, spare_s=0)
    assert store.recording(key) is None


def test_what_was_measured_without_a_recording_is_observed_once_more(
    tmp_path: Path, image: Image
) -> None:
    target = Fake(recording_answer)
    run(tmp_path / "store", cells.CASE, target=target, build=lambda _: [image])
    before = len(target.asked)
    record(tmp_path / "store", image, target)
    assert len(target.asked) > before
    again = len(target.asked)
    record(tmp_path / "store", image, target)
    assert len(target.asked) == again


def test_a_recording_that_found_no_room_costs_no_figure(tmp_path: Path, image: Image) -> None:
    found = record(tmp_path / "store", image, Fake(answer))
    assert found.not_stored is None
    assert "make room" in str(found.not_recorded)
    key = str(found.records[0].measurement)
    assert Store(tmp_path / "store").measurement(key)
    assert Store(tmp_path / "store").recording(key) is None


@pytest.fixture
def folder(tmp_path: Path, image: Image) -> Path:
    blocks = tmp_path / "blocks"
    blocks.write_bytes(b"blocks")
    recordings.write_new(tmp_path / "own", image.path, blocks, ABOUT)
    return tmp_path / "own"


def no_recorder(_run: Run, _record: Record) -> NoReturn:
    raise AssertionError("nothing needs recording")


def find(word: str, span: str | None, store: Path) -> subjects.Subject:
    return subjects.find(word, subjects.Wanted(span=span), Store(store), no_recorder)


def test_a_folder_is_a_subject_if_one_span_is_named(tmp_path: Path, folder: Path) -> None:
    assert find(str(folder), "b", tmp_path).span == ABOUT.spans[1]
    assert find(str(folder), "b", tmp_path).recording.about == ABOUT
    with pytest.raises(UsageError, match=r"several spans; name one by --span: a, b"):
        find(str(folder), None, tmp_path)
    with pytest.raises(UsageError, match=r"no span 'c'"):
        find(str(folder), "c", tmp_path)


def test_other_folders_and_damaged_recordings_are_named(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"empty is no recording .*; .*'observe --record'"):
        find(str(tmp_path / "empty"), None, tmp_path)
    (folder / "recording.json").write_text("{")
    with pytest.raises(TicklabError, match=r"own.recording.json is damaged: .*; delete the folder"):
        find(str(folder), "a", tmp_path)
    with pytest.raises(TicklabError, match=r"own: .*; name a folder"):
        recordings.write_new(folder, folder / "image.elf", folder / "blocks", ABOUT)


def test_of_a_span_from_an_interrupts_entry_it_is_asked_for_one_less_inside() -> None:
    spans = (Span("whole", (), "request", "y"), Span("handled", (), "entry.external", "y"))
    asked = [replay._span(span, ABOUT) for span in spans]
    assert [each["external"] for each in asked] == [1, 0]
