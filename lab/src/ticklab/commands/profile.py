# SPDX-License-Identifier: MIT
"""`ticklab profile`: where the instructions of any image go, without a probe and without a port."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options

if TYPE_CHECKING:
    from ticklab.measurement.profiling import Run

HELP = "show where the instructions of any image go: tasks, exceptions, functions, stacks"
NEEDS = ("system", "python", "observer")

EPILOG = """\
The image runs from reset. Shares of tasks, exceptions and functions are counted, so they are exact,
and the same in each run. The profile lasts from reset to the last exception before the end.

The kernel is recognised by symbols of the image: lab/src/ticklab/data/kernels.toml.

examples:
  ticklab profile app.elf
  ticklab profile app.elf --instructions 50000000 --perfetto app.pftrace --flame app.svg
  ticklab profile app.elf --json - | jq '.functions[:5]'
"""

INSTRUCTIONS = 10_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    options.add_image(parser)
    options.add_board(parser)
    options.add_vectors(parser)
    parser.add_argument(
        "--instructions",
        metavar="N",
        type=options.positive,
        default=INSTRUCTIONS,
        help=f"end after so many instructions (default {INSTRUCTIONS})",
    )
    parser.add_argument(
        "--kernels",
        metavar="FILE.toml",
        type=Path,
        help="more kernels to recognise, in the form of data/kernels.toml (default none)",
    )
    options.add_timing(parser)
    parser.add_argument(
        "--flame", metavar="FILE.svg", type=Path, help="write a flame graph of the instructions"
    )
    options.add_traces(parser)
    options.add_json(parser, "the profile")


def run(arguments: argparse.Namespace) -> int:
    from ticklab.building import raw_image, vectors
    from ticklab.description import catalogue
    from ticklab.errors import TicklabError
    from ticklab.measurement import observing, profiling, progress

    arguments.image = raw_image.as_elf(arguments.image)
    board = catalogue.find_board(arguments.board)
    board = vectors.placed(board, arguments.image, arguments.vectors)
    model = None if arguments.no_model else catalogue.timing(board, arguments.profile)
    profile = catalogue.find_profile(model) if model else None
    with progress.waiting(f"running {arguments.image.name}"):
        taken = profiling.taken(arguments.image, board, arguments.instructions, profile)
    with taken as run:
        _show(arguments, run)
        _write_trace(arguments, run)
        if failure := observing.failure(run.observation):
            what = f"{arguments.image.name}: {failure}"
            raise TicklabError(what, "the profile is of what came before")
    return 0


def _show(arguments: argparse.Namespace, run: Run) -> None:
    from ticklab import digest
    from ticklab.building import elf
    from ticklab.description import kernel_table
    from ticklab.explain import profile, second_run
    from ticklab.measurement import observing, profiling
    from ticklab.views import json, output, profiled

    image = elf.read(arguments.image)
    symbols = {each.name for each in (*image.symbols, *image.variables)}
    kernel = kernel_table.recognise(symbols, arguments.kernels)
    pictures = second_run.Pictures(flame=arguments.flame)
    found = profile.summarise(
        second_run.explain(run.first, [profiling.WHOLE], pictures=pictures), kernel
    )
    ending = observing.ended(run.observation.ending)
    profiled.show(found, ending, output.console(arguments.json))
    if arguments.json:
        image_hash = digest.hash_file(arguments.image)
        document = profiled.document(found, image_hash, arguments.board, ending)
        output.emit(json.dumps(document), arguments.json)


def _write_trace(arguments: argparse.Namespace, run: Run) -> None:
    from ticklab import traces
    from ticklab.explain import second_run
    from ticklab.explain.timeline import Clock
    from ticklab.measurement import profiling

    files = traces.Files(arguments.ctf, arguments.perfetto, arguments.chrome)
    if files:
        found = second_run.timeline(run.first, [profiling.WHOLE], Clock.INSTRUCTIONS)
        traces.write(found, files)
