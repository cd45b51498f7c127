# SPDX-License-Identifier: MIT
"""Values of options that several commands take."""

from __future__ import annotations

import argparse


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
