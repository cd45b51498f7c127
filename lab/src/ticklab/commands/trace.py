# SPDX-License-Identifier: MIT
"""`ticklab trace`: writes the events of a run in the formats of trace viewers."""

from __future__ import annotations

import argparse
import sys
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
--perfetto and --chrome. If the kernel is Linux in configuration 'traced', the kernel's own trace
(sched_switch, sched_wakeup, irq_handler_entry, irq_handler_exit) is in it, on the same clock.

examples:
  ticklab trace freertos --scenario synchronization --ctf trace
  ticklab trace freertos --scenario synchronization --perfetto trace.pftrace --time modelled
  ticklab trace linux/traced --scenario synchronization --ctf trace

Trace Compass draws time graphs of a CTF trace with lab/src/ticklab/data/trace-compass.xml.
"""

_UNTRACED = (
    "ticklab: the kernel's own events are not in this trace; "
    "those of a run of 'linux/traced' or 'linux-rt/traced' are"
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("run", metavar="RUN", help="the run, see below")
    options.add_wanted(parser)
    options.add_kernel_folders(parser)
    options.add_traces(parser)
    parser.add_argument(
        "--time",
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
    from ticklab.explain import kernel_trace, second_run, subjects
    from ticklab.explain.timeline import Clock
    from ticklab.measurement import repeating
    from ticklab.storage.store import Store

    store = Store(arguments.store)
    folders = subjects.folders((*arguments.kernel, arguments.run))

    def repeat(run: Run, record: Record) -> AbstractContextManager[FirstRun]:
        return repeating.repeated(store, run, record, folders.get(record.kernel))

    with subjects.found(arguments.run, options.wanted(arguments), store, repeat) as subject:
        first, clock = subject.first, Clock(arguments.time)
        if kernel_trace.is_traced(first.plan.boot):
            return kernel_trace.timeline(first, [subject.span], clock)
        if first.plan.boot:
            print(_UNTRACED, file=sys.stderr)
        return second_run.timeline(first, [subject.span], clock)
