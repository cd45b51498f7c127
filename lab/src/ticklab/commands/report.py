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
    from ticklab.description.model import Record
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
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
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
    explain = partial(explained, store)
    html.write(runs, store, arguments.output, about(), explain, asked(arguments))
    print(f"report: {arguments.output}")
    return 0


def _is_timed(record: Record) -> bool:
    """Returns whether a record is a sweep whose cycles are known."""
    return record.curve is not None and record.curve.cycles is not None


def explained(store: Store, record: Record) -> Explained | None:
    """Returns the explanation of a record's cost, or None without a recording. Prints an error if
    the recording cannot be explained: the report is written without the explanation."""
    from ticklab.explain import disassembly, replay, subjects
    from ticklab.views.explained import Explained

    if not record.measurement or not store.recording(record.measurement):
        return None
    try:
        recording = subjects.open_recording(store, record)
        spans = [span for span in recording.about.spans if span.name == record.span]
        sample = record.curve.position if record.curve else replay.WORST
        found = replay.explain(recording, spans, sample, alone=record.curve is not None)
    except TicklabError as error:
        print(f"ticklab: {record.scenario} of {record.kernel}: {error}", file=sys.stderr)
        return None
    return Explained(found, found.spans[0], disassembly.read(recording.image))


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
