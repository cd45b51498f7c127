# SPDX-License-Identifier: MIT
"""Names the tasks of a run as `profile` shows them: by the function in which a task began, and by a
number in the order in which the tasks first ran."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase

from ticklab.building.elf import Elf
from ticklab.targets.eventlog import EventLog


def named(log: EventLog, image: Elf) -> Iterator[tuple[str, int]]:
    """Yields the name of each task, and the number of its stack in the log. The second task that
    began in function NAME is called NAME#2."""
    seen: Counter[str] = Counter()
    for number, (stack, began) in enumerate(log.tasks):
        # If the first task began outside of the image, in the machine's boot ROM, it is named after
        # the image's entry.
        found = image.symbol_at(began) or (None if number else image.symbol_at(image.entry))
        name = (found or f"{began:#x}").partition("+")[0]
        seen[name] += 1
        yield (name if seen[name] == 1 else f"{name}#{seen[name]}"), stack


def stacks(log: EventLog, image: Elf, word: str) -> frozenset[int]:
    """Returns the stacks of the tasks that `word` selects. `word` is the number of a task, or a
    name in which `*` matches any text."""
    return frozenset(
        stack
        for number, (name, stack) in enumerate(named(log, image))
        if word == str(number) or fnmatchcase(name, word)
    )


def listed(log: EventLog, image: Elf) -> str:
    """Returns the numbers and names of all tasks as one line, for error messages."""
    return ", ".join(f"{number} {name}" for number, (name, _) in enumerate(named(log, image)))
