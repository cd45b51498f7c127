# SPDX-License-Identifier: MIT
"""The types of the JSON of a site, schema 1: its index, and the file of a claim. The published
schemas and the reference (docs/reference/site.md) are generated from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from ticklab.description.curve import Interval
from ticklab.description.result import Number
from ticklab.site.claims import Kind
from ticklab.views.document import BoardName, ConfigName, Kernel, Level, Part, Schema
from ticklab.views.run_document import MeanFields, ProvenanceFields, RecordFields

SCHEMA: Literal[1] = 1
GENERATOR: Literal["ticklab site"] = "ticklab site"

# Fields that several objects have, each with its type and its meaning.
ClaimName = Annotated[str, Meta(description="the name of the claim, unique in its run")]
KindOfClaim = Annotated[Kind, Meta(description="`figure` of one row, or `mean` of a suite")]
Support = Annotated[str, Meta(description="the id of the run that supports it")]
Page = Annotated[str, Meta(description="its page")]


class RatioFields(Part, frozen=True):
    """The ratio of a kernel to the reference. Below 1, the kernel is faster."""

    reference: Annotated[str, Meta(description="the kernel by which the figure is divided")]
    instructions: Annotated[Number | None, Meta(description="the ratio of counted instructions")]
    cycles: Annotated[
        Interval | None,
        Meta(description='`{"low", "high"}` of the ratio over all corners of the cycle model'),
    ]
    verdict: Annotated[
        str | None, Meta(description="`faster`, `slower`, `equal` or `undecided`, by cycles")
    ]


class ClaimFields(Part, frozen=True):
    """A claim: claims/RUN/NAME.json."""

    schema: Schema
    name: ClaimName
    kind: KindOfClaim
    sentence: Annotated[str, Meta(description="the claim in words")]
    run: Support
    page: Annotated[str, Meta(description="address of the claim's page, from the root of the site")]
    badge: Annotated[
        str,
        Meta(description="address of the claim's badge, an SVG picture, from the root of the site"),
    ]
    record: Annotated[
        RecordFields | None,
        Meta(description="for a figure: its record, as in the JSON of a run; otherwise null"),
    ]
    mean: Annotated[
        MeanFields | None,
        Meta(
            description="for a mean: the mean of the kernel, as in the summary in the JSON of a "
            "run; otherwise null"
        ),
    ]
    ratio: Annotated[
        RatioFields | None,
        Meta(
            description="for a figure that the reference has too: the ratio to the reference; "
            "otherwise null; see below"
        ),
    ]
    provenance: Annotated[
        ProvenanceFields,
        Meta(
            description="provenance of the builds and boards of this claim, as in the JSON of a run"
        ),
    ]
    reproduce: Annotated[
        list[str] | None,
        Meta(
            description="the command line that measures the claim again beside this file; null if "
            "the sample plans were not kept"
        ),
    ]
    again: Annotated[
        dict[str, Any],
        Meta(
            description="what `ticklab reproduce` needs: records, lanes and sample plans. The form "
            "may change with a version of Ticklab"
        ),
    ]
    sha256: Annotated[str, Meta(description="the checksum of the other fields")]


class ClaimEntryFields(Part, frozen=True):
    """A claim, as the index of the site lists it."""

    run: Support
    name: ClaimName
    kind: KindOfClaim
    board: BoardName
    suite: Annotated[str, Meta(description="the suite")]
    scenario: Annotated[str | None, Meta(description="the scenario of a figure")]
    span: Annotated[str | None, Meta(description="the span of a figure")]
    params: Annotated[dict[str, str], Meta(description="the parameters of a figure")]
    kernel: Kernel
    config: ConfigName
    optimise: Level
    page: Page
    json: Annotated[str, Meta(description="address of the claim's JSON; see below")]
    badge: Annotated[str, Meta(description="address of the claim's badge, an SVG picture")]


class LeaderFields(MeanFields, frozen=True):
    """A kernel in a leaderboard, with its mean."""

    claim: Annotated[
        str | None, Meta(description="the page of the claim about its mean; null for the reference")
    ]


class LeaderboardFields(Part, frozen=True):
    """The leaderboard of a suite under one set of conditions: board, clock, timing profile,
    compiler and level."""

    board: BoardName
    suite: Annotated[str, Meta(description="the suite")]
    conditions: Annotated[
        str, Meta(description="board, core, clock, timing profile, compiler and levels")
    ]
    run: Annotated[str, Meta(description="the id of the run that it shows")]
    page: Annotated[str, Meta(description="address of its section in the page of the run")]
    reference: Annotated[str, Meta(description="the kernel that the others are divided by")]
    sentence: Annotated[str, Meta(description="the answer in words")]
    kernels: Annotated[
        list[LeaderFields],
        Meta(description="the kernels, sorted by class of protection, then by mean; see below"),
    ]


class RunEntryFields(Part, frozen=True):
    """A run, as the index of the site lists it."""

    id: Annotated[str, Meta(description="the id of the run")]
    page: Page
    json: Annotated[str, Meta(description="address of its JSON, which is that of `run --json`")]
    bundle: Annotated[
        str | None,
        Meta(
            description="address of its bundle, for `ticklab verify`; null if the sample plans "
            "were not kept"
        ),
    ]
    command: Annotated[list[str], Meta(description="the command line, word by word")]
    kernels: Annotated[dict[str, str], Meta(description="the commit of each kernel")]
    boards: Annotated[list[str], Meta(description="the boards of the run")]
    suites: Annotated[list[str], Meta(description="the suites of the run")]
    records: Annotated[int, Meta(description="the number of its records")]
    failed: Annotated[
        int, Meta(description="the number of its records that failed or were blocked")
    ]


class PageFields(Part, frozen=True):
    """A page of the site."""

    name: Annotated[str, Meta(description="the kernel, SUITE/SCENARIO, or the service")]
    page: Page


class IndexFields(Part, frozen=True):
    """index.json of the site, schema 1. Addresses are relative to its root."""

    schema: Schema
    generator: Annotated[Literal["ticklab site"], Meta(description="`ticklab site`")]
    title: Annotated[str, Meta(description="the title of the site")]
    leaderboards: Annotated[list[LeaderboardFields], Meta(description="see below")]
    kernels: Annotated[list[PageFields], Meta(description="the page of each kernel")]
    scenarios: Annotated[list[PageFields], Meta(description="the page of each scenario")]
    services: Annotated[list[PageFields], Meta(description="the page of each service")]
    runs: Annotated[list[RunEntryFields], Meta(description="the runs, the newest first; see below")]
    claims: Annotated[list[ClaimEntryFields], Meta(description="see below")]


# The objects for which the reference has a table of fields.
OBJECTS: Mapping[str, type[Part]] = {
    "site-index": IndexFields,
    "site-leaderboard": LeaderboardFields,
    "site-leader": LeaderFields,
    "site-run": RunEntryFields,
    "site-claim-entry": ClaimEntryFields,
    "site-claim": ClaimFields,
    "site-ratio": RatioFields,
}
