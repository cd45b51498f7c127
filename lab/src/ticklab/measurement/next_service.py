# SPDX-License-Identifier: MIT
"""Finds the service that the author of a port should implement next: the one that makes the
greatest number of further scenarios possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ticklab.description.model import Case, Scenario
from ticklab.measurement.support import unsupported_reason

# Services that only kernels with isolation have.
_OF_ISOLATION = frozenset({"unprivileged", "process", "call", "null-call", "fault"})


@dataclass(frozen=True)
class NextService:
    name: str
    scenarios: int  # number of scenarios that the service makes possible


def find(case: Case, scenarios: Iterable[Scenario]) -> NextService | None:
    """Returns the service to implement next for the kernel, configuration and board of `case`; of
    several equal ones, the first by name. Returns None if no single service makes a scenario
    possible."""
    counts = Counter(_missing(case, scenarios))
    if not counts:
        return None
    name = min(counts, key=lambda service: (-counts[service], service))
    return NextService(name, counts[name])


def _missing(case: Case, scenarios: Iterable[Scenario]) -> Iterator[str]:
    """Yields, for each scenario for which exactly one service is missing, this service."""
    kernel = case.variant.kernel
    has = kernel.services - case.variant.config.without_services
    for scenario in scenarios:
        missing = scenario.services - has
        if len(missing) != 1 or (missing & _OF_ISOLATION and not kernel.features.get("isolation")):
            continue
        richer = replace(kernel, services=kernel.services | missing)
        variant = replace(case.variant, kernel=richer)
        if unsupported_reason(replace(case, scenario=scenario, variant=variant)) is None:
            yield from missing
