# SPDX-License-Identifier: MIT
"""`ticklab bundle`: writes a run and its images to one file, which others can verify."""

from __future__ import annotations

import argparse
from pathlib import Path

from ticklab import options
from ticklab.plural import number_of

HELP = "write a run and its images to one file, for 'ticklab verify'"

EPILOG = """\
The file holds the records of the run, the plan of each measurement, the provenance and every image,
each with a checksum. Images are built again, and must be those that were measured. Two bundles of
one run are the same bytes.

examples:
  ticklab bundle                          the latest run, as ID.bundle
  ticklab bundle 20261120-1 -o results.bundle
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    options.add_run(parser)
    options.add_output(parser, "file to write (default ID.bundle)")
    parser.add_argument(
        "--without-images",
        action="store_true",
        help="leave the images out, for example if their licence forbids to distribute them; "
        "'verify' then builds them",
    )
    options.add_kernel_folders(parser)
    options.add_jobs(parser)
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    import tempfile

    from ticklab.description import catalogue
    from ticklab.measurement import reproducing
    from ticklab.measurement.progress import shown
    from ticklab.storage import bundle
    from ticklab.storage.store import Store

    store = Store(arguments.store)
    found = store.run(arguments.run)
    folders = {catalogue.find_kernel(word).name: word for word in arguments.kernel}
    file = Path(arguments.output or f"{found.id}.bundle")
    bundle.require_place(file)  # fails early, before images are built
    with shown() as progress, tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        with_images = not arguments.without_images
        made = reproducing.collect(store, found, folders, arguments.jobs, progress, with_images)
        bundle.write(made, file, Path(scratch))
    images = len(set(made.images.values()))
    records = number_of(len(found.records), "record")
    print(f"{file}: {records} of run {found.id}, {number_of(images, 'image')}")
    return 0
