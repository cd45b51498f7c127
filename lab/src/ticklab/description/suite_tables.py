# SPDX-License-Identifier: MIT
"""The tables of suite.toml: the keys of a suite's description, with their meanings.

suite.py turns them into a `Suite`. A recipe (recipe.py) uses some of the same tables.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, field

from ticklab.description.features import FEATURES
from ticklab.description.fields import SERVICES
from ticklab.description.kernel_tables import Features, Services
from ticklab.description.keys import Name, Natural, Positive, Scalar, Scalars, Text, Texts
from ticklab.description.span import Ticks
from ticklab.description.table import Table

Mark: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_.*-]+$(?!\n)",
        extra={
            "refusal": "names mark '{}'",
            "remedy": "marks have letters, digits, '-', '_' and '.'; '*' is any",
        },
    ),
]
Marks: TypeAlias = tuple[Mark, ...]
Number: TypeAlias = Annotated[
    Natural | Literal["any"], Meta(extra={"remedy": 'it must be a number, or "any"'})
]
# The name of a span in a suite, from which a figure is computed.
SpanName: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[^/]+/[^/]+$",
        extra={"refusal": "has '{}'", "remedy": "write SCENARIO/SPAN"},
    ),
]


class PlanTable(Table, frozen=True):
    """How long a scenario is observed. If the plan requests no tick and there is one span, the last
    sample of this span ends the observation."""

    warm_up: Annotated[Natural, Meta(description="passes of the span before the samples")]
    samples: Annotated[Positive, Meta(description="least number of samples")]
    ticks: Annotated[Natural, Meta(description="least number of samples with a tick inside")] = 0


class SpanTable(Table, frozen=True):
    """A span is measured between marks. It has either `each`, or `from` and `to`: it then lasts
    from a pass of the first mark to the next pass of the second. `*` in a mark's name matches any
    text. `entry.external`, or the same with another kind of exceptions, is a mark that no code
    contains: if a suite names it, the plan requests it, for any kernel and board. If a span starts
    at `entry.external`, that interrupt is not part of the sample, so a sample contains
    `external - 1` of them."""

    each: Annotated[
        Marks,
        Meta(description="each pass of one of these marks ends a sample and begins the next"),
    ] = ()
    start: Annotated[Mark | None, Meta(description="the mark that begins a sample")] = field(
        name="from", default=None
    )
    end: Annotated[Mark | None, Meta(description="the mark that ends a sample")] = field(
        name="to", default=None
    )
    ticks: Annotated[
        Ticks | None,
        Meta(
            description="in a span of `each`: `cost` measures the cost that one tick adds to a "
            "sample, `jitter` the deviation of each sample from the tick's period; `included` is "
            "for whole workloads, which include their ticks"
        ),
    ] = None


class ExpectTable(Table, frozen=True):
    """The numbers of events that each sample of the log must contain; otherwise the status of the
    scenario is `fail`."""

    order: Annotated[
        Marks,
        Meta(
            description="cyclic order of marks; checked wherever no tick or foreign interrupt came "
            "between"
        ),
    ] = ()
    external: Annotated[
        Number,
        Meta(
            description="external interrupts that each sample takes, exactly; `any`: the kernel's "
            "own interrupts, any number"
        ),
    ] = 0
    faults: Annotated[
        Number,
        Meta(
            description="faults that each sample takes, for a scenario that provokes them; `any`: "
            "any number"
        ),
    ] = 0
    asleep: Annotated[
        bool,
        Meta(
            description="the processor sleeps between samples, so that the log cannot show whether "
            "the tick comes as often as declared"
        ),
    ] = False


class SweepTable(Table, frozen=True):
    """Makes a scenario a sweep: an interrupt is pended at every instruction of a service."""

    handlers: Annotated[
        Text, Meta(description="name pattern of the functions that handle the interrupt")
    ]


class ProgramTable(Table, frozen=True, kw_only=True):
    """A program of the suite's package, which the scenario runs as a process of the system. It
    writes JSON to the file `/results`."""

    file: Annotated[Text, Meta(description="path of the program in the suite's package")]
    arguments: Annotated[Texts, Meta(description="words of its command line")] = ()
    marks: Annotated[
        dict[str, Natural],
        Meta(description="mark → offset in the program of the instruction at which the mark lies"),
    ] = {}


class EachTable(Table, frozen=True, kw_only=True):
    """Keys that each scenario of the suite has, unless its own table has them."""

    features: Annotated[
        Features, Meta(description="features of these services that a kernel must have")
    ] = {}
    priorities: Annotated[
        Positive,
        Meta(
            description="how many different priorities its tasks have, if more than 4; a kernel "
            "with fewer is `unsupported`"
        ),
    ] = 1
    exercises_kernel: Annotated[
        bool,
        Meta(description="false: shown, but excluded from means and rankings of kernels"),
    ] = True
    score: Annotated[
        bool,
        Meta(
            description="whether the scenario has a score: the number of its iterations in 30 s, "
            "as Thread-Metric prints it"
        ),
    ] = False
    rate: Annotated[
        bool,
        Meta(
            description="whether it has passes of the workload in a second (`per_second` of its "
            'record, `{"low", "high", "unit"}`)'
        ),
    ] = False
    plan: PlanTable | None = None
    threads: Annotated[
        Marks, Meta(description="marks that count each thread's share (fairness)")
    ] = ()
    params: Annotated[
        dict[
            Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$(?!\n)")],
            Scalar | Annotated[tuple[Scalar, ...], Meta(min_length=1)],
        ],
        Meta(
            description="parameters, each with a value or a list of values, which the scenario "
            "receives as macros (`PARAM_WAITERS`, `PARAM_FPU`; the value `slave-master` becomes "
            "`slave_master`). The first value of a parameter is its default. A run tries each "
            "other value with the defaults of the other parameters; "
            "`--param NAME=VALUE[,VALUE…]` replaces the values. `fpu` = `used` is `unsupported` on "
            "a core without an FPU"
        ),
    ] = {}
    grid: Annotated[
        tuple[Texts, ...],
        Meta(
            description="lists of parameters; a run tries every combination of the parameters of a "
            "list, with the defaults of the others"
        ),
    ] = ()
    expect: ExpectTable = ExpectTable()
    sweep: SweepTable | None = None
    span: Annotated[
        dict[str, SpanTable], Meta(description="a scenario has one span or several")
    ] = {}


class ScenarioTable(EachTable, frozen=True, kw_only=True):
    """One scenario: a C file, which services of a kernel it needs, and what is measured."""

    name: Annotated[Name, Meta(description="name of the scenario, its own in the suite")]
    file: Annotated[Text, Meta(description="the C file, relative to the suite's folder")]
    services: Annotated[
        Services,
        Meta(description="services of port.h; a kernel without one of them is `unsupported`"),
    ]
    proves: Annotated[
        Texts,
        Meta(
            description="for conformance: the services and features that a port has if it passes",
            extra_json_schema={
                "items": {"enum": sorted(SERVICES.union(FEATURES))},
            },
        ),
    ] = ()
    program: ProgramTable | None = None


class MeanTable(Table, frozen=True):
    """A figure that is computed as a mean of others, for example Rhealstone's number. Its record
    has no samples and a `formula`. If a kernel of a run lacks a term, the run also has
    NAME`-common`, the mean of the terms that all of its kernels have."""

    name: Annotated[Name, Meta(description="name of the figure")]
    of: Annotated[Texts, Meta(description="a list of `scenario/span` or of sums of them with `+`")]


class LossTable(Table, frozen=True):
    """The cost of a service, `times` × (`of` - `less`), and as `per_second` the number of
    iterations of `work` that this cost equals, in every corner of the cycle model."""

    name: Annotated[Name, Meta(description="name of the figure")]
    of: Annotated[SpanName, Meta(description="the `scenario/span` whose samples use the service")]
    less: Annotated[
        SpanName,
        Meta(description="the `scenario/span` whose samples do the same work without the service"),
    ]
    times: Annotated[
        Positive, Meta(description="for how many uses of the service the cost is given")
    ]
    work: Annotated[SpanName, Meta(description="the `scenario/span` of one pass of the workload")]


class TotalTable(Table, frozen=True):
    """A sum of losses. As for a mean, NAME`-common` is the sum of the terms that all kernels
    have."""

    name: Annotated[Name, Meta(description="name of the figure")]
    of: Annotated[Texts, Meta(description="names of the losses to add, which have the same `work`")]


class PlotTable(Table, frozen=True, kw_only=True):
    """A diagram of the report."""

    title: Annotated[Text, Meta(description="title of the diagram")]
    scenario: Annotated[Text, Meta(description="name of a scenario of the suite")]
    x: Annotated[Text, Meta(description="the parameter along the axis")]
    where: Annotated[
        Scalars, Meta(description="values of other parameters that are not the default")
    ] = {}
    bytes: Annotated[
        Natural,
        Meta(
            description="the number that a sample transfers; the diagram then shows bytes per "
            "1,000 cycles instead of cycles"
        ),
    ] = 0


class PackageTable(Table, frozen=True):
    """A package of Python's registry, pinned by rtl/requirements.txt."""

    package: Annotated[Text, Meta(description="name of the package")]
    version: Annotated[Text, Meta(description="version of the package")]
    folder: Annotated[Text, Meta(description="folder inside the package")]


class WorkloadTable(Table, frozen=True, kw_only=True):
    """A program from another project with which every scenario of the suite is linked. It is
    unmodified and compiled separately."""

    source: PackageTable
    sources: Annotated[Texts, Meta(description="its C files, which begin with `@/`")]
    includes: Annotated[Texts, Meta(description="folders of headers, which begin with `@/`")]
    defines: Annotated[Scalars, Meta(description="a table of macros")] = {}
    flags: Annotated[Texts, Meta(description="compiler flags that it needs")] = ()
    marks: Annotated[
        dict[str, Text],
        Meta(description="mark → function at whose first instruction the mark lies"),
    ] = {}
    unit: Annotated[Text, Meta(description="name of the work of one pass, in the plural")]


class FilesTable(Table, frozen=True):
    """A Debian package, pinned by the hash of its file, with files for guests that run programs. It
    is fetched if the suite is to run on a board whose kernels boot."""

    package: Annotated[Text, Meta(description="its path in Debian's archive, from `pool/`")]
    sha256: Annotated[Text, Meta(description="SHA-256 of the package")]
    files: Annotated[Texts, Meta(description="the files that guests need, by their paths in it")]


class SuiteTable(Table, frozen=True):
    """The suite as a whole."""

    name: Annotated[Name, Meta(description="name for the command line")]
    title: Annotated[Text, Meta(description="name for people")]
    source: Annotated[Text, Meta(description="where the definition comes from")]


class SuiteFile(Table, frozen=True, kw_only=True):
    """suite.toml: the scenarios of a suite, and the figures that are computed from theirs."""

    suite: SuiteTable
    workload: WorkloadTable | None = None
    package: tuple[FilesTable, ...] = ()
    each: EachTable = EachTable()
    scenario: tuple[ScenarioTable, ...]
    mean: tuple[MeanTable, ...] = ()
    loss: tuple[LossTable, ...] = ()
    total: tuple[TotalTable, ...] = ()
    plot: tuple[PlotTable, ...] = ()
