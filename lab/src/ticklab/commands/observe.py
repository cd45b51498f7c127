# SPDX-License-Identifier: MIT
"""`ticklab observe`: measures spans between addresses of any image. Stores nothing, unless the user
names a folder for the run."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import options
from ticklab.errors import TicklabError, UsageError

if TYPE_CHECKING:
    from ticklab.description.model import Board, Case, Image, Profile, Scenario
    from ticklab.measurement.observing import Found
    from ticklab.targets.protocol import Observation, ObservationPlan, Target

HELP = "measure calls of a function, or spans between two places, in any image"
NEEDS = ("system", "python", "observer")

EPILOG = """\
examples:
  ticklab observe image.elf --call xQueueGenericSend
  ticklab observe image.elf --mark begin=vTaskDelay --mark end=vTaskSwitchContext
  ticklab observe image.elf --call walk --task consume --depth 1
  ticklab observe image.elf --mark tick=SysTick_Handler --until marks=100 --json -
  ticklab observe image.elf --mark count=write:counter --mark entry.systick --mark exit.systick

places:
  SYMBOL[+OFFSET], 0xADDRESS   the instruction at this address; * in a name matches any text
  return:FUNCTION              where a call of the function returns
  write:VARIABLE[+OFFSET]      every instruction that writes this byte, also write:0xADDRESS
  mark:NAME                    a mark in the source, of marks/ticklab.h or the crate ticklab-mark
  FILE.c:LINE                  the first instruction of the line, in each function that has it
A mark entry.KIND or exit.KIND needs no place: it is the begin or the end of an exception. KIND is
svcall, pendsv, systick, external or faults.

--task selects the samples that begin in one task. Its name is the one that 'ticklab profile' shows.
--depth N selects the samples at nesting depth N: 1 is the outermost call of a function, 2 a call of
the same function made inside it, in the same task.

A call lasts from the function's first instruction to its return. Several marks define spans from
each mark to the next one, in the order given; a single mark defines a span from one pass to the
next. A sample ends in the call or task in which it began, or in another task that has
begun no sample, for example because the first task wakes that task. The output says how many
samples ended in another task, and how many passes of a mark have no partner, that is, neither begin
nor end a sample. Samples that an interrupt prolonged are summarised separately.

Exit status 1: a mark was never passed, most passes have no partner, or the run ended by a fault, a
lockup, a hang or a status other than 0.
"""

BUDGET_INSTRUCTIONS = 200_000_000
PASSES = 1000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    options.add_image(parser)
    options.add_board(parser)
    options.add_vectors(parser)
    parser.add_argument(
        "--call",
        metavar="[NAME=]FUNCTION",
        action="append",
        default=[],
        help="measure each call of a function; may be repeated (default none)",
    )
    parser.add_argument(
        "--mark",
        metavar="NAME=PLACE[,PLACE…]",
        action="append",
        default=[],
        help="places to watch, see below; may be repeated (default none)",
    )
    parser.add_argument(
        "--task",
        metavar="NAME|N",
        help="take only samples that begin in this task: its name, in which * matches any "
        "text, or its number, 0 for the first task that runs (default all tasks and "
        "handlers)",
    )
    parser.add_argument(
        "--depth",
        metavar="N",
        type=options.positive,
        help="take only samples at this nesting depth; 1 is the outermost call (default any)",
    )
    parser.add_argument(
        "--until",
        metavar="marks=N|instructions=N",
        type=_until,
        default=("marks", PASSES),
        help="end after N passes of the last mark (or N returns of the last call), or after N "
        f"instructions (default marks={PASSES})",
    )
    parser.add_argument(
        "--external",
        metavar="N|any",
        type=_external,
        default=0,
        help="number of external interrupts that belong to each sample (default 0); a sample "
        "with more is summarised separately, as interrupted",
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
        "--save",
        metavar="DIR",
        type=Path,
        help="write what 'explain' and 'trace' need to run the image again to a new folder",
    )
    options.add_json(parser, "the figures")


def run(arguments: argparse.Namespace) -> int:
    from ticklab import targets
    from ticklab.building import raw_image, vectors
    from ticklab.description import catalogue
    from ticklab.measurement import images, observation, observing, progress
    from ticklab.targets.protocol import Cancel

    board = catalogue.find_board(arguments.board)
    board = vectors.placed(board, raw_image.as_elf(arguments.image), arguments.vectors)
    case = images.case(arguments.image, board, _scenario(arguments))
    profile = _profile(arguments, board)
    image = images.describe(case)
    plan = _plan(observation.plan_of(case, image, profile), case, arguments.until)
    target = targets.of(board, nodes=min(2, board.machine.nodes))
    with _kept(arguments, target) as runs:
        with progress.waiting(f"observing {arguments.image.name}"):
            seen = runs.observe(image.path, plan, Cancel())
        images.require_same(image.path, image.sha256)
        passed = observing.passes(seen, plan.names)
        found = list(observation.found(case, image, seen, profile))
        observing.require_external(found, arguments.external)
        _show(arguments, image, plan, passed, found, seen)
        if arguments.save:
            _keep(arguments, runs, seen, found, case)
    if failure := observing.failure(seen):
        raise TicklabError(
            f"{arguments.image.name}: {failure}", "the figures cover the run up to this point"
        )
    return 0


def _scenario(arguments: argparse.Namespace) -> Scenario:
    """Returns a scenario with the marks and spans of the command line, as a recipe file describes
    one."""
    from ticklab.description.model import Expectation, SamplePlan, Scenario, Selection, Watch
    from ticklab.measurement import observing
    from ticklab.targets import mark_resolver

    if not arguments.mark and not arguments.call:
        raise UsageError(
            "there is nothing to watch: no function and no mark is named",
            "give --call FUNCTION or --mark NAME=SYMBOL",
        )
    watch = Watch(
        mark_resolver.gather(map(mark_resolver.parse, arguments.mark)),
        mark_resolver.gather(map(mark_resolver.parse_call, arguments.call)),
    )
    spans, selection = observing.spans(watch), Selection(arguments.task, arguments.depth)
    if selection != Selection():
        if any(span.each for span in spans):
            what = "--task and --depth need a span with a begin and an end"
            raise UsageError(what, "give --call FUNCTION, or two marks")
        watch = replace(watch, selected={span.name: selection for span in spans})
    return Scenario(
        name="observe",
        suite="observe",
        file=arguments.image,
        services=frozenset(),
        spans=spans,
        expect=Expectation(external=arguments.external, faults=None),
        plan=SamplePlan(arguments.warm_up, samples=1, ticks=0),
        threads=(),
        score=False,
        watch=watch,
    )


def _profile(arguments: argparse.Namespace, board: Board) -> Profile | None:
    from ticklab.description import catalogue

    if arguments.no_model:
        return None
    timing = catalogue.timing(board, arguments.profile)
    return catalogue.find_profile(timing) if timing else None


def _plan(plan: ObservationPlan, case: Case, until: tuple[str, int]) -> ObservationPlan:
    """Returns the plan with the end of the observation that the user chose."""
    kind, number = until
    by_marks = kind == "marks"
    last = case.scenario.spans[-1]
    budget = BUDGET_INSTRUCTIONS if by_marks else number
    return replace(
        plan,
        until_marks=(last.end or last.each[0]) if by_marks else None,
        passes=number if by_marks else 0,
        instructions=budget,
        stall_instructions=min(budget, BUDGET_INSTRUCTIONS),
    )


def _show(
    arguments: argparse.Namespace,
    image: Image,
    plan: ObservationPlan,
    passed: Mapping[str, int],
    found: list[Found],
    seen: Observation,
) -> None:
    from ticklab.views import json, observed, output

    observed.show(output.console(arguments.json), plan, passed, found, seen)
    if arguments.json:
        document = observed.document(image.sha256, arguments.board, plan, passed, found, seen)
        output.emit(json.dumps(document), arguments.json)


def _kept(arguments: argparse.Namespace, target: Target) -> AbstractContextManager[Target]:
    """Returns a context that gives the target. If the run is to be explained, the target keeps the
    event log."""
    from ticklab.targets import keeper
    from ticklab.targets.qemu import Qemu

    if not arguments.save:
        return nullcontext(target)
    if not isinstance(target, Qemu):
        raise TicklabError(
            "'explain' and 'trace' cannot repeat a run on this target", "leave --save out"
        )
    return keeper.keeping(target)


def _keep(
    arguments: argparse.Namespace,
    runs: Target,
    seen: Observation,
    found: Sequence[Found],
    case: Case,
) -> None:
    from ticklab.explain import kept_run, second_run
    from ticklab.measurement import observing
    from ticklab.targets.keeper import Keeper

    assert seen.log
    assert case.variant.kernel.image
    assert isinstance(runs, Keeper)
    about = second_run.About(
        spans=case.scenario.spans,
        external=arguments.external,
        warm_up=arguments.warm_up,
        clock_hz=case.variant.clock_hz,
        kernel=None,
        pairs=observing.numbered(seen.log, {each.span: each.pairs for each in found}),
    )
    first = second_run.of(runs, case.variant.kernel.image, about)
    kept_run.write(arguments.save, first, case.variant.board)


def _until(word: str) -> tuple[str, int]:
    kind, _, number = word.partition("=")
    if kind not in ("marks", "instructions"):
        raise argparse.ArgumentTypeError(f"'{word}' is neither marks=N nor instructions=N")
    return kind, options.positive(number)


def _external(word: str) -> int | None:
    return None if word == "any" else options.number(word)
