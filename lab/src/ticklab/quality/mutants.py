# SPDX-License-Identifier: MIT
"""Mutants: copies of the sources with one fault each, which a test must catch.

A mutant is an entry `[[mutant]]` in a TOML file:

    removes the check or step that the mutant leaves out; or
    fault      what the change makes wrong
    file the file, relative to the folder of the area (a set of mutants with their tests)
    old, new   the text, which must be in the file exactly once, and its replacement
    caught_by  the test that must fail, by the area's name for the test

so that no mutant outlives the code that it changes. Further keys belong to the area, which gives a
function that runs the test: it returns why the test fails, or None if the test passes. `ticklab
test` plants some of the mutants, which the seed selects; with --long it plants all.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ticklab.quality.item import CheckError, Item, ItemOptions
from ticklab.quality.runner import ItemResult

PART = 32


@dataclass(frozen=True)
class Mutant:
    area: str
    part: str  # name of the TOML file without its suffix
    removes: str
    fault: str
    file: str
    old: str
    new: str
    caught_by: str
    # Additional keys of the entry, which the area defines.
    own: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        short = re.sub(r"[^a-z0-9]+", "-", (self.removes or self.fault).lower()).strip("-")
        return f"mutants/{self.area}/{self.part}/{short}"

    @property
    def what(self) -> str:
        return (
            f"{self.file} without {self.removes}" if self.removes else f"{self.file}: {self.fault}"
        )

    def changed(self, root: Path) -> str:
        """Returns the text of the mutant's file in the folder `root`, with the fault in it."""
        text = (root / self.file).read_text()
        if text.count(self.old) != 1:
            raise CheckError(
                f"{self.name}: {self.file} has its text {text.count(self.old)} times, not once",
                "change the mutant with the code",
            )
        return text.replace(self.old, self.new)

    def plant(self, root: Path) -> Path:
        """Writes the fault into the mutant's file in `root`, which is a copy of the sources, and
        returns the file's path."""
        text = self.changed(root)
        (root / self.file).write_text(text)
        return root / self.file


Attempt = Callable[[Mutant, Path], str | None]


@dataclass(frozen=True)
class Area:
    """The mutants of one folder, and the function that runs its tests on a mutant."""

    name: str
    root: Path  # folder to which `file` is relative
    mutants: Sequence[Mutant]
    attempt: Attempt
    inputs: Sequence[str]
    tools: Sequence[str]
    seconds: Callable[[Mutant], float]
    after: Sequence[str] = ()
    part: int = PART  # without --long, one of this many mutants is planted
    keys: Sequence[str] = ()  # further keys that an entry may have

    def items(self, choice: ItemOptions) -> Iterator[Item]:
        yield Item(
            f"mutants/{self.name}/texts", self._require_texts, self.inputs, seconds=1, fast=True
        )
        sample = slice(None) if choice.long else slice(choice.seed % self.part, None, self.part)
        for mutant in self.mutants[sample]:
            yield Item(
                mutant.name,
                partial(_caught, mutant, self.attempt),
                self.inputs,
                self.tools,
                self.seconds(mutant),
                after=self.after,
            )

    def _require_texts(self, _folder: Path) -> str:
        """Checks that the text of each mutant is in its file, and that names are unique."""
        names = [mutant.name for mutant in self.mutants]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise CheckError(f"two mutants are called {', '.join(twice)}", "rename one")
        for mutant in self.mutants:
            if set(mutant.own) - set(self.keys):
                raise CheckError(f"{mutant.name} has the unknown key {sorted(mutant.own)}")
            if mutant.file:
                mutant.changed(self.root)
        return f"{len(self.mutants)} mutants apply"


def read(area: str, files: Iterable[Path]) -> list[Mutant]:
    return [
        _mutant(area, file, entry)
        for file in sorted(files)
        for entry in tomllib.loads(file.read_text())["mutant"]
    ]


def _mutant(area: str, file: Path, entry: Mapping[str, Any]) -> Mutant:
    common = ("removes", "fault", "file", "old", "new", "caught_by")
    if ("removes" in entry) == ("fault" in entry):
        raise CheckError(f"{file}: a mutant has one of 'removes' and 'fault', not {sorted(entry)}")
    known = {key: str(entry.get(key, "")) for key in common}
    own = {key: value for key, value in entry.items() if key not in common}
    return Mutant(area=area, part=file.stem, **known, own=own)


def _caught(mutant: Mutant, attempt: Attempt, folder: Path) -> str:
    reason = attempt(mutant, folder)
    if reason is None:
        raise CheckError(f"not caught: {mutant.what} passes {mutant.caught_by}")
    return f"caught by {mutant.caught_by}: {reason.strip()}"


def score(results: Iterable[ItemResult]) -> Iterator[str]:
    """Yields a line that says how many of the planted mutants were caught, and the names of the
    others."""
    planted = [each for each in results if each.name.startswith("mutants/")]
    planted = [each for each in planted if not each.name.endswith("/texts")]
    if planted:
        areas = sorted({each.name.split("/")[1] for each in planted})
        parts = (f"{area} {_of(planted, f'mutants/{area}/')}" for area in areas)
        yield f"mutants: {_of(planted, '')} planted are caught ({', '.join(parts)})"
    for each in planted:
        if not each.passed:
            yield f"not caught: {each.name}"


def _of(planted: Sequence[ItemResult], prefix: str) -> str:
    own = [each for each in planted if each.name.startswith(prefix)]
    return f"{sum(each.passed for each in own)} of {len(own)}"
