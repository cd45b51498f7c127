# SPDX-License-Identifier: MIT
"""Executes a document: its fenced blocks whose first line has a word after the language.

```sh run               runs each command in a copy of the checkout; the status must be 0
```sh run status=3      the same; the status of the last command must be 3
```text output          the output before it has these lines, in this order; … is any text
```c file=PATH          writes the file
```toml append=PATH     appends to the file
```diff apply           applies the patch
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ticklab import paths
from ticklab.quality import rules

_BLOCK = re.compile(r"^```\w+ (.+)\n((?:.*\n)*?)```$", re.MULTILINE)
_SHARED = ("venv", "sources", "observer", "rtl")
# The copy of the checkout shares the products of the set-up, so this script marks the set-up's
# steps as made.
_STAMP = """
from ticklab.bootstrap.steps import STEPS
for step in STEPS:
    if step.present():
        step._stamp().write_text(step.key())
"""


@dataclass(frozen=True)
class Block:
    words: tuple[str, ...]
    text: str

    def option(self, name: str, default: str = "") -> str:
        pairs = (word.split("=", 1) for word in self.words if "=" in word)
        return dict(pair for pair in pairs).get(name, default)


def blocks(document: Path) -> Iterator[Block]:
    for words, text in _BLOCK.findall(document.read_text()):
        yield Block(tuple(words.split()), text)


def workspace(folder: Path) -> Path:
    """Returns a copy of the checkout that shares the installed tools."""
    copy = folder / "ticklab"
    for file in rules.files():
        place = copy / file.relative_to(paths.CHECKOUT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place, follow_symlinks=False)
    home = copy / ".ticklab"
    (home / "setup").mkdir(parents=True)
    for name in _SHARED:
        (home / name).symlink_to(paths.home() / name)
    subprocess.run(["git", "init", "--quiet", copy], check=True)
    subprocess.run([sys.executable, "-P", "-c", _STAMP], env=environment(copy), check=True)
    return copy


def environment(copy: Path) -> dict[str, str]:
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    named = {"TICKLAB_HOME": str(copy / ".ticklab"), "TICKLAB_NO_INSTALL": "1"}
    return {**os.environ, **named, "PATH": tools, "PYTHONPATH": str(copy / "lab" / "src")}


def execute(document: Path, copy: Path) -> int:
    """Executes the blocks in order, and returns the number of commands."""
    commands, said = 0, ""
    for block in blocks(document):
        if block.words[0] == "run":
            commands += 1
            said = _run(block, copy)
        elif block.words[0] == "output":
            _compare(block, said)
        else:
            _change(block, copy)
    return commands


def _run(block: Block, copy: Path) -> str:
    answer = subprocess.run(
        ["bash", "-e", "-c", block.text],
        cwd=copy,
        env=environment(copy),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert answer.returncode == int(block.option("status", "0")), block.text + answer.stdout
    return answer.stdout


def _compare(block: Block, said: str) -> None:
    """Requires that the output has each expected line, each after the one before it."""
    rest = said
    for line in block.text.splitlines():
        words = (re.escape(word) for word in line.split())
        pattern = r"\s+".join(words).replace(r"\s+…\s+", ".*")
        found = re.search(pattern.replace("…", ".*"), rest)
        assert found, f"{line!r} is not in:\n{rest}"
        rest = rest[found.end() :]


def _change(block: Block, copy: Path) -> None:
    if "apply" in block.words:
        command = ["git", "apply", "--recount", "-"]
        subprocess.run(command, cwd=copy, input=block.text, text=True, check=True)
    elif name := block.option("file"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(block.text)
    elif name := block.option("append"):
        with (copy / name).open("a") as file:
            file.write(block.text)
    else:
        raise AssertionError(f"a fenced block has unknown words: {' '.join(block.words)}")
