# SPDX-License-Identifier: MIT
"""Dataclasses for the observer's explanation of a run (docs/reference/explain-format.md), with
means over samples.

The observer reports sums over those samples of a span that no tick or foreign interrupt has
interrupted (the *plain* samples). Here they become means, and tallies become costs: instructions,
which are exact, and the bounds of the cycles. The module depends on no kernel, file or view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Cost:
    """The mean cost over the samples: instructions, and bounds of the cycles."""

    instructions: float = 0.0
    low: float = 0.0  # cycles
    high: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.instructions + other.instructions, self.low + other.low, self.high + other.high
        )

    def __sub__(self, other: Cost) -> Cost:
        return Cost(
            self.instructions - other.instructions, self.low - other.low, self.high - other.high
        )


@dataclass(frozen=True)
class Function:
    name: str
    address: int | None
    file: str | None
    inlined: bool
    masks: str | None  # "enter", "leave" or "both": critical sections that it begins or ends
    kind: str  # "code" or "hardware" (work of the processor at an exception)

    @property
    def is_hardware(self) -> bool:
        return self.kind == "hardware"


@dataclass(frozen=True)
class Node:
    """A node of the call tree. `parent` is the index of its caller, which comes earlier in the
    list."""

    parent: int | None
    kind: str  # "task", "exception", "function", "inlined", "hardware"
    function: int | None
    name: str
    calls: float
    own: Cost
    total: Cost


@dataclass(frozen=True)
class Code:
    """One instruction of the image, with its mean number of executions."""

    address: int
    opcode: str  # class and encoding: "status-register f3808811"
    function: int
    symbol: int
    line: str | None
    executed: float
    own: Cost


@dataclass(frozen=True)
class Section:
    """The critical sections that begin and end at the same instructions and have the same
    caller."""

    begins: int  # function in which the section begins
    address: int  # address of the instruction that masks interrupts
    caller: int | None
    # Address of the instruction that unmasks interrupts. None: interrupts are still masked when the
    # sample ends.
    ends: int | None
    count: float
    instructions: float
    longest: int  # instructions, in one sample


@dataclass(frozen=True)
class Masked:
    count: float
    instructions: float
    handlers: float  # instructions inside exceptions
    enters: float
    leaves: float
    unknown: float
    longest: Section | None
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class ListedInstruction:
    """One instruction of the listed sample."""

    address: int
    context: str
    function: int
    depth: int
    masked: bool
    executed: bool


@dataclass(frozen=True)
class Listing:
    sample: int
    instructions: int
    rows: tuple[ListedInstruction, ...]


@dataclass(frozen=True)
class Span:
    name: str
    samples: int
    plain: int
    ticked: int
    foreign: int
    warm_up: int
    total: Cost
    nodes: tuple[Node, ...]
    code: tuple[Code, ...]
    masked: Masked
    suspended: Masked | None  # suspensions of the scheduler; None if the kernel never suspends it
    listing: Listing | None
    alone: bool  # the figures are those of the listed sample, not means
    # Number of a sample without a tick, which is subtracted from each sample to get the cost of a
    # tick.
    less: int | None = None


@dataclass(frozen=True)
class Stack:
    """The greatest stack depth in the whole run: of a task, or of a handler on the main stack."""

    name: str
    is_handler: bool
    bytes: int  # without the frame that the processor stacks for an exception
    calls: tuple[str, ...]  # functions in progress at the deepest point
    switches: int = 0  # number of switches to the task


@dataclass(frozen=True)
class Latency:
    """The latency of an interrupt over the run, in instructions."""

    count: int
    shortest: int
    median: int
    longest: int
    # The function that ran when the interrupt with the longest latency was pended.
    function: str | None
    line: str | None


@dataclass(frozen=True)
class Interrupt:
    """An interrupt, that is, an exception that no instruction causes. `entry` is the latency from
    the moment at which it is pended to its handler. `wake` is the latency to the task that runs
    next, if this is not the interrupted task. A latency is None if it was never observed."""

    name: str
    taken: int
    entry: Latency | None
    wake: Latency | None


@dataclass(frozen=True)
class Explanation:
    notes: tuple[str, ...]
    functions: tuple[Function, ...]
    spans: tuple[Span, ...]
    stacks: tuple[Stack, ...] = ()
    frame_bytes: int = 0  # greatest frame that the processor stacks for an exception
    interrupts: tuple[Interrupt, ...] | None = None  # None: unknown


def parse(document: Mapping[str, Any]) -> Explanation:
    return Explanation(
        notes=tuple(document["notes"]),
        functions=tuple(_function(entry) for entry in document["functions"]),
        spans=tuple(_Reader(document["lanes"], span).span() for span in document["spans"]),
        stacks=(
            *(_stack(task, is_handler=False) for task in document["tasks"]),
            *(_stack(one, is_handler=True) for one in document["exceptions"] if one["stack"]),
        ),
        frame_bytes=document["frame_bytes"],
        interrupts=_interrupts(document),
    )


def _interrupts(document: Mapping[str, Any]) -> tuple[Interrupt, ...] | None:
    rows, functions = document["interrupts"], document["functions"]
    if rows is None:
        return None
    return tuple(
        Interrupt(
            row["name"],
            row["taken"],
            entry=_latency(row["entry"], functions),
            wake=_latency(row["wake"], functions),
        )
        for row in rows
    )


def _latency(
    entry: Mapping[str, Any] | None, functions: Sequence[Mapping[str, Any]]
) -> Latency | None:
    if entry is None:
        return None
    after = entry["after"]
    return Latency(
        **{name: entry[name] for name in ("count", "shortest", "median", "longest")},
        function=functions[after["function"]]["name"] if after else None,
        line=after["line"] if after else None,
    )


def _stack(entry: Mapping[str, Any], is_handler: bool) -> Stack:
    stack = entry["stack"]
    switches = entry.get("switches", 0)
    return Stack(entry["name"], is_handler, stack["bytes"], tuple(stack["calls"]), switches)


def _function(entry: Mapping[str, Any]) -> Function:
    names = ("name", "address", "file", "inlined", "masks", "kind")
    return Function(**{name: entry[name] for name in names})


@dataclass(frozen=True)
class _Reader:
    """Reads the explanation of one span. Divides its sums by the number of plain samples, which
    gives means."""

    lanes: Sequence[Mapping[str, Any]]
    source: Mapping[str, Any]

    @cached_property
    def _weights(self) -> Sequence[tuple[int, float, float]]:
        """Returns for each timing lane its index, and its low and high number of cycles."""
        return [
            (place, lane["low"], lane["high"])
            for place, lane in enumerate(self.lanes)
            if lane["low"] is not None
        ]

    @cached_property
    def _instructions(self) -> int:
        return [lane["name"] for lane in self.lanes].index("instructions")

    def _mean(self, value: float) -> float:
        return value / self.source["summed"] if self.source["summed"] else 0.0

    def _cost(self, tally: Sequence[int]) -> Cost:
        low = sum(tally[place] * weight for place, weight, _ in self._weights)
        high = sum(tally[place] * weight for place, _, weight in self._weights)
        return Cost(self._mean(tally[self._instructions]), self._mean(low), self._mean(high))

    def span(self) -> Span:
        source = self.source
        counts = {name: source[name] for name in ("samples", "plain", "ticked", "foreign")}
        return Span(
            name=source["name"],
            **counts,
            warm_up=source["warm_up"],
            total=self._cost(source["total"]),
            nodes=tuple(self._node(node) for node in source["nodes"]),
            code=tuple(self._code(code) for code in source["code"]),
            masked=self._masked(source["masked"]),
            suspended=self._masked(source["suspended"]) if source["suspended"] else None,
            listing=_listing(source["listing"]) if source["listing"] else None,
            alone=source["alone"],
            less=source["less"],
        )

    def _node(self, node: Mapping[str, Any]) -> Node:
        return Node(
            parent=node["parent"],
            kind=node["kind"],
            function=node["function"],
            name=node["name"],
            calls=self._mean(node["calls"]),
            own=self._cost(node["self"]),
            total=self._cost(node["total"]),
        )

    def _code(self, code: Mapping[str, Any]) -> Code:
        return Code(
            address=code["address"],
            opcode=f"{code['class']} {code['bytes']}",
            function=code["function"],
            symbol=code["symbol"],
            line=code["line"],
            executed=self._mean(code["executed"]),
            own=self._cost(code["self"]),
        )

    def _masked(self, masked: Mapping[str, Any]) -> Masked:
        names = ("count", "instructions", "enters", "leaves", "unknown")
        return Masked(
            **{name: self._mean(masked[name]) for name in names},
            handlers=self._mean(masked["handlers"]["instructions"]),
            longest=self._section(masked["longest"]) if masked["longest"] else None,
            sections=tuple(self._section(section) for section in masked["sections"]),
        )

    def _section(self, section: Mapping[str, Any]) -> Section:
        return Section(
            begins=section["begins"]["function"],
            address=section["begins"]["address"],
            caller=section["begins"]["caller"],
            ends=section["ends"]["function"] if section["ends"] else None,
            count=self._mean(section["count"]),
            instructions=self._mean(section["instructions"]),
            longest=section["longest"]["instructions"],
        )


def _listing(listing: Mapping[str, Any]) -> Listing:
    contexts = [context["name"] for context in listing["contexts"]]
    rows = (
        ListedInstruction(address, contexts[context], function, depth, bool(masked), bool(executed))
        for address, context, function, depth, masked, executed in listing["rows"]
    )
    return Listing(listing["sample"], listing["instructions"], tuple(rows))
