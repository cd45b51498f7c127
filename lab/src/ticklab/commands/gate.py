# SPDX-License-Identifier: MIT
"""`gate`: fails where a kernel got slower than a baseline, and names the function."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options, paths
from ticklab.errors import TicklabError

if TYPE_CHECKING:
    from ticklab.baseline import Baseline
    from ticklab.model import Record, Run
    from ticklab.store import Store

HELP = "fail where something got slower than a baseline"

EPILOG = """\
Measures what the baseline holds as it is built today, and prints a line for each change, with the
function that caused it. Counted figures are compared exactly; modelled cycles change where every
corner of the model agrees.

Exit status: 0 nothing got worse, 3 something got worse, 1 nothing got worse but something has no
figures any more (it failed, or is not measured), 2 wrong use.

examples:
  ticklab gate --baseline main
  ticklab gate --baseline ci/baseline.json --kernel ../my-kernel
  ticklab gate --baseline main 20261120-1        judge a run that is there already
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run", nargs="?", metavar="RUN", help="a run; measured anew unless named")
    parser.add_argument("--baseline", metavar="NAME", required=True, help="see 'baseline'")
    parser.add_argument("--kernel", metavar="FOLDER", nargs="+", default=[], help="users' kernels")
    parser.add_argument("--anyway", action="store_true", help="judge what was built otherwise, too")
    parser.add_argument("--json", metavar="FILE", help="write the changes as JSON; - prints")
    parser.add_argument(
        "--jobs", metavar="N", type=options.positive, default=len(os.sched_getaffinity(0))
    )
    parser.add_argument("--store", metavar="DIR", type=Path, default=paths.store())


def run(arguments: argparse.Namespace) -> int:
    from ticklab import baseline, descriptions, gate
    from ticklab.store import Store
    from ticklab.views import gate as view
    from ticklab.views import json, output

    store = Store(arguments.store)
    kept = baseline.read(baseline.find(arguments.baseline, store.root))
    folders = {descriptions.find_kernel(word).name: word for word in arguments.kernel}
    now = store.run(arguments.run) if arguments.run else _measured(arguments, kept, folders, store)
    if not arguments.anyway:
        _check_alike(kept, now)
    changes = gate.judge(kept, now.records, now.lanes, partial(_functions, store, now, folders))
    view.show(arguments.baseline, kept, now, changes, output.console(arguments.json))
    if arguments.json:
        output.emit(json.dumps(view.document(kept, now, changes)), arguments.json)
    return gate.status(changes)


def _measured(
    arguments: argparse.Namespace, kept: Baseline, folders: Mapping[str, str], store: Store
) -> Run:
    from ticklab import laboratory
    from ticklab.progress import shown

    with shown() as progress:
        command = arguments.command_line
        return laboratory.measure_again(kept, folders, store, arguments.jobs, progress, command)


def _functions(
    store: Store, run: Run, folders: Mapping[str, str], record: Record
) -> dict[str, float]:
    from ticklab.explain import functions

    return functions.of_record(store, run, record, folders.get(record.kernel))


def _check_alike(kept: Baseline, now: Run) -> None:
    """Another compiler, flag or clock is not the kernel's doing."""
    from ticklab import compare, gate

    found = {gate.identity(record): record for record in now.records}
    pairs = ((then, found.get(gate.identity(then))) for then in kept.run.records)
    unlike = dict.fromkeys(
        str(difference)
        for then, record in pairs
        if record and then.instructions and record.instructions
        for difference in compare.differences(now, record, kept.run, then)
    )
    if unlike:
        raise TicklabError(
            f"the baseline was built otherwise: {'; '.join(unlike)}",
            "--anyway judges and blames the kernel; or save a new baseline",
        )
