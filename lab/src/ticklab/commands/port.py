# SPDX-License-Identifier: MIT
"""`ticklab port`: writes the skeleton of a port, and checks a port
(docs/how-to/port-a-kernel.md)."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options

if TYPE_CHECKING:
    from ticklab.description.model import Case

HELP = "begin or check a port of a kernel"

EPILOG = """\
A port implements Ticklab's services (bench/include/bench/port.h) with the calls of a kernel, so
that the scenarios run on it. 'check' builds and runs a conformance program for each service and
feature that the port declares.

examples:
  ticklab port new my-kernel                   write ./my-kernel, which builds and has no service
  ticklab port check ./my-kernel               check every obligation of the services that it lists
  ticklab port check freertos --config asserts
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    actions = parser.add_subparsers(
        dest="action", metavar="new|check", required=True, help="what to do:"
    )
    new = actions.add_parser("new", help="write a port that builds and has no service")
    new.add_argument("name", metavar="NAME", help="name of the kernel")
    new.add_argument(
        "--in", dest="folder", metavar="FOLDER", type=Path, help="folder to write (default ./NAME)"
    )
    check = actions.add_parser("check", help="test the services and features that a port declares")
    check.add_argument(
        "kernel", metavar="KERNEL|FOLDER", help="a kernel by name, or the folder of a port"
    )
    check.add_argument(
        "--config",
        metavar="CONFIG|FILE",
        default="default",
        help="configuration of the kernel by name, or a file (default 'default')",
    )
    options.add_board(check)
    check.add_argument(
        "--optimise", metavar="LEVEL", default="O2", help="compiler optimisation (default O2)"
    )
    options.add_json(check, "the answer")
    options.add_store(check)


def run(arguments: argparse.Namespace) -> int:
    return _new(arguments) if arguments.action == "new" else _check(arguments)


def _new(arguments: argparse.Namespace) -> int:
    from ticklab.description import scaffold

    folder = arguments.folder or Path(arguments.name)
    for file in scaffold.write(arguments.name, folder):
        print(file)
    print(f"next: read docs/how-to/port-a-kernel.md, and run 'ticklab port check {folder}'")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from ticklab.description import catalogue
    from ticklab.measurement import cases, environment, next_service, portcheck
    from ticklab.measurement.progress import shown
    from ticklab.storage.store import Store
    from ticklab.views import json, output
    from ticklab.views import port as view

    case = _case(arguments)
    store = Store(arguments.store)
    store.open_for_writing()
    with shown() as progress:
        lab = environment.equip(
            store,
            {case.variant.board.name: None},
            len(os.sched_getaffinity(0)),
            progress,
            keeps_image=lambda _: False,
            skip_conformance=True,
        )
        proofs, features = cases.conformance(), cases.features()
        answer = portcheck.check(lab, case, proofs, features, progress)
    measurable = (one for suite in catalogue.suites().values() for one in suite.scenarios)
    following = next_service.find(case, measurable)
    view.show(answer, following, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(view.document(answer, following)), arguments.json)
    return 0 if answer.kept else 1


def _case(arguments: argparse.Namespace) -> Case:
    from ticklab import building
    from ticklab.bootstrap import step
    from ticklab.measurement import cases

    choice = cases.CaseChoice(
        kernels=[arguments.kernel],
        boards=[arguments.board],
        suites=[options.SUITE],
        scenarios=["bare-increment"],
        configs=[arguments.config],
        optimise=arguments.optimise,
    )
    return building.adapt_levels(cases.expand(choice), building.find_toolchain(), step.say)[0]
