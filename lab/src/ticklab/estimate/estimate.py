# SPDX-License-Identifier: MIT
"""The estimate of an application: for each kernel, whether every deadline is met, and what limits
it."""

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
    """The analysis in one unit of time. Bounds, deadlines and slack are in this unit."""

    responses: tuple[Response, ...]
    application_share: float
    kernel_share: float

    @property
    def fits(self) -> bool:
        return all(response.fits for response in self.responses)

    @property
    def tightest(self) -> Response:
        """Returns the job with the least slack; a job without a bound comes first."""
        return min(self.responses, key=_slack)


def _slack(response: Response) -> float:
    return float("-inf") if response.slack is None else response.slack


@dataclass(frozen=True)
class Limits:
    """How far the application is from its limit: the factor for execution times, and the clock, at
    which deadlines are just met."""

    scale: float | None
    clock_hz: int | None


@dataclass(frozen=True)
class KernelEstimate:
    """The estimate for one kernel. `low` and `high` use the low and high bounds of the costs; None
    without costs."""

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
