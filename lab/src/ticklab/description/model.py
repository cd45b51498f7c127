# SPDX-License-Identifier: MIT
"""The data types that descriptions, builds, targets, statistics and views exchange.

They are plain frozen dataclasses, with small derived properties only. Nothing here reads files,
runs programs or knows a kernel by name. Units are in the names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ticklab.description.architecture import Core as Core
from ticklab.description.boot import Boot as Boot
from ticklab.description.curve import Bound as Bound
from ticklab.description.curve import Call as Call
from ticklab.description.curve import Curve as Curve
from ticklab.description.curve import Interval as Interval
from ticklab.description.expectation import Expectation as Expectation
from ticklab.description.expectation import SamplePlan as SamplePlan
from ticklab.description.features import Protection, Value, concerns, protection
from ticklab.description.fields import PRIORITIES
from ticklab.description.formulas import Loss, Mean, Total
from ticklab.description.machine import Machine
from ticklab.description.observation import End as End
from ticklab.description.observation import Lane as Lane
from ticklab.description.observation import is_clocked as is_clocked
from ticklab.description.plot import Plot
from ticklab.description.programs import GuestProgram as GuestProgram
from ticklab.description.programs import PackageSource as PackageSource
from ticklab.description.programs import Workload as Workload
from ticklab.description.result import NO_FIGURES as NO_FIGURES
from ticklab.description.result import Computed as Computed
from ticklab.description.result import Cycles as Cycles
from ticklab.description.result import Figures as Figures
from ticklab.description.result import NotMeasured as NotMeasured
from ticklab.description.result import Number as Number
from ticklab.description.result import Rate as Rate
from ticklab.description.result import Reported as Reported
from ticklab.description.result import Result as Result
from ticklab.description.result import Sampled as Sampled
from ticklab.description.result import Score as Score
from ticklab.description.result import Stats as Stats
from ticklab.description.result import Status as Status
from ticklab.description.result import Work as Work
from ticklab.description.result import WorstCase as WorstCase
from ticklab.description.span import ENTRIES, ENTRY
from ticklab.description.span import Span as Span
from ticklab.description.watch import Pending as Pending
from ticklab.description.watch import Selection as Selection
from ticklab.description.watch import Watch as Watch

# --- Descriptions: kernel.toml, board.toml, profile.toml, suite.toml ------------------------------


@dataclass(frozen=True)
class Fact:
    """A dated statement about a kernel, with its source, as `list kernels` prints it."""

    name: str
    value: str
    source: str
    date: str


@dataclass(frozen=True)
class Config:
    """One named configuration of a kernel."""

    name: str
    header: Path  # the configuration file that the kernel's sources include
    reason: str  # its reason; for `default`, why it is the fastest honest one
    defines: Mapping[str, str] = field(default_factory=dict)
    core: str | None = None  # name of one of the board's `other_cores`; replaces the board's core
    arch: str | None = None  # the only instruction set that the configuration is for
    tick_hz: int | None = None  # replaces the tick rate of the board
    features: Mapping[str, Value] = field(default_factory=dict)  # those unlike the kernel's
    without_services: frozenset[str] = frozenset()  # services that the kernel loses
    sources: tuple[str, ...] = ()  # added to the kernel's sources
    includes: tuple[str, ...] = ()  # searched before the kernel's own folders
    protection: Protection | None = None  # replaces the class of protection of the kernel
    command_line: str | None = None  # kernel parameters of a booted kernel
    rust_features: tuple[str, ...] = ()  # features of the Rust kernel's crate


# The kinds of work in which a kernel spends the instructions of a span, in the order in which
# tables show them.
CATEGORIES: Mapping[str, str] = {
    "exceptions": "exception entry and exit",
    "registers": "register save and restore",
    "ready-list": "ready list and choice",
    "bookkeeping": "bookkeeping",
    "critical-sections": "critical sections and barriers",
    "checks": "argument checks",
    "protection": "memory protection",
    "api": "port",
    "benchmark": "benchmark",
}


@dataclass(frozen=True)
class CategoryRule:
    """A rule that assigns instructions to a kind of work. It applies to the instructions of
    `function` in source file `file` whose class and encoding match `opcode`. All three are regular
    expressions; None matches anything."""

    category: str
    opcode: str | None
    function: str | None
    file: str | None = None
    is_default: bool = False  # from default_categories.py, not from kernel.toml


@dataclass(frozen=True)
class CrateSource:
    """The package of a kernel's sources in a registry of crates, pinned by
    kernels/_shared/sources/Cargo.lock."""

    crate: str
    version: str
    folder: str  # folder inside the crate


@dataclass(frozen=True)
class PartSources:
    """The sources and headers that a kernel adds for one architecture or one core."""

    sources: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    rust_features: tuple[str, ...] = ()  # features of the Rust kernel's crate


@dataclass(frozen=True)
class Kernel:
    """One kernel: kernels/<name>/kernel.toml, or the same file in a user's folder."""

    name: str
    title: str
    version: str
    folder: Path
    source: CrateSource | None
    sources: tuple[str, ...]  # relative to the source root ("@/…") or the kernel's folder
    includes: tuple[str, ...]
    by_arch: Mapping[str, PartSources]  # by name of the architecture
    by_core: Mapping[str, PartSources]  # by name of the core
    defines: Mapping[str, str]
    interface: str  # "bench" (port.h), "thread-metric" (a tm_* port) or "async" (port.rs)
    services: frozenset[str]  # services of port.h that the kernel offers
    features: Mapping[str, Value]  # compared by `compare`
    configs: Mapping[str, Config]
    ranked: tuple[str, ...]  # configurations that a run measures by default
    facts: tuple[Fact, ...]
    cores: frozenset[str]  # names of the cores it runs on
    libraries: tuple[str, ...] = ()  # prebuilt libraries; names have the same form as in `sources`
    flags: tuple[str, ...] = ()  # compiler flags for the kernel's sources only
    port: str | None = None  # the source that defines the services; None: prebuilt or generated
    apart: tuple[str, ...] = ()  # sources that are compiled without link-time optimisation
    linker_script: Path | None = None  # if the kernel needs sections of its own
    # The program that generates the tables and the linker script of a static kernel from the
    # scenario.
    generate: Path | None = None
    # The program that links all code of the kernel into one object, and checks the image made with
    # it.
    close: Path | None = None
    user_sources: tuple[str, ...] = ()  # linked with the scenario, not into the closed object
    categories: tuple[CategoryRule, ...] = ()  # in order; the first match applies
    # Functions `begin` and `end` that suspend and resume the kernel's scheduler; {} if it has none.
    suspension: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, str] = field(
        default_factory=dict
    )  # kind -> structure of its control block
    without_isolation: str | None = None  # name of the same kernel without isolation
    protection: Protection | None = None  # None: the class that the feature `isolation` implies
    tasks: str | None = None  # for example async functions; None: threads with stacks of their own
    interest: str | None = None  # why Ticklab's authors may favour the kernel
    image: Path | None = None  # a whole image that is measured as it is; it has no port
    boot: Boot | None = None  # None: the image contains the kernel
    rust: Path | None = None  # folder of the crate of a kernel in Rust
    priorities: int = PRIORITIES  # number of different priorities that its tasks can have
    switches_by_interrupt: bool = False  # tasks, by external interrupts

    def parts(self, core: Core) -> tuple[PartSources, ...]:
        """Returns the sources that are added for a core: those of its architecture, then those of
        the core."""
        none = PartSources()
        return self.by_arch.get(core.arch.name, none), self.by_core.get(core.name, none)

    @property
    def has_port_source(self) -> bool:
        """Returns whether the services are defined in source code that can be inlined: in C, or in
        the Rust crate that contains the scenario."""
        has_source = self.is_async or self.generate is not None
        return has_source or (self.port or "").endswith(".c")

    @property
    def is_async(self) -> bool:
        """Returns whether the kernel's tasks are async functions. The kernel's crate then contains
        the scenario."""
        return self.interface == "async"


@dataclass(frozen=True)
class Board:
    """One board: platform/boards/<name>/board.toml."""

    name: str
    title: str
    folder: Path
    core: Core
    clock_hz: int
    tick_hz: int
    machine: Machine
    memory: Mapping[str, tuple[int, int]]  # name -> (origin, length in bytes)
    vectors: int
    profile: str | None  # default timing profile
    other_cores: Mapping[str, Core] = field(default_factory=dict)  # its core runs their code, too
    cycles_per_count: int | float = 1  # cycles of the named clock for one count of the tick timer
    same_images_as: Board | None = None  # the board whose images it runs
    conformance_board: Board | None = None  # tests its images' conformance
    interrupt_injection: bool = False  # at a chosen instruction (bench/injection.h)


@dataclass(frozen=True)
class Profile:
    """The timing of the memories around a core, from platform/profiles/<name>.toml."""

    name: str
    title: str
    data: Mapping[str, Any]  # parameters for the cycle model


@dataclass(frozen=True)
class Sweep:
    """The plan of a sweep: the guest pends an interrupt at every instruction of a service, one
    instruction later in each sample, and ends the run itself."""

    handlers: str  # name pattern of the application's functions that handle the interrupt


@dataclass(frozen=True)
class Scenario:
    name: str
    suite: str
    file: Path
    services: frozenset[str]
    spans: tuple[Span, ...]
    expect: Expectation
    plan: SamplePlan
    threads: tuple[str, ...]
    score: bool
    params: Mapping[str, str] = field(default_factory=dict)
    sweep: Sweep | None = None
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # that a run measures
    grid: tuple[tuple[str, ...], ...] = ()  # parameters that a run measures in every combination
    priorities: int = 1  # different ones that its tasks need, if many
    workload: Workload | None = None
    program: GuestProgram | None = None
    rate: bool = False  # whether passes of the workload in a second are a result
    exercises_kernel: bool = True  # whether the kernel executes anything in an undisturbed sample
    features: Mapping[str, Value] = field(default_factory=dict)  # features that a kernel must have
    # For a conformance scenario: the services and features that a kernel has if it passes.
    proves: frozenset[str] = frozenset()
    watch: Watch | None = None  # marks of an unported image, from a recipe
    pending: Pending | None = None  # the sweep of an unported image, from a recipe

    @property
    def async_form(self) -> Path | None:
        """Returns the scenario's file in Rust, for kernels whose tasks are async functions. It
        always has the first value of each parameter."""
        file = self.file.with_suffix(".rs")
        is_first = all(each[0] == self.params.get(name) for name, each in self.values.items())
        return file if is_first and file.is_file() else None

    @property
    def entries(self) -> tuple[str, ...]:
        """Returns the kinds of exceptions whose entries the scenario uses as marks."""
        of_spans = (name for s in self.spans for name in (*s.each, s.start, s.end))
        named = {*of_spans, *self.expect.order, *self.threads}
        return tuple(kind for kind in ENTRIES if ENTRY + kind in named)


@dataclass(frozen=True)
class Suite:
    name: str
    title: str
    source: str
    folder: Path
    scenarios: tuple[Scenario, ...]
    means: tuple[Mean, ...] = ()
    losses: tuple[Loss, ...] = ()
    totals: tuple[Total, ...] = ()
    plots: tuple[Plot, ...] = ()


# --- Builds ---------------------------------------------------------------------------------------


# The name of a parameter of the machine, which is not compiled into the image.
BUS_LATENCY = "bus_latency"


@dataclass(frozen=True)
class Variant:
    """A kernel in one configuration on one board, built at one compiler level, clock and layout."""

    kernel: Kernel
    config: Config
    board: Board
    # The level: "O2", "Os", "O0" or "O3". With "+lto", the image is also optimised when it is
    # linked; with "+called", the port's services are not inlined.
    optimise: str
    clock_hz: int
    layout: int = 0

    @property
    def subject(self) -> str:
        return f"{self.kernel.name}/{self.config.name}"

    @property
    def build(self) -> str:
        """Returns the key of the variant's build in the provenance of a run."""
        return f"{self.subject}/{self.optimise}/{self.board.name}"

    @property
    def core(self) -> Core:
        return self.board.other_cores.get(self.config.core or "", self.board.core)

    @property
    def tick_hz(self) -> int:
        return self.config.tick_hz or self.board.tick_hz

    @property
    def features(self) -> Mapping[str, Value]:
        """Returns the features of the kernel in this configuration."""
        return {**self.kernel.features, **self.config.features}

    @property
    def boot(self) -> Boot | None:
        """Returns the kernel to boot, with the kernel parameters of the configuration added."""
        boot, more = self.kernel.boot, self.config.command_line
        return replace(boot, parameters=more) if boot and more else boot

    @property
    def protection(self) -> Protection:
        return protection(self.features, self.config.protection or self.kernel.protection)


@dataclass(frozen=True)
class Case:
    """A variant in one scenario, which is built into one image and measured."""

    variant: Variant
    scenario: Scenario

    def varied(self, **changes: Any) -> Case:
        """Returns the same case for a variant in which the given fields are changed."""
        return replace(self, variant=replace(self.variant, **changes))

    @property
    def nodes(self) -> int:
        """Returns the number of nodes: the scenario's parameter `nodes`, otherwise two if the
        machine has two."""
        return int(self.scenario.params.get("nodes", min(2, self.variant.board.machine.nodes)))

    @property
    def expect(self) -> Expectation:
        """Returns what the event log must contain: the scenario's expectation, adapted to a port
        that causes interrupts by traps, and to a booted kernel, which handles its own page
        faults."""
        expect = self.scenario.expect
        if self.variant.boot:
            expect = replace(expect, faults=None)
        if self.variant.kernel.switches_by_interrupt:
            expect = replace(expect, external=None, least_external=expect.external or 0)
        if self.features.get("interrupt.source") != "trap" or not expect.external:
            return expect
        return replace(expect, external=0, traps=expect.external)

    @property
    def bus_latency(self) -> int:
        """Returns the latency of the bus between the nodes, in cycles."""
        return int(self.scenario.params.get(BUS_LATENCY, 8))

    @property
    def features(self) -> Mapping[str, Value]:
        """Returns the features of the variant that concern the scenario."""
        return {
            name: value
            for name, value in self.variant.features.items()
            if concerns(name, self.scenario.services)
        }


@dataclass(frozen=True)
class Image:
    """A linked image and everything that determined it."""

    path: Path
    sha256: str
    provenance: Mapping[str, Any]  # compiler, version, flags, configuration values, pins


# --- Results --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Record:
    """The result of one span of one case, with what was measured."""

    kernel: str
    config: str
    optimise: str
    board: str
    suite: str
    scenario: str
    span: str
    params: Mapping[str, str]
    layout: int
    result: Result
    features: Mapping[str, Value] = field(default_factory=dict)
    # Reasons why the record is not ranked, by kind of reason (doubts.py); empty for most records.
    doubts: Mapping[str, str] = field(default_factory=dict)
    measurement: str | None = None  # key in the store
    formula: str | None = None  # for a figure that is computed from others: see means.py
    exercises_kernel: bool = True  # False: shown, but in no mean and no ranking of kernels
    work: Work | None = None  # instructions by kind of work; None: not known

    @property
    def status(self) -> Status:
        return self.result.status if isinstance(self.result, NotMeasured) else Status.PASS

    @property
    def reason(self) -> str | None:
        return self.result.reason if isinstance(self.result, NotMeasured) else None

    @property
    def figures(self) -> Figures:
        """Returns the figures of the record; empty figures if it has none."""
        return self.result if isinstance(self.result, Figures) else NO_FIGURES

    @property
    def sampled(self) -> Sampled:
        """Returns the figures that come from samples; empty figures if the record has none."""
        return self.result if isinstance(self.result, Sampled) else NO_FIGURES

    @property
    def curve(self) -> Curve | None:
        return self.result.curve if isinstance(self.result, WorstCase) else None

    @property
    def counted(self) -> float | None:
        """Returns the instructions by which the record is shown and ranked: for a sweep the
        instructions at the worst position, otherwise the mean of the samples."""
        if self.curve:
            return self.curve.worst
        return self.figures.instructions.mean if self.figures.instructions else None

    @property
    def bounds(self) -> Interval | None:
        """Returns the bounds of the cycles at the worst position of a sweep, otherwise of the mean;
        None without cycles."""
        if self.curve:
            return self.curve.cycles
        cycles = self.figures.cycles
        return Interval(cycles.low.mean, cycles.high.mean) if cycles else None


@dataclass(frozen=True)
class Run:
    """The result of one `run`: the store keeps it, the views show it, and `compare` reads it.

    `provenance` holds `ticklab` (version, commit), `target` (its name and version, the observer's),
    `boards` (name -> core, clock_hz, tick_hz, profile) and `builds` ("kernel/config/optimise/board"
    -> Image.provenance: compiler, flags, configuration values, pins). `lanes` has the timing lanes
    of each board, as the header of the event log gives them; from them and Record.lanes, the cycles
    in every corner of the model are computed.
    """

    id: str
    provenance: Mapping[str, Any]
    records: tuple[Record, ...]
    lanes: Mapping[str, tuple[Lane, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class RunSummary:
    """The facts about one run that `list runs` prints on a line."""

    id: str
    kernels: tuple[str, ...]
    boards: tuple[str, ...]
    suites: tuple[str, ...]
    records: int
    passed: int
    failed: int
