# SPDX-License-Identifier: MIT
"""`ticklab docs`: builds the documentation as a site."""

from __future__ import annotations

import argparse

HELP = "build the documentation as a site that needs no network"
NEEDS = ("python",)

EPILOG = """\
The site is in .ticklab/site/html; open its index.html. Its own packages are installed at the first
build.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG


def run(_arguments: argparse.Namespace) -> int:
    from ticklab import bootstrap
    from ticklab.documents import site

    bootstrap.provide(("python", "documentation"))
    print(f"site: {site.build()}")
    return 0
