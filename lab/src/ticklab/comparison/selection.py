# SPDX-License-Identifier: MIT
"""Selects records by a word of the command line: a run, or one kernel of a run.

RUN                         a whole run: its id, the beginning of one, or `latest`
RUN:KERNEL[/CONFIG[/OPT]]   one kernel's records of that run
KERNEL[/CONFIG[/OPT]]       the same, of the latest run

If a command takes several words, KERNEL/CONFIG may contain `*`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import accumulate
from operator import attrgetter
from typing import Protocol

from ticklab import names
from ticklab.description.model import Record, Run
from ticklab.errors import TicklabError

_COLUMN = ("kernel", "config", "optimise")
_BUILD = (*_COLUMN, "board")
# Fields that must be equal in two records before they are paired. (If a kernel lacks terms of a
# computed figure, the formula has only the terms that all kernels of the run have.)
_MEASURED = ("suite", "scenario", "span", "layout", "formula")


class Runs(Protocol):
    """The functions of the store that this module uses."""

    def run_ids(self) -> list[str]: ...

    def run(self, name: str = "latest") -> Run: ...


@dataclass(frozen=True)
class Selection:
    run: Run
    records: tuple[Record, ...]

    @property
    def title(self) -> str:
        """Returns the name of the run, with the properties that have the same value in all selected
        records."""
        common = [values[0] for name in _BUILD if len(values := self._values(name)) == 1]
        return f"{' '.join(common)} (run {self.run.id})" if common else f"run {self.run.id}"

    def _values(self, name: str) -> list[str]:
        return list(dict.fromkeys(map(attrgetter(name), self.records)))


@dataclass(frozen=True)
class Pairing:
    """The records of two selections: pairs that measure the same, and the records without a
    partner."""

    pairs: tuple[tuple[Record, Record], ...]
    only_first: tuple[Record, ...]
    only_second: tuple[Record, ...]


def select(word: str, store: Runs) -> Selection:
    name, colon, column = word.partition(":")
    if not colon and not _is_run(word, store):
        name, column = "latest", word
    run = store.run(name or "latest")
    return Selection(run, _some_of_column(run, column) if column else run.records)


def each(word: str, store: Runs) -> Iterator[str]:
    """Yields each word for which `word` stands: `*` in a kernel or configuration matches any
    text."""
    name, colon, column = word.rpartition(":")
    if "*" not in column:
        yield word
        return
    run = store.run(name or "latest")
    columns = dict.fromkeys(f"{record.kernel}/{record.config}" for record in run.records)
    found = [each for each in columns if fnmatchcase(each, column)]
    if not found:
        raise names.unknown(f"kernel in run {run.id}:", column, columns)
    yield from (f"{name}{colon}{each}" for each in found)


def pair(first: Selection, second: Selection) -> Pairing:
    """Pairs records by what was measured and how it was built. A property need not match if each
    selection has only one value of it, for example the kernel, because then the property is what is
    compared."""
    matched = [name for name in _BUILD if _several(name, first, second)]
    theirs = {_key(record, matched): record for record in second.records}
    ours = {_key(record, matched): record for record in first.records}
    found = Pairing(
        tuple((record, theirs[key]) for key, record in ours.items() if key in theirs),
        tuple(record for key, record in ours.items() if key not in theirs),
        tuple(record for key, record in theirs.items() if key not in ours),
    )
    if not found.pairs:
        raise TicklabError(
            f"{first.title} and {second.title} have no scenario in common",
            "see 'ticklab show RUN' for what they hold",
        )
    return found


def _is_run(word: str, store: Runs) -> bool:
    return word == "latest" or any(run_id.startswith(word) for run_id in store.run_ids())


def filter_column(run: Run, column: str) -> tuple[Record, ...]:
    """Returns the records of the column KERNEL[/CONFIG[/OPTIMISE]], which may be none. The name of
    a configuration may be a path, with slashes."""
    return tuple(record for record in run.records if column in _columns(record))


def _some_of_column(run: Run, column: str) -> tuple[Record, ...]:
    found = filter_column(run, column)
    if not found:
        parts = min(column.count("/"), len(_COLUMN) - 1)
        known = {_columns(record)[parts] for record in run.records}
        raise names.unknown(f"kernel in run {run.id}:", column, known)
    return found


def _columns(record: Record) -> list[str]:
    """Returns all names of columns that contain the record: KERNEL, KERNEL/CONFIG, and so on."""
    return list(accumulate((getattr(record, name) for name in _COLUMN), "{}/{}".format))


def _several(name: str, *selections: Selection) -> bool:
    return any(len({getattr(record, name) for record in one.records}) > 1 for one in selections)


def _key(record: Record, matched: Iterable[str]) -> tuple[object, ...]:
    measured: Sequence[object] = [getattr(record, name) for name in (*_MEASURED, *matched)]
    return (*measured, *sorted(record.params.items()))
