# SPDX-License-Identifier: MIT
"""`ticklab inject`: pends an interrupt at every instruction of a span of any image, and measures
the interrupt's latency."""

from __future__ import annotations

import argparse

from ticklab import options

HELP = "find the worst latency of an interrupt, pended at every instruction of a span of any image"
NEEDS = ("system", "python", "observer")

EPILOG = """\
The emulator pends the interrupt; the image needs no code for it. The image must execute the span,
enable the interrupt and have a handler for it. The latency is in instructions, from the
instruction before which the interrupt is pended to the first one of its handler: 0 if the interrupt
is taken at once. Instructions are counted, so the result is exact and the same in each run. Timers
stand still while the interrupt is pending, but a tick is pending at the beginning of each pass: if
its priority is the same or higher, its handler runs first, and adds to the latency.

The interrupt is pended at each instruction of the path that the first pass takes. The output names
the instructions that are not on this path, by function and line: another path may be worse.

'inject' stores nothing. A scenario with [scenario.inject] in a recipe gives a record, which 'run
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
    options.add_json(parser, "the latency at each instruction")


def run(arguments: argparse.Namespace) -> int:
    from ticklab import digest
    from ticklab.building import elf, raw_image, vectors
    from ticklab.description import catalogue
    from ticklab.description.model import Pending
    from ticklab.errors import TicklabError
    from ticklab.measurement import images, injecting
    from ticklab.measurement.progress import shown
    from ticklab.views import injected, json, output

    arguments.image = raw_image.as_elf(arguments.image)
    sha256 = digest.hash_file(arguments.image)
    board = catalogue.find_board(arguments.board)
    board = vectors.placed(board, arguments.image, arguments.vectors)
    wanted = Pending(arguments.line, arguments.begin, arguments.end)
    span = injecting.places(elf.read(arguments.image), wanted)
    with shown() as progress:
        progress.begin("pending interrupts", 1)
        found = injecting.sweep(arguments.image, board, arguments.line, span)
        progress.done(arguments.image.name)
    images.require_same(arguments.image, sha256)
    injected.show(found, output.console(arguments.json))
    if arguments.json:
        document = injected.document(found, sha256, board.name, arguments.line)
        output.emit(json.dumps(document), arguments.json)
    if failure := injecting.failure(found):
        hint = "the curve above shows the latency at every position"
        raise TicklabError(f"{arguments.image.name}: {failure}", hint)
    return 0
