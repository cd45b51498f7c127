# SPDX-License-Identifier: MIT
"""Requirements on the event log of a scenario's run, and the length of the observation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Expectation:
    """The contents of the event log if the kernel did the work."""

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
    # Least number of external interrupts in each sample under a kernel that uses additional
    # external interrupts to switch tasks.
    least_external: int = 0


@dataclass(frozen=True)
class SamplePlan:
    """How long a scenario is observed. Part of the key of a measurement in the store."""

    warm_up: int  # passes of the span before the samples that count
    samples: int  # least number of samples that count
    ticks: int  # least number of samples with a tick
