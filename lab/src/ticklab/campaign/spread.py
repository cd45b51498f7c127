# SPDX-License-Identifier: MIT
"""Hands the orders (groups of cases) of a campaign to the workers of a Dask scheduler, two for each
worker at a time, so that neither the scheduler nor this process ever holds the whole campaign.

A worker builds the kernel of a variant and tests its conformance before it observes the variant's
first case. So it gets orders of variants that it has built before others.

Each observation is in the shared store as soon as it is finished. So a worker, the scheduler or
this process may end at any moment, and the same command continues the campaign. If a worker is
lost, its orders go to other workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

import dask
from distributed import Client, Future, LocalCluster, wait
from distributed.scheduler import KilledWorker

from ticklab import paths
from ticklab.campaign import dask_settings, identity
from ticklab.campaign.identity import Identity
from ticklab.campaign.worker import Report, Task, Worker
from ticklab.errors import TicklabError

AHEAD = 2  # orders that each worker holds: it carries out one, and the other waits
SOUGHT = 256  # number of orders among which one is chosen for a worker
POLL_S = 1.0
GONE_S = 10.0  # a worker that does not answer for this time is lost
CONNECT_S = 30.0

Say = Callable[[str], None]
Ask = Callable[[], Identity]


@contextmanager
def local(workers: int) -> Iterator[str]:
    """Starts workers on this machine, reachable from this machine only. Yields the address of their
    scheduler."""
    folder = paths.home() / "dask"
    folder.mkdir(parents=True, exist_ok=True)
    with (
        dask.config.set(dask_settings.SETTINGS),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            local_directory=str(folder),
            memory_limit=0,
            silence_logs=40,
        ) as cluster,
    ):
        yield cluster.scheduler_address


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Yields a connection to a scheduler."""
    try:
        client = Client(address, timeout=CONNECT_S, name="ticklab")
    except (OSError, ValueError) as error:
        raise TicklabError(
            f"no Dask scheduler at {address}", "start one with --scheduler-here, or give --local N"
        ) from error
    try:
        yield client
    finally:
        client.close(timeout=5)


class Spreader:
    """Hands out tasks to workers. The function `ask` returns the identity of a worker; only workers
    with the identity `known` get tasks."""

    def __init__(self, client: Client, ask: Ask, known: Identity, say: Say) -> None:
        self._client = client
        self._crew = _Crew(client, ask, known, say)
        self._handed: dict[Future[Any], tuple[Task, str]] = {}  # with the worker that has the task

    def run(
        self, tasks: Iterator[Task], work: Worker, done: Callable[[Task, Report], None]
    ) -> None:
        """Has workers carry out all tasks. Calls `done` with the report of each task."""
        queue = Queue(tasks)
        while True:
            accepted = self._crew.accepted()
            queue.take_back(self._lost())
            self._hand_out(queue, accepted, work)
            if not self._handed and queue.is_empty():
                return
            queue.take_back(self._collect(done))

    def _hand_out(self, queue: Queue, accepted: frozenset[str], work: Worker) -> None:
        """Hands out tasks until each worker has enough of them, or no task is left."""
        for _ in range(AHEAD):
            for worker in sorted(accepted):
                if self._holds(worker) < AHEAD and (task := queue.next_for(worker, accepted)):
                    key = f"ticklab-{task.order.name}-{time.monotonic_ns()}"
                    future = _submit(self._client, worker, key, work, task)
                    self._handed[future] = task, worker

    def _holds(self, worker: str) -> int:
        return sum(had == worker for _, had in self._handed.values())

    def _collect(self, done: Callable[[Task, Report], None]) -> list[Task]:
        """Collects the reports of finished tasks. Returns the tasks that must be handed out
        again."""
        pending = [*self._handed, *self._crew.asked.values()]
        if not pending:
            time.sleep(POLL_S)
            return []
        with suppress(TimeoutError, CancelledError):
            wait(pending, timeout=POLL_S, return_when="FIRST_COMPLETED")
        finished = [future for future in self._handed if future.done()]
        return [task for future in finished for task in self._report(future, done)]

    def _report(self, future: Future[Any], done: Callable[[Task, Report], None]) -> Iterator[Task]:
        task, _ = self._handed.pop(future)
        if future.status in ("cancelled", "lost"):
            yield task
            return
        try:
            report = future.result()
        except KilledWorker:
            report = Report(not_kept=(f"{task.order.label}: each worker that had it ended",))
        if report.refused:  # another worker now has the address of an accepted worker
            self._crew.forget()
            yield task
        else:
            done(task, report)

    def _lost(self) -> list[Task]:
        """Cancels the tasks whose workers are lost, and returns them."""
        gone = [each for each, (_, had) in self._handed.items() if self._crew.lost(had)]
        tasks = [self._handed.pop(each)[0] for each in gone]
        if gone:
            self._client.cancel(gone, force=True)
        return tasks


class Queue:
    """The tasks that no worker has yet."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._tasks = tasks
        self._next: list[Task] = []
        self._builders: dict[Hashable, str] = {}  # by variant: the worker that builds it

    def is_empty(self) -> bool:
        self._fill()
        return not self._next

    def take_back(self, tasks: list[Task]) -> None:
        self._next[:0] = tasks

    def next_for(self, worker: str, workers: frozenset[str]) -> Task | None:
        """Returns a task of a variant that the worker has built. If there is none, returns one of a
        variant that no other of `workers` has built, or the next task."""
        self._fill()
        if not self._next:
            return None
        builders = [self._builders.get(task.order.variant) for task in self._next]
        rank = [0 if each == worker else 2 if each in workers else 1 for each in builders]
        task = self._next.pop(rank.index(min(rank)))
        self._builders[task.order.variant] = worker
        return task

    def _fill(self) -> None:
        self._next += islice(self._tasks, max(0, SOUGHT - len(self._next)))


class _Crew:
    """The workers of a scheduler. Each is asked for its identity before it gets a task."""

    def __init__(self, client: Client, ask: Ask, known: Identity, say: Say) -> None:
        self._client, self._ask, self._known, self._say = client, ask, known, say
        self.asked: dict[str, Future[Any]] = {}
        self._accepted: set[str] = set()
        self._refused: set[str] = set()
        self._seen_at: dict[str, float] = {}
        self._is_waiting = False

    def accepted(self) -> frozenset[str]:
        """Returns the connected workers that were accepted. Raises an error if none is left."""
        present = self._present()
        for address in present - self._accepted - self._refused - self.asked.keys():
            key = f"ticklab-identity-{address}-{time.monotonic_ns()}"
            self.asked[address] = _submit(self._client, address, key, self._ask)
        for address, future in list(self.asked.items()):
            if future.done() or address not in present:
                self._meet(address, self.asked.pop(address))
        self._accepted &= present
        self._refused &= present
        self._say_if_alone(present)
        return frozenset(self._accepted)

    def lost(self, worker: str) -> bool:
        """Returns whether the worker has not been connected for GONE_S seconds."""
        return time.monotonic() - self._seen_at.get(worker, 0.0) > GONE_S

    def forget(self) -> None:
        """Forgets the identities of all workers, so that every worker is asked again."""
        self._accepted.clear()

    def _present(self) -> set[str]:
        try:
            if self._client.status not in ("running", "connecting"):
                raise OSError(self._client.status)
            found = set(self._client.scheduler_info(n_workers=-1)["workers"])
        except (OSError, TimeoutError) as error:
            raise TicklabError(
                "the scheduler was lost; finished observations are kept",
                "start it again, and the same command continues",
            ) from error
        self._seen_at |= dict.fromkeys(found, time.monotonic())
        return found

    def _meet(self, address: str, future: Future[Any]) -> None:
        if future.status == "finished":
            theirs = future.result()
            if theirs == self._known:
                self._accepted.add(address)
            else:
                self._refuse(address, f"it differs in {identity.difference(self._known, theirs)}")
        elif future.status == "error" and not isinstance(future.exception(), KilledWorker):
            self._refuse(address, str(future.exception()))

    def _refuse(self, address: str, why: str) -> None:
        self._refused.add(address)
        self._say(f"rejected the worker {address}: {why}")

    def _say_if_alone(self, present: set[str]) -> None:
        if present and present == self._refused:
            raise TicklabError(
                f"all {len(present)} workers were rejected",
                "install on each the commit and the tools of this machine",
            )
        if not present and not self._is_waiting:
            self._say("waiting for workers: start some with 'ticklab campaign --worker-for'")
        self._is_waiting = not present


def _submit(
    client: Client, worker: str, key: str, call: Callable[..., Any], *words: Any
) -> Future[Any]:
    return client.submit(
        call, *words, key=key, workers=[worker], allow_other_workers=False, pure=False
    )
