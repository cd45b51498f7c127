# SPDX-License-Identifier: MIT
"""Generates the reference of the command line from its parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ticklab import cli


def markdown() -> str:
    """Returns one section for each command."""
    return "\n".join(line for name in cli.parsers() for line in _section(name))


def with_option(option: str) -> set[str]:
    """Returns the names of the commands and subcommands that have this option."""
    parsers: dict[str, argparse.ArgumentParser] = {**cli.parsers()}
    for name, parser in cli.parsers().items():
        parsers |= {f"{name} {word}": child for word, child in _children(parser).items()}
    return {name for name, parser in parsers.items() if option in parser._option_string_actions}


def _section(name: str) -> Iterator[str]:
    parser = cli.parsers()[name]
    yield from (f"## ticklab {name}", "", _sentence(parser.description or ""), "")
    yield from _rows(parser)
    for word, child in _children(parser).items():
        yield from (f"### ticklab {name} {word}", "", _sentence(child.description or ""), "")
        yield from _rows(child)
    if parser.epilog:
        yield from ("```text", parser.epilog.strip(), "```", "")


def _rows(parser: argparse.ArgumentParser) -> Iterator[str]:
    actions = [one for one in parser._actions if one.dest not in ("help", "==SUPPRESS==")]
    actions = [one for one in actions if not isinstance(one, argparse._SubParsersAction)]
    if not actions:
        return
    yield from ("| argument | meaning |", "|---|---|")
    for action in actions:
        help_text = (action.help or "") % {**vars(action), "prog": parser.prog}
        yield f"| {_name(action)} | {_cell(help_text)} |"
    yield ""


def _children(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _name(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else None
    if not action.option_strings:
        return f"`{_cell(value or '|'.join(action.choices or ()) or action.dest)}`"
    words = ", ".join(action.option_strings)
    takes = "" if action.nargs == 0 else f" {value or action.dest.upper()}"
    return f"`{_cell(words + takes)}`"


def _cell(text: str) -> str:
    """Returns a text for a table cell, with `|` escaped."""
    return " ".join(text.split()).replace("|", "\\|")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
