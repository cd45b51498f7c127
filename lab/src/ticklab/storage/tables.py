# SPDX-License-Identifier: MIT
"""Writes and queries Parquet files with the embedded query engine DuckDB. No other module of the
store uses the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
from numpy.typing import NDArray

from ticklab.analysis.samples import Samples

Columns = dict[str, NDArray[Any]]


class EngineError(Exception):
    """Raised if DuckDB could not read or write. The message is DuckDB's error in one line."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error).splitlines()[0])


@cache
def _engine() -> duckdb.DuckDBPyConnection:
    """Returns the connection to DuckDB, one for the whole process because opening it takes longer
    than a query. Each use takes a cursor of it."""
    return duckdb.connect()


def write(samples: tuple[Samples, ...], path: Path) -> None:
    """Writes the samples of all spans to a file. Each row has the name of its span."""
    parts = []
    try:
        with _engine().cursor() as engine:
            for number, of_span in enumerate(samples):
                columns = _columns(of_span)
                engine.register(f"samples{number}", columns)
                node, *others = (f'"{name}"' for name in columns)
                named = f"{node}, {_text(of_span.span)} AS span, {', '.join(others)}"
                parts.append(f"SELECT {named} FROM samples{number}")
            query = " UNION ALL ".join(parts)
            engine.execute(f"COPY ({query}) TO {_quoted(path)} (FORMAT parquet, COMPRESSION zstd)")
    except duckdb.Error as error:
        raise EngineError(error) from error


def write_rows(columns: Mapping[str, NDArray[Any]], selected: str, path: Path) -> None:
    """Writes columns of equal length to a file. `selected` has the expressions of a SELECT."""
    try:
        with _engine().cursor() as engine:
            engine.register("rows", dict(columns))
            query = f"SELECT {selected} FROM rows"
            engine.execute(f"COPY ({query}) TO {_quoted(path)} (FORMAT parquet, COMPRESSION zstd)")
    except duckdb.Error as error:
        raise EngineError(error) from error


def ask(query: str, files: Sequence[Path]) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Returns the column names and the rows of a query over the table `records`, which has the rows
    of all files."""
    try:
        with duckdb.connect() as engine:
            named = ", ".join(map(_quoted, files))
            engine.execute(f"CREATE VIEW records AS SELECT * FROM read_parquet([{named}])")
            found = engine.execute(query)
            return [column[0] for column in found.description or ()], found.fetchall()
    except duckdb.Error as error:
        raise EngineError(error) from error


def join(files: Sequence[Path], path: Path) -> None:
    """Writes the rows of all files into the one file `path`."""
    ask(
        f"COPY (SELECT * FROM records) TO {_quoted(path)} (FORMAT parquet, COMPRESSION zstd)", files
    )


def read(path: Path, span: str, columns: Sequence[str]) -> Columns:
    names = ", ".join(f'"{name}"' for name in columns)
    try:
        with _engine().cursor() as engine:
            query = f"SELECT {names} FROM read_parquet(?) WHERE span = ?"
            found: Columns = engine.execute(query, [str(path), span]).fetchnumpy()
            return found
    except duckdb.Error as error:
        raise EngineError(error) from error


def _columns(samples: Samples) -> Columns:
    """Returns the columns of a samples file: node, start, length, flags, and every lane except
    `instructions`, which is the length."""
    named: Columns = {
        "node": samples.node,
        "start": samples.start,
        "length": samples.length,
        "flags": samples.flags,
    }
    lanes = [lane.name for lane in samples.lanes if lane.name != "instructions"]
    return named | {name: samples.lane(name) for name in lanes}


def _quoted(path: Path) -> str:
    return _text(str(path))


def _text(word: str) -> str:
    """Quotes a text for SQL."""
    return "'" + word.replace("'", "''") + "'"
