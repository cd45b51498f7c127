# SPDX-License-Identifier: MIT
"""The features that a kernel declares ([features] of kernel.toml), and what proves each.

A feature is seen by a scenario of its own (bench/features), by an obligation that only a kernel
with the feature can meet (bench/conformance), or in the image. What nothing shows is declared and
not proven, and every view that shows it says so. docs/porting.md has the same list for readers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Feature:
    # Scenarios of bench/conformance and bench/features; one that passes shows the feature.
    scenarios: tuple[str, ...] = ()
    service: str | None = None  # a kernel without this service is without the feature
    # Whether the image shows it (build/assertions.py). It can show that there are assertions, and
    # never that there are none.
    in_image: bool = False
    may_be_qualified: bool = False  # a text says how far the kernel has the feature

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
