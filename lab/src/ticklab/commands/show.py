# SPDX-License-Identifier: MIT
"""`ticklab show`: prints a run of the store, as `run` printed it."""

from __future__ import annotations

import argparse

from ticklab import options

HELP = "print a run of the store"
NEEDS = ("python",)

EPILOG = """\
examples:
  ticklab show                          the latest run
  ticklab show 20261120-14              the run whose id begins so; see 'ticklab list runs'
  ticklab show --reference rt           cycles of the other kernels relative to those of rt
  ticklab show --csv - > run.csv
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "run",
        nargs="?",
        default="latest",
        help="id of a run, or the beginning of one (default latest)",
    )
    parser.add_argument(
        "--reference",
        metavar="KERNEL[/CONFIG]",
        help="kernel to compare the others with (default the kernel with the most records)",
    )
    options.add_json(parser, "the run")
    parser.add_argument("--csv", metavar="FILE", help="write the run as CSV to a file; - prints it")
    parser.add_argument(
        "--svg", metavar="FILE", help="write the tables as a picture to a file; - prints it"
    )
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.storage.store import Store
    from ticklab.views import csv, json, output, picture, table

    found = Store(arguments.store).run(arguments.run)
    table.show(
        found, output.console(arguments.json, arguments.csv, arguments.svg), arguments.reference
    )
    if arguments.json:
        output.emit(json.dumps(json.document(found)), arguments.json)
    if arguments.csv:
        output.emit(csv.dumps(found), arguments.csv)
    if arguments.svg:
        output.emit(picture.svg(found, arguments.reference), arguments.svg)
    return 0
