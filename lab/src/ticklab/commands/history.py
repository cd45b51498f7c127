# SPDX-License-Identifier: MIT
"""`history`: a kernel's figures over commits."""

from __future__ import annotations

import argparse
from pathlib import Path

from ticklab import paths

HELP = "show at which commits a kernel's figures changed"
NEEDS = ("python",)

EPILOG = """\
Reads the runs in the store, oldest first. + behind a commit: measured with changes that were not
committed.

examples:
  ticklab history bulkhead
  ticklab history freertos/default --scenario message-processing
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("kernel", metavar="KERNEL[/CONFIG[/OPTIMISE]]")
    parser.add_argument(
        "--scenario", metavar="SCENARIO", nargs="+", default=[], help="all, unless named"
    )
    parser.add_argument("--json", metavar="FILE", help="write every point as JSON; - prints")
    parser.add_argument("--store", metavar="DIR", type=Path, default=paths.store())


def run(arguments: argparse.Namespace) -> int:
    from ticklab import history
    from ticklab.store import Store
    from ticklab.views import history as view
    from ticklab.views import json, output

    store = Store(arguments.store)
    runs = store.every_run(output.passed_over)
    lines = history.of(arguments.kernel, arguments.scenario, runs)
    view.show(lines, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(view.document(lines)), arguments.json)
    return 0
