# SPDX-License-Identifier: MIT
"""The output of `profile`: where the instructions of a run went, on the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.description.result import Number
from ticklab.explain.answer import Cost, Interrupt, Latency
from ticklab.explain.profile import Profile, Share, Stretch
from ticklab.views import figures
from ticklab.views.document import SCHEMA, Part, Schema

FUNCTIONS, STRETCHES = 15, 8


def show(profile: Profile, ending: str, out: Console) -> None:
    total = profile.total
    out.print(
        f"from reset: {figures.count(total.instructions)} instructions, "
        f"counted{_cycles(total, '; {} cycles, modelled')}"
    )
    out.print(Text(f"kernel: {kernel(profile)}; {profile.switches:,} switches of tasks"))
    for note in profile.notes:
        out.print(Text(f"note: {note}", style="yellow"))
    for title, entries, shares in (
        ("task", "switches", profile.tasks),
        ("exception", "entries", profile.exceptions),
        ("function", "calls", profile.functions[:FUNCTIONS]),
    ):
        if shares:
            out.print(_shares(title, entries, shares, total))
    _rest(profile.functions[FUNCTIONS:], total, out)
    out.print(f"Each exception stacks up to {profile.frame_bytes} bytes more.")
    out.print(_stretches(profile.masked[:STRETCHES]))
    if profile.unknown_masks:
        unknown = figures.count(profile.unknown_masks)
        out.print(
            f"{unknown} writes to the interrupt mask have an unknown value and count as unmasking."
        )
    if profile.interrupts is None:
        out.print("latencies of interrupts: not known on this architecture")
    elif profile.interrupts:
        out.print(_latencies(profile))
    out.print(Text(f"The run ended: {ending}."))


def kernel(profile: Profile) -> str:
    """Returns the name of the image's kernel, and the kernel's share of the instructions if it is
    known."""
    if profile.kernel is None:
        return "not recognised (--kernels FILE adds one)"
    if profile.in_kernel is None:
        return profile.kernel
    share = _percent(profile.in_kernel, profile.total)
    return f"{profile.kernel}, {share} % of the instructions in its functions"


def _shares(title: str, entries: str, shares: Sequence[Share], total: Cost) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    heads = ("instr.", "%", "~cycles", entries, "stack bytes")
    for head in heads if shares[0].stack_bytes is not None else heads[:-1]:
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column(title)
    for share in shares:
        stack = [figures.count(share.stack_bytes)] if share.stack_bytes is not None else []
        table.add_row(
            figures.count(share.cost.instructions),
            _percent(share.cost, total),
            figures.modelled(share.cost.low, share.cost.high),
            figures.count(share.entries) if share.entries else figures.NOTHING,
            *stack,
            Text(share.name),
        )
    return table


def _rest(shares: Sequence[Share], total: Cost, out: Console) -> None:
    rest = sum((share.cost for share in shares), Cost())
    if shares:
        out.print(f"{len(shares)} other functions: {_percent(rest, total)} %")


def _stretches(stretches: Sequence[Stretch]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title="interrupts masked, longest first")
    for head in ("longest", "count"):
        table.add_column(head, justify="right", no_wrap=True)
    for head in ("begins in", "at", "called by", "ends in"):
        table.add_column(head)
    for one in stretches:
        words = (one.function, one.line, one.caller, one.ends)
        table.add_row(
            figures.count(one.longest),
            figures.count(one.count),
            *(Text(word or figures.NOTHING) for word in words),
        )
    return table


def _latencies(profile: Profile) -> Table:
    title = "instructions from pending to the handler, and to the task that runs next"
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title)
    for head in ("median", "longest", "count"):
        table.add_column(head, justify="right", no_wrap=True)
    for head in ("to", "interrupt", "longest, pended in"):
        table.add_column(head)
    for name, to, latency, pended in latencies(profile):
        table.add_row(*_latency(latency), to, Text(name), Text(pended))
    return table


def latencies(profile: Profile) -> Iterator[tuple[str, str, Latency, str]]:
    """Yields for each interrupt and each end of its latency (the handler or a task): the interrupt,
    that end, the latency, and the code in which the interrupt was pended when the latency was
    longest."""
    for one in profile.interrupts or ():
        for to, latency in (("handler", one.entry), ("task", one.wake)):
            if latency:
                yield one.name, to, latency, _pended(latency)


def _latency(latency: Latency) -> Sequence[str]:
    return [figures.count(each) for each in (latency.median, latency.longest, latency.count)]


def _pended(latency: Latency) -> str:
    words = " ".join(filter(None, (latency.function, latency.line)))
    return words or figures.NOTHING


def _percent(part: Cost, total: Cost) -> str:
    return f"{100 * part.instructions / total.instructions:.1f}" if total.instructions else "0"


def _cycles(cost: Cost, words: str) -> str:
    return words.format(figures.bounds(cost.low, cost.high)) if cost.high else ""


class ProfileFields(Part, frozen=True):
    """The distribution of a run's instructions over tasks, handlers and functions. The figures of a
    function exclude its callees."""

    schema: Schema
    image: Annotated[str, Meta(description="the SHA-256 of the image")]
    board: Annotated[str, Meta(description="the board that it ran on")]
    kernel: Annotated[str | None, Meta(description="the kernel that was recognised")]
    in_kernel: Annotated[
        Cost | None, Meta(description="the cost of the kernel's functions; null if unknown")
    ]
    total: Annotated[
        Cost, Meta(description='`{"instructions", "low", "high"}`; the bounds are in cycles')
    ]
    tasks: Annotated[
        list[Share],
        Meta(
            description='one for each task: `{"name", "entries", "cost", "stack_bytes"}`; entries '
            "are switches to it"
        ),
    ]
    exceptions: Annotated[
        list[Share],
        Meta(
            description="one for each exception, with the same fields; entries are entries of the "
            "exception"
        ),
    ]
    functions: Annotated[
        list[Share],
        Meta(description="one for each function, with the same fields; entries are calls"),
    ]
    switches: Annotated[int, Meta(description="number of task switches")]
    masked: Annotated[
        list[Stretch],
        Meta(description="critical sections by the place where they begin, the longest first"),
    ]
    unknown_masks: Annotated[
        Number,
        Meta(
            description="writes to the interrupt mask whose value is unknown, and which count as "
            "unmasking"
        ),
    ]
    frame_bytes: Annotated[
        int, Meta(description="bytes that an exception stacks besides `stack_bytes`")
    ]
    interrupts: Annotated[
        list[Interrupt] | None,
        Meta(
            description='one for each: `{"name", "taken", "entry", "wake"}`. The latencies are in '
            "instructions, counted: from the moment at which it becomes pending to its handler, "
            "and to the task that runs next if it is another. Null: not known on this architecture"
        ),
    ]
    notes: Annotated[list[str], Meta(description="what limits these figures, in words")]
    end: Annotated[str, Meta(description="how the run ended, in words")]


def document(profile: Profile, image: str, board: str, ending: str) -> ProfileFields:
    return ProfileFields(SCHEMA, image, board, **vars(profile), end=ending)
