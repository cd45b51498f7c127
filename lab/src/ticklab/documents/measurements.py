# SPDX-License-Identifier: MIT
"""Measures the figures of the documents: carries out the measurements that docs/figures/runs.toml
names, and replaces the baseline by their records.

Measurements in the store are reused, so that only figures whose inputs changed take time.
"""

from __future__ import annotations

import json
import shlex
import tempfile
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ticklab import paths
from ticklab.documents import answers, baseline, causes, sweeps, tuned
from ticklab.documents.baseline import Figure
from ticklab.errors import ExitStatus, TicklabError
from ticklab.names import choose
from ticklab.storage.store import Store

FILE = baseline.FILE.with_name("runs.toml")

CommandLine = Callable[[list[str]], int]


@dataclass(frozen=True)
class Measurement:
    name: str
    words: tuple[str, ...]  # a Ticklab command and its arguments
    # Whether the records of the run are explained, and the results of the explanation become
    # figures too.
    explained: bool = False


def read() -> list[Measurement]:
    found = tomllib.loads(FILE.read_text())["measurement"]
    return [
        Measurement(one["name"], tuple(shlex.split(one["words"])), one.get("explained", False))
        for one in found
    ]


def measure(names: Sequence[str], command_line: CommandLine) -> None:
    """Runs the named measurements, or all if no name is given, with `command_line`. If all run,
    their records replace the whole baseline; otherwise they replace only records of the same names.
    A case that fails has no record, and its cell shows a dash."""
    found: dict[str, Figure] = {}
    for one in _chosen(names):
        begun = time.monotonic()
        found.update(_records(one, command_line))
        print(f"{one.name}: measured in {time.monotonic() - begun:.0f} s", flush=True)
    # The baseline is read only now, because another process may have changed the file during the
    # measurements.
    kept = baseline.read() if names else {}
    baseline.write({**kept, **found})


def update(runs: Sequence[Path]) -> int:
    """Replaces the records and curves in the baseline by those in `runs`, and returns the number of
    records."""
    records = baseline.read() if baseline.FILE.exists() else {}
    for run in runs:
        records.update(_of_file(run))
    baseline.write(records)
    return len(records)


def _chosen(names: Sequence[str]) -> list[Measurement]:
    found = {one.name: one for one in read()}
    return [choose("measurement", name, found) for name in names or found]


def _records(one: Measurement, command_line: CommandLine) -> dict[str, Figure]:
    with tempfile.TemporaryDirectory(prefix="ticklab-") as folder:
        file = Path(folder) / "figures.json"
        rows = Path(folder) / "records.parquet"
        # The option --no-why saves time: only `explained` measurements need the causes of figures.
        more = {"run": ["--no-why"], "campaign": ["--parquet", str(rows)]}
        status = command_line([*one.words, *more.get(one.words[0], ()), "--json", str(file)])
        if status not in (ExitStatus.OK, ExitStatus.FAILED) or not file.exists():
            raise TicklabError(f"measurement '{one.name}' failed", "see the output above")
        if one.words[0] == "tune":
            tuned.keep(one.name, json.loads(file.read_text()))
            return {}
        if one.words[0] == "campaign":
            answers.keep(one.name, Path(one.words[1]).parent, rows)
            return {}
        if one.explained:
            return causes.of_run(baseline.document(file), Store(paths.store()))
        return _of_file(file)


def _of_file(file: Path) -> dict[str, Figure]:
    """Returns the figures in the JSON of a run or of footprints. Also stores the curves that
    pictures show."""
    document = baseline.document(file)
    if curves := sweeps.of_run(document):
        sweeps.write({**sweeps.read(), **curves})
    return baseline.of_run(document)
