# SPDX-License-Identifier: MIT
"""`ticklab bench`: measures the speed of Ticklab itself, as ratios of processor times in one
run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import bootstrap, options
from ticklab.bootstrap import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ticklab.description.model import Case, Profile

HELP = "measure the speed of Ticklab itself, as ratios"
WHAT = """\
observer  processor time of QEMU with the observer relative to QEMU with -icount alone:
          observer/SCENARIO counts, observer/SCENARIO-modelled also models a core with caches,
          observer/SCENARIO-explained is the run that 'explain' repeats, for the board's own core
profile   profile/BOARD/SCENARIO: processor time of QEMU in 'profile --no-model', relative to QEMU
          with -icount alone, and profile/BOARD/SCENARIO-modelled with the cycle model of the
          board's core; profile/BOARD/SCENARIO-rate: millions of instructions a second without the
          model. The boards have an Armv7-M, an Armv8-M, an RV32 and a Cortex-A7
rtl       rtl/SCENARIO: processor time of the simulated hardware with marks and log, relative to
          that without them, on one node and (latency, tsp) on several nodes, which run
          bulkhead-semi; rtl/SCENARIO-rate: millions of cycles a second
lab       lab/start-up: 'list kernels' relative to the start of Python alone;
          lab/look-up: a run whose figures are stored, relative to one with an empty store;
          lab/list-s: seconds of 'list runs' with 1,000 runs in the store;
          lab/report-s, lab/report-mb: seconds and megabytes of the report of 10,000,000 samples
campaign  campaign/plan-s, campaign/plan-mb: processor time and memory of a plan of 10^5 cases;
          campaign/workers: elapsed time of one worker relative to two, for 528 cases with empty
          stores (about 5 minutes in each repetition, on a machine that does nothing else)
"""
SUITE = options.SUITE
SCENARIOS = ("message-processing", "cooperative-scheduling")
# The last two have many exceptions.
PROFILED = (*SCENARIOS, "interrupt-processing", "interrupt-preemption")
BOARD = options.BOARD
PROFILED_BOARDS = (BOARD, "mps2-an505", "virt", "virt-a7")
RTL_BOARD, NODES_BOARD = "ibex", "ibex-multi"
NODES_KERNEL, NODES_SUITE, NODES_SCENARIOS = "bulkhead-semi", "multiprocessor", ("latency", "tsp")
# Boards of each part of the benchmark that does not use the default board.
_BOARDS = {"profile": PROFILED_BOARDS, "rtl": (RTL_BOARD, NODES_BOARD)}
# Steps of the set-up that a part of the benchmark needs besides.
_STEPS = {"campaign": ("campaign",)}
RTL_CYCLES = 2_000_000  # cycles of simulated time in one repetition
# Of one repetition, and the number of repetitions: all profiles together take two minutes.
INSTRUCTIONS = {"observer": 200_000_000, "profile": 20_000_000}
TURNS = {"profile": 3}
# A memory with wait states, caches and prefetch, which takes the longest to model.
PROFILE = "stm32l4-80mhz"

_UNITS = {
    "-rate": "million/s",
    "-s": "s",
    "-mb": "MB",
}  # all others are ratios


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = WHAT
    parser.add_argument(
        "what",
        choices=tuple(_MEASURES),
        metavar="|".join(_MEASURES),
        help="the part of Ticklab to measure, see below",
    )
    parser.add_argument(
        "--kernel",
        metavar="KERNEL",
        default="freertos",
        help="kernel of the images that run (default freertos)",
    )
    parser.add_argument(
        "--turns",
        metavar="N",
        type=options.positive,
        help="number of repetitions, each of which runs both programs of a ratio (default 5; 3 for "
        "profile)",
    )
    parser.add_argument(
        "--instructions",
        metavar="N",
        type=options.positive,
        help="instructions in each repetition (default 200,000,000 for observer, 20,000,000 for "
        "profile)",
    )
    options.add_json(parser, "the ratios")


def needs(arguments: argparse.Namespace) -> tuple[str, ...]:
    boards, steps = _BOARDS.get(arguments.what, ()), _STEPS.get(arguments.what, ())
    return (*bootstrap.EVERYTHING, *steps, *tables.needs(boards))


def run(arguments: argparse.Namespace) -> int:
    from ticklab.views import json, output

    arguments.turns = arguments.turns or TURNS.get(arguments.what, 5)
    arguments.instructions = arguments.instructions or INSTRUCTIONS.get(arguments.what)
    measured = _MEASURES[arguments.what](arguments)
    out = output.console(arguments.json)
    for name, value in measured.items():
        out.print(f"{name:44} {value:8.2f} {_unit(name)}")
    if arguments.json:
        output.emit(json.dumps(measured), arguments.json)
    return 0


def _unit(name: str) -> str:
    """Returns the unit of a measure, by the end of its name."""
    return next((unit for end, unit in _UNITS.items() if name.endswith(end)), "times")


def _observer(arguments: argparse.Namespace) -> dict[str, float]:
    import tempfile

    from ticklab.description import catalogue
    from ticklab.quality import speed

    measured: dict[str, float] = {}
    n, slow = arguments.instructions, catalogue.find_profile(PROFILE)
    for case, image in _built(arguments.kernel):
        with tempfile.TemporaryDirectory() as scratch:
            name, log = f"observer/{case.scenario.name}", Path(scratch, "events.log")
            sides = {
                name: speed.observed(case, image, n),
                f"{name}-modelled": speed.observed(case, image, n, slow),
                f"{name}-explained": speed.explained(case, image, n, _profile(case), log),
            }
            bare = speed.unobserved(case, image, n)
            measured |= speed.ratios(bare, sides, arguments.turns)
    return measured


def _of_profiles(arguments: argparse.Namespace) -> dict[str, float]:
    from ticklab.measurement.progress import shown
    from ticklab.quality import speed

    measured: dict[str, float] = {}
    n = arguments.instructions
    with shown() as progress:
        progress.begin("measured", len(PROFILED_BOARDS) * len(PROFILED))
        for case, image in (
            each
            for board in PROFILED_BOARDS
            for each in _built(arguments.kernel, board, scenarios=PROFILED)
        ):
            name = f"profile/{case.variant.board.name}/{case.scenario.name}"
            sides = {name: speed.followed(case, image, n)}
            if profile := _profile(case):
                sides[f"{name}-modelled"] = speed.followed(case, image, n, profile)
            bare = speed.unobserved(case, image, n)
            measured |= speed.ratios(bare, sides, arguments.turns, rated=name)
            progress.done(name)
    return measured


def _rtl(arguments: argparse.Namespace) -> dict[str, float]:
    from ticklab.quality import speed

    measured: dict[str, float] = {}
    for case, image in (
        *_built(arguments.kernel, RTL_BOARD),
        *_built(NODES_KERNEL, NODES_BOARD, NODES_SUITE, NODES_SCENARIOS),
    ):
        name = f"rtl/{case.scenario.name}"
        bare = speed.unclocked(case, image, RTL_CYCLES)
        sides = {name: speed.clocked(case, image, RTL_CYCLES)}
        measured |= speed.ratios(bare, sides, arguments.turns, rated=name)
    return measured


def _built(
    kernel: str, board: str = BOARD, suite: str = SUITE, scenarios: Sequence[str] = SCENARIOS
) -> Iterator[tuple[Case, Path]]:
    from ticklab import building

    cases = _cases(kernel, board, suite, scenarios)
    for case, image in zip(cases, building.build(cases, building.find_toolchain()), strict=True):
        if isinstance(image, Exception):
            raise image
        yield case, image.path


def _profile(case: Case) -> Profile | None:
    """Returns the timing profile that a case uses on its board."""
    from ticklab.description import catalogue

    return (
        catalogue.find_profile(case.variant.board.profile) if case.variant.board.profile else None
    )


def _cases(kernel: str, board: str, suite: str, scenarios: Sequence[str]) -> list[Case]:
    """Returns one case of each scenario, with the first value of each parameter."""
    from ticklab.measurement import cases

    choice = cases.CaseChoice(
        kernels=[kernel],
        boards=[board],
        suites=[suite],
        scenarios=scenarios,
        configs=["default"],
        optimise="O2",
    )
    usual: dict[str, Case] = {}
    for case in cases.expand(choice):
        usual.setdefault(case.scenario.name, case)
    return list(usual.values())


def _lab(arguments: argparse.Namespace) -> dict[str, float]:
    import sys
    import tempfile

    from ticklab.quality import speed

    python = speed.command([sys.executable, "-c", "pass"])
    start = {"lab/start-up": speed.ticklab("list", "kernels")}
    with tempfile.TemporaryDirectory() as scratch:
        store = Path(scratch) / "store"
        words = ("run", "--kernel", arguments.kernel, "--store", str(store))
        measure = speed.ticklab(*words, "--output", str(Path(scratch) / "report.html"))
        look_up = {"lab/look-up": measure}
        return {
            **speed.ratios(python, start, arguments.turns),
            **speed.ratios(speed.from_empty(store, measure), look_up, 1),
            **_of_large_stores(Path(scratch)),
        }


def _of_large_stores(scratch: Path) -> dict[str, float]:
    from ticklab.quality import speed, speed_fixtures

    runs = speed_fixtures.runs(scratch / "runs", 1000)
    samples = speed_fixtures.samples(scratch / "samples", 10**7)
    report = scratch / "report.html"
    listed = speed.ticklab("list", "runs", "--store", str(runs.root))
    written = speed.ticklab("report", "--store", str(samples.root), "-o", str(report))
    return {
        "lab/list-s": speed.seconds(listed),
        "lab/report-s": speed.seconds(written),
        "lab/report-mb": report.stat().st_size / 1e6,
    }


def _of_campaigns(arguments: argparse.Namespace) -> dict[str, float]:
    import tempfile

    from ticklab.quality import speed, speed_fixtures

    with tempfile.TemporaryDirectory() as scratch:
        planned = speed_fixtures.campaign(Path(scratch), "services", config="all", layouts=25)
        plan = speed.resources("campaign", str(planned), "--plan")
        whole = speed_fixtures.campaign(Path(scratch), "thread-metric", config="default", layouts=8)
        home = Path(scratch, "home")
        one, two = (speed.cold_campaign(whole, workers, home) for workers in (1, 2))
        sides = {"campaign/workers": one}
        elapsed = speed.ratios(two, sides, arguments.turns, speed.seconds)
    return {"campaign/plan-s": plan.seconds, "campaign/plan-mb": plan.megabytes, **elapsed}


_MEASURES = {
    "observer": _observer,
    "profile": _of_profiles,
    "rtl": _rtl,
    "lab": _lab,
    "campaign": _of_campaigns,
}
