# SPDX-License-Identifier: MIT
"""`ticklab inject`: pends an interrupt at every instruction of a span of any image, and measures
its latency."""

from __future__ import annotations

import argparse

from ticklab import options

HELP = "pend an interrupt at every instruction of a span of any image: its worst latency"
NEEDS = ("system", "python", "observer")

EPILOG = """\
The emulator pends the interrupt; the image needs no code for it. It must pass the span again and
again, and must serve and enable the interrupt. The latency is in instructions, from the
instruction before which the interrupt is pended to the first one of its handler: 0 if it is taken
at once. Instructions are counted, so the curve is exact and the same in each run. Timers stand
still while the interrupt waits, but a tick is pending at the begin of each pass: if its priority
is the same or higher, it is served first, and is in the latency.

The sweep is of the path that the first pass takes. The instructions that are not on it are named
by function and line: another path may be worse.

This stores nothing. A scenario with [scenario.inject] in a recipe gives a record, which 'run
--image' stores, and which is compared, gated and in the report.

examples:
  ticklab inject app.elf --line 3 --from xQueueGenericSend
  ticklab inject app.elf --line 3 --from main.c:40 --to main.c:52 --json -
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    options.add_image(parser)
    parser.add_argument(
        "--line",
        metavar="N",
        type=options.number,
        required=True,
        help="number of the external interrupt, from 0",
    )
    parser.add_argument(
        "--from",
        dest="begin",
        metavar="PLACE",
        required=True,
        help="SYMBOL[+OFFSET], 0xADDRESS or FILE.c:LINE where the span begins",
    )
    parser.add_argument(
        "--to",
        dest="end",
        metavar="PLACE",
        help="where the span ends (default: where the function at --from returns)",
    )
    options.add_board(parser)
    options.add_vectors(parser)
    options.add_json(parser, "the curve")


def run(arguments: argparse.Namespace) -> int:
    from ticklab import digest
    from ticklab.building import elf, raw_image, vectors
    from ticklab.description import catalogue
    from ticklab.description.model import Pending
    from ticklab.measurement import injecting
    from ticklab.measurement.progress import shown
    from ticklab.views import injected, json, output

    arguments.image = raw_image.as_elf(arguments.image)
    board = catalogue.find_board(arguments.board)
    board = vectors.placed(board, arguments.image, arguments.vectors)
    wanted = Pending(arguments.line, arguments.begin, arguments.end)
    span = injecting.places(elf.read(arguments.image), wanted)
    with shown() as progress:
        progress.begin("pending interrupts", 1)
        found = injecting.sweep(arguments.image, board, arguments.line, span)
        progress.done(arguments.image.name)
    injected.show(found, output.console(arguments.json))
    if arguments.json:
        image = digest.hash_file(arguments.image)
        document = injected.document(found, image, board.name, arguments.line)
        output.emit(json.dumps(document), arguments.json)
    return 0
