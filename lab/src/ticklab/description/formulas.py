# SPDX-License-Identifier: MIT
"""Formulas of a suite for figures that are computed from others (means.py computes them)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mean:
    """A mean of terms, each a span or a sum of spans."""

    name: str
    terms: tuple[tuple[tuple[str, str], ...], ...]  # scenario and span

    @property
    def spans(self) -> tuple[tuple[str, str], ...]:
        return tuple(span for term in self.terms for span in term)

    @property
    def formula(self) -> str:
        return f"({' + '.join(map(_place, self.spans))}) / {len(self.terms)}"


def _place(of: tuple[str, str]) -> str:
    scenario, span = of
    return scenario if scenario == span else f"{scenario} {span}"


@dataclass(frozen=True)
class Loss:
    """The cost of a service, from the rate of a workload.

    A sample of span `of` uses the service, a sample of `less` is the same without it. `times`
    services in a sample of `of` cost as much as so many passes of `work`.
    """

    name: str
    of: tuple[str, str]  # scenario and span, as in the next two
    less: tuple[str, str]
    times: int
    work: tuple[str, str]

    @property
    def spans(self) -> tuple[tuple[str, str], ...]:
        return self.of, self.less, self.work

    @property
    def formula(self) -> str:
        return f"{self.times} × ({_place(self.of)} - {_place(self.less)})"
