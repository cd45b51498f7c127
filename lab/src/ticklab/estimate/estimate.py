# SPDX-License-Identifier: MIT
"""Estimates an application under each kernel: whether every deadline is met, and what limits the
application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ticklab.description.application import Application
from ticklab.estimate import bounds, costs, demand, fit
from ticklab.estimate.bounds import Response
from ticklab.estimate.candidates import Candidate
from ticklab.estimate.costs import Unit
from ticklab.estimate.demand import Conditions


class Verdict(StrEnum):
    FITS = "fits"  # meets every deadline for every value of the modelled costs
    UNDECIDED = "undecided"  # meets every deadline only for low values of the modelled costs
    MISSES = "misses"  # misses a deadline, by the bounds, for every value of the modelled costs
    UNKNOWN = "unknown"  # the kernel lacks a service, or a needed figure failed


@dataclass(frozen=True)
class Analysis:
    """The result of the analysis in one unit of time, in which bounds, deadlines and slack are
    given."""

    responses: tuple[Response, ...]
    application_share: float
    kernel_share: float

    @property
    def fits(self) -> bool:
        return all(response.fits for response in self.responses)

    @property
    def tightest(self) -> Response:
        """Returns the job with the least slack (deadline minus bound). A job without a bound has
        the least."""
        return min(self.responses, key=_slack)


def _slack(response: Response) -> float:
    return float("-inf") if response.slack is None else response.slack


@dataclass(frozen=True)
class Limits:
    """The values at which the deadlines are just met: the factor for all execution times, and the
    clock."""

    scale: float | None
    clock_hz: int | None


@dataclass(frozen=True)
class KernelEstimate:
    """The estimate for one kernel. `low` uses the low bounds of the costs and `high` the high
    bounds; both are None if the kernel has no costs."""

    candidate: Candidate
    low: Analysis | None = None
    high: Analysis | None = None
    limits: Limits | None = None

    @property
    def verdict(self) -> Verdict:
        if self.low is None or self.high is None:
            return Verdict.UNKNOWN
        if self.high.fits:
            return Verdict.FITS
        return Verdict.UNDECIDED if self.low.fits else Verdict.MISSES


@dataclass(frozen=True)
class Estimate:
    app: Application
    clock_hz: int
    kernels: tuple[KernelEstimate, ...]

    @property
    def some_fit(self) -> bool:
        return any(each.verdict is Verdict.FITS for each in self.kernels)


def make(app: Application, at: Conditions, candidates: Sequence[Candidate]) -> Estimate:
    return Estimate(app, at.clock_hz, tuple(_of(app, at, each) for each in candidates))


def _of(app: Application, at: Conditions, candidate: Candidate) -> KernelEstimate:
    if candidate.missing:
        return KernelEstimate(candidate)
    low, high = (costs.overheads(app, candidate.costs, unit) for unit in (Unit.LOW, Unit.HIGH))
    limits = Limits(fit.breakdown_scale(app, high, at), fit.least_clock_hz(app, high, at))
    return KernelEstimate(candidate, analyse(app, low, at), analyse(app, high, at), limits)


def analyse(app: Application, overheads: costs.Overheads, at: Conditions) -> Analysis:
    system = demand.system(app, overheads, at)
    share = demand.application_share(app, at)
    return Analysis(bounds.responses(system), share, system.share - share)
