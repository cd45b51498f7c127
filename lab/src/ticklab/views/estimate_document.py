# SPDX-License-Identifier: MIT
"""The types of the JSON of `estimate`, schema 1, from which the published schema and the reference
are generated. estimated.py fills them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ticklab.estimate.estimate import Verdict
from ticklab.views.document import BoardName, ConfigName, Kernel, Part, Schema


class BoundFields(Part, frozen=True):
    """The response-time bound of one task. Times are in cycles."""

    name: Annotated[str, Meta(description="the task")]
    deadline_cycles: Annotated[int, Meta(description="its deadline")]
    bound_cycles: Annotated[
        int | None, Meta(description="bound of its response time; null: there is none")
    ]
    slack_cycles: Annotated[
        int | None, Meta(description="the deadline minus the bound; below 0, the task may be late")
    ]
    blocking_cycles: Annotated[
        int, Meta(description="longest delay by tasks of lower priority; part of the bound")
    ]
    fits: Annotated[bool, Meta(description="whether the bound is at most the deadline")]


class AnalysisFields(Part, frozen=True):
    """The response-time analysis in which every cost has its low bound, or every cost its high
    bound."""

    application_share: Annotated[
        float, Meta(description="share of the processor that the tasks use: 0 … 1")
    ]
    kernel_share: Annotated[
        float, Meta(description="share of the processor that the kernel uses: 0 … 1")
    ]
    tasks: Annotated[list[BoundFields], Meta(description="one for each task; see below")]


class MemoryFields(Part, frozen=True):
    """Bytes, counted."""

    code: Annotated[int, Meta(description="code and constants of the kernel")]
    objects: Annotated[int, Meta(description="control blocks of kernel objects")]
    stacks: Annotated[int, Meta(description="stacks, as the tasks declare them")]


class CostFields(Part, frozen=True):
    """The cost of one kernel operation: the longest sample of a span that measures it."""

    name: Annotated[str, Meta(description="the cost")]
    query: Annotated[str, Meta(description="suite/scenario, span and parameters of the figure")]
    grade: Annotated[str, Meta(description="grade of the cycles: `modelled` or `clocked`")]
    instructions: Annotated[int, Meta(description="its instructions, counted")]
    cycles_low: Annotated[int | None, Meta(description="low bound of its cycles")]
    cycles_high: Annotated[int | None, Meta(description="high bound of its cycles")]


class VerifiedFields(Part, frozen=True):
    """The response times of one task, observed in a run of the application. Times are in counted
    instructions."""

    name: Annotated[str, Meta(description="the task")]
    bound_instructions: Annotated[
        int | None, Meta(description="bound of its response time, from costs in instructions")
    ]
    jobs: Annotated[int, Meta(description="jobs that were observed")]
    longest_instructions: Annotated[
        int | None, Meta(description="longest response time; null: no job was observed")
    ]
    exceeded: Annotated[
        bool,
        Meta(
            description="whether the longest response time is above the bound, which is a fault of "
            "the estimate"
        ),
    ]


class KernelFields(Part, frozen=True):
    """The estimate for the application under one kernel."""

    kernel: Kernel
    config: ConfigName
    verdict: Annotated[
        Verdict,
        Meta(
            description="`fits`: every deadline is met with the high bounds of the costs; "
            "`undecided`: every deadline is met with the low bounds only; `misses`: a "
            "deadline is missed even with the low bounds; `unknown`: there is no "
            "estimate, see `missing`"
        ),
    ]
    missing: Annotated[str | None, Meta(description="why the kernel has no estimate")]
    low: Annotated[
        AnalysisFields | None,
        Meta(description="the analysis with the low bounds of the costs; see below"),
    ]
    high: Annotated[
        AnalysisFields | None,
        Meta(description="the analysis with the high bounds of the costs; see below"),
    ]
    execution_factor: Annotated[
        float | None,
        Meta(description="largest factor for all execution times with which every deadline is met"),
    ]
    least_clock_hz: Annotated[
        int | None,
        Meta(
            description="slowest clock at which every deadline is met, if a job takes as many "
            "cycles as at `clock_hz`"
        ),
    ]
    memory: Annotated[
        MemoryFields | None,
        Meta(description="the memory that the kernel needs; null for a prebuilt kernel"),
    ]
    costs: Annotated[list[CostFields], Meta(description="the costs of the kernel; see below")]
    verified: Annotated[
        list[VerifiedFields] | None,
        Meta(
            description="with `--verify`, the observed response times of each task, otherwise "
            "null; see below"
        ),
    ]


class EstimateFields(Part, frozen=True):
    """The JSON of `estimate`, schema 1."""

    schema: Schema
    app: Annotated[str, Meta(description="the application")]
    board: BoardName
    clock_hz: Annotated[int, Meta(description="the frequency of the processor's clock")]
    tick_hz: Annotated[int, Meta(description="the rate of the tick, in ticks a second")]
    sentence: Annotated[str, Meta(description="the verdict, in words")]
    disagreement: Annotated[
        str | None,
        Meta(
            description="a sentence about two kernels whose order by the cost of one job differs "
            "from their order by share of the processor in the application; null if "
            "there are none"
        ),
    ]
    kernels: Annotated[list[KernelFields], Meta(description="one for each kernel; see below")]
