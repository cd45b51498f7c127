# SPDX-License-Identifier: MIT
"""The store of measurements, and of runs, which refer to measurements.

docs/reference/formats.md describes its folders. A folder appears in the store whole or not at all:
it is written under another name, sealed with checksums (sealed.py), synchronised and renamed.
Nothing in the store is changed later, so readers need no lock. A killed run leaves at most an
unfinished folder, which readers ignore. An unreadable folder is reported and kept, or renamed if
the same case is measured again. The module uses neither targets nor views.
"""

from __future__ import annotations

import json
import lzma
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ticklab.analysis.samples import Flag, Samples
from ticklab.description.model import Lane, Record, Run, RunSummary, Status, Work
from ticklab.errors import TicklabError, UsageError
from ticklab.storage import older, records, sealed, tables
from ticklab.storage.sealed import DamagedError, SchemaError, UnreadableError

SCHEMA = 2
RUN_SCHEMA = 3  # of the file of a run
UNFINISHED = ".new-"  # followed by the process id of the writer and a random word
DAMAGED = ".damaged-"  # followed by the key of the measurement and a random word
DAY_S = 24 * 3600

_MANIFEST, _SAMPLES, _IMAGE = "manifest.json", "samples.parquet", "image.elf"
_COUNTERS = "counters.log.xz"
_WORK = "work.json"
_RUN, _SUMMARY = "run.json", "summary.json"

Found = TypeVar("Found")
Named = TypeVar("Named", Run, RunSummary)
# Called with the error for each unreadable file. If it is None, the error is raised.
Skip = Callable[[TicklabError], None] | None


@dataclass(frozen=True)
class Measurement:
    """The result of observing one image under one plan. `findings` has the result of each span."""

    key: str
    determined_by: Mapping[str, Any]
    lanes: tuple[Lane, ...]
    findings: Mapping[str, Mapping[str, Any]]
    console: str


@dataclass(frozen=True)
class Pruned:
    unfinished: int  # unfinished and damaged folders that were removed
    runs: int
    measurements: int
    left: tuple[TicklabError, ...]  # errors of files that could not be read, and so were kept


class Store:
    def __init__(self, root: Path) -> None:
        self.root = root
        self._measurements = root / "measurements"
        self._images = root / "images"
        self._recordings = root / "recordings"  # where Ticklab 0.2 kept images
        self._work = root / "work"
        self._runs = root / "runs"
        self._reports = root / "reports"

    # --- Writing ----------------------------------------------------------------------------------

    def open_for_writing(self) -> None:
        """Checks that the store can be written to, before anything is measured."""
        try:
            for folder in (self._measurements, self._runs):
                folder.mkdir(parents=True, exist_ok=True)
                probe = _unfinished(folder)
                probe.mkdir()
                probe.rmdir()
            self._sweep()
        except OSError as error:
            raise self._unwritable(error.strerror) from error

    def add(
        self,
        measurement: Measurement,
        samples: tuple[Samples, ...],
        counters: bytes | None = None,
    ) -> None:
        """Adds a measurement. `counters` is the file of a board's raw counters (replay.py)."""
        manifest = {
            "schema": SCHEMA,
            "key": measurement.key,
            "determined_by": measurement.determined_by,
            "lanes": records.encode_lanes(measurement.lanes),
            "findings": measurement.findings,
            "console": measurement.console,
        }

        def write(folder: Path) -> None:
            if samples:  # a scenario without samples has none
                tables.write(samples, folder / _SAMPLES)
            if counters is not None:
                (folder / _COUNTERS).write_bytes(lzma.compress(counters))
            _write_json(manifest, folder / _MANIFEST)

        self.publish(self._measurements / measurement.key, write)

    def set_aside(self, key: str) -> None:
        """Renames a damaged measurement and its image, so that both can be made again."""
        try:
            for parent in (*self._of_images, self._measurements):
                if os.path.lexists(parent / key):
                    (parent / key).rename(parent / f"{DAMAGED}{key}-{secrets.token_hex(4)}")
        except OSError as error:
            raise self._unwritable(error.strerror) from error

    def keep_image(self, key: str, image: Path) -> None:
        """Stores the image of the measurement `key`, so that the measurement can be explained when
        the image can no longer be built."""
        self.publish(self._images / key, lambda folder: shutil.copyfile(image, folder / _IMAGE))

    def keep_work(self, key: str, rules: str, work: Mapping[str, Work]) -> None:
        """Stores the instructions by kind of work for each span of the measurement `key`. `rules`
        is the hash of the rules that divided them."""
        content = {"schema": SCHEMA, "spans": work}
        place = self._work / f"{key}-{rules}"
        self.publish(place, lambda folder: _write_json(content, folder / _WORK))

    def drop_work(self, key: str, rules: str) -> None:
        """Removes damaged instructions by kind of work, which can be computed again."""
        try:
            _remove(self._work / f"{key}-{rules}")
        except OSError as error:
            raise self._unwritable(error.strerror) from error

    def add_run(self, run: Run) -> None:
        def write(folder: Path) -> None:
            _write_json({"schema": RUN_SCHEMA, **records.encode_run(run)}, folder / _RUN)
            _write_json({"schema": SCHEMA, **asdict(_summary(run))}, folder / _SUMMARY)

        self.publish(self._runs / run.id, write)

    def keep_report(self, run: str, text: str) -> Path:
        """Writes the report of a run, and links `latest.html` to it. A report can be made again
        from the run, so it is not in the folder of the run, which never changes."""
        place, latest = self._reports / f"{run}.html", self._reports / "latest.html"
        beside = _unfinished(self._reports)
        try:
            self._reports.mkdir(parents=True, exist_ok=True)
            beside.write_text(text, encoding="utf-8")
            beside.rename(place)
            beside.symlink_to(place.name)
            beside.rename(latest)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise self._unwritable(error.strerror) from error
        return place

    # --- Reading ----------------------------------------------------------------------------------

    def measurement(self, key: str) -> Measurement | None:
        """Returns a measurement, or None. Also checks its samples, because a case with damaged
        samples must be measured again."""
        folder = self._measurements / key
        if not os.path.lexists(folder):
            return None
        path = folder / _MANIFEST
        data = sealed.read_json(path, SCHEMA)
        sealed.check_all(folder)
        try:
            found = Measurement(
                key=data["key"],
                determined_by=data["determined_by"],
                lanes=records.decode_lanes(data["lanes"]),
                findings=data["findings"],
                console=data["console"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise sealed.damaged(path, f"no {error}") from error
        if found.key != key:
            raise sealed.damaged(path, f"it is the measurement {found.key}")
        return found

    def counters(self, key: str) -> Path | None:
        """Returns the file of a measurement's raw counters, compressed; None if it has none."""
        file = self._measurements / key / _COUNTERS
        if not file.is_file():
            return None
        sealed.check(file)
        return file

    def image(self, key: str) -> Path | None:
        """Returns the image of the measurement, or None if it was not kept."""
        kept = next((place / key for place in self._of_images if (place / key).is_dir()), None)
        if kept is None:
            return None
        sealed.check(kept / _IMAGE)
        return kept / _IMAGE

    def work(self, key: str, rules: str) -> Mapping[str, Work] | None:
        """Returns the instructions of each span by kind of work, or None if the store has none
        under these rules."""
        file = self._work / f"{key}-{rules}" / _WORK
        if not file.parent.is_dir():
            return None
        content = sealed.read_json(file, SCHEMA)
        try:
            found: Mapping[str, Work] = records.typed(content["spans"], Mapping[str, Work], "work")
        except (KeyError, ValueError) as error:
            raise sealed.damaged(file, f"no {error}") from error
        return found

    @property
    def _of_images(self) -> tuple[Path, ...]:
        return (self._images, self._recordings)

    def samples(
        self, key: str, span: str, columns: Sequence[str] = ("node", "start", "length", "flags")
    ) -> tables.Columns:
        """Returns the samples of one span, with a column for each lane besides the usual
        columns."""
        path = self._measurements / key / _SAMPLES
        if not path.parent.is_dir() or path.name not in sealed.listed(path.parent):
            what = f"the store {self.root} has no samples of measurement {key}"
            raise TicklabError(what, "measure it again with 'run'")
        sealed.check(path)
        try:
            return tables.read(path, span, columns)
        except tables.EngineError as error:
            raise sealed.damaged(path, str(error)) from error

    def ticked_starts(self, record: Record) -> list[int]:
        """Returns for each sample with a tick the instruction count at which the sample begins."""
        columns = self.samples(str(record.measurement), record.span, ("start", "flags"))
        ticked = np.asarray(columns["flags"]) & int(Flag.TICK) != 0
        starts: list[int] = np.asarray(columns["start"])[ticked].tolist()
        return starts

    def run_ids(self) -> list[str]:
        """Returns the ids of all runs, oldest first."""
        return sorted(name for name in _visible(self._runs) if self._is_run(name))

    def _is_run(self, name: str) -> bool:
        """Returns whether `name` is the folder of a run, readable or damaged."""
        folder = self._runs / name
        return any(os.path.lexists(folder / file) for file in (_RUN, _SUMMARY, sealed.SUMS))

    def _strangers(self) -> Iterator[TicklabError]:
        for name in sorted(_visible(self._runs)):
            if not self._is_run(name):
                yield _stranger(self._runs / name)

    def find(self, name: str = "latest") -> str:
        """Returns the full id of a run. `name` is the id, the beginning of an id, or `latest`."""
        ids = self.run_ids()
        if not ids:
            raise TicklabError(f"no runs in the store {self.root}", "make one with 'ticklab run'")
        if name == "latest":
            return ids[-1]
        found = [i for i in ids if i == name] or [i for i in ids if i.startswith(name)]
        if len(found) == 1:
            return found[0]
        many = f"begins {len(found)} runs: {', '.join(found)}" if found else "is no run"
        raise UsageError(f"'{name}' {many}", "see 'ticklab list runs'")

    def run(self, name: str = "latest") -> Run:
        return self._run_of(self.find(name))

    def _run_of(self, run_id: str) -> Run:
        path = self._runs / run_id / _RUN
        data = sealed.read_json(path, RUN_SCHEMA, older.SCHEMA)
        try:
            found = records.decode_run(data)
        except (KeyError, TypeError, ValueError) as error:
            raise sealed.damaged(path, f"no {error}") from error
        return self._named(found, path)

    def every_run(self, skip: Skip = None) -> list[Run]:
        """Returns the runs, oldest first, without unreadable ones."""
        return list(_readable(self._run_of, self.run_ids(), skip))

    def summaries(self, skip: Skip = None) -> list[RunSummary]:
        """Returns summaries of the runs. The summary of a run is a small file of its own, so a list
        of 1,000 runs is fast."""
        if skip:
            for stranger in self._strangers():
                skip(stranger)
        return list(_readable(self._summary_of, self.run_ids(), skip))

    def _summary_of(self, run_id: str) -> RunSummary:
        path = self._runs / run_id / _SUMMARY
        data = sealed.read_json(path, SCHEMA)
        try:
            found = RunSummary(
                id=data["id"],
                kernels=tuple(data["kernels"]),
                boards=tuple(data["boards"]),
                suites=tuple(data["suites"]),
                records=data["records"],
                passed=data["passed"],
                failed=data["failed"],
            )
        except (KeyError, TypeError) as error:
            raise sealed.damaged(path, f"no {error}") from error
        return self._named(found, path)

    def _named(self, found: Named, path: Path) -> Named:
        if found.id != path.parent.name:
            raise sealed.damaged(path, f"it is the run {found.id}")
        return found

    # --- Pruning ----------------------------------------------------------------------------------

    def prune(self, keep_runs: int, spare_s: float = DAY_S) -> Pruned:
        """Keeps the newest runs, the measurements to which they refer, and everything unreadable.
        Keeps other measurements for a day, because an interrupted run may need them."""
        left: list[TicklabError] = []
        try:
            unfinished = self._sweep() + self._drop_set_aside()
            runs = [run.id for run in self.summaries(left.append)]
            surplus = runs[: max(0, len(runs) - keep_runs)]
            for name in surplus:
                _remove(self._runs / name)
                (self._reports / f"{name}.html").unlink(missing_ok=True)
            dropped = self._drop_unreferenced(spare_s, left)
        except OSError as error:
            raise self._unwritable(error.strerror) from error
        once = {str(error): error for error in left}
        return Pruned(unfinished, len(surplus), dropped, tuple(once.values()))

    def _drop_set_aside(self) -> int:
        folders = (self._measurements, *self._of_images)
        found = [entry for folder in folders for entry in folder.glob(DAMAGED + "*")]
        for entry in found:
            _remove(entry)
        return len(found)

    def _drop_unreferenced(self, spare_s: float, left: list[TicklabError]) -> int:
        """Removes measurements that no run refers to; returns their number. Removes none if a run
        is unreadable, because it may refer to any measurement."""
        runs = [self._referenced(name, left) for name in self.run_ids()]
        if None in runs:
            return 0
        referenced = {key for keys in runs if keys for key in keys}
        old = (name for name in _visible(self._measurements) if self._unused_s(name) >= spare_s)
        dropped = [key for key in old if key not in referenced and self._is_ours(key, left)]
        for key in dropped:
            for folder in (*self._of_images, self._measurements):
                _remove(folder / key)
            for divided in self._work.glob(f"{key}-*"):
                _remove(divided)
        return len(dropped)

    def _referenced(self, name: str, left: list[TicklabError]) -> set[str | None] | None:
        try:
            return {record.measurement for record in self._run_of(name).records}
        except UnreadableError as error:
            left.append(error)
            return None

    def _unused_s(self, key: str) -> float:
        return time.time() - (self._measurements / key).lstat().st_mtime

    def _is_ours(self, key: str, left: list[TicklabError]) -> bool:
        """Returns whether this version of Ticklab wrote a measurement's folder, also if the
        measurement is damaged."""
        folder = self._measurements / key
        if not any(os.path.lexists(folder / file) for file in (_MANIFEST, sealed.SUMS)):
            left.append(_stranger(folder))
            return False
        try:
            self.measurement(key)
        except SchemaError as error:
            left.append(error)
            return False
        except DamagedError:
            pass
        return True

    def _sweep(self) -> int:
        """Removes the unfinished folders of processes that no longer run."""
        left = [
            entry
            for folder in (*self._of_images, *self._written)
            for entry in folder.glob(UNFINISHED + "*")
            if not Path("/proc", entry.name.split("-")[1]).exists()
        ]
        for entry in left:
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)
        return len(left)

    @property
    def _written(self) -> tuple[Path, ...]:
        """Returns the folders in which the store writes, except those of images."""
        return (self._measurements, self._work, self._runs, self._reports)

    def publish(self, place: Path, write: Callable[[Path], object]) -> None:
        if os.path.lexists(place):
            return
        beside = _unfinished(place.parent)
        try:
            beside.mkdir(parents=True)
            write(beside)
            sealed.seal(beside)
            sealed.synchronise(*beside.iterdir(), beside)
            _rename(beside, place)
            sealed.synchronise(place.parent)
        except (OSError, tables.EngineError) as error:
            raise self._unwritable(getattr(error, "strerror", None) or str(error)) from error
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def _unwritable(self, why: str | None) -> TicklabError:
        return TicklabError(
            f"cannot write to the store {self.root}: {why or 'unknown reason'}",
            "make room, or name another store with --store DIR",
        )


def _unfinished(parent: Path) -> Path:
    return parent / f"{UNFINISHED}{os.getpid()}-{secrets.token_hex(4)}"


def _rename(source: Path, place: Path) -> None:
    try:
        source.rename(place)
    except OSError:
        if not place.exists():  # otherwise another writer was first, with the same content
            raise


def _remove(folder: Path) -> None:
    """Removes a folder. Renames it first, so that readers see it whole or not at all. Another
    process may remove it at the same time."""
    if os.path.lexists(folder):
        target = _unfinished(folder.parent)
        with suppress(FileNotFoundError):
            folder.rename(target)
        shutil.rmtree(target, ignore_errors=True)


def _visible(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return [entry.name for entry in folder.iterdir() if not entry.name.startswith(".")]


def _readable(read: Callable[[str], Found], names: Sequence[str], skip: Skip) -> Iterator[Found]:
    for name in names:
        try:
            yield read(name)
        except UnreadableError as error:
            if skip is None:
                raise
            skip(error)


def _stranger(path: Path) -> TicklabError:
    return TicklabError(f"{path} was not written by Ticklab", "move it out of the store")


def _write_json(content: Mapping[str, Any], path: Path) -> None:
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")


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
    """Returns an id that sorts by time, in UTC: the second, and its fraction of 16 bits."""
    second, fraction = divmod(time.time_ns(), 10**9)
    written = time.strftime("%Y%m%d-%H%M%S", time.gmtime(second))
    return f"{written}-{(fraction << 16) // 10**9:04x}"
