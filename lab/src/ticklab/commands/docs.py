# SPDX-License-Identifier: MIT
"""`ticklab docs`: builds the documentation as a site, and fills the tables of figures."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "build the documentation site; fill the figures of the documents"

EPILOG = """\
Without an action, builds the site that docs/index.md describes. The site needs no network: open its
index.html. Its own packages are installed at the first build.

examples:
  ticklab docs                            build .ticklab/site/html
  ticklab docs figures                    fill each table that names its query from the baseline
  ticklab docs baseline run.json          put the records of a run into the baseline; then fill
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "action",
        nargs="?",
        choices=("site", "figures", "baseline"),
        default="site",
        help="site: build the site; figures: fill the tables of docs/ from docs/figures/"
        "baseline.json; baseline: replace records of that file, then fill (default site)",
    )
    parser.add_argument(
        "runs", nargs="*", type=Path, metavar="FILE", help="files that 'run --json' wrote"
    )


def needs(arguments: argparse.Namespace) -> tuple[str, ...]:
    return ("python", "documentation") if arguments.action == "site" else ("python",)


def run(arguments: argparse.Namespace) -> int:
    if arguments.action == "site":
        return _site()
    if arguments.action == "baseline":
        _baseline(arguments.runs)
    return _figures()


def _site() -> int:
    from ticklab.documents import site

    print(f"site: {site.build()}")
    return 0


def _baseline(runs: list[Path]) -> None:
    from ticklab.documents import baseline
    from ticklab.errors import UsageError

    if not runs:
        raise UsageError("no run is named", "give files that 'ticklab run --json FILE' wrote")
    print(f"baseline: {baseline.update(runs)} records")


def _figures() -> int:
    from ticklab.documents import baseline, figures, pictures

    records = baseline.read()
    changed = [*figures.fill(records), *pictures.draw(records)]
    print(*(f"changed: {name}" for name in changed), sep="\n")
    print(f"{len(changed)} files changed")
    return 0
