# SPDX-License-Identifier: MIT
"""`ticklab man`: prints the manual page, which is made from the parser of the command line."""

from __future__ import annotations

import argparse

HELP = "print the manual page"
NEEDS = ("python",)

EPILOG = """\
examples:
  ticklab man | man -l -
  ticklab man >~/.local/share/man/man1/ticklab.1
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG


def run(_arguments: argparse.Namespace) -> int:
    from argparse_manpage.manpage import Manpage

    from ticklab import cli

    about = {"project_name": "Ticklab", "manual_title": "Ticklab", "description": cli.DESCRIPTION}
    print(Manpage(cli.parser(), about))
    return 0
