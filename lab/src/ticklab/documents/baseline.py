# SPDX-License-Identifier: MIT
"""The baseline of the documents: the figures of all measurements that documents show, in
docs/figures/baseline.json.

Each figure is one line, sorted by name, so that a change of figures gives a short diff. Each names
the commit that measured it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ticklab import paths
from ticklab.errors import UsageError
from ticklab.measurement import provenance

FILE = paths.CHECKOUT / "docs" / "figures" / "baseline.json"

FOOTPRINT = "footprint"  # stands for a suite in the names of sizes in bytes
COMMIT_DIGITS = 9
_USUAL_PROFILE = "zero-wait"
REPORTED = "reported"  # stands for a span in the names of figures that a guest's program reported


@dataclass(frozen=True)
class Key:
    """The fields that together name a figure of the baseline."""

    kernel: str  # with its configuration, for example freertos/default
    optimise: str
    board: str  # with its timing profile, if not the board's usual one: mps2-an386/stm32l4-80mhz
    scenario: str  # with its suite, for example services/tick
    span: str
    params: str  # NAME=VALUE,…; empty without parameters

    def __str__(self) -> str:
        words = (self.kernel, self.optimise, self.board, self.scenario, self.span, self.params)
        return " ".join(word for word in words if word)


@dataclass(frozen=True)
class Figure:
    """The figures of one record. They are of the clean samples unless a field's name says
    otherwise. For a sweep they are of the worst position, and for a footprint `mean` has the
    bytes."""

    mean: float  # instructions
    longest: float  # instructions
    ticked: float | None  # instructions of the longest sample with a tick or another interrupt
    exceptions: float
    low: float | None  # low bound of the cycles
    high: float | None
    commit: str
    waits: float | None = None  # for a sweep: share of positions at which the interrupt had to wait


Records = Mapping[str, Figure]


def read() -> dict[str, Figure]:
    return {name: Figure(*values) for name, values in json.loads(FILE.read_text()).items()}


def write(records: Records) -> None:
    lines = (
        f"{json.dumps(name)}: {json.dumps(list(vars(records[name]).values()))}"
        for name in sorted(records)
    )
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def of_run(document: Mapping[str, Any]) -> dict[str, Figure]:
    """Returns the figures in the JSON that `run` or `footprint` printed."""
    if "rows" in document:
        return dict(_footprints(document["rows"], provenance.commit()[:COMMIT_DIGITS]))
    return dict(_figures(document["records"], commit_of(document)))


def commit_of(document: Mapping[str, Any]) -> str:
    """Returns the abbreviated commit at which a run was measured."""
    commit: str = document["provenance"]["ticklab"]["commit"]
    return commit[:COMMIT_DIGITS]


def _figures(records: list[dict[str, Any]], commit: str) -> Iterator[tuple[str, Figure]]:
    for one in records:
        if one["instructions"] and one["layout"] == 0:
            figure = _of_curve(one, commit) if one["curve"] else _figure(one, commit)
            yield name_of(one), figure
        if one.get("reported"):
            yield str(replace(_key(one), span=REPORTED)), _reported(one["reported"], commit)


def _footprints(rows: list[dict[str, Any]], commit: str) -> Iterator[tuple[str, Figure]]:
    """Yields sizes in bytes: of the parts of an image, of kernel objects and of stacks."""
    for row in rows:
        for name, number in _bytes(row):
            kernel = f"{row['kernel']}/{row['config']}"
            scenario = f"{FOOTPRINT}/{row['scenario']}"
            key = Key(kernel, row["optimise"], row["board"], scenario, name, "")
            yield str(key), Figure(number, number, None, 0, None, None, commit)


def _bytes(row: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for part in ("kernel", "port"):
        for kind, number in (row["memory"][part] or {}).items():
            yield f"{part}-{kind}", number
    for name, number in row["objects"].items():
        yield f"object-{name.replace(' ', '-')}", number
    yield from _stacks((row["stacks"] or {"rows": ()})["rows"])


def _stacks(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, int]]:
    """Yields the stack use of each handler and of the start-up code, and the greatest stack use of
    any task."""
    deepest: dict[str, int] = {}
    for one in rows:
        is_start = "reset" in one["name"].lower()
        name = one["name"] if one["is_handler"] else "start" if is_start else "task"
        deepest[name] = max(deepest.get(name, 0), one["bytes"])
    yield from ((f"stack-{name}", depth) for name, depth in deepest.items())


def name_of(one: Mapping[str, Any]) -> str:
    """Returns the name of the figure for a record in the JSON of a run."""
    return str(_key(one))


def _key(one: Mapping[str, Any]) -> Key:
    kernel, scenario = f"{one['kernel']}/{one['config']}", f"{one['suite']}/{one['scenario']}"
    params = ",".join(f"{name}={value}" for name, value in sorted(one["params"].items()))
    profile = (one["cycles"] or {}).get("profile", _USUAL_PROFILE)
    board = one["board"] if profile == _USUAL_PROFILE else f"{one['board']}/{profile}"
    return Key(kernel, one["optimise"], board, scenario, one["span"], params)


def _figure(one: Mapping[str, Any], commit: str) -> Figure:
    ticked = one["interrupted"]["instructions"]["max"] if one["interrupted"] else None
    low, high = _cycles(one["cycles"] or {})
    mean, longest = round(one["instructions"]["mean"], 6), one["instructions"]["max"]
    return Figure(mean, longest, ticked, round(one["exceptions"], 6), low, high, commit)


def _reported(found: Mapping[str, Any], commit: str) -> Figure:
    return Figure(found["mean"], found["max"], None, 0, None, None, commit)


def _cycles(found: Mapping[str, Any]) -> list[float | None]:
    """Returns the low and high bounds of the mean. Both are equal if the cycles are exact."""
    ends = (found.get(end) or found.get("exact") for end in ("low", "high"))
    return [round(end["mean"], 6) if end else None for end in ends]


def _of_curve(one: Mapping[str, Any], commit: str) -> Figure:
    curve = one["curve"]
    values, bounds = curve["instructions"], curve["cycles"] or {"low": None, "high": None}
    worst = values[curve["position"] - 1]
    waits = round(sum(value > min(values) for value in values) / len(values), 4)
    return Figure(worst, max(values), None, 0, bounds["low"], bounds["high"], commit, waits)


def document(run: Path) -> dict[str, Any]:
    """Returns the JSON that `run --json` or `footprint --json` wrote to a file, or {} if it has no
    records or no provenance.

    Raises UsageError if the file is no such JSON.
    """
    try:
        found: dict[str, Any] = json.loads(run.read_text())
        return found if "rows" in found or (found["records"] and found["provenance"]) else {}
    except (OSError, ValueError, KeyError, TypeError):
        hint = "name a file that 'ticklab run --json FILE' or 'footprint --json FILE' wrote"
        raise UsageError(f"{run} is not the JSON of a run", hint) from None
