# SPDX-License-Identifier: MIT
"""`ticklab bulkhead draw`: shows what each process of a declared system reaches. The drawing is
that of bulkhead/tools/bulkhead_draw, which projects without Ticklab call."""

from __future__ import annotations

import argparse

from ticklab import bulkhead_tools, options

HELP = "show the isolation of a system on Bulkhead"
NEEDS = ("python",)

EPILOG = """\
Reads the declaration of a system (docs/reference/bulkhead-declaration.md) and shows its processes,
their threads, memory, devices and rights, and what the kernel does when an interrupt comes. A
process reaches nothing else.

examples:
  ticklab bulkhead draw system.toml                           as text
  ticklab bulkhead draw system.toml --format svg -o hub.svg   a picture, without scripts
  ticklab bulkhead draw system.toml --format json | jq '.processes[].rights'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    actions = parser.add_subparsers(dest="action", metavar="draw", required=True, help="action:")
    draw = actions.add_parser("draw", help="show what each process of a declaration reaches")
    bulkhead_tools.load("bulkhead_draw.formats").configure(draw)
    options.add_output(draw, "file to write (default -, prints)", default="-")


def run(arguments: argparse.Namespace) -> int:
    from ticklab.errors import UsageError
    from ticklab.views import output

    formats = bulkhead_tools.load("bulkhead_draw.formats")
    try:
        shown = formats.shown(arguments.declaration, arguments.format)
    except formats.DeclarationError as error:
        raise UsageError(str(error)) from None
    output.emit(shown, arguments.output)
    return 0
