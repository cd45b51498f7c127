# SPDX-License-Identifier: MIT
"""Requirements on the event log of a scenario, without which its samples do not count, and the
length of the observation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Expectation:
    """The numbers of events that each sample contains if the kernel did the scenario's work."""

    order: tuple[str, ...] = ()  # cyclic order of marks; empty: not checked
    # Number of external interrupts in each sample. None accepts any number, for a scenario whose
    # interrupts belong to the kernel.
    external: int | None = 0
    # Number of faults in each sample. 0 also forbids faults outside samples; None accepts any
    # number.
    faults: int | None = 0
    # Least number of service call traps in each sample. They replace the external interrupts of a
    # port whose feature `interrupt.source` is `trap`.
    traps: int = 0
    asleep: bool = (
        False  # the processor sleeps between samples: the log does not show the tick rate
    )
    # Least number of external interrupts in each sample of a kernel that also uses external
    # interrupts to switch tasks.
    least_external: int = 0


@dataclass(frozen=True)
class SamplePlan:
    """How long a scenario is observed. These values are part of the key under which the store keeps
    the measurement."""

    warm_up: int  # passes of the span before the samples that count
    samples: int  # least number of samples that count
    ticks: int  # least number of samples with a tick
