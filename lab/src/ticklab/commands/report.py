# SPDX-License-Identifier: MIT
"""`ticklab report`: writes runs of the store as one HTML file that refers to no other file."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ticklab.description.model import Record, Run
    from ticklab.storage.store import Store
    from ticklab.views.explained import Explained
    from ticklab.views.html import About, Asked

HELP = "write runs as an HTML report"
NEEDS = ("python",)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="*",
        default=["latest"],
        metavar="RUN",
        help="ids of runs, or beginnings of ids (default latest)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("report.html"),
        metavar="FILE",
        help="file to write (default report.html)",
    )
    options.add_answer(parser)
    options.add_deadline(parser)
    options.add_kernel_folders(parser)
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.explain import subjects
    from ticklab.storage.store import Store
    from ticklab.summary.matrix import check_reference
    from ticklab.views import html

    store = Store(arguments.store)
    runs = [store.run(name) for name in arguments.runs]
    check_reference(
        arguments.reference, ((r.kernel, r.config) for one in runs for r in one.records)
    )
    if arguments.deadline and not any(_is_timed(r) for one in runs for r in one.records):
        raise UsageError(
            "--deadline is for sweeps with cycles, and these runs have none",
            "measure some with 'ticklab run --suite worst-case'",
        )
    explain = partial(explained, store, runs, subjects.folders(arguments.kernel))
    html.write(runs, store, arguments.output, about(), explain, asked(arguments))
    print(f"report: {arguments.output}")
    return 0


def _is_timed(record: Record) -> bool:
    """Returns whether a record is a sweep whose cycles are known."""
    return record.curve is not None and record.curve.cycles is not None


def explained(
    store: Store, runs: Sequence[Run], folders: Mapping[str, str], record: Record
) -> Explained | None:
    """Returns the explanation of a record's cost, or None if the store has not kept the image.
    Prints an error if it cannot be explained: the report is written without the explanation.
    `folders` are those of users' kernels, by name."""
    from ticklab.explain import disassembly, second_run, subjects
    from ticklab.measurement import repeating
    from ticklab.views.explained import Explained

    run = next(one for one in runs if record in one.records)
    sample = record.curve.position if record.curve else second_run.WORST
    try:
        if not record.measurement or not store.image(record.measurement):
            return None
        with repeating.repeated(store, run, record, folders.get(record.kernel)) as first:
            spans = [span for span in first.about.spans if span.name == record.span]
            found = second_run.explain(first, spans, sample, alone=record.curve is not None)
            rules = subjects.known_rules(first.about.kernel, folders)
            return Explained(found, found.spans[0], disassembly.read(first.image), rules)
    except TicklabError as error:
        print(f"ticklab: {record.scenario} of {record.kernel}: {error}", file=sys.stderr)
        return None


def asked(arguments: argparse.Namespace) -> Asked:
    """Returns the reference, the unit and the deadline that the command line names."""
    from ticklab.summary.answer import Unit
    from ticklab.views.html import Asked

    return Asked(arguments.reference, Unit(arguments.unit), arguments.deadline)


def about() -> About:
    """Collects the facts that the kernels and suites of this checkout declare."""
    from ticklab.description import catalogue
    from ticklab.views.html import About

    kernels = catalogue.kernels().values()
    return About(
        {kernel.name: kernel.facts for kernel in kernels},
        {kernel.name: kernel.without_isolation for kernel in kernels if kernel.without_isolation},
        {suite.name: suite.plots for suite in catalogue.suites().values()},
    )
