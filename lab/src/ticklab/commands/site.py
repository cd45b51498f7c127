# SPDX-License-Identifier: MIT
"""`ticklab site`: writes runs as a static site with an address for each claim."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.plural import number_of

if TYPE_CHECKING:
    from ticklab.description.model import Run
    from ticklab.site.contents import Declared
    from ticklab.storage.baseline import Baseline
    from ticklab.storage.store import Store

HELP = "write runs as a static site in which each figure has an address"
NEEDS = ("python",)

EPILOG = """\
The site has leaderboards by board and suite, a page for each kernel, scenario, service and run, and
for each claim a page with its JSON, its badge, its provenance and the command that measures it
again. It needs no server and no script, and asks no other host for anything. The same runs give the
same bytes. Files of an older site in the folder are removed; hidden files and files in its root
stay.

A leaderboard shows the run with the most compared tests under the same conditions (board, clock,
timing profile, compiler, level); if several have as many, the newest of them.

examples:
  ticklab site public                     every run of the store
  ticklab site public 20261120-1 latest   two runs
  ticklab site public nightly.bundle      the run in a bundle
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="folder to write")
    parser.add_argument(
        "runs",
        nargs="*",
        metavar="RUN|BUNDLE",
        help="ids of runs, beginnings of ids, or files that 'ticklab bundle' wrote (default every "
        "run of the store)",
    )
    parser.add_argument(
        "--title", default="Ticklab", metavar="TEXT", help="name of the site (default Ticklab)"
    )
    options.add_answer(parser)
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab.site import contents, folder, pages
    from ticklab.storage.store import Store
    from ticklab.summary.answer import Unit
    from ticklab.summary.matrix import check_reference

    folder.require(arguments.folder)
    kept = list(_baselines(Store(arguments.store), arguments.runs))
    every = ((r.kernel, r.config) for one in kept for r in one.run.records)
    check_reference(arguments.reference, every)
    wish = contents.Wish(arguments.title, arguments.reference, Unit(arguments.unit))
    site = contents.gather(kept, wish, declared())
    count = folder.write(pages.files(site), arguments.folder)
    claims = sum(1 for one in site.runs for _ in site.every_claim(one))
    counts = (number_of(len(kept), "run"), number_of(claims, "claim"), number_of(count, "file"))
    print(f"site: {arguments.folder / 'index.html'}: {', '.join(counts)}")
    return 0


def _baselines(store: Store, words: list[str]) -> Iterator[Baseline]:
    """Yields each run that `words` name, with its sample plans."""
    from ticklab.views import output

    if not words:
        store.find()  # raises an error if the store is empty
        yield from (_kept(store, one) for one in store.every_run(output.passed_over))
    for word in words:
        yield _bundled(Path(word)) if Path(word).is_file() else _kept(store, store.run(word))


def _bundled(file: Path) -> Baseline:
    from ticklab.storage import bundle

    with tempfile.TemporaryDirectory(prefix="ticklab-") as scratch:
        return bundle.read(file, Path(scratch)).kept


def _kept(store: Store, run: Run) -> Baseline:
    """Returns a run of the store with its sample plans. Leaves out the plans if a measurement
    cannot be read."""
    from ticklab.errors import TicklabError
    from ticklab.measurement import reproducing
    from ticklab.storage.baseline import Baseline, BaselineEntry
    from ticklab.views import output

    try:
        return reproducing.plans(store, run)
    except TicklabError as error:
        output.passed_over(error)
        return Baseline(run, tuple(BaselineEntry(record, None, {}) for record in run.records))


def declared() -> Declared:
    """Collects the facts that the kernels and suites of this checkout declare."""
    from ticklab.description import catalogue
    from ticklab.site.contents import Declared

    scenarios = (one for suite in catalogue.suites().values() for one in suite.scenarios)
    return Declared(
        {kernel.name: kernel.facts for kernel in catalogue.kernels().values() if kernel.facts},
        {(one.suite, one.name): tuple(sorted(one.services)) for one in scenarios},
    )
