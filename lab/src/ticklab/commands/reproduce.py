# SPDX-License-Identifier: MIT
"""`ticklab reproduce`: builds the images of a run or a claim again, measures them, and compares
every record."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options

if TYPE_CHECKING:
    from ticklab.storage.baseline import Baseline

HELP = "build and measure a stored run, or a figure of a site, again; compare every record"

EPILOG = """\
Builds the kernels of the run as they are today, with the run's compiler, flags and plans, and
compares each record in every field. A claim is a JSON file of a site that 'ticklab site' wrote; it
needs no store. 'ticklab verify' does the same for a bundle with its images.

Exit status: 0 every record is equal; 1 a record differs, or could not be measured; 2 wrong use.

examples:
  ticklab reproduce
  ticklab reproduce 20261120-1
  ticklab reproduce mps2-an386_thread-metric_mean_rt_default_O2.json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "run",
        nargs="?",
        default="latest",
        metavar="RUN|CLAIM.json",
        help="id of a run, or how the id begins (default latest), or the file of a claim",
    )
    options.add_kernel_folders(parser)
    options.add_json(parser, "the differences")
    options.add_jobs(parser)
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.description import catalogue
    from ticklab.measurement import reproducing
    from ticklab.measurement.progress import shown
    from ticklab.views import reproduction

    what, kept = _kept(arguments)
    folders = {catalogue.find_kernel(word).name: word for word in arguments.kernel}
    with shown() as progress:
        command = arguments.command_line
        found = reproducing.again(kept, {}, folders, arguments.jobs, progress, command)
    return reproduction.conclude(what, kept.run.id, found, arguments.json)


def _kept(arguments: argparse.Namespace) -> tuple[str, Baseline]:
    """Returns a description of what is measured again, and its records with their sample plans."""
    from ticklab.measurement import reproducing
    from ticklab.site import claim_file
    from ticklab.storage.store import Store

    if arguments.run.endswith(".json"):
        return arguments.run, claim_file.read(Path(arguments.run))
    store = Store(arguments.store)
    kept = reproducing.plans(store, store.run(arguments.run))
    return f"run {kept.run.id}", kept
