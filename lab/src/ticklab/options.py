# SPDX-License-Identifier: MIT
"""Values of options that several commands take."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ticklab.explain.subjects import Wanted


# What int() takes is more: signs, spaces, underscores, and digits of other scripts.
_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)


def add_wanted(parser: argparse.ArgumentParser) -> None:
    """Adds the options that name one span of a run."""
    parser.add_argument("--board", metavar="BOARD", help="if the run has several")
    parser.add_argument("--suite", metavar="SUITE", help="if several have the scenario")
    parser.add_argument("--scenario", metavar="SCENARIO")
    parser.add_argument("--span", metavar="SPAN")
    parser.add_argument("--param", metavar="NAME=VALUE", nargs="+", type=parameter, default=[])


def wanted(arguments: argparse.Namespace) -> Wanted:
    """Returns what `add_wanted` parsed."""
    from ticklab.explain.subjects import Wanted

    return Wanted(
        arguments.scenario,
        arguments.span,
        arguments.board,
        arguments.suite,
        params=dict(arguments.param),
    )


def is_number(word: str) -> bool:
    return bool(_NUMBER.fullmatch(word))


def number(word: str, least: int = 0) -> int:
    """A decimal number that is not less than `least`."""
    if not is_number(word) or int(word) < least:
        raise argparse.ArgumentTypeError(f"'{word}' is no whole number from {least} on")
    return int(word)


def positive(word: str) -> int:
    return number(word, 1)


def parameter(word: str) -> tuple[str, str]:
    """NAME=VALUE, of a scenario."""
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"'{word}' is not NAME=VALUE")
    return name, value


def parameter_values(word: str) -> tuple[str, list[str]]:
    """NAME=VALUE[,VALUE…], of scenarios."""
    name, values = parameter(word)
    return name, values.split(",")
