# SPDX-License-Identifier: MIT
"""`ticklab history`: prints how the figures of a kernel changed from commit to commit."""

from __future__ import annotations

import argparse

from ticklab import options

HELP = "show the commits at which the figures of a kernel changed"
NEEDS = ("python",)

EPILOG = """\
Reads the runs in the store, oldest first. A + after a commit means that the run had changes that
were not committed.

examples:
  ticklab history bulkhead
  ticklab history freertos/default --scenario message-processing
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "kernel",
        metavar="KERNEL[/CONFIG[/OPTIMISE]]",
        help="a kernel, or one configuration or optimisation of a kernel",
    )
    parser.add_argument(
        "--scenario",
        metavar="SCENARIO",
        nargs="+",
        default=[],
        help="scenarios to show (default all)",
    )
    options.add_json(parser, "every point")
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.comparison import history
    from ticklab.storage.store import Store
    from ticklab.views import history as view
    from ticklab.views import json, output

    store = Store(arguments.store)
    runs = store.every_run(output.passed_over)
    lines = history.collect(arguments.kernel, arguments.scenario, runs)
    view.show(lines, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(view.document(lines)), arguments.json)
    return 0
