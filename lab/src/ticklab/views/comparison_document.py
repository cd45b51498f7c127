# SPDX-License-Identifier: MIT
"""The types of the JSON of `compare`, in its three forms: two selections of records, several
selections beside one reference, and a selection beside published figures. comparison.py and
changes.py build the documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from ticklab.comparison.compare import Difference, Interval, Verdict
from ticklab.comparison.published import Published
from ticklab.description.result import Number, Status
from ticklab.views.document import BuildName, Part, Schema


@dataclass(frozen=True)
class Summary:
    """The ratios of the second selection to the first over the rows of a suite: geometric means,
    and the least and the greatest ratio."""

    suite: str
    scenarios: int
    left_out: tuple[str, ...]  # scenarios that do not exercise the kernel
    instructions: float
    spread: float  # geometric standard deviation of the ratios of instructions
    cycles: Interval | None  # of the geometric mean: of all low ends and of all high ends


class SelectionFields(Part, frozen=True):
    """One of the selections of records that are compared."""

    run: Annotated[str, Meta(description="the id of its run")]
    title: Annotated[str, Meta(description="the selection in words")]
    role: Annotated[
        Literal["reference", "subject"],
        Meta(description="`reference` if ratios are divided by it, otherwise `subject`"),
    ]


class MeasuredFields(BuildName, frozen=True):
    """The figures of one record in one of the compared selections."""

    status: Annotated[Status, Meta(description="`pass`, `fail`, `unsupported` or `blocked`")]
    instructions: Annotated[Number | None, Meta(description="instructions a sample, counted")]
    exceptions: Annotated[Number | None, Meta(description="mean number of exceptions in a sample")]
    cycles: Annotated[
        Interval | None, Meta(description='`{"low", "high"}`: cycles a sample, modelled')
    ]


class PairFields(Part, frozen=True):
    """A span that both selections have, with the figures of each selection and their ratio."""

    scenario: Annotated[str, Meta(description="the scenario")]
    span: Annotated[str, Meta(description="the span")]
    params: Annotated[dict[str, str], Meta(description="the parameters of the scenario")]
    formula: Annotated[
        str | None, Meta(description="how a figure is computed from others; null if it is measured")
    ]
    first: Annotated[MeasuredFields, Meta(description="the record of the reference")]
    second: Annotated[MeasuredFields, Meta(description="the record of the subject")]
    instructions_ratio: Annotated[
        Number | None, Meta(description="subject ÷ reference; null unless both passed")
    ]
    cycles_ratio: Annotated[
        Interval | None, Meta(description='`{"low", "high"}` of subject ÷ reference for cycles')
    ]
    verdict: Annotated[
        Verdict | None,
        Meta(description="the subject is `faster`, `slower`, `equal` or `undecided`"),
    ]


class ComparisonFields(Part, frozen=True):
    """A comparison of two selections of records, the first of which is the reference."""

    schema: Schema
    first: Annotated[SelectionFields, Meta(description="the reference")]
    second: Annotated[SelectionFields, Meta(description="the subject")]
    unlike: Annotated[
        list[Difference],
        Meta(
            description='`{"name", "subject", "reference"}`: what forbids a ranking and was '
            "ignored by `--anyway`"
        ),
    ]
    pairs: Annotated[list[PairFields], Meta(description="one for each span of both sides")]
    suites: Annotated[
        list[Summary],
        Meta(
            description='`{"suite", "scenarios", "left_out", "instructions", "spread", "cycles"}`: '
            "the geometric mean of the ratios of each suite, and its spread"
        ),
    ]


class ComparisonsFields(Part, frozen=True):
    """A comparison of several selections of records with one reference."""

    schema: Schema
    comparisons: Annotated[
        list[ComparisonFields], Meta(description="one for each subject, each as for two selections")
    ]


class PublishedRow(MeasuredFields, frozen=True):
    """The figures of a record beside the published figure for the same measurement."""

    scenario: Annotated[str, Meta(description="the scenario")]
    published: Annotated[Number, Meta(description="the published figure, in its unit")]
    published_cycles: Annotated[
        Number | None, Meta(description="the cycles of an iteration, from a published score")
    ]


class PublishedFields(Part, frozen=True):
    """The records of a selection beside published figures, which are not ranked."""

    schema: Schema
    run: Annotated[str, Meta(description="the id of the run")]
    published: Annotated[
        Published, Meta(description="the publication: kernel, board, compiler, unit and figures")
    ]
    rows: Annotated[list[PublishedRow], Meta(description="one for each published scenario")]
