# SPDX-License-Identifier: MIT
"""Tests the store: readers never see an unfinished folder, and no finished measurement is lost."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from logs import Writer

from ticklab.analysis.samples import Samples, extract
from ticklab.description.model import (
    Computed,
    Lane,
    NotMeasured,
    Rate,
    Record,
    Result,
    Run,
    Sampled,
    Score,
    Span,
    Stats,
    Status,
)
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import older, records, sealed
from ticklab.storage.sealed import DamagedError, SchemaError, UnreadableError
from ticklab.storage.store import RUN_SCHEMA, Measurement, Store, new_run_id

EACH = Span("iteration", each=("m",))
STATS = Stats(3, 10, 10, 11.5, 12, 12, 12, 10)
RECORD = Record(
    kernel="k",
    config="default",
    optimise="O2",
    board="b",
    suite="s",
    scenario="x",
    span="iteration",
    params={},
    layout=0,
    result=Sampled(
        instructions=STATS,
        score_30s=Score(1.5, 2.5, 80),
        per_thread=(3, 4),
        deterministic=True,
        lanes={"instructions": 11.5},
    ),
    features={"mpu": False},
    measurement="key",
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store(tmp_path / "a store, with 'spaces'")
    found.open_for_writing()
    return found


def samples(count: int = 3) -> tuple[Samples, ...]:
    writer = Writer(["m"]).mark("m", 100)
    for number in range(count):
        writer.mark("m", 10 + number, reads=number)
    return (extract(writer.log(), EACH, external=0, warm_up=1),)


def measurement(key: str = "key") -> Measurement:
    lanes = (Lane("instructions", None, None, "counted"), Lane("cycles", 1.0, 1.0, "unit"))
    return Measurement(key, {"image": "1234"}, lanes, {"iteration": {"status": "pass"}}, "hello")


def run(name: str = "20260101-000000-aaaa") -> Run:
    return Run(name, {"ticklab": {"version": "0"}}, (RECORD,), {"b": measurement().lanes})


def test_what_was_stored_comes_back(store: Store) -> None:
    store.add(measurement(), samples())
    assert store.measurement("key") == measurement()
    columns = store.samples("key", "iteration")
    assert columns["length"].tolist() == [10, 11, 12]
    assert columns["start"].tolist() == [100, 110, 121]
    assert columns["flags"].tolist() == [4, 0, 0]
    assert store.samples("key", "iteration", ["reads"])["reads"].tolist() == [0, 1, 2]
    assert store.measurement("another") is None


def test_a_run_comes_back(store: Store) -> None:
    store.add_run(run())
    assert store.run("2026") == run()


def test_runs_are_listed_by_a_query(store: Store) -> None:
    failed = replace(RECORD, kernel="l", result=NotMeasured(Status.FAIL, "order"))
    store.add_run(replace(run(), records=(RECORD, failed)))
    (line,) = store.summaries()
    assert (line.id, line.kernels, line.boards, line.suites) == (
        run().id,
        ("k", "l"),
        ("b",),
        ("s",),
    )
    assert (line.records, line.passed, line.failed) == (2, 1, 1)


def test_names_of_runs(store: Store) -> None:
    with pytest.raises(TicklabError, match="no runs in the store"):
        store.find()
    for name in ("20260101-000000-aaaa", "20260102-000000-bbbb"):
        store.add_run(run(name))
    assert store.find() == "20260102-000000-bbbb"
    assert store.find("20260101") == "20260101-000000-aaaa"
    with pytest.raises(UsageError, match="begins 2 runs"):
        store.find("2026")
    with pytest.raises(UsageError, match="is no run"):
        store.find("x")


def test_a_stored_measurement_is_never_changed(store: Store) -> None:
    store.add(measurement(), samples(3))
    store.add(measurement(), samples(9))
    assert len(store.samples("key", "iteration")["length"]) == 3


def test_writers_of_one_key_agree(store: Store) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: store.add(measurement(), samples()), range(8)))
    assert store.measurement("key") == measurement()
    assert [entry.name for entry in (store.root / "measurements").iterdir()] == ["key"]


def test_what_a_killed_writer_left_is_ignored_and_swept_away(store: Store) -> None:
    gone = store.root / "measurements" / f".new-{_dead_process()}-00"
    alive = store.root / "runs" / f".new-{os.getpid()}-00"
    for folder in (gone, alive):
        folder.mkdir()
        (folder / "manifest.json").write_text("{")
    assert store.summaries() == []
    store.open_for_writing()
    assert not gone.exists()
    assert alive.exists(), "its writer may still be at work"


def test_a_damaged_file_is_named_with_the_way_out(store: Store) -> None:
    store.add(measurement(), samples())
    store.add_run(run())
    manifest = store.root / "measurements" / "key" / "manifest.json"
    samples_file = manifest.with_name("samples.parquet")
    samples_file.write_text("PAR1")
    with pytest.raises(TicklabError, match=r"samples\.parquet is damaged.*delete the folder"):
        store.samples("key", "iteration")
    manifest.write_text(manifest.read_text()[:-20])
    with pytest.raises(TicklabError, match=r"manifest\.json is damaged.*delete the folder"):
        store.measurement("key")
    samples_file.unlink()
    with pytest.raises(TicklabError, match=r"samples\.parquet is damaged: it is missing"):
        store.measurement("key")
    manifest.with_name("SHA256SUMS").unlink()
    with pytest.raises(TicklabError, match=r"SHA256SUMS is damaged: it is missing"):
        store.measurement("key")


def test_files_that_are_whole_but_elsewhere_are_damaged(store: Store) -> None:
    """The folder has another name, as after a careless copy; each file still has its checksum."""
    store.add(measurement(), samples())
    store.add_run(run())
    for folder, name in (("measurements/key", "other"), (f"runs/{run().id}", "20990101-000000-a")):
        (store.root / folder).rename((store.root / folder).with_name(name))
    with pytest.raises(TicklabError, match=r"manifest\.json is damaged: it is the measurement key"):
        store.measurement("other")
    with pytest.raises(TicklabError, match=rf"run\.json is damaged: it is the run {run().id}"):
        store.run()


def test_levels_of_a_run_from_before_services_were_inlined_get_their_names_of_today(
    store: Store,
) -> None:
    """In the older run, level O2 called the services; today O2 inlines them. The older level is
    therefore read as `O2+called`, so that its figures are not compared with those of today's O2."""
    builds: dict[str, dict[str, list[str]]] = {
        "a folder/my.h/O2/b": {"flags": []},
        "k/default/O0/b": {"flags": []},
    }
    store.add_run(replace(run(), provenance={"builds": builds}))
    (file,) = store.root.glob("runs/*/run.json")
    then = json.loads(file.read_text())
    assert then["schema"] == RUN_SCHEMA
    (file.parent / "SHA256SUMS").unlink()
    file.write_text(json.dumps({**then, "schema": older.SCHEMA}))
    sealed.seal(file.parent)
    found = store.run()
    assert [one.optimise for one in found.records] == ["O2+called"]
    assert set(found.provenance["builds"]) == {"a folder/my.h/O2+called/b", "k/default/O0/b"}


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ("O2", "O2+called"),
        ("Os+lto", "Os+lto+called"),
        ("O3+inline", "O3"),
        ("O0", "O0"),
        ("unknown", "unknown"),
    ],
)
def test_a_level_of_before_services_were_inlined(then: str, now: str) -> None:
    assert older.level(then) == now


@pytest.mark.parametrize(("schema", "age"), [(1, "an older"), (99, "a newer")])
def test_another_schema_is_refused_and_kept(store: Store, schema: int, age: str) -> None:
    store.add(measurement(), samples())
    store.add_run(run())
    said = rf"\.json has schema {schema}, of {age} Ticklab, and this one reads schema [23]; use the"
    for file in store.root.glob("*/*/*.json"):
        file.write_text(re.sub(r'"schema": [23]', f'"schema": {schema}', file.read_text()))
        (file.parent / "SHA256SUMS").unlink(missing_ok=True)  # another schema may do without
    before = _content(store.root)
    for read in (store.run, lambda: store.measurement("key")):
        with pytest.raises(SchemaError, match=said):
            read()
    skipped: list[TicklabError] = []
    assert store.summaries(skipped.append) == []
    assert store.every_run(skipped.append) == []
    pruned = store.prune(keep_runs=0, spare_s=0)
    assert (pruned.runs, pruned.measurements) == (0, 0)
    assert all(isinstance(error, SchemaError) for error in (*skipped, *pruned.left))
    assert _content(store.root) == before


def test_strangers_are_named_and_left_alone(store: Store) -> None:
    store.add(measurement(), samples())
    store.add_run(run())
    for place in ("runs", "measurements", "images"):
        (store.root / place / "zzz").mkdir(parents=True)
        (store.root / place / "zzz" / "notes.txt").write_text("mine")
        (store.root / place / "zz.json").write_text("{")
        (store.root / place / "z-dangling").symlink_to("nowhere")
    skipped: list[TicklabError] = []
    assert [line.id for line in store.summaries(skipped.append)] == [store.find()] == [run().id]
    assert store.run() == run()
    assert len(skipped) == 3
    before = _content(store.root)
    pruned = store.prune(keep_runs=5, spare_s=0)
    assert (pruned.runs, pruned.measurements, len(pruned.left)) == (0, 0, 6)
    assert "was not written by Ticklab; move it out of the store" in str(pruned.left[0])
    assert _content(store.root) == before


def test_a_run_that_cannot_be_read_keeps_every_measurement(store: Store) -> None:
    for key in ("key", "old"):
        store.add(measurement(key), samples())
    for name in ("20260101-000000-aaaa", "20260102-000000-bbbb"):
        store.add_run(run(name))
    damaged = store.root / "runs" / "20260101-000000-aaaa" / "run.json"
    damaged.write_text(damaged.read_text().replace("11.5", "11.4"))
    assert store.prune(keep_runs=2, spare_s=0).measurements == 0
    damaged.with_name("summary.json").unlink()
    pruned = store.prune(keep_runs=1, spare_s=0)
    assert (pruned.runs, pruned.measurements) == (0, 0)
    assert "is damaged" in str(pruned.left[0])
    assert store.measurement("old")


def test_what_may_not_be_read_is_no_damage(store: Store) -> None:
    """The file is a link to itself, which fails to open even for root, as a file without permission
    fails for other users."""
    store.add(measurement(), samples())
    manifest = store.root / "measurements" / "key" / "manifest.json"
    manifest.unlink()
    manifest.symlink_to("manifest.json")
    with pytest.raises(
        UnreadableError, match=r"cannot read .*manifest\.json: .*permissions"
    ) as found:
        store.measurement("key")
    assert not isinstance(found.value, DamagedError)


def test_checksums_are_those_of_sha256sum(store: Store) -> None:
    store.add(measurement(), samples())
    folder = store.root / "measurements" / "key"
    checked = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=folder)
    assert checked.returncode == 0


def test_pruning_keeps_what_runs_refer_to(store: Store) -> None:
    for key in ("key", "old"):
        store.add(measurement(key), samples())
    store.add_run(run("20260101-000000-aaaa"))
    store.add_run(run("20260102-000000-bbbb"))
    pruned = store.prune(keep_runs=1, spare_s=0)
    assert (pruned.runs, pruned.measurements) == (1, 1)
    assert store.run_ids() == ["20260102-000000-bbbb"]
    assert store.measurement("key") is not None
    assert store.measurement("old") is None


def test_pruning_spares_the_measurements_of_a_run_under_way(store: Store) -> None:
    store.add(measurement(), samples())
    assert store.prune(keep_runs=5).measurements == 0


def test_a_place_that_cannot_be_a_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TicklabError, match=r"cannot write to the store .*file.*--store DIR"):
        Store(tmp_path / "file").open_for_writing()


def test_a_full_disk_is_named_and_leaves_nothing(store: Store) -> None:
    store.add(measurement("first"), samples())
    with _files_of_at_most(100), pytest.raises(TicklabError, match="cannot write to the store"):
        store.add(measurement("second"), samples(5000))
    with _files_of_at_most(100), pytest.raises(TicklabError, match="cannot write to the store"):
        store.add_run(run())
    assert store.measurement("first") is not None
    assert store.measurement("second") is None
    assert [entry.name for entry in (store.root / "measurements").iterdir()] == ["first"]
    assert store.run_ids() == []


@contextmanager
def _files_of_at_most(size: int) -> Iterator[None]:
    """Limits the size of files. A write beyond the limit fails, even for root, as on a full
    disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _content(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def _dead_process() -> int:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def test_each_run_keeps_its_own_report_and_latest_is_a_link(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    for name in ("20261120-1", "20261120-2"):
        store.add_run(run(name))
        place = store.keep_report(name, f"report of {name}")
        assert place.read_text() == f"report of {name}"
    latest = place.with_name("latest.html")
    assert latest.readlink() == Path("20261120-2.html")
    assert (place.parent / "20261120-1.html").read_text() == "report of 20261120-1"
    assert sorted(each.name for each in place.parent.iterdir()) == [
        "20261120-1.html", "20261120-2.html", "latest.html",
    ]  # fmt: skip
    left = place.with_name(".new-999999999-killed")
    left.write_text("half a rep")
    assert store.prune(keep_runs=1).runs == 1
    assert not left.exists()
    assert not (place.parent / "20261120-1.html").exists()
    assert latest.read_text() == "report of 20261120-2"


@pytest.mark.parametrize(
    ("result", "formula"),
    [
        (Sampled(instructions=STATS, interrupted=STATS, per_thread=(1, 2)), None),
        (Sampled(interrupted=STATS), None),
        (Computed(instructions=STATS, per_second=Rate(1, 2.5, "runs")), "(a + b) / 2"),
        (NotMeasured(Status.UNSUPPORTED, "kernel has no queue"), None),
        (NotMeasured(Status.BLOCKED, "conformance: yield"), "(a + b) / 2"),
        (NotMeasured(Status.PASS), None),
    ],
)
def test_each_kind_of_result_survives_the_store(result: Result, formula: str | None) -> None:
    one = replace(RECORD, result=result, formula=formula)
    assert records.decode(json.loads(json.dumps(records.encode(one)))) == one


def test_a_result_with_a_wrong_value_is_refused() -> None:
    flat = records.encode(RECORD)
    with pytest.raises(ValueError, match="instructions"):
        records.decode({**flat, "instructions": {**flat["instructions"], "n": "three"}})


def test_ids_of_runs_in_the_same_second_are_in_their_order() -> None:
    found = []
    for _ in range(20):
        found.append(new_run_id())
        time.sleep(0.001)
    assert found == sorted(found)
