# SPDX-License-Identifier: MIT
"""What a suite says of figures that are computed from others (means.py computes them)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mean:
    """A figure computed from others: the mean of terms, each a span or a sum of spans."""

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
    """A figure computed from others: what a service takes from a workload's rate.

    A sample of span `of` uses the service, one of `less` is the same without. `times` as many as
    are in a sample of `of` cost as much as so many passes of `work`.
    """

    name: str
    of: tuple[str, str]  # scenario and span, as the two below
    less: tuple[str, str]
    times: int
    work: tuple[str, str]

    @property
    def spans(self) -> tuple[tuple[str, str], ...]:
        return self.of, self.less, self.work

    @property
    def formula(self) -> str:
        return f"{self.times} × ({_place(self.of)} - {_place(self.less)})"
