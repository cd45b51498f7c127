# SPDX-License-Identifier: MIT
"""`ticklab gate`: fails if a kernel became slower than its baseline, and names the function that
became slower."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import bootstrap, options
from ticklab.bootstrap import tables
from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from ticklab.description.budget import Settings
    from ticklab.description.model import Record, Run
    from ticklab.storage.baseline import Baseline
    from ticklab.storage.store import Store

FORMATS = ("markdown", "junit", "sarif")

HELP = "fail if something became slower than a baseline"

EPILOG = """\
Builds and measures the cases of the baseline again, and prints a line for each change, with the
function that caused it. Counted figures are compared exactly; modelled cycles count as changed only
if every corner of the model agrees.

Exit status: 0 nothing became worse; 1 nothing became worse, but a case has no figures any more (it
failed, or was not measured); 2 wrong use; 3 something became worse.

examples:
  ticklab gate --baseline main
  ticklab gate --baseline ci/baseline.json --kernel ../my-kernel
  ticklab gate --baseline main 20261120-1        judge a run in the store
  ticklab gate --baseline main --format markdown >comment.md
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "run",
        nargs="?",
        metavar="RUN",
        help="a stored run to judge (default: measure the baseline's cases again)",
    )
    parser.add_argument(
        "--baseline",
        metavar="NAME",
        required=True,
        help="name or file of a baseline that 'baseline save' wrote",
    )
    options.add_kernel_folders(parser)
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="also judge figures that were measured with another compiler, flag or clock",
    )
    parser.add_argument(
        "--format",
        choices=["text", *FORMATS],
        default="text",
        help="print lines of text, a table for a comment, or a file for the build server "
        "(default text)",
    )
    parser.add_argument(
        "--settings",
        metavar="FILE",
        help="budgets and threshold (default ticklab.toml in the current folder, if there is one)",
    )
    options.add_json(parser, "the changes")
    options.add_jobs(parser)
    options.add_store(parser)


def needs(arguments: argparse.Namespace) -> list[str]:
    """Returns the steps of the set-up that the boards of the baseline need."""
    from ticklab.storage import baseline_files

    boards = baseline_files.boards(baseline_files.find(arguments.baseline, arguments.store))
    return [*bootstrap.EVERYTHING, *tables.needs(boards)]


def run(arguments: argparse.Namespace) -> int:
    from ticklab.comparison import gate
    from ticklab.description import catalogue
    from ticklab.storage import baseline, baseline_files
    from ticklab.storage.store import Store
    from ticklab.views import gate as view
    from ticklab.views import gate_reports, json, output

    if arguments.format != "text" and arguments.json == output.STDOUT:
        raise UsageError(
            f"--format {arguments.format} and --json - both print", "give --json a file"
        )
    store = Store(arguments.store)
    kept = baseline.read(baseline_files.find(arguments.baseline, store.root))
    settings = _settings(arguments, kept)
    folders = {catalogue.find_kernel(word).name: word for word in arguments.kernel}
    now = store.run(arguments.run) if arguments.run else _measured(arguments, kept, folders, store)
    if not arguments.anyway:
        _check_alike(kept, now)
    used = partial(_functions, store, now, folders)
    file = partial(_file, store, now, folders)
    sizes = now.provenance.get("footprints", {})
    changes = gate.judge(kept, now.records, now.lanes, used, file, settings, sizes)
    written = None if arguments.format == "text" else output.STDOUT
    view.show(arguments.baseline, kept, now, changes, output.console(arguments.json, written))
    if written:
        write = gate_reports.FORMATS[arguments.format]
        output.emit(write(kept, changes, view.sizes_of(kept, now)), written)
    if arguments.json:
        output.emit(json.dumps(view.document(kept, now, changes)), arguments.json)
    return gate.status(changes)


def _settings(arguments: argparse.Namespace, kept: Baseline) -> Settings:
    """Reads ticklab.toml before anything is measured, so that a mistake in the file is found
    early."""
    from ticklab.comparison import budgets
    from ticklab.description import budget

    file = Path(arguments.settings or budget.FILE)
    if not arguments.settings and not file.exists():
        return budget.NO_SETTINGS
    found = budget.read(file)
    budgets.require_matches(found.budget, kept.run.records, str(file))
    sizes = kept.run.provenance.get("footprints", {})
    budgets.require_footprints(found.footprint, kept.run.records, sizes, str(file))
    return found


def _measured(
    arguments: argparse.Namespace, kept: Baseline, folders: Mapping[str, str], store: Store
) -> Run:
    from ticklab.measurement import remeasure
    from ticklab.measurement.progress import shown

    with shown() as progress:
        command = arguments.command_line
        return remeasure.measure_again(kept, folders, store, arguments.jobs, progress, command)


def _functions(
    store: Store, run: Run, folders: Mapping[str, str], record: Record
) -> dict[str, float]:
    from ticklab.measurement import functions

    return functions.count_instructions(store, run, record, folders.get(record.kernel))


def _file(
    store: Store, run: Run, folders: Mapping[str, str], record: Record, function: str
) -> str | None:
    from ticklab.description import catalogue
    from ticklab.measurement import functions

    if "image" in run.provenance["kernels"][record.kernel]:
        return None
    word = folders.get(record.kernel)
    folder = catalogue.find_kernel(word or record.kernel).folder
    return functions.source_file(store, run, record, function, folder, word)


def _check_alike(kept: Baseline, now: Run) -> None:
    """Raises an error if the compiler, a flag or the clock is not that of the baseline, because a
    change of a figure would then not be due to the kernel."""
    from ticklab.comparison import compare, gate

    found = {gate.identity(record): record for record in now.records}
    pairs = ((then, found.get(gate.identity(then))) for then in kept.run.records)
    unlike = dict.fromkeys(
        str(difference)
        for then, record in pairs
        if record and then.figures.instructions and record.figures.instructions
        for difference in compare.differences(now, record, kept.run, then)
    )
    if unlike:
        raise TicklabError(
            f"the baseline was built in another way: {'; '.join(unlike)}",
            "save a new baseline, or use --anyway to judge as if the kernel were the cause",
        )
