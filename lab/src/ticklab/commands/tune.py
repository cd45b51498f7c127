# SPDX-License-Identifier: MIT
"""`ticklab tune`: measures a kernel in each combination of its configurations, compiler levels and
flags, and prints the builds that no other build beats."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import ExitStatus, UsageError

if TYPE_CHECKING:
    from ticklab.building.toolchain import Toolchain
    from ticklab.description.model import Case, Kernel, Run
    from ticklab.measurement.progress import Bar, Lines
    from ticklab.summary.tuning import Build, Tuning

HELP = "find the best configuration, optimisation level and flags of a kernel for some scenarios"

EPILOG = """\
Measures every configuration of the kernel at every level, and prints the builds that no other build
beats in all of: cycles (geometric mean over the scenarios, relative to the first configuration at
the first level), bytes of code in the image, and the longest sample (of a sweep, the worst
position). After the table, the command prints which lines of the configuration to change for each
of these builds.

Ports are tested for conformance only in builds that no other one beats; one that fails is left out.
Exit status: 0 at least one build has figures; 1 no build has; 2 wrong use.

examples:
  ticklab tune freertos --for synchronization message-processing
  ticklab tune freertos --for semaphore-give --suite worst-case --level O2 Os
  ticklab tune ../my-kernel --for synchronization --cflags='-fno-inline'
"""

LEVELS = ("O2", "Os", "O3")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("kernel", metavar="KERNEL|FOLDER", help="the kernel, by name or folder")
    parser.add_argument(
        "--for",
        dest="scenario",
        metavar="SCENARIO",
        nargs="+",
        required=True,
        help="scenarios in which the builds are compared",
    )
    options.add_suites(parser)
    options.add_board(parser)
    parser.add_argument(
        "--config",
        metavar="CONFIG|FILE",
        nargs="+",
        default=[],
        help="configurations to try; the first is the base (default all of the kernel)",
    )
    parser.add_argument(
        "--level",
        metavar="LEVEL",
        nargs="+",
        default=list(LEVELS),
        help=f"levels of optimisation to try (default {' '.join(LEVELS)})",
    )
    parser.add_argument(
        "--cflags",
        metavar="'FLAGS'",
        action="append",
        default=[],
        help="compiler flags to try, in addition to a build without them; may be given "
        "several times (default none)",
    )
    parser.add_argument(
        "--cc", metavar="COMPILER", help="another compiler (default: the one on PATH)"
    )
    options.add_timing(parser)
    options.add_json(parser, "every build")
    options.add_jobs(parser)
    options.add_store(parser)
    parser.set_defaults(record=None, optimise="", why=False)


def run(arguments: argparse.Namespace) -> int:
    from ticklab import building
    from ticklab.description import catalogue
    from ticklab.measurement.progress import shown
    from ticklab.views import json, output, tuned

    kernel = catalogue.find_kernel(arguments.kernel)
    with shown() as progress:
        compilers = {
            flags: building.find_toolchain(arguments.cc, flags)
            for flags in dict.fromkeys(("", *arguments.cflags))
        }
        every = {flags: _cases(arguments, kernel, one) for flags, one in compilers.items()}
        found = _tuned(arguments, every, compilers, progress)
    tuned.show(found, kernel.name, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(tuned.document(found, kernel.name)), arguments.json)
    return ExitStatus.OK if found.front else ExitStatus.FAILED


def _cases(arguments: argparse.Namespace, kernel: Kernel, toolchain: Toolchain) -> list[Case]:
    """Returns the cases of every configuration that can run on the board, at every optimisation
    level."""
    from ticklab import building
    from ticklab.commands.run import say
    from ticklab.measurement import cases

    configs = arguments.config or _configs(arguments, kernel)
    choices = [
        cases.CaseChoice(
            kernels=[arguments.kernel],
            boards=[arguments.board],
            suites=arguments.suite,
            scenarios=arguments.scenario,
            configs=configs,
            optimise=level,
        )
        for level in arguments.level
    ]
    found = [case for choice in choices for case in cases.expand(choice)]
    if not any(case.scenario.exercises_kernel for case in found):
        raise UsageError("none of these scenarios exercises the kernel", "name others with --for")
    return building.adapt_levels(found, toolchain, say)


def _configs(arguments: argparse.Namespace, kernel: Kernel) -> list[str]:
    """Returns the names of the kernel's configurations for this board, the default configuration
    first."""
    from ticklab.description import catalogue

    board = catalogue.find_board(arguments.board)
    cores = (None, board.core.name, *board.other_cores)
    found = [name for name, one in kernel.configs.items() if one.core in cores]
    found = [n for n in found if kernel.configs[n].arch in (None, board.core.arch.name)]
    return sorted(found, key=lambda name: name != "default")


def _tuned(
    arguments: argparse.Namespace,
    every: dict[str, list[Case]],
    compilers: dict[str, Toolchain],
    progress: Bar | Lines,
) -> Tuning:
    """Measures all builds without conformance tests. Then measures the unbeaten builds with
    conformance tests, repeatedly, until every unbeaten build is tested."""
    from ticklab.summary import tuning

    builds: dict[tuple[str, str, str], Build] = {}
    for flags, cases in every.items():
        found = _measured(arguments, cases, compilers[flags], progress, proven=False)
        builds |= {_key(one): one for one in tuning.of_run(found, flags)}
    base = next(iter(builds.values()))
    proven: set[tuple[str, str, str]] = set()
    while True:
        result = tuning.tune(list(builds.values()), base)
        missing = {_key(point.build) for point in result.front} - proven
        if not missing:
            return replace(result, base=builds[_key(base)])
        proven |= missing
        for flags, cases in every.items():
            ours = [
                c for c in cases if (c.variant.config.name, c.variant.optimise, flags) in missing
            ]
            if ours:
                again = _measured(arguments, ours, compilers[flags], progress, proven=True)
                builds |= {_key(one): one for one in tuning.of_run(again, flags)}


def _key(build: Build) -> tuple[str, str, str]:
    return build.config, build.optimise, build.flags


def _measured(
    arguments: argparse.Namespace,
    cases: Sequence[Case],
    toolchain: Toolchain,
    progress: Bar | Lines,
    proven: bool,
) -> Run:
    from ticklab.commands import run as command
    from ticklab.measurement import campaign
    from ticklab.targets.protocol import Cancel

    if not cases:
        raise UsageError(
            "no case is left to measure", "see 'ticklab list kernels' and 'list suites'"
        )
    profiles = command.profiles_of(cases, arguments)
    how = argparse.Namespace(**{**vars(arguments), "skip_conformance": not proven})
    lab = command.laboratory(how, profiles, toolchain, progress)
    lab.store.open_for_writing()
    result = campaign.measure(lab, cases, progress, Cancel())
    if result.not_stored:
        raise result.not_stored
    found = command.assemble(arguments, lab, cases, profiles, result)
    lab.store.add_run(found)
    return found
