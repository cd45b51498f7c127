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
from collections.abc import Mapping, Sequence
from typing import Any

from ticklab.description.curve import Interval
from ticklab.documents import baseline, whole_tables
from ticklab.views import figures

FILE = baseline.FILE.with_name("tuned.json")
QUERY = re.compile(r"^<!-- tuned: ([\w-]+) -->$")
_HEADS = ("build", "cycles ÷ base", "code, bytes", "longest sample, cycles", "lines to change")

Point = Mapping[str, Any]


def read() -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def keep(name: str, document: Mapping[str, Any]) -> None:
    """Stores the builds in the JSON of `tune`. The builds that no other build beats come first."""
    front = [{**one, "front": True} for one in document["front"]]
    points = [*front, *({**one, "front": False} for one in document["beaten"])]
    kept = [{key: one[key] for key in one if key != "run"} for one in points]
    FILE.write_text(json.dumps({**read(), name: kept}, indent=1, sort_keys=True) + "\n")


def filled(text: str, found: Mapping[str, Sequence[Point]]) -> str:
    """Returns the text of a document with the builds filled into its tables."""
    tables = {name: whole_tables.lines(_HEADS, map(_row, each)) for name, each in found.items()}
    return whole_tables.filled(text, QUERY, tables)


def _row(one: Point) -> Sequence[str]:
    name = " ".join(part for part in (one["config"], one["optimise"], one["flags"]) if part)
    ratio, size, worst = one["cycles_ratio"], one["code_bytes"], one["worst"]
    return (
        f"★ **{name}**" if one["front"] else name,
        figures.ratio(Interval(ratio["low"], ratio["high"]), False) if ratio else figures.NOTHING,
        figures.NOTHING if size is None else figures.count(size),
        figures.NOTHING if worst is None else figures.count(worst),
        _lines_to_change(one) if one["front"] else "",
    )


def _lines_to_change(one: Point) -> str:
    return "<br>".join(f"`{_escaped(each)}`" for each in one["lines"]) or "as configured"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")
