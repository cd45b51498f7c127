# SPDX-License-Identifier: MIT
"""Types for spans and for marks at the entries of exceptions. They belong to the data types of
model.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

# Prefix of the names of marks at the entries of exceptions. Such a mark has no address: it is
# passed when the handler of that kind of exception begins. The name of a kind is that of the lane
# that counts its entries.
ENTRY = "entry."
EXIT = "exit."  # the same for the end of a handler; only in an unported image
ENTRIES = ("svcall", "pendsv", "systick", "external", "faults")

# The quantity that a span with ticks measures. "cost": a sample is the cost of a tick. "jitter": a
# sample is the difference between a period and the tick period. "included": a sample is a whole
# workload with its ticks.
Ticks: TypeAlias = Literal["cost", "jitter", "included"]


@dataclass(frozen=True)
class Span:
    """A span is either `each` (every pass of the mark ends a sample and begins the next) or `start`
    … `end` (a sample lasts from one mark to the other)."""

    name: str
    each: tuple[str, ...] = ()
    start: str | None = None
    end: str | None = None
    ticks: Ticks | None = None  # None: a tick interrupts a sample

    def inside(self, external: int | None) -> int | None:
        """Returns the number of external interrupts inside a sample of the span, if an iteration of
        the scenario takes `external` of them. A sample that begins at the entry of an external
        interrupt does not contain this one. None: any number."""
        if external is None or self.start != ENTRY + "external":
            return external
        return max(0, external - 1)
