# SPDX-License-Identifier: MIT
"""Spans, and the marks at entries of exceptions: part of the vocabulary of model.py."""

from __future__ import annotations

from dataclasses import dataclass

# A mark with this name and a kind of exceptions behind it is in no code: it is passed where the
# handler of such an exception begins. Kinds are named as the lanes that count their entries.
ENTRY = "entry."
ENTRIES = ("svcall", "pendsv", "systick", "external", "faults")


@dataclass(frozen=True)
class Span:
    """A span is either `each` (every pass ends a sample and begins the next) or `start` … `end`."""

    name: str
    each: tuple[str, ...] = ()
    start: str | None = None
    end: str | None = None
    ticks: str | None = None  # one of TICKS: what the ticks inside are

    def inside(self, external: int | None) -> int | None:
        """Of so many external interrupts that a passage of the scenario takes, those inside a
        sample: the one whose entry begins it has come before. None: as many as come."""
        if external is None or self.start != ENTRY + "external":
            return external
        return max(0, external - 1)


# "cost": measured is what a tick adds to a sample. "jitter": measured is how far a sample is off
# one tick's period. "included": a sample is a whole workload, and its ticks are part of it.
TICKS = ("cost", "jitter", "included")
