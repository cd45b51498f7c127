# SPDX-License-Identifier: MIT
"""All items of the project, and the choice of some of them.

The lists of items that belong to a folder are in that folder: bulkhead/test/items.py,
bulkhead/nodes/test/node_items.py and rtl/tools/items.py.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence

from ticklab import names, paths
from ticklab.quality import lab_mutants, programs, python_tests
from ticklab.quality.item import Item, ItemOptions

# Folders of modules outside lab/, and the modules that list items.
_FOLDERS = ("bulkhead/test", "bulkhead/tools", "bulkhead/nodes/test", "bulkhead/nodes/model", "rtl")
_LISTS = ("items", "node_items", "tools.items")


def every(choice: ItemOptions) -> list[Item]:
    """Returns all items, the most expensive first."""
    sys.path[:0] = [str(paths.CHECKOUT / folder) for folder in _FOLDERS]
    found = [*programs.items(choice), *python_tests.items(choice), *lab_mutants.items(choice)]
    for name in _LISTS:
        found += importlib.import_module(name).items(choice)
    return sorted(found, key=_expense)


def _expense(item: Item) -> tuple[float, str]:
    return -item.seconds, item.name


def named(items: Sequence[Item], prefixes: Iterable[str]) -> list[Item]:
    """Returns the items whose names begin with one of the prefixes, or all if there is none."""
    chosen: dict[str, Item] = {}
    for prefix in prefixes:
        found = {item.name: item for item in items if item.name.startswith(prefix)}
        if not found:
            raise names.unknown("test", prefix, groups(items))
        chosen |= found
    return sorted(chosen.values(), key=_expense) if chosen else list(items)


def groups(items: Iterable[Item]) -> list[str]:
    """Returns the first one or two words of the items' names."""
    return sorted({"/".join(item.name.split("/")[:2][: 1 + item.is_mutant]) for item in items})


def shard(items: Sequence[Item], number: int, of: int) -> list[Item]:
    """Returns part `number` of `of` parts that take about the same time. Every run divides the
    same items in the same way. Items that use what another item builds are in its part."""
    loads = [0.0] * of
    parts: dict[str, int] = {}
    chosen = []
    for item in items:
        builder = item.after[-1] if item.after else item.name
        part = parts.setdefault(builder, loads.index(min(loads)))
        loads[part] += item.seconds
        if part == number - 1:
            chosen.append(item)
    return chosen


def fast(items: Iterable[Item]) -> Iterator[Item]:
    return (item for item in items if item.fast)
