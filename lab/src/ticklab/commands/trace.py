# SPDX-License-Identifier: MIT
"""`ticklab trace`: writes a recorded run in the formats of trace viewers."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from ticklab.explain.timeline import Timeline

HELP = "write a recorded run as a trace: CTF, Perfetto or Chrome JSON"

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
    parser.add_argument("run", metavar="RUN", help="the recorded run, see below")
    options.add_wanted(parser)
    parser.add_argument(
        "--ctf", metavar="DIR", type=Path, help="write Common Trace Format 1.8 to a folder"
    )
    parser.add_argument(
        "--perfetto", metavar="FILE", type=Path, help="write Perfetto's protobuf to a file"
    )
    parser.add_argument(
        "--chrome", metavar="FILE", type=Path, help="write Chrome's trace events as JSON to a file"
    )
    parser.add_argument(
        "--clock",
        choices=("instructions", "modelled"),
        default="instructions",
        help="time of the trace: one nanosecond for each instruction, or modelled time (default "
        "instructions)",
    )
    options.add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    if not (arguments.ctf or arguments.perfetto or arguments.chrome):
        raise UsageError("no format is named", "add --ctf DIR, --perfetto FILE or --chrome FILE")
    timeline = _timeline(arguments)
    try:
        _write(timeline, arguments)
    except OSError as error:
        raise TicklabError(
            f"cannot write {error.filename}: {error.strerror}", "name another file or folder"
        ) from error
    return 0


def _timeline(arguments: argparse.Namespace) -> Timeline:
    from ticklab.explain import replay, subjects
    from ticklab.explain.timeline import Clock
    from ticklab.measurement import rerecord
    from ticklab.storage.store import Store

    store = Store(arguments.store)
    recorder = partial(rerecord.record, store)
    subject = subjects.find(arguments.run, options.wanted(arguments), store, recorder)
    return replay.timeline(subject.recording, [subject.span], Clock(arguments.clock))


def _write(timeline: Timeline, arguments: argparse.Namespace) -> None:
    from ticklab.traces import chrome, ctf, perfetto

    for write, place in (
        (ctf.write, arguments.ctf),
        (perfetto.write, arguments.perfetto),
        (chrome.write, arguments.chrome),
    ):
        if place:
            write(timeline, place)
            print(f"{place}: {len(timeline.events)} events")
