# SPDX-License-Identifier: MIT
"""The features that a kernel declares ([features] of kernel.toml), and the proof of each.

A scenario of its own (bench/features) shows a feature, or an obligation that only a kernel with the
feature can meet (bench/conformance), or the image. A feature that nothing shows is declared and not
proven, and every view says so. docs/reference/contract.md has the same list for readers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class Feature:
    # Scenario of bench/conformance or bench/features that passes if the kernel has the feature.
    scenarios: tuple[str, ...] = ()
    service: str | None = None  # a kernel without this service does not have the feature
    # Whether the image shows the feature (build/assertions.py). An image can show that there are
    # assertions, and never that there are none.
    in_image: bool = False
    may_be_qualified: bool = False  # a text describes the extent of the feature

    @property
    def is_provable(self) -> bool:
        return bool(self.scenarios) or self.in_image


CHECKS = "checks"
FEATURES: Mapping[str, Feature] = {
    CHECKS: Feature(in_image=True, may_be_qualified=True),
    "timeouts": Feature(("semaphore", "mutex", "queue")),
    "inheritance": Feature(("mutex-inheritance",), service="mutex"),
    "deletion": Feature(("task-exit",)),
    "accounting": Feature(),
    "time_slicing": Feature(("time-slicing",)),
    "isolation": Feature(("unprivileged",), service="unprivileged", may_be_qualified=True),
}


class Protection(StrEnum):
    """The class of protection by which views group kernels; the weakest first."""

    NONE = "none"
    KERNEL = "kernel"  # from the tasks, which may share memory with each other
    TASKS = "tasks"  # each task from every other, too


def protection(features: Mapping[str, bool | str], declared: Protection | None) -> Protection:
    """Returns the class of a kernel: `tasks` only if it is declared."""
    if not features.get("isolation"):
        return Protection.NONE
    return declared or Protection.KERNEL
