# SPDX-License-Identifier: MIT
"""Tests the command lines that documents quote: each stands on a line of its own, and the command
line of this version accepts its words."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ticklab import cli, paths
from ticklab.quality import rules

DOCUMENTS = [file for file in rules.files() if file.suffix == ".md"]
BLOCK = re.compile(r"^ *```\w*(?: .*)?\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"(?:^|[ (`])(?:\S*/)?ticklab(?= )")
# After a prompt and settings of the environment: `$ TICKLAB_HOME=x ./ticklab run`.
LINE = re.compile(r" *(?:\$ )?(?:[A-Z_]+=\S+ )*(?:\S*/)?ticklab (.*)")
END = ("|", ">", ">>", "&&", ";", "2>&1")


def commands(text: str) -> list[str]:
    """Returns the lines of code blocks that have a command line of Ticklab. A line that ends with a
    backslash continues on the next line."""
    code = "\n".join(BLOCK.findall(text)).replace("\\\n", " ")
    return [line for line in code.splitlines() if CALL.search(line)]


def words(line: str) -> list[str]:
    """Returns the words after `ticklab`, without the comment and other programs."""
    found = LINE.fullmatch(line)
    assert found, f"the command is not at the start of its line: {line}"
    assert len(CALL.findall(line)) == 1, f"several commands on one line: {line}"
    every = shlex.split(found[1], comments=True)
    return every[: min((every.index(word) for word in END if word in every), default=None)]


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(paths.CHECKOUT)))
def test_the_command_line_accepts_what_a_document_quotes(file: Path) -> None:
    for line in commands(file.read_text()):
        cli.parser().parse_args(words(line))


@pytest.mark.parametrize("line", ["./ticklab run # measure ./ticklab test", "rt ./ticklab gate"])
def test_lines_that_a_formatter_joined_are_refused(line: str) -> None:
    assert commands(f"```\n{line}\n```\n{line}\n") == [line]
    with pytest.raises(AssertionError, match=r"one line|start of its line"):
        words(line)
