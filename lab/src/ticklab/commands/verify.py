# SPDX-License-Identifier: MIT
"""`ticklab verify`: measures every figure of a bundle again, and compares the figures."""

from __future__ import annotations

import argparse
from pathlib import Path

from ticklab import options

HELP = "measure every figure of a bundle again, and compare"

EPILOG = """\
Runs the images of the bundle and compares each record in every field: counts to the instruction,
each bound of the model, each position of a worst case. If the bundle has no images, they are built
first.

Exit status: 0 every record is equal; 1 a record differs, or could not be measured; 2 wrong use.

examples:
  ticklab verify results.bundle
  ticklab verify results.bundle --json - | jq .different
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("file", metavar="FILE", help="a file that 'ticklab bundle' wrote")
    options.add_kernel_folders(parser)
    options.add_json(parser, "the differences")
    options.add_jobs(parser)


def run(arguments: argparse.Namespace) -> int:
    import tempfile

    from ticklab.description import catalogue
    from ticklab.measurement import reproducing
    from ticklab.measurement.progress import shown
    from ticklab.storage import bundle
    from ticklab.views import reproduction

    folders = {catalogue.find_kernel(word).name: word for word in arguments.kernel}
    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        held = bundle.read(Path(arguments.file), Path(scratch))
        with shown() as progress:
            command = arguments.command_line
            found = reproducing.again(
                held.kept, held.images, folders, arguments.jobs, progress, command, held.counters
            )
    return reproduction.conclude(arguments.file, held.kept.run.id, found, arguments.json)
