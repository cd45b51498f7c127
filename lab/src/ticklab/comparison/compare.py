# SPDX-License-Identifier: MIT
"""Decides which of two records is faster, by how much, and whether the two may be compared.

The modelled cycles of a record are a linear form: the sum over timing lanes of the mean tally times
the cycles of the lane, which may be any number in [low, high]. All choices of these numbers form a
box. Both records were measured on the same processor, so both are evaluated at the *same* point of
the box. Costs that both records share then cancel out, and a verdict is possible even if the
intervals of the two records overlap. "Undecided" means that two corners of the box disagree, or
that the difference is smaller than the resolution of the means.

Results are exact except for floating-point rounding. This module depends on no file, view or
kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ticklab.comparison import doubts
from ticklab.description.features import FEATURES
from ticklab.description.model import Interval as Interval
from ticklab.description.model import Lane, Record, Run, Stats, Status

# Compiler flags with paths, libraries or macros of a kernel. They differ between any two kernels;
# all other flags must be equal before two records are compared.
_NOT_POLICY = ("-I", "-D", "-U", "-isystem", "-include", "-T", "-L", "-l", "-Wl,-T")


class Verdict(StrEnum):
    FASTER = "faster"  # fewer cycles in every corner of the model
    SLOWER = "slower"  # more cycles in every corner
    EQUAL = "equal"  # the same cycles in every corner
    UNDECIDED = "undecided"  # the corners disagree


@dataclass(frozen=True)
class Comparison:
    """The result of comparing a subject with a reference. Ratios are subject / reference: below 1,
    the subject is faster."""

    instructions: float | None  # ratio of mean instructions, which are exact
    cycles: Interval | None  # None without a cycle model
    # The verdict depends on cycles alone, because a count of instructions does not include the work
    # of hardware.
    verdict: Verdict | None


@dataclass(frozen=True)
class Difference:
    """A property that differs between two records, although only records that agree in it may be
    compared."""

    name: str
    subject: str
    reference: str

    def __str__(self) -> str:
        if self.subject == self.reference:  # a doubt that both records have
            return f"{self.name}: {self.subject}"
        return f"{self.name}: {self.subject} against {self.reference}"


# --- Linear forms over a box ----------------------------------------------------------------------


def timing_lanes(lanes: Sequence[Lane]) -> dict[str, Interval]:
    """Returns the box: the bounds of cycles for each timing lane. Counted lanes cost no cycles."""
    return {
        lane.name: Interval(lane.low, lane.high)
        for lane in lanes
        if lane.low is not None and lane.high is not None
    }


def _own_box(record: Record, lanes: Sequence[Lane]) -> dict[str, Interval]:
    """Returns the bounds of those timing lanes that belong to the record's core. They are a part of
    the box, because a run has the lanes of all cores of a board."""
    box = timing_lanes(lanes)
    return {name: cost for name, cost in box.items() if name in record.figures.lanes}


def extremes(form: Mapping[str, float], box: Mapping[str, Interval]) -> Interval:
    """Returns the least and the greatest value of a linear form over the box."""
    ends = [
        (form.get(lane, 0.0) * cost.low, form.get(lane, 0.0) * cost.high)
        for lane, cost in box.items()
    ]
    return Interval(sum(min(pair) for pair in ends), sum(max(pair) for pair in ends))


def verdict(
    subject: Mapping[str, float],
    reference: Mapping[str, float],
    box: Mapping[str, Interval],
    resolution: float = 0.0,
) -> Verdict:
    """Returns the verdict on subject and reference from the least and the greatest value of their
    difference over the box. So both are evaluated at the same corner. A difference of at most
    `resolution` cycles is undecided."""
    difference = {lane: subject.get(lane, 0.0) - reference.get(lane, 0.0) for lane in box}
    bounds = extremes(difference, box)
    if bounds.high < -resolution:
        return Verdict.FASTER
    if bounds.low > resolution:
        return Verdict.SLOWER
    return Verdict.EQUAL if bounds.low == bounds.high == 0 else Verdict.UNDECIDED


def ratio(
    subject: Mapping[str, float], reference: Mapping[str, float], box: Mapping[str, Interval]
) -> Interval | None:
    """Returns the least and the greatest value of subject / reference over the box, or None if the
    reference may be 0."""
    if extremes(reference, box).low <= 0:
        return None
    inverse = _greatest_ratio(subject, reference, box, sign=-1)
    return Interval(inverse, _greatest_ratio(subject, reference, box, sign=+1))


def _greatest_ratio(
    subject: Mapping[str, float],
    reference: Mapping[str, float],
    box: Mapping[str, Interval],
    sign: int,
) -> float:
    """Computes the greatest (sign +1) or least (-1) ratio of two linear forms by Dinkelbach's
    iteration.

    A ratio of linear forms takes its extremes at corners. At the ratio `value`, the corner that
    makes sign * (subject - value * reference) greatest has a ratio at least as extreme; if it has
    the same ratio, that is the extreme. There are finitely many corners, and a few steps suffice.
    """
    value, best = 0.0, -sign * float("inf")
    while True:
        corner = {
            lane: cost.high
            if sign * (subject.get(lane, 0.0) - value * reference.get(lane, 0.0)) > 0
            else cost.low
            for lane, cost in box.items()
        }
        value = _value(subject, corner) / _value(reference, corner)
        if sign * (value - best) <= 0:
            return best
        best = value


def _value(form: Mapping[str, float], corner: Mapping[str, float]) -> float:
    return sum(form.get(lane, 0.0) * cycles for lane, cycles in corner.items())


# --- Records --------------------------------------------------------------------------------------


def compare(
    subject: Record,
    reference: Record,
    lanes: Sequence[Lane],
    reference_lanes: Sequence[Lane] | None = None,
) -> Comparison | None:
    """Compares two records. Returns None unless both passed.

    `reference_lanes` are the lanes of the reference if it was measured under another cycle model.
    """
    if subject.status is not Status.PASS or reference.status is not Status.PASS:
        return None
    instructions = _mean_ratio(subject, reference)
    if subject.figures.cycles is None or reference.figures.cycles is None or not lanes:
        return Comparison(instructions, cycles=None, verdict=None)
    one, other = subject.figures.lanes, reference.figures.lanes
    ours = _own_box(subject, lanes)
    theirs = _own_box(reference, lanes if reference_lanes is None else reference_lanes)
    box = ours | theirs
    if any(box[name] != cost for name, cost in ours.items()):
        one, other, box = _apart(one, ours, other, theirs)
    finest = resolution(subject) + resolution(reference)
    return Comparison(instructions, ratio(one, other, box), verdict(one, other, box, finest))


def resolution(record: Record) -> float:
    """Returns the number of cycles by which the mean may change if the observation begins or ends
    elsewhere."""
    cycles = record.figures.cycles
    return resolution_of(record, cycles.low, cycles.high) if cycles else 0.0


def resolution_of(record: Record, *figures: Stats) -> float:
    """Returns the resolution of a record's mean, in the unit of the figure.

    If consecutive samples differ, the mean depends on which samples the observation contains. Two
    effects count: one sample more or less at the end, and one sample less for each tick that
    interrupted it.
    """
    if record.curve:  # the figure of a sweep is one sample, its worst position, and no mean
        return 0.0
    taken_away = record.sampled.interrupted.n if record.sampled.interrupted else 0
    return max((1 + taken_away) * (stats.max - stats.min) / stats.n for stats in figures)


def _apart(
    subject: Mapping[str, float],
    subject_box: Mapping[str, Interval],
    reference: Mapping[str, float],
    reference_box: Mapping[str, Interval],
) -> tuple[dict[str, float], dict[str, float], dict[str, Interval]]:
    """Returns two linear forms and a box for records under two cycle models that give different
    bounds to a lane. Such models have no corner in common, so the lanes of each record get names of
    their own."""
    return (
        {f"subject {lane}": count for lane, count in subject.items()},
        {f"reference {lane}": count for lane, count in reference.items()},
        {f"subject {lane}": cost for lane, cost in subject_box.items()}
        | {f"reference {lane}": cost for lane, cost in reference_box.items()},
    )


def _mean_ratio(subject: Record, reference: Record) -> float | None:
    one, other = subject.counted, reference.counted
    return one / other if one is not None and other else None


# --- Conditions that must be the same for both records
# ---------------------------------------------


def differences(
    subject_run: Run, subject: Record, reference_run: Run, reference: Record
) -> tuple[Difference, ...]:
    """Returns the differences that forbid the comparison of two records; empty if there are
    none."""
    pairs = [
        *_pairs_of_build(subject_run, subject, reference_run, reference),
        ("board", subject.board, reference.board),
        ("timing profile", _profile(subject), _profile(reference)),
        ("cycle model", _model(subject_run, subject), _model(reference_run, reference)),
        *_pairs_of_features(subject, reference),
    ]
    unlike = tuple(Difference(name, one, other) for name, one, other in pairs if one != other)
    doubted = doubts.between(subject, reference)
    return (*(Difference(kind, *pair) for kind, pair in doubted.items()), *unlike)


def build_key(record: Record) -> str:
    """Returns the key of a record's build in the provenance of its run."""
    return f"{record.kernel}/{record.config}/{record.optimise}/{record.board}"


def _pairs_of_build(
    subject_run: Run, subject: Record, reference_run: Run, reference: Record
) -> Iterator[tuple[str, str, str]]:
    one, other = _build(subject_run, subject), _build(reference_run, reference)
    yield "compiler", _text(one.get("compiler")), _text(other.get("compiler"))
    yield "compiler of the kernel", compiler_of_kernel(one), compiler_of_kernel(other)
    yield "optimisation", subject.optimise, reference.optimise
    ours, theirs = _policy(one), _policy(other)
    yield "flags", _only(ours, theirs), _only(theirs, ours)
    for key, name in (("core", "core"), ("clock_hz", "clock in Hz"), ("tick_hz", "tick in Hz")):
        yield name, _text(one.get(key)), _text(other.get(key))


def compiler_of_kernel(build: Mapping[str, Any]) -> str:
    """Returns the compiler of a kernel written in Rust; for a kernel in C, "that of the
    scenario"."""
    return str(build.get("rust", {}).get("compiler") or "that of the scenario")


def _pairs_of_features(subject: Record, reference: Record) -> Iterator[tuple[str, str, str]]:
    """Yields the features of both records in pairs. A record that is older than a feature has the
    feature's default value."""
    for name in sorted(FEATURES.keys() & {*subject.features, *reference.features}):
        default = FEATURES[name].default
        one, other = subject.features.get(name, default), reference.features.get(name, default)
        yield f"feature {name}", _text(one), _text(other)


def _build(run: Run, record: Record) -> Mapping[str, Any]:
    build: Mapping[str, Any] = run.provenance.get("builds", {}).get(build_key(record), {})
    return build


def _policy(build: Mapping[str, Any]) -> tuple[str, ...]:
    flags = build.get("flags", ())
    return tuple(flag for flag in flags if not str(flag).startswith(_NOT_POLICY))


def _only(ours: Sequence[str], theirs: Sequence[str]) -> str:
    return " ".join(flag for flag in ours if flag not in theirs) or "none of these"


def _profile(record: Record) -> str:
    if record.figures.cycles is None:
        return "none"
    return record.figures.cycles.profile or "clocked"


def _model(run: Run, record: Record) -> str:
    """Returns the bounds of the cycle model as text. Two versions of a model with the same lanes
    and bounds are equal."""
    box = _own_box(record, run.lanes.get(record.board, ()))
    return (
        ", ".join(f"{lane} {cost.low:g}–{cost.high:g}" for lane, cost in sorted(box.items()))
        or "none"
    )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unknown" if value is None else str(value)
