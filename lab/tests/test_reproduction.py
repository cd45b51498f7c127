# SPDX-License-Identifier: MIT
"""Tests bundles, and runs that are measured again: records that differ in no field are equal, and a
record that differs in one is named."""

from __future__ import annotations

import copy
import functools
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import guests
import pytest
from documents import fits
from synthetic import record, run

from ticklab import cli, digest, paths
from ticklab.comparison import reproduction
from ticklab.description.folders import Kind
from ticklab.description.model import NotMeasured, Record, Sampled, SamplePlan, Status
from ticklab.errors import ExitStatus, TicklabError, UsageError
from ticklab.measurement import remeasure
from ticklab.storage import baseline, bundle
from ticklab.storage.bundle import Bundle
from ticklab.views import reproduction as view

PLAN = SamplePlan(warm_up=1, samples=10, ticks=1)
FIGURE = replace(record("freertos", "message-processing", 150, 300, 0, 40), measurement="key")
NOTHING = replace(
    record("rt", "message-processing", 1, 1, 0, 1),
    result=NotMeasured(Status.UNSUPPORTED, "no queue"),
)

# --- Which records count as equal -----------------------------------------------------------------


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


def test_work_is_compared_if_the_first_run_found_it() -> None:
    divided = replace(FIGURE, work={"checks": {"assert": 2}})
    assert not reproduction.compare([divided], [divided]).different
    assert not reproduction.compare([FIGURE], [divided]).different
    assert reproduction.compare([divided], [FIGURE]).different


def test_a_record_that_was_not_measured_again_differs() -> None:
    found = reproduction.compare([FIGURE, NOTHING], [])
    assert (len(found.different), found.without) == (1, 1)


def test_the_differences_are_printed_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    gone = replace(FIGURE, result=NotMeasured(Status.FAIL, "hung"))
    found = reproduction.compare([FIGURE], [gone])
    assert view.conclude("it", "r", found, "-") is ExitStatus.FAILED
    said = capsys.readouterr()
    answer = fits("reproduction", json.loads(said.out))
    assert answer["different"][0]["reason"] == "hung"
    assert answer["changes"] == {"freertos/default/O2/" + FIGURE.board: [view._UNKNOWN]}
    assert "message-processing" in said.err
    assert "0 of 1" in said.err


# --- Files of bundles -----------------------------------------------------------------------------


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


def resealed(file: Path, part: str, **changes: Any) -> None:
    """Changes members of a JSON file in a bundle, and makes the file's checksum right again."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    content = {**json.loads(parts[part]), **changes}
    content.pop("sha256")
    parts[part] = json.dumps({**content, "sha256": digest.hash_json(content)}).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for each, data in parts.items():
            archive.writestr(each, data)


@pytest.mark.parametrize(
    ("part", "changes", "said"),
    [
        ("images.json", {"images": {}, "schema": 2}, "use the Ticklab that wrote it"),
        ("images.json", {"images": [1]}, "does not list images"),
        ("images.json", {"images": {"key": 1}}, "does not list images"),
        ("images.json", {"images": {"key": "../run.json"}}, "does not list images"),
        ("run.json", {"schema": 99}, "use the Ticklab that wrote it"),
        ("run.json", {"entries": []}, "is damaged"),
        ("run.json", {"entries": [{"plan": {"samples": "x"}, "functions": {}}]}, "is damaged"),
    ],
)
def test_a_part_that_says_something_else_is_refused_by_the_name_of_the_bundle(
    written: Path, tmp_path: Path, part: str, changes: dict[str, Any], said: str
) -> None:
    resealed(written, part, **changes)
    with pytest.raises(TicklabError, match=said) as refused:
        bundle.read(written, tmp_path / "read")
    assert str(refused.value).startswith(str(written))
    assert str(tmp_path / "read") not in str(refused.value)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the path to each value in a document that is neither an object nor a list."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in pairs:
        inner = (*path, key)
        yield from leaves(each, inner) if isinstance(each, dict | list) and each else (inner,)


def test_a_value_of_a_wrong_type_is_refused_wherever_it_stands(
    written: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(written) as archive:
        whole = json.loads(archive.read("run.json"))
    parts = {key: whole[key] for key in ("id", "records", "lanes", "entries")}
    places = list(leaves(parts))
    for number, place in enumerate(places):
        changed = copy.deepcopy(parts)
        inner = functools.reduce(lambda part, key: part[key], place[:-1], changed)
        inner[place[-1]] = [["odd"]]
        resealed(written, "run.json", **changed)
        with pytest.raises(TicklabError, match=r"run\.json is damaged: no "):
            print(place, bundle.read(written, tmp_path / f"read{number}"))
    assert len(places) > 50


@pytest.mark.parametrize("odd", ["odd", [["odd"]]])
def test_an_odd_entry_of_the_provenance_is_no_fault_of_what_shows_it(
    written: Path, tmp_path: Path, odd: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry of the provenance that is only shown may have any value."""
    with zipfile.ZipFile(written) as archive:
        origin = json.loads(archive.read("run.json"))["provenance"]
    subjects = {"freertos/default": {"protection": "none", "interest": None}}
    sizes = {"freertos/default/O2/mps2-an386": {"s": {"code": 1}}}
    origin |= {"command": ["ticklab", "run"], "subjects": subjects, "footprints": sizes}
    origin |= {"kernels": {"freertos": {"commit": "0", "version": "1"}}}
    for place in (*leaves(origin), *((key,) for key in origin)):
        changed = copy.deepcopy(origin)
        inner = functools.reduce(lambda part, key: part[key], place[:-1], changed)
        inner[place[-1]] = odd
        resealed(written, "run.json", provenance=changed)
        status = cli.main(["site", str(tmp_path / "site"), str(written)])
        said = capsys.readouterr().err
        assert "fault in ticklab" not in said, place
        if status:
            assert (status, said.count("\n")) == (ExitStatus.FAILED, 1), said
            assert "run.json is damaged: no provenance as Ticklab writes it" in said


@pytest.mark.parametrize(("key", "value"), [("layout", "1"), ("params", [1]), ("features", 1)])
def test_a_forged_record_is_one_line(
    written: Path, capsys: pytest.CaptureFixture[str], key: str, value: Any
) -> None:
    with zipfile.ZipFile(written) as archive:
        records = json.loads(archive.read("run.json"))["records"]
    resealed(written, "run.json", records=[{**records[0], key: value}])
    assert cli.main(["verify", str(written)]) == ExitStatus.FAILED
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"run.json is damaged: no {key} as Ticklab writes it" in said


def test_a_bundle_that_lacks_an_image_is_refused(tmp_path: Path) -> None:
    image = tmp_path / "image"
    image.write_bytes(b"an image")
    keyed = replace(FIGURE, measurement="wanted")
    kept = baseline.make(replace(run(), records=(keyed,)), lambda _: PLAN, lambda _: {})
    (tmp_path / "parts").mkdir()
    bundle.write(Bundle(kept, {"other": image}), tmp_path / "x.bundle", tmp_path / "parts")
    with pytest.raises(TicklabError, match="no image of measurement wanted"):
        bundle.read(tmp_path / "x.bundle", tmp_path / "read")


@pytest.mark.parametrize(("offset", "value"), [(8, 1), (10, 97)])
def test_an_encrypted_or_unknown_archive_is_refused(
    written: Path, tmp_path: Path, offset: int, value: int
) -> None:
    """Changes the flags, or the compression, of the archive's first part, in its header and in the
    archive's directory."""
    data = bytearray(written.read_bytes())
    data[data.index(b"PK\x03\x04") + offset - 2] |= value
    data[data.index(b"PK\x01\x02") + offset] |= value
    written.write_bytes(data)
    with pytest.raises(TicklabError, match=r"x\.bundle is damaged"):
        bundle.read(written, tmp_path / "read")


def test_a_folder_is_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no file"):
        bundle.read(tmp_path, tmp_path / "read")


@pytest.mark.parametrize("place", [".", "/", "/dev/null"])
def test_a_bundle_replaces_neither_a_folder_nor_a_device(place: str) -> None:
    with pytest.raises(TicklabError, match="is no regular file; name another"):
        bundle.require_place(Path(place))


def test_only_parts_are_extracted(written: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(written, "a") as archive:
        archive.writestr("huge", b"x")
    bundle.read(written, tmp_path / "read")
    assert not (tmp_path / "read" / "huge").exists()


def test_a_part_cannot_leave_its_folder(written: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(written, "a") as archive:
        archive.writestr("../../escaped", b"x")
    bundle.read(written, tmp_path / "deep" / "read")
    assert not list(tmp_path.parent.glob("escaped"))
    assert not (tmp_path / "escaped").exists()


CALLING = (
    "function reset\nagain:\n  bl work\n  b again\n"
    "function work\n  adds r1, #1\n  bx lr\n"
    "function handler\n  b handler\n"
)
RECIPE = """
[recipe]
name = "mine"
title = "Calls of a function"

[[scenario]]
name = "work"
plan = { warm_up = 2, samples = 50 }
[scenario.span.call]
call = "work"
"""

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
    assert fits("reproduction", json.loads(answer.read_text()))["equal"] >= 1
    assert not (tmp_path / "builds").exists()


def with_fewer(one: Record) -> Record:
    assert isinstance(one.result, Sampled)
    assert one.result.instructions
    fewer = replace(one.result.instructions, p50=one.result.instructions.p50 - 1)
    return replace(one, result=replace(one.result, instructions=fewer))


def with_other_work(one: Record) -> Record:
    assert one.work
    return replace(one, work={"checks": {"f": 1}, **one.work})


@pytest.mark.parametrize("forge", [with_fewer, with_other_work])
def test_a_figure_that_was_forged_is_found(
    measured: Path, tmp_path: Path, forge: Callable[[Record], Record]
) -> None:
    """One instruction is removed from a record, or its division by kind of work is changed, and
    every checksum is made right again."""
    held = bundle.read(measured / "x.bundle", tmp_path / "read")
    first = next(entry.record for entry in held.kept.entries if entry.plan)
    forged = forge(first)
    records = tuple(forged if one is first else one for one in held.kept.run.records)
    entries = tuple(
        replace(entry, record=one) for entry, one in zip(held.kept.entries, records, strict=True)
    )
    kept = replace(held.kept, run=replace(held.kept.run, records=records), entries=entries)
    (tmp_path / "parts").mkdir()
    bundle.write(replace(held, kept=kept), tmp_path / "forged.bundle", tmp_path / "parts")
    assert cli.main(["verify", str(tmp_path / "forged.bundle")]) == ExitStatus.FAILED


def test_an_image_that_nobody_ported_is_verified_without_its_file(tmp_path: Path) -> None:
    """The bundle has the image, so the file that the user named is not needed."""
    loop = guests.build(tmp_path, CALLING).rename(tmp_path / "app.elf")
    recipe = tmp_path / "mine.toml"
    recipe.write_text(RECIPE)
    store, file = ["--store", str(tmp_path / "store")], str(tmp_path / "x.bundle")
    words = ["run", "--image", str(loop), "--recipe", str(recipe), *store]
    assert cli.main([*words, "--output", str(tmp_path / "x.html")]) == 0
    assert cli.main(["bundle", "--output", file, *store]) == 0
    loop.unlink()
    assert cli.main(["verify", file]) == ExitStatus.OK


@pytest.mark.parametrize(
    ("key", "said"),
    [("boards", "nothing about freertos on"), ("kernels", "nothing about"), ("builds", "no build")],
)
def test_a_run_of_unknown_origin_is_refused(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str, said: str
) -> None:
    file = tmp_path / "x.bundle"
    shutil.copy(measured / "x.bundle", file)
    with zipfile.ZipFile(file) as archive:
        origin = json.loads(archive.read("run.json"))["provenance"]
    resealed(file, "run.json", provenance={**origin, key: {}})
    assert cli.main(["verify", str(file)]) == ExitStatus.FAILED
    assert f"is incomplete: {said}" in capsys.readouterr().err


def test_a_kernel_of_another_checkout_is_asked_for(
    measured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = bundle.read(measured / "x.bundle", tmp_path / "read")
    monkeypatch.setattr(Kind, "every", lambda kind: {})
    with pytest.raises(UsageError, match=r"'freertos' is not in this checkout; .*--kernel FOLDER"):
        remeasure.cases_of(held.kept, {})


def test_a_run_without_figures_cannot_be_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--store", str(tmp_path / "store")]
    which = ["--kernel", "null", "--scenario", "message-processing"]
    assert cli.main(["run", *which, *words, "--output", str(tmp_path / "x.html")]) == 0
    for command in (["bundle", "--output", str(tmp_path / "x.bundle")], ["reproduce"]):
        assert cli.main([*command, *words]) == ExitStatus.FAILED
        assert "has no figures to measure again" in capsys.readouterr().err
    assert not (tmp_path / "x.bundle").exists()


def test_a_run_is_reproduced_from_its_sources(measured: Path) -> None:
    assert cli.main(["reproduce", "--store", str(measured / "store")]) == ExitStatus.OK


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like that of FreeRTOS, whose default configuration has asserts. It lists only the
    service of the scenario, so that few conformance programs are built."""
    kernel = tmp_path_factory.mktemp("altered") / "other"
    shutil.copytree(paths.CHECKOUT / "kernels" / "freertos", kernel)
    text = (kernel / "kernel.toml").read_text().replace("config/default.h", "config/asserts.h")
    text = re.sub(r"^services = \[.*?\]", 'services = ["semaphore"]', text, flags=re.M | re.S)
    text = re.sub(r"^mutex\..*\n", "", text, flags=re.M)
    (kernel / "kernel.toml").write_text(text)
    return kernel


def test_a_kernel_that_changed_is_not_reproduced_and_the_change_is_named(
    measured: Path, altered: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = tmp_path / "answer.json"
    words = ["reproduce", "--store", str(measured / "store"), "--kernel", str(altered)]
    assert cli.main([*words, "--json", str(answer)]) == ExitStatus.FAILED
    said = capsys.readouterr().out
    assert "different: freertos/default O2" in said
    assert "0 of 1 records are equal" in said
    (change,) = (line for line in said.splitlines() if line.startswith("since then, freertos/"))
    assert change.index("config.configASSERT(condition)") < change.index("config_file_sha256")
    found = fits("reproduction", json.loads(answer.read_text()))
    assert any("configASSERT" in one for one in found["changes"]["freertos/default/O2/mps2-an386"])


def test_an_image_that_is_built_differently_today_is_not_bundled(
    measured: Path, altered: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    shutil.copytree(measured / "store", store)
    words = ["bundle", "--output", str(tmp_path / "x.bundle"), "--store", str(store)]
    assert cli.main([*words, "--kernel", str(altered)]) == ExitStatus.FAILED
    assert "freertos/default in synchronization" in capsys.readouterr().err
    assert not (tmp_path / "x.bundle").exists()
