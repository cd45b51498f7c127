# SPDX-License-Identifier: MIT
"""`report`: runs from the store as one HTML file that needs nothing else."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from ticklab import paths
from ticklab.model import Fact

HELP = "write runs as an HTML report"
NEEDS = ("python",)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="*", default=["latest"], metavar="RUN", help="ids of runs")
    parser.add_argument("-o", "--output", type=Path, default=Path("report.html"), metavar="FILE")
    parser.add_argument("--store", metavar="DIR", type=Path, default=paths.store())


def run(arguments: argparse.Namespace) -> int:
    from ticklab.store import Store
    from ticklab.views import html

    store = Store(arguments.store)
    runs = [store.run(name) for name in arguments.runs]
    html.write(runs, store, arguments.output, facts())
    print(f"report: {arguments.output}")
    return 0


def facts() -> Mapping[str, Sequence[Fact]]:
    """Facts of the kernels of this checkout, by name."""
    from ticklab import descriptions

    return {name: kernel.facts for name, kernel in descriptions.kernels().items()}
