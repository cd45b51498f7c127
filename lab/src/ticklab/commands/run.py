# SPDX-License-Identifier: MIT
"""`ticklab run`: builds images, measures them, stores the run and prints it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import names, options
from ticklab.errors import UsageError
from ticklab.plural import number_of

if TYPE_CHECKING:
    from ticklab.building import Toolchain
    from ticklab.description.model import Case, Profile, Record, Run
    from ticklab.measurement.campaign import CampaignResult
    from ticklab.measurement.environment import Environment
    from ticklab.measurement.progress import Bar, Lines

HELP = "build and measure kernels, store the run, and print the answer"

EPILOG = """\
examples:
  ticklab run --kernel freertos rt --scenario message-processing
  ticklab run --kernel ../my-kernel --config my-config.h   a kernel and a configuration of your own
  ticklab run --cc clang --cflags='-fno-inline'            another compiler, and flags
  ticklab run --optimise best                              each kernel at the level that suits it
  ticklab run --suite worst-case --deadline 2us            which sweeps never exceed 2 µs
  ticklab run --scenario synchronization --json - | jq .records
  ticklab run --image firmware.elf                         Thread-Metric in an unported image
  ticklab run --image firmware.elf --recipe mine.toml      an image under a recipe of yours

A case that was measured before is looked up in the store, so an interrupted run continues where it
stopped. Each run writes its report to the store, as reports/RUN.html; reports/latest.html is a link
to the report of the last run.
"""

AS_IT_IS = "an image is measured as it is: leave the option out"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    _configure_what(parser)
    _configure_how(parser)
    _configure_output(parser)


def _configure_what(parser: argparse.ArgumentParser) -> None:
    what = parser.add_argument_group("what is measured")
    what.add_argument(
        "--kernel",
        metavar="KERNEL|FOLDER",
        nargs="+",
        default=[],
        help="kernels by name, or folders of kernels of your own; KERNEL/CONFIG is one "
        "configuration of a kernel (default all kernels)",
    )
    what.add_argument(
        "--image",
        metavar="FILE",
        nargs="+",
        type=Path,
        default=[],
        help="images that Ticklab did not build, in place of kernels (default none)",
    )
    what.add_argument(
        "--recipe",
        metavar="RECIPE|FILE.toml",
        help="file that says between which places of an image each scenario is measured "
        "(default thread-metric)",
    )
    options.add_boards(what)
    options.add_vectors(what)
    options.add_suites(what)
    what.add_argument(
        "--scenario",
        metavar="SCENARIO",
        nargs="+",
        default=[],
        help="scenarios of the suites (default all)",
    )
    what.add_argument(
        "--config",
        metavar="CONFIG|FILE",
        nargs="+",
        default=[],
        help="configurations of the kernels by name, or files (default the ranked ones)",
    )
    what.add_argument(
        "--optimise",
        metavar="LEVEL",
        default="O2",
        help="compiler optimisation: Os, O2, O3, O2+lto …, or best, the fastest for each kernel; "
        "O2+called … calls the port's services, which are otherwise inlined (default O2)",
    )
    what.add_argument(
        "--cc",
        metavar="COMPILER",
        help="another GCC for the board's architecture, or a Clang (default: the one on PATH)",
    )
    what.add_argument(
        "--cflags",
        metavar="'FLAGS'",
        default="",
        help="compiler flags to append to all others, as --cflags='-O1 …' (default none)",
    )
    what.add_argument(
        "--param",
        metavar="NAME=VALUE[,VALUE…]",
        nargs="+",
        type=options.parameter_values,
        default=[],
        help="values of a scenario's parameter (default those that the suite lists)",
    )
    what.add_argument(
        "--layouts",
        metavar="N",
        type=options.positive,
        default=1,
        help="measure each image with N orders of its functions in memory, to show how much "
        "the figures depend on code placement (default 1)",
    )
    what.add_argument(
        "--clock", metavar="HZ", type=options.positive, help="clock in Hz (default the board's)"
    )


def _configure_how(parser: argparse.ArgumentParser) -> None:
    how = parser.add_argument_group("how")
    how.add_argument(
        "--samples",
        metavar="N",
        type=options.positive,
        help="minimum number of samples of each span (default the suite's)",
    )
    options.add_timing(how)
    how.add_argument(
        "--skip-conformance",
        action="store_true",
        help="measure a port without testing it first; its figures are marked and never ranked",
    )
    how.add_argument(
        "--record",
        metavar="SPAN",
        nargs="*",
        help="keep the images of the scenarios with these spans, or of all scenarios if no "
        "span is named: the report then explains them, and 'explain' and 'trace' still "
        "work after the sources have changed (default none)",
    )
    how.add_argument(
        "--no-why",
        dest="why",
        action="store_false",
        help="leave out the second run of each case, which finds the categories and functions "
        "of its instructions",
    )
    options.add_shard(how, "the builds")
    options.add_jobs(how)


def _configure_output(parser: argparse.ArgumentParser) -> None:
    output = parser.add_argument_group("results")
    output.add_argument(
        "--full", action="store_true", help="print all tables, as 'ticklab show' does"
    )
    options.add_answer(output)
    options.add_deadline(output)
    options.add_json(output, "the records")
    output.add_argument(
        "--csv", metavar="FILE", help="write the records as CSV to a file; - prints it"
    )
    options.add_output(output, "write the HTML report to this file as well", type=Path)
    options.add_store(output)


def run(arguments: argparse.Namespace) -> int:
    from ticklab import building
    from ticklab.measurement import campaign
    from ticklab.measurement.progress import shown
    from ticklab.summary.matrix import check_reference
    from ticklab.targets.protocol import Cancel

    begun = time.monotonic()
    toolchain = building.find_toolchain(arguments.cc, arguments.cflags)
    cases = _cases(arguments, toolchain)
    check_reference(
        arguments.reference, ((c.variant.kernel.name, c.variant.config.name) for c in cases)
    )
    if arguments.shard:
        cases = _part(arguments, cases)
    if arguments.deadline and not any(case.scenario.sweep for case in cases):
        raise UsageError("--deadline is for sweeps, and none is chosen", "add --suite worst-case")
    profiles = profiles_of(cases, arguments)
    with shown() as progress:
        lab = laboratory(arguments, profiles, toolchain, progress)
        lab.store.open_for_writing()
        try:
            result = campaign.measure(lab, cases, progress, Cancel())
        except BaseException:
            say("stopped; finished measurements are kept, the same command continues from here")
            raise
    found = assemble(arguments, lab, cases, profiles, result)
    _show(arguments, lab, found, result)
    calibrated = _is_calibrated(lab, found)
    say(_where_the_time_went(arguments, result, time.monotonic() - begun))
    return status(found.records) or int(not calibrated)


def _part(arguments: argparse.Namespace, cases: Sequence[Case]) -> list[Case]:
    """Returns the cases of this shard. If the shard does not contain the reference, the shards are
    compared when their stores are merged."""
    from ticklab.measurement.cases import BEST, shard

    if arguments.optimise == BEST:
        raise UsageError(
            "--shard cannot be combined with --optimise best", "name the levels one by one"
        )
    found = shard(cases, *arguments.shard)
    wanted, kernels = arguments.reference, {case.variant.kernel.name for case in found}
    arguments.reference = wanted if wanted and wanted.partition("/")[0] in kernels else None
    return found


def _cases(arguments: argparse.Namespace, toolchain: Toolchain) -> list[Case]:
    from ticklab import building
    from ticklab.measurement import cases

    if arguments.image:
        found = _cases_of_images(arguments)
        _check_spans(found, arguments.record or [])
        return found
    _refuse(arguments, ("recipe", "vectors"), "only an image has one: give --image FILE")
    choice = cases.CaseChoice(
        kernels=arguments.kernel,
        boards=arguments.board,
        suites=arguments.suite,
        scenarios=arguments.scenario,
        configs=arguments.config,
        optimise=arguments.optimise,
        params=dict(arguments.param),
        samples=arguments.samples,
        layouts=arguments.layouts,
        clock_hz=arguments.clock,
    )
    found = building.adapt_levels(cases.expand(choice), toolchain, say)
    _check_spans(found, arguments.record or [])
    return found


def _cases_of_images(arguments: argparse.Namespace) -> list[Case]:
    from ticklab.description import recipe
    from ticklab.measurement import images

    built = ("kernel", "config", "cc", "cflags", "param", "samples")
    _refuse(arguments, built, AS_IT_IS)
    for name, default in (("suite", [options.SUITE]), ("optimise", "O2"), ("layouts", 1)):
        if getattr(arguments, name) != default:
            raise UsageError(f"--{name} does not fit --image", AS_IT_IS)
    return images.expand(
        images.ImageChoice(
            arguments.image,
            arguments.recipe or recipe.DEFAULT,
            arguments.board,
            arguments.scenario,
            arguments.clock,
            arguments.vectors,
        )
    )


def _refuse(arguments: argparse.Namespace, unfit: Sequence[str], hint: str) -> None:
    for name in unfit:
        if getattr(arguments, name):
            raise UsageError(f"--{name} does not fit the other options", hint)


def _check_spans(cases: Sequence[Case], wanted: Sequence[str]) -> None:
    known = {span.name for case in cases for span in case.scenario.spans}
    for name in wanted:
        if name not in known:
            raise names.unknown("span", name, known)


def profiles_of(cases: Sequence[Case], arguments: argparse.Namespace) -> dict[str, Profile | None]:
    """Returns the timing profile of each board, by the name of the board."""
    from ticklab.description import catalogue

    if arguments.no_model:
        return {case.variant.board.name: None for case in cases}
    boards = {
        case.variant.board.name: catalogue.timing(case.variant.board, arguments.profile)
        for case in cases
    }
    return {board: catalogue.find_profile(name) if name else None for board, name in boards.items()}


def laboratory(
    arguments: argparse.Namespace,
    profiles: Mapping[str, Profile | None],
    toolchain: Toolchain,
    progress: Bar | Lines,
) -> Environment:
    from ticklab.measurement import environment
    from ticklab.storage.store import Store

    return environment.equip(
        Store(arguments.store),
        profiles,
        arguments.jobs,
        progress,
        keeps_image=lambda case: (
            bool(case.variant.kernel.image) or _is_kept(case, arguments.record)
        ),
        skip_conformance=arguments.skip_conformance,
        toolchain=toolchain,
        finds_work=lambda case: arguments.why and _has_work(case),
    )


def _has_work(case: Case) -> bool:
    """Returns whether a case measures code of a kernel, so that its instructions are divided by
    kind of work. Only cases with layout 0 are, because all layouts execute the same
    instructions."""
    is_first = case.variant.layout == 0
    return is_first and bool(case.scenario.spans) and case.scenario.exercises_kernel


def _is_kept(case: Case, wanted: Sequence[str] | None) -> bool:
    """Returns whether the store is to keep the image of a case. `--record` without names keeps the
    image of every scenario with a span."""
    spans = {span.name for span in case.scenario.spans}
    return wanted is not None and bool(spans) and (not wanted or not spans.isdisjoint(wanted))


def assemble(
    arguments: argparse.Namespace,
    lab: Environment,
    cases: Sequence[Case],
    profiles: Mapping[str, Profile | None],
    result: CampaignResult,
) -> Run:
    from ticklab.building import footprint
    from ticklab.comparison import best_level, means
    from ticklab.description import catalogue
    from ticklab.description.model import Run
    from ticklab.measurement import provenance
    from ticklab.measurement.cases import BEST
    from ticklab.storage.store import new_run_id

    measured = best_level.choose(result.records) if arguments.optimise == BEST else result.records
    suites = catalogue.suites({record.suite for record in measured})
    records = (*measured, *means.records(measured, list(suites.values()), result.lanes))
    shown = {"/".join((r.kernel, r.config, r.optimise, r.board)) for r in records}
    builds = {name: build for name, build in result.builds.items() if name in shown}
    origin = provenance.describe(cases, profiles, lab.target, builds, arguments.command_line)
    sizes = {name: of for name, of in footprint.by_build(result.images).items() if name in shown}
    part = getattr(arguments, "shard", None)  # `tune` has no option --shard
    shard = {"shard": "{}/{}".format(*part)} if part else {}
    return Run(new_run_id(), {**origin, "footprints": sizes, **shard}, records, result.lanes)


def _show(
    arguments: argparse.Namespace, lab: Environment, found: Run, result: CampaignResult
) -> None:
    """Prints the figures first, then writes the files and reports, which may fail."""
    from ticklab.views import csv, json, output

    _print(arguments, found)
    if arguments.json:
        output.emit(json.dumps(json.document(found, arguments.reference)), arguments.json)
    if arguments.csv:
        output.emit(csv.dumps(found), arguments.csv)
    sys.stdout.flush()
    _show_consoles(result)
    if result.not_stored:
        raise result.not_stored
    lab.store.add_run(found)
    _write_report(arguments, lab, found, result)
    for breach in result.breaches:
        say(f"{breach.case.variant.subject} breaks a rule of the contract: {breach}")
    for damage in result.damaged:
        say(f"measured again, and renamed the damaged folder: {damage.message}")
    if result.not_explained:
        say(f"not everything can be explained: {result.not_explained}")


def _print(arguments: argparse.Namespace, found: Run) -> None:
    """Prints a short answer: which kernel is fastest. Prints all tables if the user wants them, or
    if no two kernels can be compared."""
    from ticklab.summary.answer import Unit
    from ticklab.views import answer, output, table

    out = output.console(arguments.json, arguments.csv)
    unit, deadline = Unit(arguments.unit), arguments.deadline
    is_answered = answer.show(found, out, unit, arguments.reference, deadline)
    if arguments.full or not is_answered:
        table.show(found, out, arguments.reference)


def _is_calibrated(lab: Environment, found: Run) -> bool:
    """Returns whether the figures of the suite `calibration` agree with the target's description.
    Returns True if the run does not contain this suite."""
    from ticklab.comparison import calibration
    from ticklab.description import catalogue
    from ticklab.views import calibration as view
    from ticklab.views import output

    def expected(record: Record) -> calibration.Expected:
        cycles = record.figures.cycles
        profile = (cycles.profile or calibration.CLOCKED) if cycles else ""
        return calibration.expected(catalogue.find_board(record.board), profile)

    findings = calibration.judge(found, expected, lambda one: lab.store.ticked_starts(one))
    view.show(found, findings, output.console("-"))
    return not findings


def _write_report(
    arguments: argparse.Namespace, lab: Environment, found: Run, result: CampaignResult
) -> None:
    from ticklab.commands.report import about, asked, explained
    from ticklab.views import html

    explain = partial(explained, lab.store, [found], _folders(result))
    text = html.render([found], lab.store, about([found]), explain, asked(arguments))
    say(f"report: {_short(lab.store.keep_report(found.id, text))}")
    if arguments.output:
        html.save(text, arguments.output)
        say(f"report: {arguments.output}")


def _folders(result: CampaignResult) -> dict[str, str]:
    """Returns the folders of kernels that are not in this checkout, by the kernel's name."""
    from ticklab.description.folders import KERNELS

    kernels = (case.variant.kernel for case, _ in result.images)
    known = KERNELS.every()
    return {one.name: str(one.folder) for one in kernels if one.name not in known}


def _short(path: Path) -> Path:
    """Returns the path relative to the current folder if the file is below this folder, otherwise
    the path unchanged."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _show_consoles(result: CampaignResult) -> None:
    """Prints the last console lines of each guest that failed, if it printed more than its
    verdict."""
    from ticklab.description.model import Status

    for outcome in result.outcomes:
        record = outcome.records[0]
        lines = [line for line in outcome.console.splitlines() if line.strip()]
        if record.status is Status.FAIL and any("ticklab: " not in line for line in lines):
            say(f"last output of {record.kernel}/{record.config} in {record.scenario}:")
            for line in lines[-10:]:
                print(f"    {line}", file=sys.stderr)


def _where_the_time_went(
    arguments: argparse.Namespace, result: CampaignResult, all_s: float
) -> str:
    timing = result.timing
    if arguments.image:
        images = f"read {number_of(len(arguments.image), 'image')} and built none"
    else:
        images = f"built {number_of(timing.images, 'image')} in {timing.built_s:.1f} s"
    return (
        f"{all_s:.1f} s: {images}, observed {timing.observed}, found {timing.looked_up} in the "
        f"store, in {timing.observed_s:.1f} s"
    )


def status(records: Sequence[Record]) -> int:
    from ticklab.description.model import Status

    return int(any(record.status in (Status.FAIL, Status.BLOCKED) for record in records))


def say(line: str) -> None:
    print(f"ticklab: {line}", file=sys.stderr, flush=True)
