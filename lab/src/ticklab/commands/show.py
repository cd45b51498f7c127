# SPDX-License-Identifier: MIT
"""`show`: a run from the store, as `run` printed it."""

from __future__ import annotations

import argparse
from pathlib import Path

from ticklab import paths

HELP = "print a run from the store"
NEEDS = ("python",)

EPILOG = """\
examples:
  ticklab show                          the latest run
  ticklab show 20261120-14              the run whose id begins so; 'ticklab list runs' has them
  ticklab show --reference rt           the others' cycles relative to those of rt
  ticklab show --csv - > run.csv
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run", nargs="?", default="latest", help="its id, or how it begins")
    parser.add_argument("--reference", metavar="KERNEL[/CONFIG]", help="compare the others with it")
    parser.add_argument("--json", metavar="FILE", help="write it as JSON; - prints")
    parser.add_argument("--csv", metavar="FILE", help="write it as CSV; - prints")
    parser.add_argument("--svg", metavar="FILE", help="write it as a picture, for documents")
    parser.add_argument("--store", metavar="DIR", type=Path, default=paths.store())


def run(arguments: argparse.Namespace) -> int:
    from ticklab.store import Store
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
