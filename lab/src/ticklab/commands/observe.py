# SPDX-License-Identifier: MIT
"""`ticklab observe`: measures between addresses of any image. Stores nothing, except a recording in
a folder that the user names."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from ticklab.building.elf import Elf
    from ticklab.description.model import Board, Profile
    from ticklab.measurement.observing import Found, Watched
    from ticklab.targets.protocol import Observation, Place, Plan

HELP = "measure any image: calls of a function, or what lies between two places"
NEEDS = ("system", "python", "observer")

EPILOG = """\
examples:
  ticklab observe image.elf --call xQueueGenericSend
  ticklab observe image.elf --mark begin=vTaskDelay --mark end=vTaskSwitchContext
  ticklab observe image.elf --mark tick=SysTick_Handler --until marks=100 --json -

A call lasts from the function's first instruction to its return. Marks give spans from each to the
next one, in the order given; a single mark gives a span from pass to pass. A span ends in the call
or task in which it began, or in another task that has begun none: one task wakes another. Such
samples are counted, and so are passes without a partner. What an interrupt fell into is summarised
apart.

Exit status 1: a mark was never passed, most passes have no partner, or the run ended by a fault, a
lockup, a hang or a status other than 0.
"""

BUDGET_INSTRUCTIONS = 200_000_000
PASSES = 1000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "image", metavar="IMAGE.elf", type=Path, help="the image to run, with symbols"
    )
    parser.add_argument(
        "--board", metavar="BOARD", default=options.BOARD, help=f"board (default {options.BOARD})"
    )
    parser.add_argument(
        "--call",
        metavar="[NAME=]FUNCTION",
        action="append",
        default=[],
        help="measure each call of a function; may be repeated (default none)",
    )
    parser.add_argument(
        "--mark",
        metavar="NAME=SYMBOL[+OFFSET]",
        action="append",
        default=[],
        help="an address to watch, also NAME=0xADDRESS; may be repeated (default none)",
    )
    parser.add_argument(
        "--until",
        metavar="marks=N|instructions=N",
        type=_until,
        default=("marks", PASSES),
        help="end after so many passes of the last mark (or returns of the last call), or "
        f"instructions in all (default marks={PASSES})",
    )
    parser.add_argument(
        "--external",
        metavar="N|any",
        type=_external,
        default=0,
        help="external interrupts that a sample takes by itself (default 0); a sample with more is "
        "an interrupted one",
    )
    parser.add_argument(
        "--warm-up",
        metavar="N",
        type=options.number,
        default=0,
        help="leave the first N samples of each span out of the figures (default 0)",
    )
    options.add_timing(parser)
    parser.add_argument(
        "--record",
        metavar="DIR",
        type=Path,
        help="write a recording for 'explain' and 'trace' to a new folder",
    )
    options.add_json(parser, "the figures")


def run(arguments: argparse.Namespace) -> int:
    from ticklab import targets
    from ticklab.building import elf
    from ticklab.description import descriptions
    from ticklab.measurement import campaign, observing, progress
    from ticklab.targets.protocol import Cancel

    board = descriptions.find_board(arguments.board)
    image = elf.read(arguments.image)
    elf.require_place(image, board)
    marks, calls = _places(arguments, image)
    if calls and not board.machine.follows_calls:
        raise UsageError(f"board {board.name} follows no calls", "name two marks instead of --call")
    watched = observing.watched(marks, calls, image, follows_calls=board.machine.follows_calls)
    profile = _profile(arguments, board)
    plan = _plan(board, marks, calls, watched, profile, arguments.until)
    target = targets.of(board, nodes=min(2, board.machine.nodes))
    with campaign.recorded(target, bool(arguments.record)) as (runs, blocks):
        with progress.waiting(f"observing {arguments.image.name}"):
            seen = runs.observe(arguments.image, plan, Cancel())
        passed = observing.passes(seen, [place.name for place in (*marks, *calls)])
        found = _found(arguments, seen, watched, profile)
        _show(arguments, (*marks, *calls), passed, found, seen)
        if blocks:
            _keep(arguments, blocks, seen, found, watched, board)
    if failure := observing.failure(seen):
        raise TicklabError(f"{arguments.image.name}: {failure}", "figures are of what came before")
    return 0


def _places(
    arguments: argparse.Namespace, image: Elf
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Of the marks and of the calls."""
    from ticklab.targets import mark_resolver

    if not arguments.mark and not arguments.call:
        raise UsageError("nothing to watch", "give --call FUNCTION or --mark NAME=SYMBOL")
    requests = [
        *map(mark_resolver.parse, arguments.mark),
        *map(mark_resolver.parse_call, arguments.call),
    ]
    found, count = mark_resolver.resolve(requests, image), len(arguments.mark)
    return found[:count], found[count:]


def _profile(arguments: argparse.Namespace, board: Board) -> Profile | None:
    from ticklab.description import descriptions

    if arguments.no_model:
        return None
    timing = descriptions.timing(board, arguments.profile)
    return descriptions.find_profile(timing) if timing else None


def _plan(
    board: Board,
    marks: Sequence[Place],
    calls: Sequence[Place],
    watched: Sequence[Watched],
    profile: Profile | None,
    until: tuple[str, int],
) -> Plan:
    from ticklab.measurement.observing import RETURN
    from ticklab.targets.protocol import Plan

    kind, number = until
    by_marks = kind == "marks"
    last = calls[-1].name + RETURN if calls else marks[-1].name
    budget = BUDGET_INSTRUCTIONS if by_marks else number
    returns = {call.name: call.name + RETURN for call in calls}
    return Plan(
        machine=board.machine,
        core=board.core,
        vectors=board.vectors,
        until_marks=last if by_marks else None,
        passes=number if by_marks else 0,
        instructions=budget,
        stall_instructions=min(budget, BUDGET_INSTRUCTIONS),
        marks=(*marks, *calls),
        calls=returns if board.machine.follows_calls else None,
        profile=profile.data if profile else None,
    )


def _found(
    arguments: argparse.Namespace,
    seen: Observation,
    watched: Sequence[Watched],
    profile: Profile | None,
) -> list[Found]:
    from ticklab.measurement import observing

    assert seen.log  # or its passes would have been an error
    return [
        observing.find(seen.log, each, profile, arguments.external, arguments.warm_up)
        for each in watched
    ]


def _show(
    arguments: argparse.Namespace,
    marks: Sequence[Place],
    passed: Mapping[str, int],
    found: list[Found],
    seen: Observation,
) -> None:
    from ticklab import digest
    from ticklab.views import json, observed, output

    observed.show(output.console(arguments.json), marks, passed, found, seen)
    if arguments.json:
        image = digest.hash_file(arguments.image)
        document = observed.document(image, arguments.board, marks, passed, found, seen)
        output.emit(json.dumps(document), arguments.json)


def _keep(
    arguments: argparse.Namespace,
    blocks: Path,
    seen: Observation,
    found: Sequence[Found],
    watched: Sequence[Watched],
    board: Board,
) -> None:
    from ticklab.measurement import observing
    from ticklab.storage import recordings

    assert seen.log
    about = recordings.About(
        spans=tuple(each.span for each in watched),
        external=arguments.external,
        warm_up=arguments.warm_up,
        clock_hz=board.clock_hz,
        kernel=None,
        pairs=observing.numbered(seen.log, found),
    )
    recordings.write_new(arguments.record, arguments.image, blocks, about)


def _until(word: str) -> tuple[str, int]:
    kind, _, number = word.partition("=")
    if kind not in ("marks", "instructions"):
        raise argparse.ArgumentTypeError(f"'{word}' is neither marks=N nor instructions=N")
    return kind, options.positive(number)


def _external(word: str) -> int | None:
    return None if word == "any" else options.number(word)
