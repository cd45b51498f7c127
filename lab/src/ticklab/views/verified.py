# SPDX-License-Identifier: MIT
"""The output of `estimate --verify`: the observed response time of each task as a share of its
bound."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ticklab.estimate.trials import Summary
from ticklab.estimate.verify import Checked, Verification
from ticklab.views import figures


def show(verified: Sequence[Verification], out: Console) -> None:
    if not verified:
        return
    out.print()
    out.print(Text(sentence(verified), style="bold"))
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
    table.add_column("longest / bound", no_wrap=True)
    for each in verified:
        head = each.subject.replace("/default", "").replace("/", "/\n")
        table.add_column(head, justify="right", no_wrap=True)
    for rows in zip(*(each.tasks for each in verified), strict=True):
        table.add_row(rows[0].name, *map(_cell, rows))
    out.print(table)
    out.print(Text("COUNTED: instructions, of the response times and of the bounds.", style="dim"))


def sentence(verified: Sequence[Verification]) -> str:
    wrong = [
        f"{task.name} under {each.subject} ({task.longest:,} of {task.bound:,} instructions)"
        for each in verified
        for task in each.tasks
        if task.exceeded
    ]
    jobs = sum(task.jobs for each in verified for task in each.tasks)
    if wrong:
        return f"A bound is wrong, please report it: {', '.join(wrong)}."
    return f"Verified: none of {jobs:,} jobs took longer than its bound."


def _cell(task: Checked) -> Text:
    if task.tightness is None:
        return Text(figures.NOTHING)
    return Text(f"{100 * task.tightness:.1f} %", style="red" if task.exceeded else "")


# --- Random applications --------------------------------------------------------------------------


def show_sets(summaries: Sequence[Summary], out: Console) -> None:
    """Prints how many random task sets ran under each kernel, and how near their response times
    came to the bounds."""
    wrong = sum(len(each.exceeded) for each in summaries)
    sets = max((each.sets for each in summaries), default=0)
    what = f"bounds were exceeded in {wrong} runs" if wrong else "no bound was exceeded"
    out.print(Text(f"{sets} random applications: {what}.", style="bold"))
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
    table.add_column("kernel", no_wrap=True)
    for head in ("sets", "tasks", "jobs", "exceeded", *_QUANTILES):
        table.add_column(head, justify="right")
    for each in summaries:
        counts = (each.sets, each.tasks, each.jobs, len(each.exceeded))
        parts = (_quantile(each.tightness, at) for at in _QUANTILES.values())
        table.add_row(each.subject, *(f"{count:,}" for count in counts), *parts)
    out.print(table)
    note = "least to most: longest response / bound of each task, in instructions, COUNTED."
    out.print(Text(note, style="dim"))
    for each in summaries:
        for seed in each.exceeded:
            out.print(f"{each.subject}: see --sets 1 --seed {seed}; please report it")


_QUANTILES = {"least": 0.0, "10 %": 0.1, "median": 0.5, "90 %": 0.9, "most": 1.0}


def _quantile(ascending: Sequence[float], at: float) -> str:
    if not ascending:
        return figures.NOTHING
    return f"{100 * ascending[round(at * (len(ascending) - 1))]:.1f} %"
