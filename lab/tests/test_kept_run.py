# SPDX-License-Identifier: MIT
"""Tests images that the store keeps and runs in folders of their own, and how a word of the command
line selects one."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import cells
import pytest
from test_measure import Quiet, answer, run

from ticklab import paths
from ticklab.description import catalogue
from ticklab.description.model import Image, Record, Run, Span
from ticklab.errors import TicklabError, UsageError
from ticklab.explain import kept_run, second_run, subjects
from ticklab.explain.second_run import About, FirstRun
from ticklab.measurement.campaign import CampaignResult, measure
from ticklab.measurement.environment import Environment
from ticklab.storage import sealed
from ticklab.storage.store import Store
from ticklab.targets.fake import Fake
from ticklab.targets.protocol import AddedMark, Cancel, ObservationPlan
from ticklab.targets.qemu import Qemu

ABOUT = About((Span("a", ("x",)), Span("b", (), "x", "y")), 1, 50, 25_000_000, None)
BOARD = catalogue.find_board("mps2-an386")
PLAN = ObservationPlan(
    BOARD.machine, BOARD.core, BOARD.vectors, "x", 5, 1000, 100, (AddedMark("x", 4),),
    port=((4, 8),), entries=("systick",),
)  # fmt: skip


@pytest.fixture
def image(tmp_path: Path) -> Image:
    path = tmp_path / "image.elf"
    path.write_bytes(b"code")
    return Image(path, "0" * 64, {})


def keep(root: Path, image: Image, target: Fake) -> CampaignResult:
    store = Store(root)
    store.open_for_writing()
    lab = Environment(
        lambda wanted: [image] * len(wanted), lambda _: target, store, lambda _: cells.PROFILE, 1,
        keeps_image=lambda _: True,
    )  # fmt: skip
    return measure(lab, [cells.CASE], Quiet(), Cancel())


def test_an_image_is_kept_beside_the_measurement_and_goes_with_it(
    tmp_path: Path, image: Image
) -> None:
    found = keep(tmp_path / "store", image, Fake(answer))
    store, key = Store(tmp_path / "store"), str(found.records[0].measurement)
    kept = store.image(key)
    assert kept
    assert kept.read_bytes() == b"code"
    store.prune(keep_runs=0, spare_s=0)
    assert store.image(key) is None


def test_the_image_of_what_was_measured_before_is_kept_without_another_run(
    tmp_path: Path, image: Image
) -> None:
    target = Fake(answer)
    run(tmp_path / "store", cells.CASE, target=target, build=lambda _: [image])
    before = len(target.asked)
    found = keep(tmp_path / "store", image, target)
    assert len(target.asked) == before
    assert Store(tmp_path / "store").image(str(found.records[0].measurement))


def test_an_image_that_found_no_room_costs_no_figure(tmp_path: Path, image: Image) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "images").write_text("in the way")
    found = keep(tmp_path / "store", image, Fake(answer))
    assert found.not_stored is None
    assert "make room" in str(found.not_explained)
    assert Store(tmp_path / "store").measurement(str(found.records[0].measurement))


def test_the_recording_of_an_older_ticklab_is_used_for_its_image(tmp_path: Path) -> None:
    folder = tmp_path / "recordings" / "key"
    folder.mkdir(parents=True)
    (folder / "blocks").write_bytes(b"blocks")
    (folder / "image.elf").write_bytes(b"code")
    sealed.seal(folder)
    assert Store(tmp_path).image("key") == folder / "image.elf"


@pytest.fixture
def first(tmp_path: Path, image: Image) -> FirstRun:
    log = tmp_path / "events.log"
    log.write_bytes(b"log")
    return FirstRun(Qemu(paths.plugin()), image.path, PLAN, log, ABOUT)


@pytest.fixture
def folder(tmp_path: Path, first: FirstRun) -> Path:
    kept_run.write(tmp_path / "own", first, BOARD)
    return tmp_path / "own"


def test_a_folder_has_all_that_the_run_was(folder: Path, first: FirstRun) -> None:
    found = kept_run.read(folder)
    assert (found.plan, found.about, found.target) == (first.plan, first.about, first.target)
    assert (found.image.read_bytes(), found.log.read_bytes()) == (b"code", b"log")


def no_repeat(_run: Run, _record: Record) -> NoReturn:
    raise AssertionError("nothing needs to run again")


def find(word: str, span: str | None, store: Path) -> subjects.Subject:
    with subjects.found(word, subjects.Wanted(span=span), Store(store), no_repeat) as subject:
        return subject


def test_a_folder_is_a_subject_if_one_span_is_named(tmp_path: Path, folder: Path) -> None:
    assert find(str(folder), "b", tmp_path).span == ABOUT.spans[1]
    with pytest.raises(UsageError, match=r"several spans; name one by --span: a, b"):
        find(str(folder), None, tmp_path)
    with pytest.raises(UsageError, match=r"no span 'c'"):
        find(str(folder), "c", tmp_path)


def test_other_folders_and_damaged_runs_are_named(
    tmp_path: Path, folder: Path, first: FirstRun
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"empty is no recorded run .*; .*'observe --save'"):
        find(str(tmp_path / "empty"), None, tmp_path)
    (folder / "recording.json").write_text("{")
    with pytest.raises(TicklabError, match=r"own.recording.json is damaged: .*; delete the folder"):
        find(str(folder), "a", tmp_path)
    with pytest.raises(TicklabError, match=r"own: .*; name a folder"):
        kept_run.write(folder, first, BOARD)


def test_of_a_span_from_an_interrupts_entry_it_is_asked_for_one_less_inside() -> None:
    spans = (Span("whole", (), "request", "y"), Span("handled", (), "entry.external", "y"))
    asked = [second_run._span(span, ABOUT) for span in spans]
    assert [each["external"] for each in asked] == [1, 0]
