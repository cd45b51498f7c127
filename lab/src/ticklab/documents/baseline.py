# SPDX-License-Identifier: MIT
"""The baseline of the documents: the figures of pinned runs, in docs/figures/baseline.json.

Each record is one line, in the order of its name, so that a change of figures is a short
difference. A record names the commit that measured it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ticklab import paths
from ticklab.errors import UsageError

FILE = paths.CHECKOUT / "docs" / "figures" / "baseline.json"

# Suites whose figures documents have.
SUITES = frozenset(("thread-metric", "services", "isolation"))


@dataclass(frozen=True)
class Key:
    """The name of a figure."""

    kernel: str  # with its configuration, as in freertos/default
    optimise: str
    board: str
    scenario: str  # with its suite, as in services/tick
    span: str
    params: str  # NAME=VALUE,…; empty without parameters

    def __str__(self) -> str:
        words = (self.kernel, self.optimise, self.board, self.scenario, self.span, self.params)
        return " ".join(word for word in words if word)


@dataclass(frozen=True)
class Figure:
    """Of the samples without an interrupt, unless stated otherwise."""

    mean: float  # instructions
    longest: float  # instructions
    ticked: float | None  # instructions of the longest sample with a tick or another interrupt
    exceptions: float
    low: float | None  # cycles
    high: float | None
    commit: str


Records = Mapping[str, Figure]


def read() -> dict[str, Figure]:
    return {name: Figure(*values) for name, values in json.loads(FILE.read_text()).items()}


def update(runs: list[Path]) -> int:
    """Replaces the records that the runs have, and returns the number of all records."""
    records = read() if FILE.exists() else {}
    for run in runs:
        records.update(of_run(_document(run)))
    write(records)
    return len(records)


def write(records: Records) -> None:
    lines = (
        f"{json.dumps(name)}: {json.dumps(list(vars(records[name]).values()))}"
        for name in sorted(records)
    )
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def of_run(document: Mapping[str, Any]) -> dict[str, Figure]:
    """Returns the figures of the JSON of a run."""
    commit = document["provenance"]["ticklab"]["commit"][:9]
    return dict(_figures(document["records"], commit))


def _figures(records: list[dict[str, Any]], commit: str) -> Iterator[tuple[str, Figure]]:
    for one in records:
        if one["suite"] in SUITES and one["instructions"] and one["layout"] == 0:
            yield str(_key(one)), _figure(one, commit)


def _key(one: Mapping[str, Any]) -> Key:
    kernel, scenario = f"{one['kernel']}/{one['config']}", f"{one['suite']}/{one['scenario']}"
    params = ",".join(f"{name}={value}" for name, value in sorted(one["params"].items()))
    return Key(kernel, one["optimise"], one["board"], scenario, one["span"], params)


def _figure(one: Mapping[str, Any], commit: str) -> Figure:
    ticked = one["interrupted"]["instructions"]["max"] if one["interrupted"] else None
    cycles = one["cycles"] or {}
    low, high = (round(cycles[end]["mean"], 6) if cycles else None for end in ("low", "high"))
    mean, longest = round(one["instructions"]["mean"], 6), one["instructions"]["max"]
    return Figure(mean, longest, ticked, round(one["exceptions"], 6), low, high, commit)


def _document(run: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(run.read_text())
        return found if found["records"] and found["provenance"] else {}
    except (OSError, ValueError, KeyError, TypeError):
        hint = "name a file that 'ticklab run --json FILE' wrote"
        raise UsageError(f"{run} is not the JSON of a run", hint) from None
