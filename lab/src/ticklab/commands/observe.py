# SPDX-License-Identifier: MIT
"""`ticklab observe`: counts between addresses of any image, whoever built it. Nothing is stored,
unless a folder is named for a recording."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from ticklab.model import Board, Profile, Record, Span
    from ticklab.targets.protocol import Observation, Place, Plan

HELP = "measure any image between two of its symbols"
NEEDS = ("system", "python", "observer")

EPILOG = """\
examples:
  ticklab observe image.elf --mark begin=vTaskDelay --mark end=vTaskSwitchContext
  ticklab observe image.elf --mark tick=SysTick_Handler --until marks=100 --json -

From each mark to the next one, in the order given; of one mark alone, from pass to pass. What an
interrupt fell into is summarised apart.
"""

BUDGET_INSTRUCTIONS = 200_000_000
PASSES = 1000
_HINT = "give the marks in the order in which they are passed, or a later --until"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("image", metavar="IMAGE.elf", type=Path)
    parser.add_argument("--board", metavar="BOARD", default="mps2-an386")
    parser.add_argument(
        "--mark",
        metavar="NAME=SYMBOL[+OFFSET]",
        action="append",
        required=True,
        help="a place to watch; NAME=0xADDRESS as well; several times",
    )
    parser.add_argument(
        "--until",
        metavar="marks=N|instructions=N",
        default=f"marks={PASSES}",
        help=f"so many passes of the last mark, or instructions in all; marks={PASSES} unless said",
    )
    parser.add_argument("--profile", metavar="PROFILE|FILE", help="timing of the memories")
    parser.add_argument("--no-model", action="store_true", help="count only, without cycles")
    parser.add_argument(
        "--record", metavar="DIR", type=Path, help="keep what 'explain' and 'trace' read there"
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures; - prints them")


def run(arguments: argparse.Namespace) -> int:
    from ticklab import descriptions, elf, measure, places, targets
    from ticklab.targets.protocol import Cancel

    board = descriptions.find_board(arguments.board)
    modelled = board.qemu_machine and not arguments.no_model
    timing = (arguments.profile or board.profile) if modelled else None
    profile = descriptions.find_profile(timing) if timing else None
    image = elf.read(arguments.image)
    marks = places.resolve([places.parse(word) for word in arguments.mark], image)
    plan = _plan(board, marks, profile, arguments.until)
    runs = targets.of(board, nodes=min(2, board.rtl_nodes))
    with measure.recorded(runs, bool(arguments.record)) as (target, blocks):
        seen = target.observe(arguments.image, plan, Cancel())
        passed = _passes(seen, marks)
        _show(arguments, marks, passed, _figures(seen, marks, profile, arguments))
        if blocks:
            _keep(arguments, blocks, places.spans(marks), board)
    return 0


def _keep(
    arguments: argparse.Namespace, blocks: Path, spans: tuple[Span, ...], board: Board
) -> None:
    from ticklab.explain import recordings

    about = recordings.About(spans, 0, 0, board.clock_hz, None)
    recordings.write_new(arguments.record, arguments.image, blocks, about)


def _plan(board: Board, marks: tuple[Place, ...], profile: Profile | None, until: str) -> Plan:
    from ticklab.targets.protocol import Plan

    kind, _, number = until.partition("=")
    if kind not in ("marks", "instructions") or not number.isdigit() or not int(number):
        raise UsageError(f"'{until}' says not when to end", "write marks=N or instructions=N")
    by_marks = kind == "marks"
    budget = BUDGET_INSTRUCTIONS if by_marks else int(number)
    return Plan(
        machine=board.qemu_machine,
        emulation=board.emulation,
        core=board.core,
        vectors=board.vectors,
        until_marks=marks[-1].name if by_marks else None,
        passes=int(number) if by_marks else 0,
        instructions=budget,
        stall_instructions=budget,
        marks=marks,
        profile=profile.data if profile else None,
    )


def _passes(seen: Observation, marks: tuple[Place, ...]) -> dict[str, int]:
    """How often each mark was passed; a mark that never was is an error, and how it ended the
    hint."""
    from ticklab import checks, samples

    if seen.log is None:
        raise TicklabError(f"nothing was observed: {checks.end_reason(seen.ending)}")
    passed = {mark.name: len(samples.passes(seen.log, (mark.name,))) for mark in marks}
    for mark in marks:
        if not passed[mark.name]:
            raise TicklabError(
                f"mark '{mark.name}' ({mark.address:#x}) was never passed",
                f"the run ended by '{seen.ending.end.value}'{seen.ending.place}",
            )
    return passed


def _figures(
    seen: Observation,
    marks: tuple[Place, ...],
    profile: Profile | None,
    arguments: argparse.Namespace,
) -> list[Record]:
    from ticklab import measurement, places, samples
    from ticklab.model import Record, Status

    if seen.log is None:
        return []
    name, board = arguments.image.name, arguments.board
    blank = Record(name, "", "", board, "observe", name, "", {}, 0, Status.PASS)
    every = [samples.extract(seen.log, s, external=0, warm_up=0) for s in places.spans(marks)]
    for of_span in every:
        if not len(of_span):
            raise TicklabError(f"'{of_span.span}' was never passed from end to end", _HINT)
    return [measurement.summary(replace(blank, span=s.span), s, profile) for s in every]


def _show(
    arguments: argparse.Namespace,
    marks: tuple[Place, ...],
    passed: dict[str, int],
    found: list[Record],
) -> None:
    from ticklab.views import json, output

    console = output.console(arguments.json)
    for mark in marks:
        console.print(f"{mark.name} at {mark.address:#x}: {passed[mark.name]} passes")
    console.print(_table(found))
    if arguments.json:
        output.emit(json.dumps(_document(arguments, marks, passed, found)), arguments.json)


def _table(found: list[Record]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from ticklab.views import figures

    heads = ("samples", "least", "median", "mean", "most", "exceptions", "cycles, modelled")
    table = Table("span", box=SIMPLE_HEAD, title="instructions, counted", title_justify="left")
    for head in heads:
        table.add_column(head, justify="right")
    for record in found:
        for label, stats in (("", record.instructions), (", interrupted", record.interrupted)):
            if stats:
                clean = stats is record.instructions
                table.add_row(
                    record.span + label,
                    *(figures.count(x) for x in (stats.n, stats.min, stats.p50, stats.mean)),
                    figures.count(stats.max),
                    f"{record.exceptions:g}" if clean else figures.NOTHING,
                    figures.cycles(record.cycles) if clean else figures.NOTHING,
                )
    return table


def _document(
    arguments: argparse.Namespace,
    marks: tuple[Place, ...],
    passed: dict[str, int],
    found: list[Record],
) -> dict[str, Any]:
    from ticklab import digest
    from ticklab.views import json

    shown = ("span", "instructions", "interrupted", "exceptions", "reads", "writes", "cycles")
    return {
        "schema": 1,
        "image": digest.of_file(arguments.image),
        "board": arguments.board,
        "marks": [
            {"name": mark.name, "address": mark.address, "passes": passed[mark.name]}
            for mark in marks
        ],
        "records": [
            {name: value for name, value in json.record_object(record).items() if name in shown}
            for record in found
        ],
    }
