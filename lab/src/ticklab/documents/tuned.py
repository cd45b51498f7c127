# SPDX-License-Identifier: MIT
"""Fills tables of the documents with the builds that `ticklab tune` found.

docs/figures/tuned.json has the builds of each `tune` measurement in runs.toml. The line before a
table names the measurement. The table is replaced as a whole, because a new measurement may find
other builds:

    <!-- tuned: NAME -->
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ticklab.description.curve import Interval
from ticklab.documents import baseline
from ticklab.views import figures

FILE = baseline.FILE.with_name("tuned.json")
_QUERY = re.compile(r"^<!-- tuned: ([\w-]+) -->$")
_HEADS = ("build", "cycles ÷ base", "code, bytes", "longest sample, cycles", "lines to change")

Point = Mapping[str, Any]


def read() -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def keep(name: str, document: Mapping[str, Any]) -> None:
    """Stores the builds in the JSON of `tune`. Builds that no other build beats come first."""
    front = [{**one, "front": True} for one in document["front"]]
    points = [*front, *({**one, "front": False} for one in document["beaten"])]
    kept = [{key: one[key] for key in one if key != "run"} for one in points]
    FILE.write_text(json.dumps({**read(), name: kept}, indent=1, sort_keys=True) + "\n")


def is_query(line: str) -> bool:
    return bool(_QUERY.match(line))


def filled(text: str, found: Mapping[str, Sequence[Point]]) -> str:
    """Returns a document with the builds in its tables."""
    return "\n".join(_lines(text.splitlines(), found)) + "\n"


def missing(text: str, found: Mapping[str, Sequence[Point]]) -> list[str]:
    """Returns the measurements that a document names and that tuned.json does not have."""
    named = [query[1] for line in text.splitlines() if (query := _QUERY.match(line))]
    return [name for name in named if name not in found]


def _lines(lines: list[str], found: Mapping[str, Sequence[Point]]) -> Iterator[str]:
    is_replaced = False
    for line in lines:
        is_replaced = is_replaced and line.startswith("|")
        if not is_replaced:
            yield line
        query = _QUERY.match(line)
        if query and query[1] in found:
            is_replaced = True
            yield f"| {' | '.join(_HEADS)} |"
            yield "|---" * len(_HEADS) + "|"
            yield from map(_row, found[query[1]])


def _row(one: Point) -> str:
    name = " ".join(part for part in (one["config"], one["optimise"], one["flags"]) if part)
    ratio, size, worst = one["cycles_ratio"], one["code_bytes"], one["worst"]
    cells = (
        f"★ **{name}**" if one["front"] else name,
        figures.ratio(Interval(ratio["low"], ratio["high"]), False) if ratio else figures.NOTHING,
        figures.NOTHING if size is None else figures.count(size),
        figures.NOTHING if worst is None else figures.count(worst),
        _lines_to_change(one) if one["front"] else "",
    )
    return f"| {' | '.join(cells)} |"


def _lines_to_change(one: Point) -> str:
    return "<br>".join(f"`{_escaped(each)}`" for each in one["lines"]) or "as configured"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
