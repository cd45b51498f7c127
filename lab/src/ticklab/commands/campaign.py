# SPDX-License-Identifier: MIT
"""`ticklab campaign`: measures many cases with many workers (docs/how-to/run-a-campaign.md)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ticklab import bootstrap, options
from ticklab.bootstrap import tables
from ticklab.campaign import dask_settings
from ticklab.description import toml_file
from ticklab.description.fields import is_number
from ticklab.description.folders import BOARDS, KERNELS
from ticklab.errors import UsageError

if TYPE_CHECKING:
    from ticklab.campaign.conduct import Left, Outcome
    from ticklab.campaign.shared import SharedStore
    from ticklab.description.campaign import Campaign

HELP = "measure a campaign of many builds, with workers on one or several machines"

EPILOG = """\
CAMPAIGN.toml has blocks of cases: kernels, configurations, boards, suites, levels, compilers,
placements. Workers take them from a Dask scheduler, on this machine or elsewhere. Each observation
is kept at once in a store that all workers share; the same command continues an interrupted
campaign. A worker with other sources, compilers or another observer is rejected.

A program that reaches a scheduler can run anything on its workers: let only machines that you trust
reach it. --local is reached from this machine only.

Exit status: 0 all cases are finished and passed; 1 otherwise.

examples:
  ticklab campaign campaign.toml                       a worker for each processor
  ticklab campaign campaign.toml --plan                only count the cases
  ticklab campaign --scheduler-here 0.0.0.0:8786       on one machine
  ticklab campaign --worker-for tcp://HOST:8786        on each machine that measures
  ticklab campaign campaign.toml --scheduler tcp://HOST:8786
  ticklab campaign campaign.toml --sql 'SELECT kernel, count(*) FROM records GROUP BY kernel'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "file", metavar="CAMPAIGN.toml", type=Path, nargs="?", help="the campaign (default none)"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--local",
        metavar="N",
        type=options.positive,
        help="number of workers on this machine (default one for each processor)",
    )
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of a Dask scheduler (default --local)"
    )
    where.add_argument(
        "--plan",
        action="store_true",
        help="print how many cases there are and how many are left; measure nothing",
    )
    where.add_argument(
        "--scheduler-here",
        metavar="HOST:PORT",
        help="run a Dask scheduler at this address until it is interrupted (default none)",
    )
    where.add_argument(
        "--worker-for",
        metavar="ADDRESS",
        help="run a worker for the scheduler at this address (default none)",
    )
    parser.add_argument(
        "--sql",
        metavar="QUERY",
        help="run an SQL query (DuckDB) on the table `records`, and print the result (default "
        "none)",
    )
    parser.add_argument(
        "--parquet", metavar="FILE", type=Path, help="write all records to this Parquet file"
    )
    options.add_shard(parser, "the cases, without refinement")
    options.add_json(parser, "the state of the campaign")


def needs(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Returns the steps of the set-up that the boards and kernels in the campaign's file need.
    Mistakes in the file are reported later, when the whole file is read."""
    boards = [*_words(arguments.file, "board")]
    kernels = [*_words(arguments.file, "kernel")]
    return (*bootstrap.EVERYTHING, "campaign", *tables.needs(boards, kernels))


def _words(file: Path | None, key: str) -> Iterator[str]:
    """Yields the boards or kernels that the blocks of the campaign's file name: known names, and
    folders."""
    kind = {"board": BOARDS, "kernel": KERNELS}[key]
    blocks = toml_file.load(file).get("cases") if file else None
    for block in blocks if isinstance(blocks, list) else ():
        words = block.get(key) if isinstance(block, dict) else None
        for word in words if isinstance(words, list) else ():
            head = str(word).partition("/")[0]
            if head in kind.every():
                yield head
            elif file and (file.parent / str(word) / kind.file).is_file():
                yield str(file.parent / str(word))


def run(arguments: argparse.Namespace) -> int:
    if arguments.scheduler_here:
        return _become("dask_scheduler", _listening(arguments.scheduler_here))
    if arguments.worker_for:
        return _become("dask_worker", [arguments.worker_for, "--nthreads", "1"])
    if arguments.file is None:
        raise UsageError("no campaign is named", "give CAMPAIGN.toml")
    from ticklab.campaign import conduct
    from ticklab.campaign.shared import SharedStore
    from ticklab.description import campaign

    found = campaign.read(arguments.file)
    store = SharedStore(conduct.place(found))
    left = conduct.left_of(conduct.plan(found, arguments.shard or conduct.WHOLE), store)
    outcome = _conduct(arguments, left, store)
    return _show(arguments, found, store, outcome)


def _listening(word: str) -> list[str]:
    host, _, port = word.rpartition(":")
    if not host or not is_number(port):
        raise UsageError(f"'{word}' is not HOST:PORT", "for example 127.0.0.1:8786")
    return ["--host", host, "--port", port]


def _become(program: str, words: list[str]) -> int:
    """Replaces this process by a program of Dask whose Python finds Ticklab's modules."""
    found = {**dask_settings.environment(), **os.environ}
    found["PYTHONPATH"] = str(Path(__file__).parents[2])
    command = [sys.executable, "-P", "-m", f"distributed.cli.{program}", *words]
    os.execve(command[0], command, found)


def _conduct(arguments: argparse.Namespace, left: Left, store: SharedStore) -> Outcome:
    from ticklab.campaign import conduct, identity, worker
    from ticklab.campaign.orders import means
    from ticklab.campaign.spread import Spreader

    if arguments.plan or (left.cases == left.finished and not left.plan.campaign.refine):
        return conduct.Conductor(store, _nobody, worker.carry_out, say).conduct(left)
    with _workers(arguments) as client:
        say(f"dashboard: {client.dashboard_link}")
        ask = partial(identity.of_this_machine, means(left.plan.campaign))
        spreader = Spreader(client, ask, left.plan.known, say)
        return conduct.Conductor(store, spreader.run, worker.carry_out, say).conduct(left)


def _nobody(*_: object) -> None:
    """Takes the place of the function that hands out tasks if there are none."""


@contextmanager
def _workers(arguments: argparse.Namespace) -> Iterator[Any]:
    from ticklab.campaign import spread

    if arguments.scheduler:
        with spread.connected(arguments.scheduler) as client:
            yield client
        return
    number = arguments.local or len(os.sched_getaffinity(0))
    with spread.local(number) as address, spread.connected(address) as client:
        yield client


def _show(
    arguments: argparse.Namespace, found: Campaign, store: SharedStore, outcome: Outcome
) -> int:
    from ticklab.campaign import document, results
    from ticklab.views import json, output

    whole = document.document(found.name, store.place, outcome)
    out = output.console(arguments.json)
    for line in document.lines(whole):
        out.print(line, soft_wrap=True)
    parts = outcome.collected.parts
    if arguments.sql:
        _print(out, *results.ask(arguments.sql, parts, store))
    if arguments.parquet:
        results.save(parts, store, arguments.parquet)
    if arguments.json:
        output.emit(json.dumps(whole), arguments.json)
    return int(outcome.finished < outcome.cases or outcome.failed > 0) if not arguments.plan else 0


def _print(out: Any, names: list[str], rows: list[tuple[Any, ...]]) -> None:
    from rich.table import Table

    table = Table(*names)
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row))
    out.print(table)


def say(line: str) -> None:
    print(f"ticklab: {line}", file=sys.stderr, flush=True)
