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
    options.add_output(
        parser, "file to write (default report.html)", type=Path, default=Path("report.html")
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
    html.write(runs, store, arguments.output, about(runs), explain, asked(arguments))
    print(f"report: {arguments.output}")
    return 0


def _is_timed(record: Record) -> bool:
    """Returns whether a record is a sweep whose cycles are known."""
    return record.curve is not None and record.curve.cycles is not None


def explained(
    store: Store, runs: Sequence[Run], folders: Mapping[str, str], record: Record
) -> Explained | None:
    """Returns the explanation of a record's cost, or None if the store has not kept the image. If
    the cost cannot be explained, prints the error, and the report is written without the
    explanation. `folders` are the folders of users' kernels, by name."""
    from ticklab.description import catalogue
    from ticklab.explain import disassembly, second_run, source_text, subjects
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
            span, kernel = found.spans[0], subjects.known_kernel(first.about.kernel, folders)
            named = (code.line for code in span.code if code.line)
            core = catalogue.find_board(record.board).core
            texts = source_text.of_lines(named, first.image, kernel, core) if kernel else {}
            return Explained(found, span, disassembly.read(first.image), rules, texts)
    except TicklabError as error:
        print(f"ticklab: {record.scenario} of {record.kernel}: {error}", file=sys.stderr)
        return None


def asked(arguments: argparse.Namespace) -> Asked:
    """Returns the reference kernel, the unit and the deadline that the user chose for the
    report."""
    from ticklab.summary.answer import Unit
    from ticklab.views.html import Asked

    return Asked(arguments.reference, Unit(arguments.unit), arguments.deadline)


def about(runs: Sequence[Run]) -> About:
    """Collects the facts that the kernels and suites of `runs` declare in this checkout's
    descriptions."""
    from ticklab.description import catalogue
    from ticklab.views.html import About

    records = [record for one in runs for record in one.records]
    kernels = catalogue.kernels({record.kernel for record in records}).values()
    suites = catalogue.suites({record.suite for record in records}).values()
    return About(
        {kernel.name: kernel.facts for kernel in kernels},
        {kernel.name: kernel.without_isolation for kernel in kernels if kernel.without_isolation},
        {suite.name: suite.plots for suite in suites},
    )
