# SPDX-License-Identifier: MIT
"""The requirements of a scenario on the event log of a run, and how long it is observed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Expectation:
    """The event log of a kernel that did the work."""

    order: tuple[str, ...] = ()  # cyclic order of marks; empty: not checked
    # External interrupts in each sample; None: any number, because they belong to the kernel.
    external: int | None = 0
    # Faults in each sample; 0: the guest takes none at all; None: any number.
    faults: int | None = 0
    # Traps of the service call instruction in each sample, at least. They replace the external
    # interrupts of a port whose feature `interrupt.source` is `trap`.
    traps: int = 0
    asleep: bool = (
        False  # the processor sleeps between samples: the log does not show the tick rate
    )
    # External interrupts in each sample, at least, under a kernel that takes more of them for its
    # own switches.
    least_external: int = 0


@dataclass(frozen=True)
class SamplePlan:
    """How long a scenario is observed; one of the inputs of a measurement."""

    warm_up: int  # passes of the span before the samples
    samples: int  # least number of samples
    ticks: int  # least number of samples with a tick inside
