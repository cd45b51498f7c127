# SPDX-License-Identifier: MIT
"""Runs items in parallel, each in a forked process with a session of its own, so that one signal
ends an item and all programs that it started.

An item writes its output to a log in the folder of this run, so that several runs in one checkout
do not disturb each other. The log of a failed item is kept. The runner has only one thread, because
it forks.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from unittest import mock

from ticklab.quality.item import Item

_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


@dataclass(frozen=True)
class ItemResult:
    name: str
    passed: bool
    cached: bool
    seconds: float  # elapsed
    cpu_seconds: float  # of the item and all programs whose end it waited for
    output: str


@dataclass(frozen=True)
class _Running:
    item: Item
    folder: Path
    log: Path
    kept: Path  # the log that is kept if the item fails
    begun: float


@dataclass
class Runner:
    """Runs items, each in a folder below `work`. Keeps the logs of those that fail in `logs`."""

    work: Path
    logs: Path
    jobs: int

    def run(self, items: Sequence[Item]) -> Iterator[tuple[Item, ItemResult]]:
        """Starts the items in the given order. Yields each item with its result when it ends."""
        _adopt_orphans()
        _import(name for item in items for name in item.modules)
        self.work.mkdir(parents=True, exist_ok=True)
        waiting, running = list(items), dict[int, _Running]()
        try:
            while waiting or running:
                self._start(waiting, running)
                result = _ended(running)
                if result is not None:
                    yield result
        finally:
            _end(running)

    def _start(self, waiting: list[Item], running: dict[int, _Running]) -> None:
        while len(running) < self.jobs:
            item = _ready(waiting, running)
            if item is None:
                return
            waiting.remove(item)
            name = item.name.replace("/", "-")
            folder = self.work / name
            folder.mkdir()
            log, kept = self.work / f"{name}.log", self.logs / f"{item.name}.log"
            pid = os.fork()
            if not pid:
                _run(item, folder, log)
            running[pid] = _Running(item, folder, log, kept, time.monotonic())


def _import(modules: Iterable[str]) -> None:
    """Imports modules, which the items inherit, because the import of some takes longer than many
    tests. A library may not start threads of its own, which a fork would lose."""
    with mock.patch.dict(os.environ, {"OPENBLAS_NUM_THREADS": "1"}):
        for name in dict.fromkeys(modules):
            importlib.import_module(name)


def _ready(waiting: Sequence[Item], running: dict[int, _Running]) -> Item | None:
    """Returns the first waiting item that needs no item which is still waiting or running."""
    open_names = {item.name for item in waiting} | {each.item.name for each in running.values()}
    return next((item for item in waiting if open_names.isdisjoint(item.after)), None)


def _run(item: Item, folder: Path, log: Path) -> NoReturn:
    """Runs an item in the forked process, and ends the process."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    status = 1
    try:
        _redirect(log)
        print(item.run(folder), flush=True)
        status = 0
    except BaseException as error:
        if type(error).__module__ == "builtins":  # a mistake in the check itself
            traceback.print_exc()
        else:
            print(f"error: {error}")
    finally:
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(status)


def _redirect(log: Path) -> None:
    """Replaces standard input by an empty file, and standard output and error by the log."""
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.stdout = sys.stderr = os.fdopen(1, "w", errors="replace", closefd=False)


def _ended(running: dict[int, _Running]) -> tuple[Item, ItemResult] | None:
    """Waits until a child process ends. Returns its item and result, or None if the child is a
    program that an item left running."""
    pid, status, usage = os.wait4(-1, 0)
    ended = running.pop(pid, None)
    if ended is None:
        return None
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    shutil.rmtree(ended.folder, ignore_errors=True)
    output, passed = ended.log.read_text(errors="replace").strip(), status == 0
    if passed:
        ended.kept.unlink(missing_ok=True)
    else:
        ended.kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ended.log, ended.kept)
    elapsed = time.monotonic() - ended.begun
    cpu = usage.ru_utime + usage.ru_stime
    return ended.item, ItemResult(ended.item.name, passed, False, elapsed, cpu, output)


def _end(running: dict[int, _Running]) -> None:
    """Kills all descendants of this process, including those with a session of their own."""
    for pid in running:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    children = _children()
    while children:
        for pid in children:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in children:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)
        children = _children()


def _adopt_orphans() -> None:
    """Makes this process the new parent of programs whose own parent ends, so that `_children`
    finds them."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> list[int]:
    found = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(pid) for pid in found.read_text().split()]
