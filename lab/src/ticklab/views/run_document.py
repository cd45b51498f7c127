# SPDX-License-Identifier: MIT
"""The types of the JSON of a run, schema 1. The published schema
(docs/reference/schemas/run.schema.json) and the reference (docs/reference/json.md) are generated
from them.

json.py writes the document; a test compares the document with the types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from ticklab.description.curve import Curve, Interval
from ticklab.description.features import Protection, Value
from ticklab.description.result import Number, Rate, Reported, Score, Stats, Status
from ticklab.summary.ranking import Standing
from ticklab.views.document import BoardName, Configured, FigureName, Part, Schema

# Fields with the figures of a span, in the JSON of a run and of an observed image.
Clean = Annotated[
    Stats | None, Meta(description="STATS of the samples without a tick or a foreign interrupt")
]
Exceptions = Annotated[Number | None, Meta(description="mean number of exceptions in a sample")]
Reads = Annotated[Number | None, Meta(description="mean number of reads of memory in a sample")]
Writes = Annotated[Number | None, Meta(description="mean number of writes of memory in a sample")]


class InterruptedFields(Part, frozen=True):
    """Statistics of the samples that contain a tick, or an interrupt that the scenario did not
    request."""

    instructions: Annotated[Stats, Meta(description="STATS of these samples")]


class CyclesFields(Part, frozen=True):
    """The cycles of a span: two bounds of the cycle model and the timing profile that it used, or
    exact clocked cycles."""

    low: Annotated[
        Stats | UnsetType, Meta(description="STATS of the least cycles of each sample, modelled")
    ] = UNSET
    high: Annotated[
        Stats | UnsetType, Meta(description="STATS of the most cycles of each sample, modelled")
    ] = UNSET
    profile: Annotated[
        str | UnsetType, Meta(description="the timing profile of the memories, if modelled")
    ] = UNSET
    exact: Annotated[
        Stats | UnsetType, Meta(description="STATS of the cycles of each sample, clocked")
    ] = UNSET


Interrupted = Annotated[
    InterruptedFields | None,
    Meta(description='`{"instructions": STATS}` of the samples with a tick or a foreign interrupt'),
]


class RecordFields(FigureName, frozen=True):
    """A record: the figures of one span of one case (a kernel's build in one scenario)."""

    status: Annotated[Status, Meta(description="`pass`, `fail`, `unsupported` or `blocked`")]
    reason: Annotated[str | None, Meta(description="why there is no figure, in words")]
    instructions: Clean
    interrupted: Interrupted
    exceptions: Exceptions
    reads: Reads
    writes: Writes
    port: Annotated[
        Number | None,
        Meta(
            description="instructions of the kernel's port in a sample, the mean; null: not known"
        ),
    ]
    marks: Annotated[
        Number | None,
        Meta(
            description="cycles of the marks in a sample, the mean, as the image measured them; "
            "null: marks have no code"
        ),
    ]
    cycles: Annotated[
        CyclesFields | None,
        Meta(
            description='`{"low": STATS, "high": STATS, "profile"}` if modelled, '
            '`{"exact": STATS}` if clocked'
        ),
    ]
    score_30s: Annotated[
        Score | None,
        Meta(description='`{"low", "high", "clock_hz"}`: Thread-Metric\'s own unit, with ticks'),
    ]
    per_second: Annotated[
        Rate | None, Meta(description='`{"low", "high", "unit"}` of a scenario with a rate')
    ]
    reported: Annotated[
        Reported | None,
        Meta(
            description="of a scenario that runs a program of the system: what the program reports "
            "itself, in nanoseconds of virtual time, of which an instruction takes one"
        ),
    ]
    per_thread: Annotated[
        list[int] | None, Meta(description="the number of samples of each thread")
    ]
    deterministic: Annotated[
        bool | None, Meta(description="whether these numbers differ by 1 at most")
    ]
    ticks_seen_hz: Annotated[
        Number | None, Meta(description="the ticks a second that the log shows")
    ]
    features: Annotated[
        dict[str, Value],
        Meta(
            description="the declared features of the kernel under this configuration that concern "
            "the scenario: those of the whole kernel, and those of the services that the scenario "
            'uses (`"semaphore.order": "priority"`)'
        ),
    ]
    doubts: Annotated[dict[str, str], Meta(description="doubts, by name, each with its reason")]
    curve: Annotated[
        Curve | None,
        Meta(
            description="of a sweep: the figure of each position, and the cause of the worst one "
            "([sweeps](formats.md))"
        ),
    ]
    formula: Annotated[
        str | None, Meta(description="of a figure that is computed from others: how")
    ]
    exercises_kernel: Annotated[
        bool,
        Meta(
            description="false for a scenario that uses no kernel; it is excluded from means and "
            "rankings"
        ),
    ]
    work: Annotated[
        dict[str, dict[str, Number]] | None,
        Meta(
            description="the instructions of the mean sample, or of the worst one of a sweep, by "
            "kind of work and by function; null if no second run found them"
        ),
    ]


class MeanFields(Configured, frozen=True):
    """The mean of one kernel over the tests of a suite."""

    protection: Annotated[Protection, Meta(description="`none`, `kernel` or `tasks`")]
    over_tests: Annotated[
        int,
        Meta(description="the number of tests in the means: those that this kernel passed, too"),
    ]
    instructions_ratio: Annotated[
        Number | None,
        Meta(
            description="the geometric mean of the kernel's instructions divided by the reference's"
        ),
    ]
    cycles_ratio: Annotated[
        Interval | None,
        Meta(
            description='`{"low", "high"}`: the geometric mean of the ratios of cycles; null '
            "without cycles"
        ),
    ]
    standing: Annotated[
        Standing | None,
        Meta(
            description="among the kernels of its class: `unbeaten`, `tied`, `undecided`, or null "
            "if another kernel beats it or none beats another"
        ),
    ]


class SummaryFields(Part, frozen=True):
    """The answer of one suite on one board: a mean for each kernel."""

    suite: Annotated[str, Meta(description="the suite that is summed up")]
    board: BoardName
    reference: Annotated[str, Meta(description="the kernel that the others are divided by")]
    tests: Annotated[
        list[str],
        Meta(description="the rows that exercise the kernel and that the reference passed"),
    ]
    sentence: Annotated[
        str, Meta(description="the answer in words, as the terminal and the report print it")
    ]
    means: Annotated[list[MeanFields], Meta(description="one for each kernel, see below")]


class ToolFields(Part, frozen=True):
    """The version and the commit of Ticklab that measured the run."""

    version: str
    commit: str


class ProvenanceFields(Part, frozen=True):
    """Everything that determines the figures."""

    command: Annotated[
        list[str] | UnsetType, Meta(description="the command line, word by word")
    ] = UNSET
    ticklab: Annotated[
        ToolFields | UnsetType, Meta(description="version and commit of Ticklab")
    ] = UNSET
    target: Annotated[
        dict[str, str] | UnsetType, Meta(description="the target of runs of an older version")
    ] = UNSET
    kernels: Annotated[
        dict[str, dict[str, str]] | UnsetType,
        Meta(description="version and commit of each kernel; of an image, its file and recipe"),
    ] = UNSET
    subjects: Annotated[
        dict[str, dict[str, str | None]] | UnsetType,
        Meta(
            description="protection and interest of each kernel and configuration, and what its "
            "tasks are, if no threads"
        ),
    ] = UNSET
    boards: Annotated[
        dict[str, dict[str, Any]] | UnsetType,
        Meta(description="core, clock, tick, timing profile and target of each board"),
    ] = UNSET
    builds: Annotated[
        dict[str, dict[str, Any]] | UnsetType,
        Meta(
            description="compiler, flags, configuration values and pins of each "
            "`kernel/config/optimise/board`"
        ),
    ] = UNSET
    footprints: Annotated[
        dict[str, dict[str, Any]] | UnsetType, Meta(description="bytes of each build by part")
    ] = UNSET
    shard: Annotated[
        str | UnsetType, Meta(description="`I/N`, if the run is one part of N of its command")
    ] = UNSET


class RunFields(Part, frozen=True):
    """The JSON of a run, schema 1."""

    schema: Schema
    run: Annotated[str, Meta(description="the id of the run")]
    provenance: Annotated[
        ProvenanceFields, Meta(description="everything that determines the figures; see below")
    ]
    records: Annotated[
        list[RecordFields], Meta(description="one for each span of each case; see below")
    ]
    summary: Annotated[
        list[SummaryFields],
        Meta(
            description="one for each suite on each board in which two kernels can be compared; "
            "see below"
        ),
    ]


# The objects of the JSON documents for which docs/reference/json.md has a table.
OBJECTS: Mapping[str, type[Part]] = {
    "run": RunFields,
    "provenance": ProvenanceFields,
    "record": RecordFields,
    "summary": SummaryFields,
    "mean": MeanFields,
}
