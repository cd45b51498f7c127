# SPDX-License-Identifier: MIT
"""`footprint`: how much memory each kernel takes, and each of its objects."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import TicklabError

if TYPE_CHECKING:
    from ticklab.model import Case, Image
    from ticklab.views.footprint import Row

HELP = "show how much memory kernels and their objects take"

EPILOG = """\
Builds the scenarios and reads what the linker kept: what a kernel's services cost that a scenario
uses, and nothing of those that it does not. Objects are control blocks, without what they hold.

examples:
  ticklab footprint                                       every kernel, two scenarios, at -Os
  ticklab footprint freertos bulkhead --suite thread-metric
  ticklab footprint --stacks                              and how deep stacks get, by running it
  ticklab footprint bulkhead --config process-each --optimise O2 --json -
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("kernels", nargs="*", metavar="KERNEL|FOLDER", help="all, unless named")
    parser.add_argument("--board", metavar="BOARD", nargs="+", default=["mps2-an386"])
    parser.add_argument("--suite", metavar="SUITE", nargs="+", default=["thread-metric"])
    parser.add_argument("--scenario", metavar="SCENARIO", nargs="+", default=[])
    parser.add_argument("--config", metavar="CONFIG|FILE", nargs="+", default=[])
    parser.add_argument("--optimise", metavar="LEVEL", default="Os", help="Os unless said")
    parser.add_argument(
        "--stacks", action="store_true", help="the deepest stack of each task and handler, too"
    )
    parser.add_argument("--json", metavar="FILE", help="write it as JSON; - prints")
    parser.add_argument(
        "--jobs", metavar="N", type=options.positive, default=len(os.sched_getaffinity(0))
    )


def run(arguments: argparse.Namespace) -> int:
    from ticklab import build, measure
    from ticklab.progress import shown
    from ticklab.views import footprint, json, output

    cases = [case for case in _cases(arguments) if measure.lacks(case) is None]
    if not cases:
        raise TicklabError("no kernel here runs any of these scenarios", "see 'list kernels'")
    with shown() as progress:
        images = build.build(cases, build.find_toolchain(), progress.building, arguments.jobs)
    broken = [image for image in images if isinstance(image, TicklabError)]
    if broken:
        raise broken[0]
    rows = [
        _row(case, image, arguments.stacks)
        for case, image in zip(cases, images, strict=True)
        if not isinstance(image, TicklabError)
    ]
    footprint.show(rows, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(footprint.document(rows)), arguments.json)
    return 0


def _cases(arguments: argparse.Namespace) -> list[Case]:
    from ticklab import cases, footprint

    wanted = arguments.scenario
    if not wanted and arguments.suite == ["thread-metric"]:
        wanted = footprint.SCENARIOS
    return cases.expand(
        cases.Choice(
            kernels=arguments.kernels,
            boards=arguments.board,
            suites=arguments.suite,
            scenarios=wanted,
            configs=arguments.config,
            optimise=arguments.optimise,
            params={},
            samples=None,
            layouts=1,
            clock_hz=None,
        )
    )


def _row(case: Case, image: Image, with_stacks: bool) -> Row:
    from ticklab import footprint, stacks
    from ticklab.views.footprint import Row

    return Row(
        case,
        footprint.of_image(image.path, footprint.owner_by_folder),
        footprint.structure_bytes(image.path, case.kernel.objects),
        stacks.of_image(case, image) if with_stacks else None,
    )
