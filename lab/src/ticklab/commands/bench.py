# SPDX-License-Identifier: MIT
"""`bench`: how fast Ticklab itself is, as ratios measured in one run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ticklab import paths
from ticklab.errors import UsageError

if TYPE_CHECKING:
    from ticklab.model import Case

HELP = "measure how fast Ticklab itself is, as ratios"
WHAT = """\
observer  processor time of QEMU with the observer relative to QEMU with -icount alone:
          observer/SCENARIO counts, observer/SCENARIO-modelled also models a core with caches
lab       lab/start-up: 'list kernels' relative to a bare Python;
          lab/look-up: a run that is in the store relative to the same from an empty store
"""
SUITE = "thread-metric"
SCENARIOS = ("message-processing", "cooperative-scheduling")
BOARD = "mps2-an386"
PROFILE = "stm32l4-80mhz"  # a memory with wait states, caches and prefetch: the slowest to model


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = WHAT
    parser.add_argument("what", choices=("observer", "lab"), metavar="observer|lab")
    parser.add_argument("--kernel", metavar="KERNEL", default="freertos", help="whose images run")
    parser.add_argument("--turns", metavar="N", type=int, default=5, help="each side, in turns")
    parser.add_argument(
        "--instructions", metavar="N", type=int, default=30_000_000, help="a turn of the observer"
    )
    parser.add_argument("--json", metavar="FILE", help="write them as JSON; - prints")


def run(arguments: argparse.Namespace) -> int:
    from ticklab.views import json, output

    if min(arguments.turns, arguments.instructions) < 1:
        raise UsageError("--turns and --instructions must be above 0", "leave them out")
    measured = _observer(arguments) if arguments.what == "observer" else _lab(arguments)
    out = output.console(arguments.json)
    for name, ratio in measured.items():
        out.print(f"{name:44} {ratio:8.2f}")
    if arguments.json:
        output.emit(json.dumps(measured), arguments.json)
    return 0


def _observer(arguments: argparse.Namespace) -> dict[str, float]:
    from ticklab import build, descriptions, speed

    profile = descriptions.find_profile(PROFILE)
    cases = _cases(arguments.kernel)
    measured: dict[str, float] = {}
    for case, image in zip(cases, build.build(cases, build.find_toolchain()), strict=True):
        if isinstance(image, Exception):
            raise image
        name, n = f"observer/{case.scenario.name}", arguments.instructions
        sides = {
            name: speed.observed(case, image.path, paths.plugin(), None, n),
            f"{name}-modelled": speed.observed(case, image.path, paths.plugin(), profile, n),
        }
        measured |= speed.ratios(speed.unobserved(case, image.path, n), sides, arguments.turns)
    return measured


def _cases(kernel: str) -> list[Case]:
    from ticklab import cases

    choice = cases.Choice(
        kernels=[kernel],
        boards=[BOARD],
        suites=[SUITE],
        scenarios=SCENARIOS,
        configs=["default"],
        optimise="O2",
        params={},
        samples=None,
        layouts=1,
        clock_hz=None,
    )
    return cases.expand(choice)


def _lab(arguments: argparse.Namespace) -> dict[str, float]:
    import sys
    import tempfile

    from ticklab import speed

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
        }
