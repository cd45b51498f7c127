# SPDX-License-Identifier: MIT
"""An item: one check of the project that runs alone, in a process and a folder of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ticklab.errors import TicklabError


class CheckError(TicklabError):
    """Raised if a check fails. The message is the output of the check."""


@dataclass(frozen=True)
class ItemOptions:
    """Options of `ticklab test` for all items: how large tests are, and the seed of random tests
    and of the selection of mutants."""

    long: bool = False
    seed: int = 1


@dataclass(frozen=True)
class Item:
    """A check with a name such as `rtl/prove/rtu`.

    `run` takes an empty folder and returns a line about its success, or raises an error.
    """

    name: str
    run: Callable[[Path], str]
    inputs: Sequence[str]  # files and folders of the checkout that determine the result
    tools: Sequence[str] = ()  # programs whose versions determine the result
    seconds: float = 2  # of processor time, estimated; expensive items run first
    fast: bool = False  # belongs to the fast tier
    after: Sequence[str] = ()  # items that build what this item uses
    options: str = ""  # other inputs that determine the result: sizes and seeds
    modules: Sequence[str] = ()  # modules in Python that the runner imports once for all items

    @property
    def is_mutant(self) -> bool:
        return self.name.startswith("mutants/")


def program(
    command: Sequence[str | Path], folder: Path, environment: Mapping[str, str], good: int = 0
) -> str:
    """Runs a program whose output becomes the item's output. Exit status `good`, besides 0, is a
    success."""
    words = [str(word) for word in command]
    status = subprocess.run(
        words, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, check=False
    ).returncode
    if status not in (0, good):
        raise CheckError(f"{Path(words[0]).name} ended with status {status}")
    return ""
