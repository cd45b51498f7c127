# SPDX-License-Identifier: MIT
"""`ticklab estimate`: computes whether an application meets its deadlines under a kernel."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options

if TYPE_CHECKING:
    from ticklab.description.application import Application
    from ticklab.estimate.demand import Conditions
    from ticklab.measurement.environment import Environment
    from ticklab.measurement.progress import Bar, Lines

HELP = "estimate whether an application meets its deadlines under each kernel"

EPILOG = """\
APP.toml describes tasks, interrupts, locks and deadlines. The bound of each response time follows
from them and from measured costs of the kernel: the tick, releases, completions, calls. Costs are
looked up in the store; those that are missing are measured.

--verify also runs the application: generated code executes each job for its execution time, from
the instant at which all tasks are released, and a device requests the interrupts. Observed response
times are compared with the bounds, both in instructions. A time above its bound is a fault of
Ticklab. --sets does the same for random applications; finished ones are kept, so that the same
command continues.

Exit status: 0 if the application fits under some kernel, and no bound was exceeded; otherwise 1.

examples:
  ticklab estimate docs/examples/drive/app.toml
  ticklab estimate app.toml --kernel freertos rt --clock 48000000
  ticklab estimate app.toml --verify               also run it, and compare
  ticklab estimate --sets 20                       verify 20 random applications
  ticklab estimate app.toml --full                 with the costs and the query of each
  ticklab estimate app.toml --json - | jq '.kernels[].verdict'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "app",
        metavar="APP.toml",
        type=Path,
        nargs="?",
        help="the application (default none, with --sets)",
    )
    parser.add_argument(
        "--kernel",
        metavar="KERNEL[/CONFIG]|FOLDER",
        nargs="+",
        default=[],
        help="kernels to try (default those that the application names)",
    )
    parser.add_argument(
        "--clock",
        metavar="HZ",
        type=options.positive,
        help="clock in Hz: each job takes as many cycles as before (default the application's)",
    )
    parser.add_argument(
        "--sets",
        metavar="N",
        type=options.positive,
        help="verify N random applications instead (default none)",
    )
    parser.add_argument(
        "--seed",
        metavar="S",
        type=options.number,
        default=1,
        help="seed of the first random application; the others follow it (default 1)",
    )
    parser.add_argument(
        "--skip-conformance",
        action="store_true",
        help="do not test the ports of the kernels before costs are measured",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="also run the application, and compare its response times with the bounds",
    )
    parser.add_argument(
        "--full", action="store_true", help="also print the measured costs, and the query of each"
    )
    options.add_json(parser, "the estimate")
    options.add_jobs(parser)
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.sets:
        return _run_sets(arguments)
    from ticklab.estimate import candidates, estimate, verify
    from ticklab.measurement.progress import shown
    from ticklab.views import estimated, json, output
    from ticklab.views import verified as verified_view

    app = _application(arguments)
    with shown() as progress:
        lab = _laboratory(arguments, app, progress)
        lab.store.open_for_writing()
        measured = candidates.measure(app, lab, progress)
        at = _conditions(arguments, app)
        known = [each for each in measured if arguments.verify and not each.missing]
        verified = [verify.verify(app, each, at, lab) for each in known]
    found = estimate.make(app, at, measured)
    out = output.console(arguments.json)
    estimated.show(found, out, arguments.full)
    verified_view.show(verified, out)
    if arguments.json:
        output.emit(json.dumps(estimated.document(found, verified)), arguments.json)
    return int(not found.some_fit or any(each.exceeded for each in verified))


def _run_sets(arguments: argparse.Namespace) -> int:
    """Compares the estimate with simulated runs for random applications under each kernel."""
    from ticklab.errors import TicklabError, UsageError
    from ticklab.estimate import candidates, random_sets, trials
    from ticklab.measurement.progress import shown
    from ticklab.views import output, verified

    if arguments.app or arguments.clock or arguments.json:
        raise UsageError(
            "--sets cannot be combined with APP.toml, --clock or --json", "leave one out"
        )
    app = random_sets.every_service(arguments.kernel or random_sets.KERNELS)
    with shown() as progress:
        lab = _laboratory(arguments, app, progress)
        lab.store.open_for_writing()
        measured = candidates.measure(app, lab, progress)
        for each in measured:
            if each.missing:
                raise TicklabError(f"{each.subject}: {each.missing}", "leave this kernel out")
        seeds = range(arguments.seed, arguments.seed + arguments.sets)
        found = trials.run(lab, measured, seeds, progress)
    summaries = trials.summaries(found)
    verified.show_sets(summaries, output.console())
    return int(any(each.exceeded for each in summaries))


def _application(arguments: argparse.Namespace) -> Application:
    from dataclasses import replace

    from ticklab.description import application
    from ticklab.errors import UsageError

    if arguments.app is None:
        raise UsageError("no application is named", "give APP.toml, or --sets N")
    app = application.read(arguments.app)
    return replace(app, kernels=tuple(arguments.kernel) or app.kernels)


def _conditions(arguments: argparse.Namespace, app: Application) -> Conditions:
    """Returns the clock, and the factor by which this clock changes the execution times that the
    file states."""
    from ticklab.description import catalogue
    from ticklab.estimate.demand import Conditions

    declared = app.clock_hz or catalogue.find_board(app.board).clock_hz
    clock_hz = arguments.clock or declared
    return Conditions(clock_hz, declared / clock_hz)


def _laboratory(
    arguments: argparse.Namespace, app: Application, progress: Bar | Lines
) -> Environment:
    from ticklab.description import catalogue
    from ticklab.errors import UsageError
    from ticklab.measurement import environment
    from ticklab.storage.store import Store

    board = catalogue.find_board(app.board)
    named = catalogue.timing(board, app.profile)
    if named is None and not board.machine.is_clocked:
        raise UsageError(
            f"board {board.name} has no cycle model, so that costs have no time",
            "name a board with one: see 'ticklab list boards'",
        )
    profile = catalogue.find_profile(named) if named else None
    return environment.equip(
        Store(arguments.store),
        {board.name: profile},
        arguments.jobs,
        progress,
        keeps_image=lambda _: False,
        skip_conformance=arguments.skip_conformance,
    )
