# SPDX-License-Identifier: MIT
"""`ticklab trace`: writes a run in the formats of trace viewers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import UsageError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ticklab.description.model import Record, Run
    from ticklab.explain.second_run import FirstRun
    from ticklab.explain.timeline import Timeline

HELP = "write a run as a trace: CTF, Perfetto or Chrome JSON"

EPILOG = """\
RUN is as in 'ticklab explain'. A trace has switches of tasks, exceptions, critical sections,
services of the kernel, and the marks and spans of the scenario. Name at least one of --ctf,
--perfetto and --chrome.

examples:
  ticklab trace freertos --scenario synchronization --ctf trace
  ticklab trace freertos --scenario synchronization --perfetto trace.pftrace --clock modelled

Trace Compass draws time graphs of a CTF trace with lab/src/ticklab/data/trace-compass.xml.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run", metavar="RUN", help="the run, see below")
    options.add_wanted(parser)
    options.add_kernel_folders(parser)
    options.add_traces(parser)
    parser.add_argument(
        "--clock",
        choices=("instructions", "modelled"),
        default="instructions",
        help="time of the trace: one nanosecond for each instruction, or modelled time (default "
        "instructions)",
    )
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    from ticklab import traces

    files = traces.Files(arguments.ctf, arguments.perfetto, arguments.chrome)
    if not files:
        raise UsageError("no format is named", "add --ctf DIR, --perfetto FILE or --chrome FILE")
    timeline = _timeline(arguments)
    traces.write(timeline, files)
    for place in filter(None, (files.ctf, files.perfetto, files.chrome)):
        print(f"{place}: {len(timeline.events)} events")
    return 0


def _timeline(arguments: argparse.Namespace) -> Timeline:
    from ticklab.explain import second_run, subjects
    from ticklab.explain.timeline import Clock
    from ticklab.measurement import repeating
    from ticklab.storage.store import Store

    store = Store(arguments.store)
    folders = subjects.folders((*arguments.kernel, arguments.run))

    def repeat(run: Run, record: Record) -> AbstractContextManager[FirstRun]:
        return repeating.repeated(store, run, record, folders.get(record.kernel))

    with subjects.found(arguments.run, options.wanted(arguments), store, repeat) as subject:
        return second_run.timeline(subject.first, [subject.span], Clock(arguments.clock))
