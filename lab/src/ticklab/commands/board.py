# SPDX-License-Identifier: MIT
"""`ticklab board`: checks whether a board on the desk behaves as its description says
(docs/how-to/measure-on-a-board.md)."""

from __future__ import annotations

import argparse

from ticklab import options

HELP = "check that a board behaves as its description says"

EPILOG = """\
Runs code of known cost without a kernel, and a program that requests an interrupt: is the counter
there, does the clock have its frequency, do wait states and caches cost what the manual says, does
the tick come, is an interrupt taken? Properties that cannot be checked on the board are listed.

Exit status: 0 every check passed; 1 a check failed; 2 wrong use.

examples:
  ticklab board check stand-in
  ticklab board check ../my-board
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    actions = parser.add_subparsers(dest="action", metavar="check", required=True, help="to do:")
    check = actions.add_parser("check", help="prove clock, counter, memories, tick and interrupt")
    check.add_argument("board", metavar="BOARD|FOLDER", help="a board by name, or its folder")
    options.add_jobs(check)
    options.add_store(check)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.description import catalogue
    from ticklab.measurement import boardcheck, environment
    from ticklab.measurement.progress import shown
    from ticklab.storage.store import Store

    board = catalogue.find_board(arguments.board)
    store = Store(arguments.store)
    store.open_for_writing()
    profile = catalogue.find_profile(board.profile) if board.profile else None
    with shown() as progress:
        lab = environment.equip(
            store,
            {board.name: profile},
            arguments.jobs,
            progress,
            keeps_image=lambda _: False,
            skip_conformance=True,
        )
        found = boardcheck.check(lab, board, progress)
    print(f"{board.name}: {board.title}")
    for line in boardcheck.lines(found):
        print(line)
    return 1 if any(each.holds is False for each in found) else 0
