# SPDX-License-Identifier: MIT
"""`ticklab port`: begins a port, and checks one (docs/porting.md)."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import paths

if TYPE_CHECKING:
    from ticklab.model import Case

HELP = "begin a port of a kernel, or check one"

EPILOG = """\
examples:
  ticklab port new my-kernel                   writes ./my-kernel: it builds, and has no service yet
  ticklab port check ./my-kernel               every obligation of the services that it lists
  ticklab port check freertos --config asserts
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    actions = parser.add_subparsers(dest="action", metavar="new|check", required=True)
    new = actions.add_parser("new", help="write a port that builds and has no service yet")
    new.add_argument("name", metavar="NAME")
    new.add_argument("--in", dest="folder", metavar="FOLDER", type=Path, help="./NAME, unless said")
    check = actions.add_parser("check", help="prove the services and features that it declares")
    check.add_argument("kernel", metavar="KERNEL|FOLDER")
    check.add_argument("--config", metavar="CONFIG|FILE", default="default")
    check.add_argument("--board", metavar="BOARD", default="mps2-an386")
    check.add_argument("--optimise", metavar="LEVEL", default="O2")
    check.add_argument("--store", metavar="DIR", type=Path, default=paths.store())
    check.add_argument("--json", metavar="FILE", help="write the answer; - prints it")


def run(arguments: argparse.Namespace) -> int:
    return _new(arguments) if arguments.action == "new" else _check(arguments)


def _new(arguments: argparse.Namespace) -> int:
    from ticklab import scaffold

    folder = arguments.folder or Path(arguments.name)
    for file in scaffold.write(arguments.name, folder):
        print(file)
    print(f"next: 'ticklab port check {folder}', and docs/porting.md")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from ticklab import cases, laboratory, portcheck
    from ticklab.progress import shown
    from ticklab.store import Store
    from ticklab.views import json, output
    from ticklab.views import port as view

    case = _case(arguments)
    store = Store(arguments.store)
    store.open_for_writing()
    with shown() as progress:
        lab = laboratory.equipped(
            store,
            {case.board.name: None},
            len(os.sched_getaffinity(0)),
            progress,
            records=lambda _: False,
            skip_conformance=True,
        )
        answer = portcheck.check(lab, case, cases.conformance(), cases.features(), progress)
    view.show(answer, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(view.plain(answer)), arguments.json)
    return 0 if answer.kept else 1


def _case(arguments: argparse.Namespace) -> Case:
    from ticklab import cases

    choice = cases.Choice(
        kernels=[arguments.kernel],
        boards=[arguments.board],
        suites=["thread-metric"],
        scenarios=["bare-increment"],
        configs=[arguments.config],
        optimise=arguments.optimise,
        params={},
        samples=None,
        layouts=1,
        clock_hz=None,
    )
    return cases.expand(choice)[0]
