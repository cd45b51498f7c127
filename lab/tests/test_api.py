# SPDX-License-Identifier: MIT
"""Tests the Python interface (`import ticklab`): tables of records and samples, and the notebook of
the documentation."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from synthetic import LANES, record, run

import ticklab
from ticklab import paths
from ticklab.analysis.samples import Flag, Samples
from ticklab.description.model import Run, SamplePlan
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import baseline, bundle
from ticklab.storage.bundle import Bundle
from ticklab.storage.store import Measurement, Store
from ticklab.views import csv

KEY = "0" * 64
NOTEBOOK = paths.CHECKOUT / "docs" / "how-to" / "analyse-figures.ipynb"


def measured() -> Run:
    one = replace(record("rt", "message-processing"), measurement=KEY, params={"waiters": "10"})
    return replace(run(), id="20261121-0000", records=(one,))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    made = Store(tmp_path / "store")
    made.open_for_writing()
    made.add_run(run())
    made.add_run(measured())
    tallies = np.array([[192, 250, 1, 40], [592, 700, 2, 90]])
    samples = Samples(
        span="iteration",
        lanes=LANES,
        node=np.zeros(2, np.uint8),
        start=np.array([10, 300]),
        tallies=tallies,
        flags=np.array([0, int(Flag.TICK)], np.uint8),
        first=np.array([0, 2]),
        last=np.array([1, 3]),
    )
    made.add(Measurement(KEY, {}, LANES, {}, ""), (samples,))
    return tmp_path / "store"


def test_a_store_is_a_table_of_records(store: Path) -> None:
    runs = ticklab.open(store)
    assert runs.ids == [run().id, measured().id]
    assert len(runs) == 2
    assert runs["latest"] == measured()
    chosen = runs.records(kernel="rt", scenario="message-processing")
    assert len(chosen) == 2
    query = "SELECT instructions_mean, cycles_high_mean, params FROM records WHERE run = '{}'"
    assert runs.sql(query.format(measured().id)).fetchall() == [(192.0, 290.0, '{"waiters": "10"}')]


def test_the_columns_are_those_of_the_csv_whatever_the_values(tmp_path: Path) -> None:
    empty = Store(tmp_path)
    empty.open_for_writing()
    nothing = ticklab.open(tmp_path).records()
    head = re.sub(r"[.-]", "_", csv.dumps(run()).splitlines()[0]).split(",")
    assert nothing.columns == ["run", "measurement", *head]
    types = dict(zip(nothing.columns, map(str, nothing.types), strict=True))
    assert (types["kernel"], types["layout"], types["deterministic"]) == (
        "VARCHAR",
        "DOUBLE",
        "BOOLEAN",
    )


def test_what_is_null_in_json_is_null(store: Path) -> None:
    query = "SELECT count(*) FROM records WHERE instructions_mean IS NULL AND status <> 'pass'"
    failed = sum(one.reason is not None for one in run().records)
    assert ticklab.open(store).sql(query).fetchall() == [(failed,)]


def test_samples_have_the_bounds_of_their_cycles(store: Path) -> None:
    runs = ticklab.open(store)
    found = runs.samples(run=measured().id)
    columns = ("kernel", "instructions", "flags", "cycles_low", "cycles_high")
    rows = found.select(", ".join(columns)).fetchall()
    assert rows == [("rt", 192, 0, 250.0, 294.0), ("rt", 592, int(Flag.TICK), 700.0, 798.0)]
    with pytest.raises(TicklabError, match="the selection has no record with samples"):
        runs.samples(kernel="nothing")


def test_a_wrong_name_is_refused_with_those_that_there_are(store: Path) -> None:
    runs = ticklab.open(store)
    with pytest.raises(UsageError, match="column 'kernle'"):
        runs.records(kernle="rt")
    with pytest.raises(UsageError, match="run 'x'"):
        runs["x"]
    with pytest.raises(UsageError, match="neither a store nor a file"):
        ticklab.open(store / "nothing")


def test_a_bundle_and_a_baseline_are_tables_without_samples(tmp_path: Path) -> None:
    plan = SamplePlan(warm_up=1, samples=10, ticks=1)
    kept = baseline.make(run(), lambda _: plan, lambda _: {})
    (tmp_path / "scratch").mkdir()
    bundle.write(Bundle(kept, {}), tmp_path / "x.bundle", tmp_path / "scratch")
    baseline.write(kept, tmp_path / "x.json")
    for name in ("x.bundle", "x.json"):
        runs = ticklab.open(tmp_path / name)
        assert len(runs.records()) == len(run().records)
        with pytest.raises(TicklabError, match="have no samples"):
            runs.samples(kernel="rt")


def test_work_has_a_column_for_each_kind(tmp_path: Path) -> None:
    made = Store(tmp_path / "store")
    made.open_for_writing()
    divided = replace(record("rt"), work={"critical-sections": {"f": 30, "g": 2.5}})
    made.add_run(replace(run(), records=(divided, record("freertos"))))
    found = ticklab.open(tmp_path / "store").records().order("kernel")
    rows = found.select("work_critical_sections, work_checks, work_unassigned").fetchall()
    assert rows == [(None, None, None), (32.5, 0, 0)]


def test_records_are_exported_as_parquet(store: Path, tmp_path: Path) -> None:
    ticklab.open(store).records(kernel="rt").write_parquet(str(tmp_path / "x.parquet"))
    found = duckdb.connect().sql(f"SELECT count(*), min(kernel) FROM '{tmp_path / 'x.parquet'}'")
    assert found.fetchall() == [(4, "rt")]


# --- The notebook ---------------------------------------------------------------------------------


def cells() -> list[dict[str, Any]]:
    found = json.loads(NOTEBOOK.read_text())["cells"]
    return [cell for cell in found if cell["cell_type"] == "code"]


def test_every_cell_of_the_notebook_runs_and_has_an_output(
    store: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(paths, "store", lambda: store)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells(), start=1):
        exec("".join(cell["source"]), names)
        assert cell["execution_count"] == number
    assert sum(bool(cell["outputs"]) for cell in cells()) >= 4
    assert list(tmp_path.glob("*.parquet"))
