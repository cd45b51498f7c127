# SPDX-License-Identifier: MIT
"""`ticklab setup`: installs in advance what other commands need.

Every other command installs what it needs when it runs. So this command is for container images,
for machines that lose their network, and for the tools of `rv32` if only a stored run, not the
command line, names a board that needs them."""

from __future__ import annotations

import argparse

from ticklab import bootstrap, names
from ticklab.bootstrap.steps import STEPS

HELP = "install in advance what commands need"


def configure(parser: argparse.ArgumentParser) -> None:
    listing = "\n".join(f"  {step.name:12} {step.title}" for step in STEPS)
    parser.epilog = f"steps:\n{listing}\n\n'ticklab doctor' lists what is set up."
    parser.add_argument(
        "steps",
        nargs="*",
        metavar="STEP",
        type=_step,
        help=f"steps to set up, see below (default {' '.join(bootstrap.EVERYTHING)})",
    )


def needs(arguments: argparse.Namespace) -> tuple[str, ...]:
    return tuple(arguments.steps) or bootstrap.EVERYTHING


def run(arguments: argparse.Namespace) -> int:
    print(f"set up: {', '.join(needs(arguments))}")
    return 0


def _step(name: str) -> str:
    return names.choose("step", name, {step.name: step.name for step in STEPS})
