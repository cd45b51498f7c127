# SPDX-License-Identifier: MIT
"""`ticklab baseline`: saves runs as baselines, with which `gate` compares later runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.plural import number_of

if TYPE_CHECKING:
    from ticklab.description.model import Record, Run

HELP = "save a run as a baseline for 'gate'"

EPILOG = """\
NAME is a word, for a baseline in the store, or a path that ends in .json, for a file in a kernel's
repository.

examples:
  ticklab baseline save main                        the latest run
  ticklab baseline save ci/baseline.json 20261120-1 the run whose id begins so, in a file
  ticklab baseline save mine --kernel ../my-kernel  a run of a kernel that is a folder of yours
  ticklab baseline list
  ticklab baseline remove main
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    actions = parser.add_subparsers(
        dest="action", metavar="save|list|remove", required=True, help="what to do:"
    )
    save = actions.add_parser("save", help="save a run, with the instructions of each function")
    save.add_argument("name", metavar="NAME", help="name of the baseline, or its file")
    options.add_run(save)
    save.add_argument(
        "--anyway", action="store_true", help="also save figures that may not be ranked"
    )
    options.add_kernel_folders(save)
    listing = actions.add_parser("list", help="list the baselines in the store")
    remove = actions.add_parser("remove", help="remove a baseline")
    remove.add_argument("name", metavar="NAME", help="name of the baseline, or its file")
    for each in (save, listing, remove):
        options.add_store(each)


def run(arguments: argparse.Namespace) -> int:
    {"save": _save, "list": _list, "remove": _remove}[arguments.action](arguments)
    return 0


def _save(arguments: argparse.Namespace) -> None:
    from ticklab.description import catalogue
    from ticklab.measurement import functions as explain
    from ticklab.measurement import reproducing
    from ticklab.measurement.progress import shown
    from ticklab.storage import baseline, baseline_files
    from ticklab.storage.store import Store

    store = Store(arguments.store)
    file = baseline_files.path(arguments.name, store.root)
    found = store.run(arguments.run)
    if not arguments.anyway:
        _check_doubts(found)
    folders = {catalogue.find_kernel(word).name: word for word in arguments.kernel}
    with shown() as progress:
        progress.begin("explaining", len(found.records))

        def functions(record: Record) -> dict[str, float]:
            taken = explain.count_instructions(store, found, record, folders.get(record.kernel))
            progress.done(f"{record.kernel} {record.config} {record.scenario}")
            return taken

        kept = baseline.make(found, lambda record: reproducing.plan_of(store, record), functions)
    baseline.write(kept, file)
    records = number_of(len(kept.entries), "record")
    print(f"baseline {arguments.name}: {records} of run {found.id}")


def _check_doubts(run: Run) -> None:
    """Raises an error if the run has figures that may not be ranked, because `gate` would compare
    later runs with them."""
    from ticklab.comparison import doubts
    from ticklab.errors import TicklabError

    doubted = dict.fromkeys(
        f"{record.kernel}/{record.config}: {kind}: {why}"
        for record in run.records
        if record.figures.instructions
        for kind, (why, _) in doubts.between(record, record).items()
    )
    if doubted:
        raise TicklabError(
            f"run {run.id} has figures that may not be ranked: {'; '.join(doubted)}",
            "--anyway saves them",
        )


def _list(arguments: argparse.Namespace) -> None:
    from ticklab.storage import baseline, baseline_files
    from ticklab.storage.sealed import UnreadableError
    from ticklab.views import output

    for name in baseline_files.saved(arguments.store):
        try:
            kept = baseline.read(baseline_files.path(name, arguments.store))
        except UnreadableError as error:
            output.passed_over(error)
            continue
        kernels = ", ".join(dict.fromkeys(record.kernel for record in kept.run.records))
        records = number_of(len(kept.entries), "record")
        print(f"{name}  run {kept.run.id}, {records}: {kernels}")


def _remove(arguments: argparse.Namespace) -> None:
    from ticklab.storage import baseline_files

    baseline_files.find(arguments.name, arguments.store).unlink()
    print(f"removed baseline {arguments.name}")
