# SPDX-License-Identifier: MIT
"""`ticklab reproduce`: builds and measures a run again, and compares every record."""

from __future__ import annotations

import argparse

from ticklab import options

HELP = "build and measure a run again, and compare every record"

EPILOG = """\
Builds the kernels of the run as they are today, with the run's compiler, flags and plans, and
compares each record in every field. 'ticklab verify' does the same for a bundle with its images.

Exit status: 0 every record is equal; 1 a record differs, or could not be measured; 2 wrong use.

examples:
  ticklab reproduce
  ticklab reproduce 20261120-1
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    options.add_run(parser)
    options.add_kernel_folders(parser)
    options.add_json(parser, "the differences")
    options.add_jobs(parser)
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.description import catalogue
    from ticklab.measurement import reproducing
    from ticklab.measurement.progress import shown
    from ticklab.storage.store import Store
    from ticklab.views import reproduction

    store = Store(arguments.store)
    kept = reproducing.plans(store, store.run(arguments.run))
    folders = {catalogue.find_kernel(word).name: word for word in arguments.kernel}
    with shown() as progress:
        command = arguments.command_line
        found = reproducing.again(kept, {}, folders, arguments.jobs, progress, command)
    return reproduction.conclude(f"run {kept.run.id}", kept.run.id, found, arguments.json)
