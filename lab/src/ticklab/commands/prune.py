# SPDX-License-Identifier: MIT
"""`ticklab prune`: makes room in the store."""

from __future__ import annotations

import argparse
from pathlib import Path

from ticklab import options, paths

HELP = "remove old runs and what no run refers to"
NEEDS = ("python",)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Measurements of the runs that stay are kept, and so are those of the last day. What "
        "cannot be read is named and left alone; while a run cannot be read, all measurements stay."
    )
    parser.add_argument(
        "--keep",
        metavar="N",
        type=options.number,
        default=10,
        help="the newest N runs; 10 unless said",
    )
    parser.add_argument("--store", metavar="DIR", type=Path, default=paths.store())


def run(arguments: argparse.Namespace) -> int:
    from ticklab.store import Store
    from ticklab.views import output

    pruned = Store(arguments.store).prune(arguments.keep)
    print(
        f"removed {pruned.runs} runs, {pruned.measurements} measurements "
        f"and {pruned.unfinished} unfinished or damaged folders from {arguments.store}"
    )
    for error in pruned.left:
        output.passed_over(error)
    return 0
