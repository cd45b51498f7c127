# SPDX-License-Identifier: MIT
"""Tests that documents which a reader follows do what they say: walkthrough.py executes their
commands in a copy of the checkout. tutorials/measure-your-kernel.md has a test of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import walkthrough

from ticklab import paths

DOCS = paths.CHECKOUT / "docs"
# Documents whose commands take little time. The others are executed only with --long. The test of
# Bulkhead's examples runs the system of tutorials/sensor-hub.md, and test_gate.py the commands of
# tutorials/find-a-regression.md.
QUICK = (
    "how-to/add-a-command.md",
    "how-to/bring-a-target.md",
    "how-to/use-cmsis-rtos2.md",
    "tutorials/first-bulkhead-system.md",
)


def documents() -> Iterator[object]:
    for folder in ("tutorials", "how-to"):
        for document in sorted((DOCS / folder).glob("*.md")):
            if any(walkthrough.blocks(document)):
                name = str(document.relative_to(DOCS))
                yield pytest.param(name, marks=() if name in QUICK else pytest.mark.long, id=name)


@pytest.mark.parametrize("name", list(documents()))
def test_a_walkthrough_does_what_it_says(name: str, tmp_path: Path) -> None:
    assert walkthrough.execute(DOCS / name, walkthrough.workspace(tmp_path)) > 0


def test_output_that_was_not_printed_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("```sh run\necho one two\n```\n```text output\n{}\n```\n")
    document = tmp_path / "a.md"
    document.write_text(document.read_text().format("one …"))
    assert walkthrough.execute(document, tmp_path) == 1
    document.write_text(document.read_text().replace("one …", "three"))
    with pytest.raises(AssertionError, match="three"):
        walkthrough.execute(document, tmp_path)


def test_a_command_that_fails_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("```sh run status=3\nexit 3\n```\n```sh run\nfalse\n```\n")
    with pytest.raises(AssertionError, match="false"):
        walkthrough.execute(tmp_path / "a.md", tmp_path)
