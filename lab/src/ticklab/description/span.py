# SPDX-License-Identifier: MIT
"""Spans, and the marks at entries of exceptions: part of the vocabulary of model.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

# Marks with this name followed by a kind of exception are in no code: the begin of the handler of
# such an exception passes them. Kinds are named as the lanes that count their entries.
ENTRY = "entry."
EXIT = "exit."  # the same where the handler ends; only in an unported image
ENTRIES = ("svcall", "pendsv", "systick", "external", "faults")

# "cost": a sample is what a tick adds. "jitter": a sample is the deviation from one tick period.
# "included": a sample is a whole workload, including its ticks.
Ticks: TypeAlias = Literal["cost", "jitter", "included"]


@dataclass(frozen=True)
class Span:
    """A span is either `each` (every pass ends a sample and begins the next) or `start` … `end`."""

    name: str
    each: tuple[str, ...] = ()
    start: str | None = None
    end: str | None = None
    ticks: Ticks | None = None  # the meaning of ticks inside

    def inside(self, external: int | None) -> int | None:
        """Returns the external interrupts inside a sample, of `taken` by each passage of the
        scenario: if a sample begins at the entry of an external interrupt, this interrupt came
        before the sample. None: any number."""
        if external is None or self.start != ENTRY + "external":
            return external
        return max(0, external - 1)
