# SPDX-License-Identifier: MIT
"""Collects all checks of the project, called *items*, and selects some of them by name.

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

# Folders of Python modules outside lab/. Some of these modules list items.
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
    """Returns the groups to which items belong: the first part of their names, or the first two for
    mutants."""
    return sorted({"/".join(item.name.split("/")[:2][: 1 + item.is_mutant]) for item in items})


def shard(items: Sequence[Item], number: int, of: int) -> list[Item]:
    """Returns shard `number` of the items, which are divided into `of` shards that take about the
    same time. Every machine divides the same items in the same way. An item that uses what another
    item builds is in the same shard."""
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
