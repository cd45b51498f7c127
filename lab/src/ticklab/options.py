# SPDX-License-Identifier: MIT
"""Defines options that several commands have, and parses values of options."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ticklab import paths
from ticklab.description.fields import is_number
from ticklab.errors import UsageError

if TYPE_CHECKING:
    from argparse import _ActionsContainer as Container

    from ticklab.explain.subjects import Wanted
    from ticklab.summary.deadline import Deadline

BOARD = "mps2-an386"
SUITE = "thread-metric"
UNITS = ("cycles", "instructions", "us")


def add_store(parser: Container) -> None:
    parser.add_argument(
        "--store",
        metavar="DIR",
        type=Path,
        default=paths.store(),
        help="folder that holds runs and measurements (default .ticklab/store)",
    )


def add_run(parser: Container) -> None:
    parser.add_argument(
        "run",
        nargs="?",
        default="latest",
        metavar="RUN",
        help="id of a run, or how the id begins (default latest)",
    )


def add_json(parser: Container, what: str) -> None:
    parser.add_argument(
        "--json", metavar="FILE", help=f"write {what} as JSON to a file; - prints it"
    )


def add_output(parser: Container, what: str, **settings: Any) -> None:
    parser.add_argument("-o", "--output", help=what, **{"metavar": "FILE", **settings})


def add_answer(parser: Container) -> None:
    """Adds the options that say how kernels are compared."""
    parser.add_argument(
        "--reference",
        metavar="KERNEL[/CONFIG]",
        help="kernel to compare the others with (default freertos; without it, the kernel "
        "with the most scenarios)",
    )
    parser.add_argument(
        "--unit",
        choices=UNITS,
        default=UNITS[0],
        help="unit of the ratios: cycles, instructions, or us, microseconds at the board's clock "
        "(default cycles)",
    )


def add_deadline(parser: Container) -> None:
    parser.add_argument(
        "--deadline",
        metavar="TIME",
        type=deadline,
        help="longest permitted latency of an interrupt, for example 2us, 500ns or 1ms; shows "
        "which worst cases meet it (default none)",
    )


def add_jobs(parser: Container) -> None:
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=positive,
        default=len(os.sched_getaffinity(0)),
        help="number of builds and emulators that run at the same time (default: one for each "
        "processor)",
    )


def add_timing(parser: Container) -> None:
    parser.add_argument(
        "--profile",
        metavar="PROFILE|FILE",
        help="timing profile of the memories, see 'list profiles' (default the board's)",
    )
    parser.add_argument(
        "--no-model", action="store_true", help="count instructions only; model no cycles"
    )


def add_image(parser: Container) -> None:
    parser.add_argument(
        "image",
        metavar="IMAGE",
        type=Path,
        help="the image to run: ELF, raw bytes as app.bin@0xADDRESS, or Intel HEX as app.hex",
    )


def add_vectors(parser: Container) -> None:
    parser.add_argument(
        "--vectors",
        metavar="ADDRESS",
        type=lambda word: int(word, 0),
        help="address of the image's vector table, if a boot loader starts the image (default "
        "the address at which the board's core starts)",
    )


def add_board(parser: Container) -> None:
    parser.add_argument(
        "--board",
        metavar="BOARD|FOLDER",
        default=BOARD,
        help=f"board by name, or the folder of one of your own (default {BOARD})",
    )


def add_boards(parser: Container) -> None:
    parser.add_argument(
        "--board",
        metavar="BOARD|FOLDER",
        nargs="+",
        default=[BOARD],
        help=f"boards, see 'list boards', or folders of your own (default {BOARD})",
    )


def add_suites(parser: Container) -> None:
    parser.add_argument(
        "--suite",
        metavar="SUITE|FOLDER",
        nargs="+",
        default=[SUITE],
        help="suites by name, folders of suites of your own, or 'all' for all except worst-case "
        f"(default {SUITE})",
    )


def add_traces(parser: Container) -> None:
    parser.add_argument(
        "--ctf", metavar="DIR", type=Path, help="write Common Trace Format 1.8 to a folder"
    )
    parser.add_argument(
        "--perfetto", metavar="FILE", type=Path, help="write Perfetto's protobuf to a file"
    )
    parser.add_argument(
        "--chrome", metavar="FILE", type=Path, help="write Chrome's trace events as JSON to a file"
    )


def add_kernel_folders(parser: Container) -> None:
    parser.add_argument(
        "--kernel",
        metavar="FOLDER",
        nargs="+",
        default=[],
        help="folders of kernels that are not in this checkout (default none)",
    )


def add_wanted(parser: argparse.ArgumentParser) -> None:
    """Adds the options that name one span of a run."""
    parser.add_argument(
        "--board", metavar="BOARD", help="board of the span (needed if the run has several)"
    )
    parser.add_argument(
        "--suite", metavar="SUITE", help="suite of the scenario (needed if several suites have it)"
    )
    parser.add_argument(
        "--scenario",
        metavar="SCENARIO",
        help="scenario of the span (needed if the run has several)",
    )
    parser.add_argument(
        "--span", metavar="SPAN", help="span to select (needed if the scenario has several)"
    )
    parser.add_argument(
        "--param",
        metavar="NAME=VALUE",
        nargs="+",
        type=parameter,
        default=[],
        help="values of the scenario's parameters, if it was measured with several (default any)",
    )


def wanted(arguments: argparse.Namespace) -> Wanted:
    """Returns the values of the options that `add_wanted` added."""
    from ticklab.explain.subjects import Wanted

    return Wanted(
        arguments.scenario,
        arguments.span,
        arguments.board,
        arguments.suite,
        params=dict(arguments.param),
    )


def number(word: str, least: int = 0) -> int:
    """Returns a decimal number of at least `least`."""
    if not is_number(word) or int(word) < least:
        raise argparse.ArgumentTypeError(f"'{word}' is not a whole number of at least {least}")
    return int(word)


def positive(word: str) -> int:
    return number(word, 1)


def add_shard(parser: Container, what: str) -> None:
    parser.add_argument(
        "--shard",
        metavar="I/N",
        type=shard,
        help=f"measure part I of N parts of {what}; 'store merge' joins them (default all)",
    )


def shard(word: str) -> tuple[int, int]:
    """Parses I/N, which selects shard I of N shards."""
    part, _, of = word.partition("/")
    if not (is_number(part) and is_number(of) and 1 <= int(part) <= int(of)):
        raise UsageError(
            f"--shard {word} is not I/N with I from 1 to N", "write for example --shard 2/4"
        )
    return int(part), int(of)


_MICROSECONDS = {"ns": 1e-3, "us": 1.0, "µs": 1.0, "ms": 1e3}


def deadline(word: str) -> Deadline:
    """Parses a deadline: a number with its unit of time."""
    from ticklab.summary.deadline import Deadline

    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ns|us|µs|ms)", word)
    if not found or not float(found[1]):
        raise argparse.ArgumentTypeError(
            f"'{word}' is not a time with its unit, for example 2us, 500ns or 1ms"
        )
    return Deadline(float(found[1]) * _MICROSECONDS[found[2]])


def parameter(word: str) -> tuple[str, str]:
    """Splits NAME=VALUE, a parameter of a scenario."""
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"'{word}' is not NAME=VALUE")
    return name, value


def parameter_values(word: str) -> tuple[str, list[str]]:
    """Splits NAME=VALUE[,VALUE…], the values of a parameter."""
    name, values = parameter(word)
    return name, values.split(",")
