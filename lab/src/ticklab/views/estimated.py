# SPDX-License-Identifier: MIT
"""The output of `estimate`: the verdict (does the application meet its deadlines under a kernel),
the response-time bound of each task under each kernel, and what limits the application."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.estimate.costs import Cost, Unit
from ticklab.estimate.estimate import Analysis, Estimate, KernelEstimate, Limits, Verdict
from ticklab.estimate.verify import Checked, Verification
from ticklab.views import figures
from ticklab.views.estimate_document import (
    AnalysisFields,
    BoundFields,
    CostFields,
    EstimateFields,
    KernelFields,
    MemoryFields,
    VerifiedFields,
)

SCHEMA: Literal[1] = 1

_NOTE = """\
MODELLED, by the high bounds of the kernel's costs; bytes are COUNTED. execution ×: the factor
by which all execution times may grow. least clock: a job takes as many cycles as now. kernel: its
code. RAM: control blocks and stacks."""


def show(found: Estimate, out: Console, full: bool = False) -> None:
    out.print(Text(sentence(found), style="bold"))
    known = [each for each in found.kernels if each.verdict is not Verdict.UNKNOWN]
    if known:
        out.print(_table(found, known))
        out.print(Text(_NOTE, style="dim"))
    if said := disagreement(found):
        out.print(Text(said))
    for each in found.kernels:
        if each.candidate.missing:
            out.print(Text(f"{each.candidate.subject}: {each.candidate.missing}"))
    if full:
        for each in known:
            out.print()
            out.print(Text(f"costs of {each.candidate.subject}, longest samples", style="bold"))
            out.print(_costs(each.candidate.costs.values()))


# --- The verdict ----------------------------------------------------------------------------------


def sentence(found: Estimate) -> str:
    """Returns a sentence with the verdict on every kernel."""
    parts = [_of_verdict(found, verdict) for verdict in (Verdict.FITS, *_OTHERS)]
    return " ".join(part for part in parts if part) or f"{found.app.name}: no kernel has costs."


_OTHERS: Mapping[Verdict, str] = {
    Verdict.UNDECIDED: "is undecided",
    Verdict.MISSES: "does not fit",
    Verdict.UNKNOWN: "has no estimate",
}


def _of_verdict(found: Estimate, verdict: Verdict) -> str:
    kernels = [each for each in found.kernels if each.verdict is verdict]
    if not kernels:
        return ""
    head = f"{found.app.name} {_OTHERS.get(verdict, 'fits')} under {_listed(kernels)}"
    if verdict is Verdict.UNKNOWN:
        return f"{head}."
    return f"{head} at {_megahertz(found.clock_hz)}: {_tightest(found, kernels)}."


def _tightest(found: Estimate, kernels: Sequence[KernelEstimate]) -> str:
    def slack(each: KernelEstimate) -> float:
        assert each.high
        least = each.high.tightest.slack
        return float("-inf") if least is None else least

    each = min(kernels, key=slack)
    assert each.high
    response = each.high.tightest
    where = f"{response.name}, under {each.candidate.subject}"
    if response.slack is None:
        return f"{where}, has no bound; {_way_out(each)}"
    if response.slack < 0:
        late = _micros(-response.slack, found.clock_hz)
        return f"{where}, may be late by {late} µs; {_way_out(each)}"
    left = _micros(response.slack, found.clock_hz)
    return f"the slack of the tightest task, {where}, is {left} µs"


def _way_out(each: KernelEstimate) -> str:
    limits = each.limits
    clock = limits and limits.clock_hz and f"a clock of {_megahertz(limits.clock_hz)}"
    scale = limits and limits.scale and f"execution times × {_factor(limits.scale)}"
    ways = [way for way in (clock, scale) if way]
    return f"it fits with {' or '.join(ways)}" if ways else "no clock makes it fit"


def _listed(kernels: Sequence[KernelEstimate]) -> str:
    names = [each.candidate.subject for each in kernels]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# --- The application against micro benchmarks ---------------------------------------------------

_JOB = "overhead-1"  # a release by the tick, the switch to the job, and its completion


def disagreement(found: Estimate) -> str | None:
    """Returns a sentence about two kernels that a micro benchmark and this application rank
    differently: the first has the cheaper job in the benchmark, but takes more of the processor in
    the application, for any values within the bounds. Of several such pairs, chooses the one with
    the most different shares of the processor; returns None if there is none."""
    known = [each for each in found.kernels if each.high and _has_job(each)]
    pairs = [(one, other) for one in known for other in known if _disagree(one, other)]
    if not pairs:
        return None
    cheaper, dearer = max(pairs, key=lambda pair: _share(pair[0]) / _share(pair[1]))
    return (
        f"Micro benchmark and application disagree: one job costs less under "
        f"{cheaper.candidate.subject} ({_job(cheaper)} cycles) than under "
        f"{dearer.candidate.subject} ({_job(dearer)}), but here its kernel takes more of the "
        f"processor ({_kernel(cheaper)} against {_kernel(dearer)})."
    )


def _has_job(each: KernelEstimate) -> bool:
    job = each.candidate.costs.get(_JOB)
    return job is not None and Unit.LOW in job.units


def _disagree(one: KernelEstimate, other: KernelEstimate) -> bool:
    """Returns whether a job costs less under the first kernel while this kernel takes more of the
    processor in the application, for any values within the bounds."""
    assert one.low
    assert other.high
    ours, theirs = (each.candidate.costs[_JOB].units for each in (one, other))
    is_cheaper = ours[Unit.HIGH] < theirs[Unit.LOW]
    return is_cheaper and one.low.kernel_share > other.high.kernel_share


def _share(each: KernelEstimate) -> float:
    return each.high.kernel_share if each.high else 0.0


def _job(each: KernelEstimate) -> str:
    units = each.candidate.costs[_JOB].units
    return f"~{units[Unit.LOW]}–{units[Unit.HIGH]}"


# --- The table of bounds --------------------------------------------------------------------------


def _table(found: Estimate, kernels: Sequence[KernelEstimate]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
    table.add_column("bound, µs", no_wrap=True)
    table.add_column("deadline", justify="right")
    for each in kernels:
        head = each.candidate.subject.replace("/default", "").replace("/", "/\n")
        table.add_column(head, justify="right", no_wrap=True)
    for place, task in enumerate(found.app.tasks):
        cells = [_bound(found, each.high, place) for each in kernels]
        table.add_row(task.name, f"{task.deadline_us:,.0f}", *cells)
    table.add_section()
    for name, cell in _ROWS.items():
        table.add_row(name, "", *(cell(each) for each in kernels))
    return table


def _bound(found: Estimate, analysis: Analysis | None, place: int) -> Text:
    assert analysis
    response = analysis.responses[place]
    if response.bound is None:
        return Text("none", style="red")
    style = "" if response.fits else "red"
    return Text(_micros(response.bound, found.clock_hz), style=style)


def _application(each: KernelEstimate) -> str:
    return f"{100 * each.high.application_share:.1f} %" if each.high else figures.NOTHING


def _kernel(each: KernelEstimate) -> str:
    if not (each.low and each.high):
        return figures.NOTHING
    return f"~{100 * each.low.kernel_share:.1f}–{100 * each.high.kernel_share:.1f} %"


def _scale(each: KernelEstimate) -> str:
    scale = each.limits and each.limits.scale
    return _factor(scale) if scale else "none"


def _clock(each: KernelEstimate) -> str:
    clock = each.limits and each.limits.clock_hz
    return _megahertz(clock) if clock else "none"


def _memory(each: KernelEstimate) -> str:
    memory = each.candidate.memory
    return f"{memory.objects + memory.stacks:,}" if memory else figures.NOTHING


def _code(each: KernelEstimate) -> str:
    return f"{each.candidate.memory.code:,}" if each.candidate.memory else figures.NOTHING


_ROWS: Mapping[str, Callable[[KernelEstimate], str]] = {
    "verdict": lambda each: each.verdict.value,
    "CPU, application": _application,
    "CPU, kernel": _kernel,
    "execution ×": _scale,
    "least clock": _clock,
    "kernel, bytes": _code,
    "RAM, bytes": _memory,
}


def _costs(costs: Iterable[Cost]) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for head in ("cost", "instructions", "~cycles", "grade", "figure"):
        table.add_column(head, justify="left" if head in ("cost", "grade", "figure") else "right")
    for cost in costs:
        cycles = figures.NOTHING
        if Unit.LOW in cost.units:
            cycles = figures.bounds(cost.units[Unit.LOW], cost.units[Unit.HIGH])
        counted = figures.count(cost.units[Unit.INSTRUCTIONS])
        table.add_row(cost.name, counted, cycles, cost.grade, cost.query)
    return table


def _micros(units: float, clock_hz: int) -> str:
    micros = units / clock_hz * 1e6
    return f"{micros:,.0f}" if micros >= 100 else f"{micros:.1f}"


def _megahertz(clock_hz: int) -> str:
    return f"{clock_hz / 1e6:.3g} MHz"


def _factor(scale: float) -> str:
    """Formats the factor by which execution times can grow, rounded down so that the application
    still meets its deadlines with the shown value."""
    return f"{int(scale * 100) / 100:.2f}"


# --- JSON -----------------------------------------------------------------------------------------


def document(found: Estimate, verified: Sequence[Verification] = ()) -> EstimateFields:
    return EstimateFields(
        schema=SCHEMA,
        app=found.app.name,
        board=found.app.board,
        clock_hz=found.clock_hz,
        tick_hz=found.app.tick_hz,
        sentence=sentence(found),
        disagreement=disagreement(found),
        kernels=[_kernel_fields(each, verified) for each in found.kernels],
    )


def _kernel_fields(each: KernelEstimate, verified: Sequence[Verification]) -> KernelFields:
    candidate, limits = each.candidate, each.limits or Limits(None, None)
    runs = [one for one in verified if one.subject == candidate.subject]
    return KernelFields(
        kernel=candidate.kernel,
        config=candidate.config,
        verdict=each.verdict,
        missing=candidate.missing,
        low=_analysis_fields(each.low) if each.low else None,
        high=_analysis_fields(each.high) if each.high else None,
        execution_factor=limits.scale,
        least_clock_hz=limits.clock_hz,
        memory=MemoryFields(**vars(candidate.memory)) if candidate.memory else None,
        costs=[_cost_fields(cost) for cost in candidate.costs.values()],
        verified=[_verified_fields(task) for task in runs[0].tasks] if runs else None,
    )


def _analysis_fields(analysis: Analysis) -> AnalysisFields:
    tasks = [
        BoundFields(
            name=each.name,
            deadline_cycles=each.deadline,
            bound_cycles=each.bound,
            slack_cycles=each.slack,
            blocking_cycles=each.blocking,
            fits=each.fits,
        )
        for each in analysis.responses
    ]
    return AnalysisFields(analysis.application_share, analysis.kernel_share, tasks)


def _cost_fields(cost: Cost) -> CostFields:
    return CostFields(
        name=cost.name,
        query=cost.query,
        grade=cost.grade,
        instructions=cost.units[Unit.INSTRUCTIONS],
        cycles_low=cost.units.get(Unit.LOW),
        cycles_high=cost.units.get(Unit.HIGH),
    )


def _verified_fields(task: Checked) -> VerifiedFields:
    return VerifiedFields(
        name=task.name,
        bound_instructions=task.bound,
        jobs=task.jobs,
        longest_instructions=task.longest,
        exceeded=task.exceeded,
    )
