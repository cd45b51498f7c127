# SPDX-License-Identifier: MIT
"""The types of the JSON of a campaign, and the lines that are printed about a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ticklab.campaign.orders import DEFAULT_COMPILER
from ticklab.comparison.compare import Verdict
from ticklab.views.document import FigureName, Part, Schema, name_of

if TYPE_CHECKING:  # these packages are installed for campaigns only
    from ticklab.campaign.conduct import Outcome
    from ticklab.campaign.refine import Undecided


class UndecidedFields(FigureName, frozen=True):
    """A span whose verdict against the reference depends on the code placements of the two
    builds."""

    compiler: Annotated[str, Meta(description="the compiler, as the campaign names it")]
    faster: Annotated[
        int, Meta(description="pairs of placements in which the build is faster than the reference")
    ]
    slower: Annotated[int, Meta(description="pairs in which it is slower than the reference")]
    undecided: Annotated[int, Meta(description="pairs in which the verdict is undecided or equal")]


class CampaignFields(Part, frozen=True):
    """The state of a campaign after a command has run."""

    schema: Schema
    campaign: Annotated[str, Meta(description="the name of the campaign")]
    store: Annotated[str, Meta(description="the folder or bucket in which its records are kept")]
    cases: Annotated[int, Meta(description="cases of the plan")]
    finished: Annotated[int, Meta(description="cases that have an observation")]
    observed: Annotated[int, Meta(description="observations that this command added")]
    failed: Annotated[int, Meta(description="observations of this command that did not pass")]
    not_kept: Annotated[
        list[str], Meta(description="cases without an observation, and why; they are tried again")
    ]
    seconds: Annotated[float, Meta(description="time that this command took")]
    worker_seconds_each: Annotated[
        float | None,
        Meta(description="mean time of a worker for a new observation; null if there was none"),
    ]
    undecided: Annotated[
        list[UndecidedFields], Meta(description="verdicts that are undecided; see below")
    ]


def document(name: str, place: str, found: Outcome) -> CampaignFields:
    return CampaignFields(
        schema=1,
        campaign=name,
        store=place,
        cases=found.cases,
        finished=found.finished,
        observed=found.observed,
        failed=found.failed,
        not_kept=list(found.not_kept),
        seconds=found.seconds,
        worker_seconds_each=found.worker_s / found.observed if found.observed else None,
        undecided=[_undecided(each) for each in found.undecided],
    )


def _undecided(each: Undecided) -> UndecidedFields:
    return UndecidedFields(
        **name_of(each.subject),
        compiler=each.compiler or DEFAULT_COMPILER,
        faster=each.pairs.get(Verdict.FASTER, 0),
        slower=each.pairs.get(Verdict.SLOWER, 0),
        undecided=each.pairs.get(Verdict.UNDECIDED, 0) + each.pairs.get(Verdict.EQUAL, 0),
    )


SHOWN = 10  # greatest number of lines of a list that are printed


def lines(found: CampaignFields) -> Iterator[str]:
    """Yields the lines that a command prints for people."""
    each = found.worker_seconds_each
    cost = "" if each is None else f", {each:.3g} s of a worker each"
    yield f"campaign {found.campaign}: {found.finished:,} of {found.cases:,} cases finished"
    yield f"observed {found.observed:,} in {found.seconds:.1f} s{cost}; {found.failed:,} failed"
    yield f"records: {found.store}"
    yield from _cut([f"not finished: {reason}" for reason in found.not_kept])
    yield from _cut([_line(each) for each in found.undecided])


def _cut(every: list[str]) -> Iterator[str]:
    yield from every[:SHOWN]
    if len(every) > SHOWN:
        yield f"… and {len(every) - SHOWN:,} more: see --json"


def _line(each: UndecidedFields) -> str:
    pairs = each.faster + each.slower + each.undecided
    return (
        f"undecided: {each.kernel}/{each.config} {each.optimise} {each.board} {each.scenario} "
        f"{each.span}: faster in {each.faster}, slower in {each.slower} of {pairs} pairs"
    )
