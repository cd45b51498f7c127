# SPDX-License-Identifier: MIT
"""`ticklab show`: prints a run of the store: its answer, as `run` printed it, and all tables."""

from __future__ import annotations

import argparse

from ticklab import options

HELP = "print a stored run"
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
    options.add_run(parser)
    options.add_answer(parser)
    options.add_deadline(parser)
    options.add_json(parser, "the run")
    parser.add_argument("--csv", metavar="FILE", help="write the run as CSV to a file; - prints it")
    parser.add_argument(
        "--svg", metavar="FILE", help="write the answer as a picture to a file; - prints it"
    )
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.storage.store import Store
    from ticklab.summary.answer import Unit
    from ticklab.summary.matrix import check_reference
    from ticklab.views import answer, csv, json, output, picture, table

    found = Store(arguments.store).run(arguments.run)
    check_reference(arguments.reference, ((r.kernel, r.config) for r in found.records))
    unit, out = Unit(arguments.unit), output.console(arguments.json, arguments.csv, arguments.svg)
    answer.show(found, out, unit, arguments.reference, arguments.deadline)
    table.show(found, out, arguments.reference)
    if arguments.json:
        output.emit(json.dumps(json.document(found, arguments.reference)), arguments.json)
    if arguments.csv:
        output.emit(csv.dumps(found), arguments.csv)
    if arguments.svg:
        output.emit(picture.svg(found, unit, arguments.reference), arguments.svg)
    return 0
