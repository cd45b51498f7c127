# SPDX-License-Identifier: MIT
"""Says the answer of a suite in words: which kernel of each class of protection is unbeaten, and by
how much. All views use these words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ticklab.comparison.compare import Comparison, Verdict
from ticklab.description.features import Protection
from ticklab.summary.answer import Answer, Group, Mean, RankedKernel, Unit, ratio
from ticklab.summary.ranking import Standing
from ticklab.views import figures

CLASSES: Mapping[Protection, str] = {
    Protection.NONE: "No protection",
    Protection.KERNEL: "Kernel protected",
    Protection.TASKS: "Every task protected",
}
QUANTITIES: Mapping[Unit, str] = {
    Unit.CYCLES: "Cycles",
    Unit.INSTRUCTIONS: "Instructions",
    Unit.MICROSECONDS: "Time",
}


def subject(answer: Answer, unit: Unit) -> str:
    """Returns the heading of the figures, for example `Cycles ÷ freertos's`."""
    return f"{QUANTITIES[unit]} ÷ {answer.label}'s"


def parts(answer: Answer, unit: Unit) -> Iterator[str]:
    """Yields a sentence about all tests, and one for each class of protection."""
    count = len(answer.tests)
    tests = f"{count} {'test' if count == 1 else 'tests'}"
    yield f"{subject(answer, unit)} (less is faster), geometric mean over {tests}."
    for group in answer.groups:
        yield f"{CLASSES[group.protection]}: {_group(answer, group, unit)}."


def whole(answer: Answer, unit: Unit) -> str:
    """Returns all sentences about a suite's answer: the sentences of `parts`, those about kernels
    whose tasks are not threads, and those about conflicts of interest."""
    return " ".join((*parts(answer, unit), *answer.tasks, *answer.interests))


def _group(answer: Answer, group: Group, unit: Unit) -> str:
    leaders = group.leaders
    named = [_entry(answer, entry, unit) for entry in leaders or group.entries]
    if not leaders:
        return ", ".join(named)
    if len(leaders) == 1:
        return f"{leaders[0].label} is {leaders[0].standing}, {_figures(answer, leaders[0], unit)}"
    return f"{', '.join(named[:-1])} and {named[-1]} are {_standing(leaders)}"


def _standing(leaders: Sequence[RankedKernel]) -> str:
    """Returns one word for the standing of several kernels, which may be ahead, tied or
    undecided."""
    found = {entry.standing for entry in leaders}
    return str(found.pop() if len(found) == 1 else Standing.UNDECIDED)


def _entry(answer: Answer, entry: RankedKernel, unit: Unit) -> str:
    return f"{entry.label} {_figures(answer, entry, unit)}"


def _figures(answer: Answer, entry: RankedKernel, unit: Unit) -> str:
    """Formats the mean of a kernel over the tests, with the number of tests if there are
    several."""
    found = mean(answer, entry.mean, unit)
    is_whole = entry.mean.tests == len(answer.tests)
    return found if is_whole else f"{found} ({share(answer, entry.mean)})"


def mean(answer: Answer, found: Mean, unit: Unit) -> str:
    return figures.ratio(found.ratio(unit), is_exact(answer, unit))


def share(answer: Answer, found: Mean) -> str:
    return f"{found.tests} of {len(answer.tests)}"


def is_exact(answer: Answer, unit: Unit) -> bool:
    return unit is Unit.INSTRUCTIONS or answer.matrix.is_clocked


def cell(answer: Answer, found: Comparison, unit: Unit) -> str:
    """Formats the bound of the ratio that holds in every corner of the model: the high bound if the
    kernel is faster, the low bound if it is slower."""
    interval = ratio(found, unit)
    if interval is None:
        return figures.NOTHING
    if is_exact(answer, unit):
        return f"{interval.low:.2f}"
    if found.verdict is Verdict.FASTER:
        return f"≤{figures.rounded_up(interval.high)}"
    if found.verdict is Verdict.SLOWER:
        return f"≥{figures.rounded_down(interval.low)}"
    return "1.00" if found.verdict is Verdict.EQUAL else "▒▒▒▒▒"
