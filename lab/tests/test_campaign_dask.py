# SPDX-License-Identifier: MIT
"""Tests campaigns on several workers: they store the same observations as one machine, whichever
processes are killed."""

from __future__ import annotations

import os
import pickle
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import campaign_simulation as simulation
import dask
import pytest

from ticklab import building, paths
from ticklab.campaign import conduct, dask_settings, identity, orders, spread, worker
from ticklab.campaign.conduct import Conductor
from ticklab.campaign.orders import Plan
from ticklab.campaign.shared import SharedStore
from ticklab.campaign.worker import Task
from ticklab.description import catalogue
from ticklab.errors import TicklabError
from ticklab.measurement import campaign, environment
from ticklab.measurement.progress import Lines
from ticklab.storage import records
from ticklab.storage.store import Store
from ticklab.targets.protocol import Cancel

TESTS = Path(__file__).parent
PROFILER = "distributed.worker.profile.enabled"


def keys(plan: Plan) -> set[str]:
    return {key for order in plan.orders() for key in order.keys.values()}


def contents(store: SharedStore) -> dict[str, bytes]:
    files = Path(store.place, "observations").rglob("*.json")
    return {file.stem: file.read_bytes() for file in files}


@pytest.fixture
def store(tmp_path: Path) -> SharedStore:
    return SharedStore(str(tmp_path / "store"))


def on_this_machine(plan: Plan, place: Path) -> dict[str, bytes]:
    """Returns the stored observations of a campaign that runs in this process, undisturbed."""
    store = SharedStore(str(place))
    for task in simulation.tasks(plan, store):
        simulation.observe(task)
    return contents(store)


# --- Workers --------------------------------------------------------------------------------------


def test_workers_observe_a_campaign(store: SharedStore, tmp_path: Path) -> None:
    plan = simulation.plan(8)
    with spread.local(2) as address, spread.connected(address) as client:
        assert client.dashboard_link.startswith("http://127.0.0.1:")
        assert [*client.run(dask.config.get, PROFILER).values()] == [False, False]
        refused: list[str] = []
        other = spread.Spreader(client, simulation.known, {"sources": "other"}, refused.append)
        left = conduct.left_of(plan, store)
        with pytest.raises(TicklabError, match="workers were rejected"):
            Conductor(store, other.run, simulation.observe, print).conduct(left)
        assert "sources" in refused[0]
        assert not store.finished()
        spreader = spread.Spreader(client, simulation.known, simulation.KNOWN, print)
        found = Conductor(store, spreader.run, simulation.observe, print).conduct(left)
    assert (found.observed, found.finished) == (48, 48)
    assert contents(store) == on_this_machine(plan, tmp_path / "single")


def test_a_worker_gets_the_variants_that_it_has_built(store: SharedStore) -> None:
    """A worker gets all orders of its variant, and then those of a variant that no worker has
    built. The orders of a lost worker go to the other worker."""
    both, queue = frozenset({"a", "b"}), spread.Queue(simulation.tasks(simulation.plan(4), store))
    of_a = [task for _ in range(3) if (task := queue.next_for("a", both))]
    queue.take_back([of_a.pop()])
    of_b = [task for _ in range(3) if (task := queue.next_for("b", both))]
    queue.take_back([of_b.pop()])
    rest = iter(lambda: queue.next_for("a", frozenset({"a"})), None)
    first, second = {*variants(of_a)}, {*variants(of_b)}
    assert (len(first), len(second), first & second) == (1, 1, set())
    assert variants(rest) == [*first, *first, *second, *second]
    assert queue.is_empty()


def variants(tasks: Iterable[Task | None]) -> list[Hashable]:
    return [task.order.variant for task in tasks if task]


def test_a_worker_observes_what_a_run_does(
    store: SharedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compares a worker's records with those of `run`: of two kernels, in a scenario with several
    spans and in one whose service a kernel lacks."""
    monkeypatch.setattr(paths, "store", lambda: tmp_path / "own")
    worker._laboratory.cache_clear()
    scenarios = ("semaphore-uncontended", "call")
    plan = simulation.plan(1, suite=("services", "isolation"), scenario=scenarios)
    plan = Plan(plan.campaign, identity.of_this_machine(orders.means(plan.campaign)))
    tasks = list(simulation.tasks(plan, store))
    for task in tasks:
        assert worker.carry_out(pickle.loads(pickle.dumps(task))).observed == len(task.order.keys)
    worker._laboratory.cache_clear()
    found = {
        key: each["records"]
        for key, each in store.observations(sorted(store.finished()))
        if each is not None
    }
    assert found == single_run(tasks, tmp_path / "single")


def single_run(tasks: list[Task], root: Path) -> dict[str, object]:
    """Returns the records of `ticklab run`, each under the key that the campaign gives its case."""
    keyed = [pair for task in tasks for pair in task.order.cases()]
    board = catalogue.find_board("mps2-an386")
    profiles = {board.name: catalogue.find_profile(str(board.profile))}
    store = Store(root)
    store.open_for_writing()
    with Path(os.devnull).open("w") as stream:
        lines = Lines(stream)
        lab = environment.equip(store, profiles, 2, lines, lambda _: False)
        wanted = building.adapt_levels(
            [case for _, case in keyed], building.find_toolchain(), print
        )
        result = campaign.measure(lab, wanted, lines, Cancel())
    return {
        key: [records.encode(record) for record in outcome.records]
        for (key, _), outcome in zip(keyed, result.outcomes, strict=True)
    }


def test_programs_of_dask_get_the_settings() -> None:
    found = dask.config.collect_env(dask_settings.environment())
    for key, value in dask_settings.SETTINGS.items():
        assert dask.config.get(key, config=found) == value


# --- Killed processes -----------------------------------------------------------------------------


@dataclass
class Cluster:
    """A scheduler, two workers and a client, each a process of its own."""

    place: str
    folder: Path
    layouts: int
    seconds: float
    address: str = field(default_factory=lambda: f"127.0.0.1:{_free_port()}")
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start_missing(self) -> None:
        """Starts each process that has ended, except a client that has completed the campaign."""
        for name in ("scheduler", "worker-1", "worker-2", "client"):
            process = self.processes.get(name)
            if process is None or (process.poll() is not None and not self.is_conducted()):
                self.processes[name] = self._start(name)

    def kill(self, name: str) -> None:
        self.processes[name].kill()
        self.processes[name].wait()

    def is_conducted(self) -> bool:
        client = self.processes.get("client")
        return client is not None and client.poll() == 0

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        host, _, port = self.address.partition(":")
        dask, folder = "distributed.cli.dask_", ["--local-directory", str(self.folder)]
        words = {
            "scheduler": [
                "-m",
                f"{dask}scheduler",
                "--host",
                host,
                "--port",
                port,
                "--no-dashboard",
            ],
            "client": [
                str(TESTS / "campaign_simulation.py"),
                *(self.address, self.place, str(self.layouts), str(self.seconds)),
            ],
        }
        of_worker = ["-m", f"{dask}worker", self.address, "--nthreads", "1", "--no-nanny", *folder]
        path = f"{TESTS}{os.pathsep}{TESTS.parent / 'src'}"
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *words.get(name, [*of_worker, "--no-dashboard"])],
                env={**os.environ, "PYTHONPATH": path},
                stdout=log,
                stderr=log,
            )


@contextmanager
def cluster(store: SharedStore, folder: Path, layouts: int, seconds: float) -> Iterator[Cluster]:
    folder.mkdir()
    found = Cluster(store.place, folder, layouts, seconds)
    try:
        yield found
    finally:
        for process in found.processes.values():
            process.send_signal(signal.SIGKILL)
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def survive(kills: int, layouts: int, store: SharedStore, tmp_path: Path) -> None:
    """Kills a random process after each of `kills` steps of progress; requires that nothing that
    was finished is lost, changed or observed again."""
    plan, chance = simulation.plan(layouts), random.Random(kills)
    every = len(keys(plan))
    steps = sorted(chance.sample(range(1, every - 1), kills))
    kept: dict[str, bytes] = {}
    with cluster(store, tmp_path / "cluster", layouts, 0.05) as found:
        while not found.is_conducted():
            found.start_missing()
            time.sleep(0.05)
            now = contents(store)
            assert {key: now[key] for key in kept} == kept
            kept = now
            if steps and len(now) >= steps[0]:
                steps.pop(0)
                found.kill(chance.choice(sorted(found.processes)))
    assert not steps
    assert contents(store) == on_this_machine(plan, tmp_path / "single")
    outcome = Conductor(store, lambda *_: None, simulation.observe, print).conduct(
        conduct.left_of(plan, store)
    )
    assert (outcome.finished, outcome.collected.cases) == (every, every)


def test_no_kill_loses_or_doubles_an_observation(store: SharedStore, tmp_path: Path) -> None:
    survive(3, 12, store, tmp_path)


@pytest.mark.long
def test_fifty_kills_lose_nothing(store: SharedStore, tmp_path: Path) -> None:
    survive(50, 300, store, tmp_path)
