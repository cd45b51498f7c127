# SPDX-License-Identifier: MIT
"""`ticklab profile`: shows how many instructions each function of an image executes. It needs
neither a debug probe nor a port for Ticklab."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options

if TYPE_CHECKING:
    from ticklab.explain.only_run import Followed

HELP = "show where the instructions of any image go: tasks, exceptions, functions, stacks"
NEEDS = ("system", "python", "observer")

EPILOG = """\
The image runs from reset. Shares of tasks, exceptions and functions are counted, so they are exact,
and the same in each run. The profile lasts from reset to the end of the run.

The kernel is recognised by symbols of the image: lab/src/ticklab/data/kernels.toml.

examples:
  ticklab profile app.elf
  ticklab profile app.elf --instructions 50000000 --perfetto app.pftrace --flame app.svg
  ticklab profile app.elf -o profile.html
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
        help=f"number of instructions after which the run ends (default {INSTRUCTIONS})",
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
    options.add_output(
        parser,
        "write the profile as an HTML report, which has no script (default none)",
        metavar="FILE.html",
        type=Path,
    )
    options.add_traces(parser)
    options.add_json(parser, "the profile")


def run(arguments: argparse.Namespace) -> int:
    from ticklab import digest, traces
    from ticklab.building import raw_image, vectors
    from ticklab.description import catalogue
    from ticklab.errors import TicklabError
    from ticklab.measurement import images, observing, profiling, progress

    arguments.image = raw_image.as_elf(arguments.image)
    sha256 = digest.hash_file(arguments.image)
    board = catalogue.find_board(arguments.board)
    board = vectors.placed(board, arguments.image, arguments.vectors)
    model = None if arguments.no_model else catalogue.timing(board, arguments.profile)
    profile = catalogue.find_profile(model) if model else None
    files = traces.Files(arguments.ctf, arguments.perfetto, arguments.chrome)
    with progress.waiting(f"running {arguments.image.name}"):
        followed = profiling.followed(
            arguments.image,
            board,
            arguments.instructions,
            profile,
            arguments.flame,
            has_timeline=bool(files),
        )
    images.require_same(arguments.image, sha256)
    _show(arguments, followed, sha256)
    if followed.timeline:
        traces.write(followed.timeline, files)
    if failure := observing.failure(followed.observation):
        what = f"{arguments.image.name}: {failure}"
        raise TicklabError(what, "the profile covers the run up to this point")
    return 0


def _show(arguments: argparse.Namespace, followed: Followed, sha256: str) -> None:
    from ticklab.building import elf
    from ticklab.description import kernel_table
    from ticklab.explain import profile
    from ticklab.measurement import observing
    from ticklab.views import html, json, output, profile_page, profiled

    image = elf.read(arguments.image)
    symbols = {each.name for each in (*image.symbols, *image.variables)}
    kernel = kernel_table.recognise(symbols, arguments.kernels)
    found = profile.summarise(followed.explanation, kernel)
    ending = observing.ended(followed.observation.ending)
    profiled.show(found, ending, output.console(arguments.json))
    if arguments.json:
        document = profiled.document(found, sha256, arguments.board, ending)
        output.emit(json.dumps(document), arguments.json)
    if arguments.output:
        about = profile_page.About(arguments.image.name, sha256, arguments.board, ending)
        html.save(profile_page.render(found, followed.explanation, about), arguments.output)
