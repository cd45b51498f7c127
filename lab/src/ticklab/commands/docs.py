# SPDX-License-Identifier: MIT
"""`ticklab docs`: builds the documentation as a site, writes the generated files, and fills the
tables of figures."""

from __future__ import annotations

import argparse
from pathlib import Path

from ticklab.plural import number_of

HELP = "build the documentation site; write generated parts and figures of the documents"

EPILOG = """\
Without an action, builds the site that docs/index.md describes. The site needs no network: open its
index.html. Its own packages are installed at the first build.

examples:
  ticklab docs                            build .ticklab/site/html
  ticklab docs generate                   write schemas, bench/src/unsupported.c, docs/images
  ticklab docs figures                    fill each table that names its query from the baseline
  ticklab docs measure                    measure every figure of the documents; then fill
  ticklab docs measure Os footprint       measure these of docs/figures/runs.toml; then fill
  ticklab docs baseline run.json          put the records of a run into the baseline; then fill
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "action",
        nargs="?",
        choices=("site", "generate", "figures", "measure", "baseline"),
        default="site",
        help="site: build the site; generate: write docs/reference/schemas, a default for each "
        "service of the contract, and pictures of declarations; figures: fill the tables of docs/ "
        "from docs/figures/baseline.json; measure: carry out docs/figures/runs.toml, which "
        "replaces that file, then fill; baseline: replace records of that file, then fill (default "
        "site)",
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME|FILE",
        help="measure: names of measurements (default all); baseline: files that 'run --json' or "
        "'footprint --json' wrote",
    )


def needs(arguments: argparse.Namespace) -> tuple[str, ...]:
    return ("python", "documentation") if arguments.action == "site" else ("python",)


def run(arguments: argparse.Namespace) -> int:
    if arguments.action == "site":
        return _site()
    if arguments.action == "generate":
        return _changed(_generated())
    if arguments.action == "measure":
        _measure(arguments.names)
    if arguments.action == "baseline":
        _baseline([Path(name) for name in arguments.names])
    return _figures()


def _site() -> int:
    from ticklab.documents import site

    print(f"site: {site.build()}")
    return 0


def _measure(names: list[str]) -> None:
    from ticklab import cli
    from ticklab.documents import measurements

    measurements.measure(names, cli.main)


def _baseline(runs: list[Path]) -> None:
    from ticklab.documents import measurements
    from ticklab.errors import UsageError

    if not runs:
        raise UsageError("no run is named", "give files that 'ticklab run --json FILE' wrote")
    print(f"baseline: {number_of(measurements.update(runs), 'record')}")


def _figures() -> int:
    from ticklab.documents import baseline, filling, pictures

    records = baseline.read()
    return _changed([*filling.fill(records), *pictures.draw(records)])


def _generated() -> list[str]:
    from ticklab.documents import defaults, isolation, schemas

    return [*schemas.write(), *defaults.write(), *isolation.write()]


def _changed(changed: list[str]) -> int:
    print(*(f"changed: {name}" for name in changed), sep="\n")
    print(f"{number_of(len(changed), 'file')} changed")
    return 0
