# SPDX-License-Identifier: MIT
"""Prints which records of a run were measured again and are equal, and which differ; and as
JSON."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from ticklab.comparison.reproduction import Reproduction
from ticklab.description.model import Record
from ticklab.errors import ExitStatus
from ticklab.views import figures, json, output
from ticklab.views.gate import label

SCHEMA = 1


def conclude(what: str, run: str, found: Reproduction, destination: str | None) -> ExitStatus:
    """Prints the comparison, writes its JSON if a destination is given, and returns the exit
    status."""
    show(what, found, output.console(destination))
    if destination:
        output.emit(json.dumps(document(run, found)), destination)
    return ExitStatus.FAILED if found.different else ExitStatus.OK


def show(what: str, found: Reproduction, out: Console) -> None:
    different = found.different
    for then, now in different:
        line = f"different: {label(then)}: {_figure(then)}, now {_figure(now)}"
        out.print(Text(line, style="bold red"), soft_wrap=True)
    equal = len(found.again) - len(different)
    without = f"; {found.without} have no figures" if found.without else ""
    out.print(Text(f"{what}: {equal} of {len(found.again)} records are equal{without}"))


def _figure(record: Record | None) -> str:
    if record is None:
        return "not measured"
    if record.reason:
        return f"{record.status.value} ({record.reason})"
    return f"{figures.counted(record)} instructions, {figures.format_cycles(record)} cycles"


def document(run: str, found: Reproduction) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": run,
        "equal": len(found.again) - len(found.different),
        "without_figures": found.without,
        "different": [
            {
                "figure": label(then),
                "then": {"instructions": then.counted},
                "now": {"instructions": now.counted if now else None},
                "reason": now.reason if now else "not measured",
            }
            for then, now in found.different
        ],
    }
