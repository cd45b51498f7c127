# SPDX-License-Identifier: MIT
"""Formulas of a suite for figures that are computed from other figures (comparison/means.py
computes them)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

Part = tuple[str, str]  # scenario and span


def _of_common(name: str) -> str:
    return f"{name}-common"


@dataclass(frozen=True)
class Mean:
    """The mean of several terms. A term is a span or a sum of spans."""

    name: str
    terms: tuple[tuple[Part, ...], ...]
    # If this mean has only the terms that every kernel has: the number of terms of the declared
    # mean.
    whole: int | None = None

    @property
    def spans(self) -> tuple[Part, ...]:
        return tuple(span for term in self.terms for span in term)

    @property
    def formula(self) -> str:
        text = f"({' + '.join(map(_place, self.spans))}) / {len(self.terms)}"
        return f"{text}{_share(len(self.terms), self.whole)}"

    def common(self, lacking: Iterable[Part]) -> Mean:
        """Returns the mean of the terms that use none of the spans in `lacking`."""
        kept = tuple(term for term in self.terms if not set(term) & set(lacking))
        return replace(self, name=_of_common(self.name), terms=kept, whole=len(self.terms))


def _share(parts: int, whole: int | None) -> str:
    """Returns the words that say how many terms of a figure were used because a kernel lacks the
    others."""
    return f", the {parts} of {whole} parts that every kernel of the run has" if whole else ""


def _place(of: Part) -> str:
    scenario, span = of
    return scenario if scenario == span else f"{scenario} {span}"


@dataclass(frozen=True)
class Loss:
    """The cost of a service, computed from the rate of a workload.

    A sample of span `of` uses the service, and a sample of span `less` does the same without the
    service. The cost of `times` uses is expressed as a number of iterations of span `work`.
    """

    name: str
    of: Part
    less: Part
    times: int
    work: Part

    @property
    def spans(self) -> tuple[Part, ...]:
        return self.of, self.less, self.work

    @property
    def formula(self) -> str:
        return f"{self.times} × ({_place(self.of)} - {_place(self.less)})"


@dataclass(frozen=True)
class Total:
    """The sum of several losses, all expressed in iterations of the same workload."""

    name: str
    terms: tuple[Loss, ...]
    # If this sum has only the terms that every kernel has: the number of terms of the declared sum.
    whole: int | None = None

    @property
    def spans(self) -> tuple[Part, ...]:
        return tuple(dict.fromkeys(span for loss in self.terms for span in loss.spans))

    @property
    def formula(self) -> str:
        text = " + ".join(loss.name for loss in self.terms)
        return f"{text}{_share(len(self.terms), self.whole)}"

    def common(self, lacking: Iterable[Part]) -> Total:
        """Returns the sum of the losses that use none of the spans in `lacking`."""
        kept = tuple(loss for loss in self.terms if not set(loss.spans) & set(lacking))
        return replace(self, name=_of_common(self.name), terms=kept, whole=len(self.terms))
