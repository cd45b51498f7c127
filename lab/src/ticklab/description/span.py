# SPDX-License-Identifier: MIT
"""Spans, and the marks at entries of exceptions: part of the vocabulary of model.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

# Prefix of the names of marks at the entries of exceptions. Such a mark is in no code: it is passed
# when the handler of that kind of exception begins. Kinds are named like the lanes that count their
# entries.
ENTRY = "entry."
EXIT = "exit."  # the same for the end of a handler; only in an unported image
ENTRIES = ("svcall", "pendsv", "systick", "external", "faults")

# The meaning of a span with ticks. "cost": a sample is the cost of a tick. "jitter": a sample is
# the difference between a period and the tick period. "included": a sample is a whole workload with
# its ticks.
Ticks: TypeAlias = Literal["cost", "jitter", "included"]


@dataclass(frozen=True)
class Span:
    """A span is either `each` (every pass ends a sample and begins the next) or `start` … `end`."""

    name: str
    each: tuple[str, ...] = ()
    start: str | None = None
    end: str | None = None
    ticks: Ticks | None = None  # None: a tick interrupts a sample

    def inside(self, external: int | None) -> int | None:
        """Returns the number of external interrupts inside a sample, if each passage of the
        scenario takes `external`. One fewer, if the sample begins at the entry of an external
        interrupt, which is then before the sample. None: any number."""
        if external is None or self.start != ENTRY + "external":
            return external
        return max(0, external - 1)
