# SPDX-License-Identifier: MIT
"""Joins the stored runs of several shards into the run that the same command without --shard would
give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any

from ticklab.comparison import means
from ticklab.description import catalogue
from ticklab.description.model import Lane, Record, Run
from ticklab.errors import TicklabError, UsageError
from ticklab.storage.store import new_run_id

_OWN = ("command", "shard")  # keys of the provenance in which shards differ
_TABLES = ("kernels", "subjects", "boards", "builds", "footprints")


def merge(runs: Sequence[Run]) -> list[Run]:
    """Returns the runs, with the shards of each command replaced by one whole run."""
    whole = [run for run in runs if "shard" not in run.provenance]
    groups: dict[tuple[str, ...], dict[int, Run]] = {}
    for run in runs:
        if "shard" in run.provenance:
            part, of = map(int, run.provenance["shard"].split("/"))
            groups.setdefault((*_command(run), str(of)), {})[part] = run
    return [*whole, *(_joined(parts, int(key[-1])) for key, parts in groups.items())]


def _command(run: Run) -> tuple[str, ...]:
    """Returns the command line without the words in which shards of one command differ."""
    words, found = iter(run.provenance["command"]), []
    for word in words:
        if word in ("--shard", "--store"):
            next(words, None)
        elif not word.startswith(("--shard=", "--store=")):
            found.append(word)
    return tuple(found)


def _joined(parts: Mapping[int, Run], of: int) -> Run:
    missing = [str(n) for n in range(1, of + 1) if n not in parts]
    if missing:
        raise UsageError(f"shard {', '.join(missing)} of {of} is missing", "name its store, too")
    runs = [parts[n] for n in range(1, of + 1)]
    first = runs[0].provenance
    for run in runs:
        _require_same(first, run.provenance)
    lanes = _lanes(run.lanes for run in runs)
    measured = tuple(_alternating([_by_build(run.records) for run in runs]))
    suites = catalogue.suites({record.suite for record in measured})
    records = (*measured, *means.records(measured, list(suites.values()), lanes))
    joined = {name: _table(runs, name) for name in _TABLES}
    provenance = {"command": list(_command(runs[0])), "ticklab": first["ticklab"], **joined}
    return replace(runs[0], id=new_run_id(), provenance=provenance, records=records, lanes=lanes)


def _require_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    """Raises an error if two shards were measured on machines that give different figures."""
    for name in one.keys() | other.keys() - {*_OWN}:
        if name in _TABLES:
            ours, theirs = one.get(name, {}), other.get(name, {})
            differ = [key for key in ours.keys() & theirs.keys() if ours[key] != theirs[key]]
        else:
            differ = [name] if name not in _OWN and one.get(name) != other.get(name) else []
        if differ:
            raise TicklabError(
                f"two shards differ in {name} ({differ[0]})",
                "measure all shards with one commit, and with the same tools",
            )


def _table(runs: Sequence[Run], name: str) -> dict[str, Any]:
    return {key: value for run in runs for key, value in run.provenance.get(name, {}).items()}


def _lanes(every: Iterable[Mapping[str, tuple[Lane, ...]]]) -> dict[str, tuple[Lane, ...]]:
    found: dict[str, dict[Lane, None]] = {}
    for lanes in every:
        for board, of_board in lanes.items():
            found.setdefault(board, {}).update(dict.fromkeys(of_board))
    return {board: tuple(lanes) for board, lanes in found.items()}


def _by_build(records: Iterable[Record]) -> list[list[Record]]:
    """Groups the measured records by build. Leaves out records of means, which are computed
    again."""
    found: dict[tuple[str, ...], list[Record]] = {}
    for each in records:
        if not each.formula:
            build = (each.kernel, each.config, each.optimise, each.board)
            found.setdefault(build, []).append(each)
    return list(found.values())


def _alternating(shards: Sequence[list[list[Record]]]) -> Iterable[Record]:
    """Returns the records in the order of the whole command, which assigns the first build to the
    first shard, the second to the second, and so on in turn."""
    turns = zip_longest(*shards, fillvalue=list[Record]())
    return chain.from_iterable(chain.from_iterable(turns))
