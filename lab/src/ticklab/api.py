# SPDX-License-Identifier: MIT
"""The Python interface: runs as tables for DuckDB, from which come Arrow, pandas, Polars, NumPy and
Parquet.

    import ticklab

    runs = ticklab.open()                          # the store; or a store, a bundle, a baseline
    runs.records(kernel="rt").df()                 # a pandas data frame
    runs.sql("SELECT kernel, min(instructions_mean) FROM records GROUP BY kernel")
    runs.samples(scenario="synchronization").arrow()

A column is a field of the JSON of a record (docs/reference/json.md) with `_` in place of the dots
of nested fields, and null where JSON has null. Maps and lists are JSON texts.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from ticklab import names, paths
from ticklab.comparison import compare
from ticklab.description.model import Record, Run
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import baseline, bundle
from ticklab.storage.store import Store
from ticklab.views import columns

Table = Mapping[str, "np.ndarray[Any, Any]"]

# The fields that name a record, by which `samples` and `records` select.
IDENTITY = ("kernel", "config", "optimise", "board", "suite", "scenario", "span", "layout")


def open_runs(place: str | Path | None = None) -> Runs:
    """Opens the store of this checkout, another store, or a file that `ticklab bundle` or `ticklab
    baseline save` wrote. Raises TicklabError if it cannot be read."""
    found = Path(place) if place is not None else paths.store()
    if found.is_file():
        return Runs([_run_of(found)], None)
    if not found.is_dir():
        raise UsageError(
            f"there is neither a store nor a file {found}", "make runs with 'ticklab run'"
        )
    store = Store(found)
    return Runs(store.every_run(), store)


def _run_of(file: Path) -> Run:
    if file.suffix == ".json":
        return baseline.read(file).run
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        return bundle.read(file, Path(scratch)).kept.run


class Runs:
    """Runs, oldest first, with one connection to DuckDB, which has the table `records`."""

    def __init__(self, runs: Iterable[Run], store: Store | None) -> None:
        self._runs = {run.id: run for run in runs}
        self._store = store

    @property
    def ids(self) -> list[str]:
        return list(self._runs)

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs.values())

    def __getitem__(self, name: str) -> Run:
        """Returns the run with this id, or `latest`."""
        if name == "latest" and self._runs:
            return self._runs[self.ids[-1]]
        if name not in self._runs:
            raise names.unknown("run", name, self._runs)
        return self._runs[name]

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        made = duckdb.connect()
        made.register("columns", _records(self))
        made.execute(f"CREATE TABLE records AS SELECT {columns.typed()} FROM columns")
        made.unregister("columns")
        return made

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """Returns the result of a query over the table `records`."""
        return self.connection.sql(query)

    def records(self, **where: str | int) -> duckdb.DuckDBPyRelation:
        """Returns one row for each record; `where` selects some, for example `kernel="rt"`."""
        _check(where, ("run", *IDENTITY))
        condition = " AND ".join(f"{name} = ${name}" for name in where) or "true"
        query = f"SELECT * FROM records WHERE {condition}"
        return self.connection.sql(query, params=where)

    def samples(self, **where: str | int) -> duckdb.DuckDBPyRelation:
        """Returns one row for each sample of the records that `where` selects: `node`, `start`,
        `instructions`, `flags` (0: without a tick) and the bounds of its cycles."""
        _check(where, ("run", *IDENTITY))
        found = [
            table
            for run in self
            for record in run.records
            if _is_chosen(run, record, where) and (table := self._samples(run, record))
        ]
        if not found:
            raise TicklabError(
                "the selection has no record with samples", "look at ids and records()"
            )
        joined = {name: np.concatenate([one[name] for one in found]) for name in found[0]}
        self.connection.register("chosen_samples", joined)
        return self.connection.sql("SELECT * FROM chosen_samples")

    def _samples(self, run: Run, record: Record) -> Table | None:
        if record.measurement is None or not record.figures.instructions or record.formula:
            return None
        if self._store is None:
            raise TicklabError("a bundle and a baseline have no samples", "open a store")
        box = compare.timing_lanes(run.lanes.get(record.board, ()))
        columns = ("node", "start", "length", "flags", *box)
        found = self._store.samples(record.measurement, record.span, columns)
        known = {"run": run.id, **{name: getattr(record, name) for name in IDENTITY}}
        count = len(found["length"])
        return {
            **{name: np.full(count, value) for name, value in known.items()},
            "params": np.full(count, json.dumps(dict(record.params))),
            "node": found["node"],
            "start": found["start"],
            "instructions": found["length"],
            "flags": found["flags"],
            **{
                f"cycles_{end}": sum(
                    (found[lane] * getattr(cost, end) for lane, cost in box.items()),
                    np.full(count, 0.0 if box else np.nan),
                )
                for end in ("low", "high")
            },
        }


def _check(where: Mapping[str, object], known: tuple[str, ...]) -> None:
    for name in where:
        if name not in known:
            raise names.unknown("column", name, known)


def _is_chosen(run: Run, record: Record, where: Mapping[str, object]) -> bool:
    values = {"run": run.id, **{name: getattr(record, name) for name in IDENTITY}}
    return all(values[name] == value for name, value in where.items())


def _records(runs: Iterable[Run]) -> Table:
    return columns.arrays(
        {"run": run.id, **columns.row(record)} for run in runs for record in run.records
    )
