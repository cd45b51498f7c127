# SPDX-License-Identifier: MIT
"""Prints, or writes as JSON, which records of a run are equal when they are measured again, and
which differ."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from rich.console import Console
from rich.text import Text

from ticklab.comparison.reproduction import Provenance, Reproduction
from ticklab.description.model import Record
from ticklab.description.result import Number
from ticklab.errors import ExitStatus
from ticklab.views import figures, json, output, provenance
from ticklab.views.document import SCHEMA, Part, Schema
from ticklab.views.gate import label

_UNKNOWN = "the provenance is the same: a source changed without a commit, or the record did"


def conclude(what: str, run: str, found: Reproduction, destination: str | None) -> ExitStatus:
    """Prints the comparison of two measurements of a run, writes its JSON if a destination is
    given, and returns the exit status."""
    show(what, found, output.console(destination))
    if destination:
        output.emit(json.dumps(document(run, found)), destination)
    return ExitStatus.FAILED if found.different else ExitStatus.OK


def show(what: str, found: Reproduction, out: Console) -> None:
    different = found.different
    for record, again in different:
        line = f"different: {label(record)}: {_figure(record)}, now {_figure(again)}"
        out.print(Text(line, style="bold red"), soft_wrap=True)
    for build, (then, now) in found.builds.items():
        out.print(Text(f"since then, {build}: {'; '.join(_causes(then, now))}"), soft_wrap=True)
    equal = len(found.again) - len(different)
    without = f"; {found.without} have no figures" if found.without else ""
    out.print(Text(f"{what}: {equal} of {len(found.again)} records are equal{without}"))


def _causes(then: Provenance, now: Provenance) -> list[str]:
    """Returns what changed between the stored provenance of a build and that of the new
    measurement."""
    return provenance.changes(then, now) or [_UNKNOWN]


def _figure(record: Record | None) -> str:
    if record is None:
        return "not measured"
    if record.reason:
        return f"{record.status.value} ({record.reason})"
    return f"{figures.counted(record)} instructions, {figures.format_cycles(record)} cycles"


class CountedFields(Part, frozen=True):
    """The instructions and the cycles of a record."""

    instructions: Annotated[Number | None, Meta(description="instructions a sample, counted")]


class DifferentFields(Part, frozen=True):
    """A record with another figure when it is measured again."""

    figure: Annotated[str, Meta(description="the name of the figure")]
    then: Annotated[CountedFields, Meta(description="the figure in the run or the bundle")]
    now: Annotated[CountedFields, Meta(description="the figure that was measured again")]
    reason: Annotated[str | None, Meta(description="why there is no figure now, in words")]


class ReproductionFields(Part, frozen=True):
    """The result of measuring the records of a run again: which are equal and which differ."""

    schema: Schema
    run: Annotated[str, Meta(description="the id of the run that was measured again")]
    equal: Annotated[int, Meta(description="the number of records that are equal in every field")]
    without_figures: Annotated[
        int, Meta(description="the number of records that had no figures, and were left out")
    ]
    different: Annotated[list[DifferentFields], Meta(description="the records that differ")]
    changes: Annotated[
        dict[str, list[str]],
        Meta(description="what changed since in each build that has such a record, in words"),
    ]


def document(run: str, found: Reproduction) -> ReproductionFields:
    equal = len(found.again) - len(found.different)
    different = [_different(then, now) for then, now in found.different]
    causes = {build: _causes(*pair) for build, pair in found.builds.items()}
    return ReproductionFields(SCHEMA, run, equal, found.without, different, causes)


def _different(then: Record, now: Record | None) -> DifferentFields:
    return DifferentFields(
        figure=label(then),
        then=CountedFields(then.counted),
        now=CountedFields(now.counted if now else None),
        reason=now.reason if now else "not measured",
    )
