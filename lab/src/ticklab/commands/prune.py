# SPDX-License-Identifier: MIT
"""`ticklab prune`: removes old runs, and measurements that no run refers to, from the store."""

from __future__ import annotations

import argparse

from ticklab import options
from ticklab.plural import number_of

HELP = "remove old runs, and measurements that no run refers to"
NEEDS = ("python",)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Keeps the measurements of the runs that stay, and those of the last 24 hours. Names files "
        "that cannot be read and keeps them; if a run cannot be read, keeps all measurements."
    )
    parser.add_argument(
        "--keep",
        metavar="N",
        type=options.number,
        default=10,
        help="number of runs to keep, the newest first (default 10)",
    )
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.storage.store import Store
    from ticklab.views import output

    pruned = Store(arguments.store).prune(arguments.keep)
    print(
        f"removed {number_of(pruned.runs, 'run')}, {number_of(pruned.measurements, 'measurement')} "
        f"and {pruned.unfinished} unfinished or damaged folders from {arguments.store}"
    )
    for error in pruned.left:
        output.passed_over(error)
    return 0
