# SPDX-License-Identifier: MIT
"""Collects the observations of a campaign in Parquet files, which DuckDB queries.

Each file, called a part, has the observations of some thousand cases, and a name that depends on
their keys. So a part is written only once, and the needed memory does not grow with the campaign.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from ticklab import digest
from ticklab.campaign.orders import DEFAULT_COMPILER, Order
from ticklab.campaign.shared import SharedStore
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import records, tables
from ticklab.views import columns

PART = 5_000  # number of cases in a part
MORE = ("key", "compiler")  # columns in addition to those of a run


@dataclass(frozen=True)
class Collected:
    parts: tuple[str, ...]  # names of the parts in the store
    cases: int
    # Number of damaged observations. They were moved away, so that their cases are observed again.
    damaged: int


def collect(orders: Iterable[Order], finished: set[str], store: SharedStore) -> Collected:
    """Writes those parts of the results that the store does not have yet."""
    known, parts, cases, damaged = store.results(), list[str](), 0, 0
    rest = _finished(orders, finished)
    while part := dict(islice(rest, PART)):
        name, bad = _name(part), 0
        if name not in known:
            name, bad = _write(part, store)
        parts.append(name)
        cases += len(part) - bad
        damaged += bad
    return Collected(tuple(parts), cases, damaged)


def _name(keys: Iterable[str]) -> str:
    return f"{digest.hash_json(list(keys))[:32]}.parquet"


def _finished(orders: Iterable[Order], finished: set[str]) -> Iterator[tuple[str, str | None]]:
    """Yields for each observed case its key and its compiler, once."""
    said: set[str] = set()
    for order in orders:
        for key in order.keys.values():
            if key in finished and key not in said:
                said.add(key)
                yield key, order.compiler


def _write(part: Mapping[str, str | None], store: SharedStore) -> tuple[str, int]:
    """Writes one part of the results, without damaged observations. Returns the name of the part
    and the number of damaged observations."""
    found = {key: content for key, content in store.observations(part) if content is not None}
    rows = [row for key, content in found.items() for row in _rows(key, part[key], content)]
    name = _name(found)
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        file = Path(scratch, name)
        tables.write_rows(columns.arrays(rows, MORE), columns.typed(MORE), file)
        store.add_results(name, file.read_bytes())
    return name, len(part) - len(found)


def _rows(key: str, compiler: str | None, content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for each in content["records"]:
        found = columns.row(records.decode(each))
        yield {"key": key, "compiler": compiler or DEFAULT_COMPILER, **found}


@contextmanager
def files(parts: Sequence[str], store: SharedStore) -> Iterator[list[Path]]:
    """Yields the paths of temporary copies of the result files `parts` of a store. The copies exist
    until the `with` block ends."""
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        found = [Path(scratch, name) for name in parts]
        for file in found:
            file.write_bytes(store.read_results(file.name))
        yield found


def ask(
    query: str, parts: Sequence[str], store: SharedStore
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Returns the column names and the rows of a query over the table `records`."""
    _require(parts)
    with files(parts, store) as found:
        try:
            return tables.ask(query, found)
        except tables.EngineError as error:
            raise UsageError(f"the query fails: {error}", "see docs/reference/json.md") from error


def save(parts: Sequence[str], store: SharedStore, file: Path) -> None:
    """Writes all records to one file."""
    _require(parts)
    with files(parts, store) as found:
        try:
            tables.join(found, file)
        except tables.EngineError as error:
            raise TicklabError(f"cannot write {file}: {error}", "choose another file") from error


def _require(parts: Sequence[str]) -> None:
    if not parts:
        raise TicklabError("the campaign has no observation yet", "run it without --plan")
