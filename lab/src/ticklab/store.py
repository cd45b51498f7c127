# SPDX-License-Identifier: MIT
"""The store: what was measured, and which measurements made up a run.

The layout is in docs/architecture.md.
A folder appears in it whole or not at all: it is written beside its place, synchronised and
renamed. Nothing that is there is ever changed (what a failing disk or a stranger damaged goes and
comes anew), so readers need no lock, writers of the same key agree by construction, and a killed
run leaves at most a folder that nobody looks at. Knows nothing of targets or of how figures are
shown.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ticklab import records, tables
from ticklab.errors import TicklabError, UsageError
from ticklab.model import Lane, Record, Run, RunSummary, Status
from ticklab.samples import Flag, Samples

SCHEMA = 1
UNFINISHED = ".new-"  # followed by the writer's process id and a random word
DAY_S = 24 * 3600


@dataclass(frozen=True)
class Measurement:
    """One image under one plan. `findings` has what records.findings tells, for each span."""

    key: str
    determined_by: Mapping[str, Any]
    lanes: tuple[Lane, ...]
    findings: Mapping[str, Mapping[str, Any]]
    console: str


@dataclass(frozen=True)
class Pruned:
    unfinished: int
    runs: int
    measurements: int


class DamagedError(TicklabError):
    """Something in the store cannot be read."""


class Store:
    def __init__(self, root: Path) -> None:
        self.root = root
        self._measurements = root / "measurements"
        self._recordings = root / "recordings"
        self._runs = root / "runs"

    # --- Writing ----------------------------------------------------------------------------------

    def open_for_writing(self) -> None:
        """Finds out before anything is measured whether the store can be written to."""
        try:
            for folder in (self._measurements, self._runs):
                folder.mkdir(parents=True, exist_ok=True)
                probe = _unfinished(folder)
                probe.mkdir()
                probe.rmdir()
            self._sweep()
        except OSError as error:
            raise self._unwritable(error.strerror) from error

    def add(self, measurement: Measurement, samples: tuple[Samples, ...]) -> None:
        manifest = {
            "schema": SCHEMA,
            "key": measurement.key,
            "determined_by": measurement.determined_by,
            "lanes": records.encode_lanes(measurement.lanes),
            "findings": measurement.findings,
            "console": measurement.console,
        }

        def write(folder: Path) -> None:
            if samples:  # a scenario that only checks has none
                tables.write(samples, folder / "samples.parquet")
            _write_json(manifest, folder / "manifest.json")

        self._publish(self._measurements / measurement.key, write)

    def discard(self, key: str) -> None:
        """Drops a measurement that cannot be read, with its recording, to make room for it anew."""
        shutil.rmtree(self._recordings / key, ignore_errors=True)
        shutil.rmtree(self._measurements / key, ignore_errors=True)

    def add_recording(self, key: str, write: Callable[[Path], None]) -> None:
        """Beside the measurement `key`; `write` fills the folder."""
        self._publish(self._recordings / key, write)

    def add_run(self, run: Run) -> None:
        def write(folder: Path) -> None:
            _write_json({"schema": SCHEMA, **records.encode_run(run)}, folder / "run.json")
            _write_json({"schema": SCHEMA, **asdict(_summary(run))}, folder / "summary.json")

        self._publish(self._runs / run.id, write)

    # --- Reading ----------------------------------------------------------------------------------

    def measurement(self, key: str) -> Measurement | None:
        path = self._measurements / key / "manifest.json"
        if not path.exists():
            return None
        data = _read_json(path)
        try:
            return Measurement(
                key=data["key"],
                determined_by=data["determined_by"],
                lanes=records.decode_lanes(data["lanes"]),
                findings=data["findings"],
                console=data["console"],
            )
        except (KeyError, TypeError) as error:
            raise _damaged(path, f"no {error}") from error

    def recording(self, key: str) -> Path | None:
        """The folder of the measurement's recording, if there is one."""
        folder = self._recordings / key
        return folder if folder.is_dir() else None

    def samples(
        self, key: str, span: str, columns: Sequence[str] = ("node", "start", "length", "flags")
    ) -> tables.Columns:
        """The samples of one span. There is a column for each lane besides the usual ones."""
        path = self._measurements / key / "samples.parquet"
        if not path.exists():
            raise TicklabError(f"no samples of measurement {key} in {self.root}", "run it again")
        try:
            return tables.read(path, span, columns)
        except tables.EngineError as error:
            raise _damaged(path, str(error)) from error

    def ticked_starts(self, record: Record) -> list[int]:
        """Where the samples that a tick came in begin, in instructions."""
        columns = self.samples(str(record.measurement), record.span, ("start", "flags"))
        ticked = np.asarray(columns["flags"]) & int(Flag.TICK) != 0
        starts: list[int] = np.asarray(columns["start"])[ticked].tolist()
        return starts

    def run_ids(self) -> list[str]:
        """Oldest first."""
        if not self._runs.is_dir():
            return []
        names = (entry.name for entry in self._runs.iterdir() if entry.is_dir())
        return sorted(name for name in names if not name.startswith("."))

    def find(self, name: str = "latest") -> str:
        """The id of the run that `name` is, or begins; or of the latest."""
        ids = self.run_ids()
        if not ids:
            raise TicklabError(f"no runs in the store {self.root}", "'ticklab run' makes one")
        if name == "latest":
            return ids[-1]
        found = [i for i in ids if i == name] or [i for i in ids if i.startswith(name)]
        if len(found) == 1:
            return found[0]
        many = f"begins {len(found)} runs: {', '.join(found)}" if found else "is no run"
        raise UsageError(f"'{name}' {many}", "see 'ticklab list runs'")

    def run(self, name: str = "latest") -> Run:
        path = self._runs / self.find(name) / "run.json"
        data = _read_json(path)
        try:
            return records.decode_run(data)
        except (KeyError, TypeError, ValueError) as error:
            raise _damaged(path, f"no {error}") from error

    def runs(self) -> list[RunSummary]:
        """Oldest first. A run's summary stands beside it, so that a thousand are listed at once."""
        return [self._summary_of(name) for name in self.run_ids()]

    def _summary_of(self, name: str) -> RunSummary:
        path = self._runs / name / "summary.json"
        if not path.exists():
            return _summary(self.run(name))
        data = _read_json(path)
        try:
            return RunSummary(
                id=data["id"],
                kernels=tuple(data["kernels"]),
                boards=tuple(data["boards"]),
                suites=tuple(data["suites"]),
                records=data["records"],
                passed=data["passed"],
                failed=data["failed"],
            )
        except (KeyError, TypeError) as error:
            raise _damaged(path, f"no {error}") from error

    # --- Pruning ----------------------------------------------------------------------------------

    def prune(self, keep_runs: int, spare_s: float = DAY_S) -> Pruned:
        """Keeps the newest runs and what they refer to. Measurements that no run refers to are
        spared for a day: a run that was interrupted, or is under way, may still want them."""
        try:
            unfinished = self._sweep()
            surplus = self.run_ids()[: -keep_runs or None] if keep_runs else self.run_ids()
            for name in surplus:
                shutil.rmtree(self._runs / name)
            return Pruned(unfinished, len(surplus), self._drop_unreferenced(spare_s))
        except OSError as error:
            raise self._unwritable(error.strerror) from error

    def _drop_unreferenced(self, spare_s: float) -> int:
        runs = [self.run(name) for name in self.run_ids()]
        referenced = {record.measurement for run in runs for record in run.records}
        dropped = 0
        for folder in self._measurements.glob("*"):
            old = time.time() - folder.stat().st_mtime >= spare_s
            if old and folder.name not in referenced and not folder.name.startswith("."):
                shutil.rmtree(self._recordings / folder.name, ignore_errors=True)
                shutil.rmtree(folder)
                dropped += 1
        return dropped

    def _sweep(self) -> int:
        """Removes what writers that are no more left unfinished."""
        left = [
            entry
            for folder in (self._measurements, self._recordings, self._runs)
            for entry in folder.glob(UNFINISHED + "*")
            if not Path("/proc", entry.name.split("-")[1]).exists()
        ]
        for entry in left:
            shutil.rmtree(entry, ignore_errors=True)
        return len(left)

    def _publish(self, place: Path, write: Callable[[Path], None]) -> None:
        if place.exists():
            return
        beside = _unfinished(place.parent)
        try:
            beside.mkdir(parents=True)
            write(beside)
            _synchronise(*beside.iterdir(), beside)
            _rename(beside, place)
            _synchronise(place.parent)
        except (OSError, tables.EngineError) as error:
            raise self._unwritable(getattr(error, "strerror", None) or str(error)) from error
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def _unwritable(self, why: str | None) -> TicklabError:
        return TicklabError(
            f"cannot write to the store {self.root}: {why or 'unknown reason'}",
            "make room or choose another with --store DIR",
        )


def _unfinished(parent: Path) -> Path:
    return parent / f"{UNFINISHED}{os.getpid()}-{secrets.token_hex(4)}"


def _rename(source: Path, place: Path) -> None:
    try:
        source.rename(place)
    except OSError:
        if not place.exists():  # else another writer was first, with the same content
            raise


def _synchronise(*paths: Path) -> None:
    """Brings files and folders to the disk, so that a rename never shows what is not there."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _write_json(content: Mapping[str, Any], path: Path) -> None:
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")


def _read_json(path: Path) -> Any:
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise _damaged(path, f"its schema is not {SCHEMA}")
    return data


def _damaged(path: Path, why: str) -> DamagedError:
    return DamagedError(f"{path} is damaged: {why}", f"delete the folder {path.parent}")


def _summary(run: Run) -> RunSummary:
    def names(field: str) -> tuple[str, ...]:
        return tuple(sorted({getattr(record, field) for record in run.records}))

    statuses = [record.status for record in run.records]
    return RunSummary(
        id=run.id,
        kernels=names("kernel"),
        boards=names("board"),
        suites=names("suite"),
        records=len(statuses),
        passed=statuses.count(Status.PASS),
        failed=statuses.count(Status.FAIL),
    )


def new_run_id() -> str:
    """Sorts by time; UTC. The random word keeps two runs of the same second apart."""
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(2)}"
