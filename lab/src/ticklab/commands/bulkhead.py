# SPDX-License-Identifier: MIT
"""`ticklab bulkhead draw` shows which memory and objects each process of a declared system can
reach. `ticklab bulkhead log` shows what a system wrote into its logs and its trace. Both call tools
of Bulkhead (bulkhead/tools), which projects without Ticklab call directly."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ticklab import bulkhead_tools, options

if TYPE_CHECKING:
    from ticklab.traces import Files

HELP = "show the isolation of a system on Bulkhead, or its logs and its trace"
NEEDS = ("python",)

EPILOG = """\
draw reads the declaration of a system (docs/reference/bulkhead-declaration.md) and shows its
processes, their threads, memory, devices and rights, and what the kernel does when an interrupt
comes. A process reaches nothing else.

log reads the memory of a system with log_events or trace_events in its declaration: a file that a
debugger saved (the declared data, from its first address on), or a GDB server of QEMU, OpenOCD or
a probe. It shows the entries of each process and the events of the kernel, or writes them for a
trace viewer.

examples:
  ticklab bulkhead draw system.toml                           as text
  ticklab bulkhead draw system.toml --format svg -o hub.svg   a picture, without scripts
  ticklab bulkhead draw system.toml --format json | jq '.processes[].rights'
  ticklab bulkhead log hub.elf --gdb localhost:1234
  ticklab bulkhead log hub.elf --memory ram.bin --perfetto hub.pftrace --tick-hz 1000
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, help="action:")
    draw = actions.add_parser("draw", help="show what each process of a declaration reaches")
    bulkhead_tools.load("bulkhead_draw.formats").configure(draw)
    options.add_output(draw, "file to write (default -, prints)", default="-")
    _configure_log(actions.add_parser("log", help="show the logs of processes and the trace"))


def _configure_log(log: argparse.ArgumentParser) -> None:
    sources = bulkhead_tools.load("bulkhead_log.sources")
    sources.configure(log)
    place = log.add_mutually_exclusive_group(required=True)
    sources.add_dump(place)
    place.add_argument("--gdb", metavar="HOST:PORT", help="a GDB server of the running system")
    log.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="text for a terminal, json for programs (default text)",
    )
    options.add_output(log, "file to write (default -, prints)", default="-")
    options.add_traces(log)
    log.add_argument(
        "--tick-hz",
        metavar="N",
        type=options.positive,
        default=1000,
        help="tick frequency of the system in Hz, for the times in a trace (default 1000)",
    )


def run(arguments: argparse.Namespace) -> int:
    from ticklab import traces
    from ticklab.views import output

    if arguments.action == "draw":
        output.emit(_drawn(arguments), arguments.output)
        return 0
    reading = _reading(arguments)
    files = traces.Files(arguments.ctf, arguments.perfetto, arguments.chrome)
    if files:
        _write(reading, files, arguments.tick_hz)
    else:
        formats = bulkhead_tools.load("bulkhead_log.text").FORMATS
        output.emit(formats[arguments.format](reading), arguments.output)
    return 0


def _drawn(arguments: argparse.Namespace) -> str:
    from ticklab.errors import UsageError

    formats = bulkhead_tools.load("bulkhead_draw.formats")
    try:
        return str(formats.shown(arguments.declaration, arguments.format))
    except formats.DeclarationError as error:
        raise UsageError(str(error)) from None


def _reading(arguments: argparse.Namespace) -> Any:
    from ticklab.errors import UsageError
    from ticklab.targets.desk.memory import memory

    sources = bulkhead_tools.load("bulkhead_log.sources")
    try:
        if arguments.memory:
            return sources.read_dump(arguments.image, arguments.memory)
        image = sources.read_image(arguments.image)
        with memory(arguments.gdb) as read:
            return sources.read(image, read)
    except sources.LogError as error:
        raise UsageError(str(error)) from None


def _write(reading: Any, files: Files, tick_hz: int) -> None:
    from ticklab import traces
    from ticklab.explain import target_events

    timeline = target_events.timeline(reading, tick_hz)
    traces.write(timeline, files)
    for place in filter(None, (files.ctf, files.perfetto, files.chrome)):
        print(f"{place}: {len(timeline.events)} events")
