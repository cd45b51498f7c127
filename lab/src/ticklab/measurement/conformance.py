# SPDX-License-Identifier: MIT
"""Decides which figures are affected if a port breaks an obligation.

A conformance scenario proves that a port has services and features (`proves` in suite.toml). If the
port fails it, the figures of all scenarios that need one of these services or features are blocked.
If a scenario does not need the feature and the kernel only declares it, the figures are doubted:
they are shown and never ranked. All other figures are unaffected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ticklab.description.model import Case, Record, Scenario, Status
from ticklab.measurement.support import is_proof, unsupported_reason

Unit = tuple[object, ...]

# Services that affect every task of a kernel that has them, also in scenarios that do not use them.
_ALWAYS = frozenset({"unprivileged"})


@dataclass(frozen=True)
class Breach:
    """An obligation that a port breaks: the case of the conformance scenario that failed, and the
    reason."""

    case: Case
    reason: str

    def __str__(self) -> str:
        return f"{self.case.scenario.name}: {self.reason}"


Breaches = Mapping[Unit, Sequence[Breach]]


def unit(case: Case) -> Unit:
    """Returns the unit of conformance to which a case belongs: what passes or fails together, for
    all code placements and for every board that runs the same images."""
    kernel, config = case.variant.kernel.name, case.variant.config.name
    board = case.variant.board.conformance_board or case.variant.board
    clock = Fraction(case.variant.clock_hz, case.variant.board.clock_hz)
    return kernel, config, board.name, case.variant.optimise, clock


def applies(proof: Case) -> bool:
    return is_proof(proof) and unsupported_reason(proof) is None


def breaches(tried: Iterable[tuple[Case, Sequence[Record]]]) -> dict[Unit, list[Breach]]:
    """Returns for each unit of conformance the obligations that it breaks."""
    found: dict[Unit, list[Breach]] = {}
    for case, records in tried:
        for record in records:
            if record.status is not Status.PASS:
                found.setdefault(unit(case), []).append(Breach(case, str(record.reason)))
    return found


def blocked(case: Case, every: Breaches) -> str | None:
    """Returns the obligations that a case needs and its kernel breaks, as a text, or None."""
    return _words(each for each in _of(case, every) if each.case.scenario.proves & _needs(case))


def doubt(case: Case, every: Breaches) -> str | None:
    """Returns as a text the broken obligations that would prove a feature which the kernel declares
    but the scenario does not need, or None."""
    stated = case.features.keys()
    return _words(each for each in _of(case, every) if each.case.scenario.proves & stated)


def _of(case: Case, every: Breaches) -> Sequence[Breach]:
    return every.get(unit(case), ())


def _needs(case: Case) -> frozenset[str]:
    scenario: Scenario = case.scenario
    return scenario.services.union(scenario.features, _ALWAYS)


def _words(found: Iterable[Breach]) -> str | None:
    return "; ".join(map(str, found)) or None
