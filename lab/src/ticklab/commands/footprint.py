# SPDX-License-Identifier: MIT
"""`ticklab footprint`: prints the bytes of memory that each kernel and each of its objects
needs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import TicklabError

if TYPE_CHECKING:
    from ticklab.description.model import Case, Image
    from ticklab.views.footprint import ImageSizes

HELP = "show the memory of kernels and of their objects"

EPILOG = """\
Builds the scenarios and reads the linked images. An image holds the services that its scenario uses
and no others. The size of an object is that of its control block, without its contents.

examples:
  ticklab footprint                                       every kernel, two scenarios, at -Os
  ticklab footprint freertos bulkhead --suite thread-metric
  ticklab footprint --stacks              run the scenarios, and add the depth of stacks
  ticklab footprint bulkhead --config process-each --optimise O2 --json -
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "kernels",
        nargs="*",
        metavar="KERNEL|FOLDER",
        help="kernels by name, or folders of kernels of your own (default all kernels)",
    )
    options.add_boards(parser)
    options.add_suites(parser)
    parser.add_argument(
        "--scenario",
        metavar="SCENARIO",
        nargs="+",
        default=[],
        help=f"scenarios of the suites (default all; if the suite is {options.SUITE}, "
        "cooperative-scheduling and message-processing)",
    )
    parser.add_argument(
        "--config",
        metavar="CONFIG|FILE",
        nargs="+",
        default=[],
        help="configurations of the kernels by name, or files (default the ranked ones)",
    )
    parser.add_argument(
        "--optimise",
        metavar="LEVEL",
        default="Os",
        help="compiler optimisation: Os, O2, O3, O2+lto … (default Os)",
    )
    parser.add_argument(
        "--stacks",
        action="store_true",
        help="run the scenarios, and add the deepest stack of each task and handler",
    )
    options.add_json(parser, "the sizes")
    options.add_jobs(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab import building
    from ticklab.bootstrap import step
    from ticklab.measurement import support
    from ticklab.measurement.progress import shown
    from ticklab.views import footprint, json, output

    toolchain = building.find_toolchain()
    chosen = building.adapt_levels(_with_footprint(_cases(arguments)), toolchain, step.say)
    cases = [case for case in chosen if support.unsupported_reason(case) is None]
    if not cases:
        raise TicklabError(
            "none of these kernels has the services that these scenarios use", "see 'list kernels'"
        )
    with shown() as progress:
        images = building.build(cases, toolchain, progress.building, arguments.jobs)
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


def _with_footprint(cases: list[Case]) -> list[Case]:
    """Returns the cases whose kernel is a separate object of the image; prints the names of the
    other kernels, whose footprint cannot be measured."""
    from ticklab.bootstrap import step

    whole = {case.variant.kernel.name: case for case in cases if case.variant.kernel.is_async}
    if whole and len(whole) == len({case.variant.kernel.name for case in cases}):
        raise TicklabError(
            f"{', '.join(whole)}: rustc compiles kernel and scenario into one object, so "
            "the kernel's own size is unknown",
            "name a kernel whose tasks are threads, not async functions",
        )
    for name in whole:
        step.say(
            f"{name}: no footprint, because rustc compiles kernel and scenario into one object"
        )
    return [case for case in cases if case.variant.kernel.name not in whole]


def _cases(arguments: argparse.Namespace) -> list[Case]:
    from ticklab.building import footprint
    from ticklab.measurement import cases

    wanted = arguments.scenario
    if not wanted and arguments.suite == [options.SUITE]:
        wanted = footprint.SCENARIOS
    return cases.expand(
        cases.CaseChoice(
            kernels=arguments.kernels,
            boards=arguments.board,
            suites=arguments.suite,
            scenarios=wanted,
            configs=arguments.config,
            optimise=arguments.optimise,
        )
    )


def _row(case: Case, image: Image, with_stacks: bool) -> ImageSizes:
    from ticklab.building import footprint
    from ticklab.measurement import stacks
    from ticklab.views.footprint import ImageSizes

    return ImageSizes(
        case,
        footprint.measure_image(image.path, footprint.owner_by_folder),
        footprint.structure_bytes(image.path, case.variant.kernel.objects),
        stacks.measure_image(case, image) if with_stacks else None,
    )
