# SPDX-License-Identifier: MIT
"""Checks what a port declares: each obligation of its services, and each declared feature that a
scenario can show.

A scenario names the features that it proves (`proves` in suite.toml). A feature that no scenario
shows is reported as declared and not proven.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from ticklab.description import features
from ticklab.description.features import FEATURES, Value
from ticklab.description.model import Case, Scenario, Status
from ticklab.measurement.campaign import Progress, measure
from ticklab.measurement.environment import Environment
from ticklab.measurement.support import is_proof, unsupported_reason
from ticklab.targets.protocol import Cancel


@dataclass(frozen=True)
class Obligation:
    name: str
    status: Status
    reason: str | None


@dataclass(frozen=True)
class Feature:
    name: str
    declared: Value
    found: Value | None  # None: no scenario shows the feature
    lacks: tuple[str, ...] = ()  # services that a proof of the feature needs and the kernel lacks

    @property
    def otherwise(self) -> bool:
        """Returns whether the value that scenarios showed differs from the declared one. A declared
        text, which says how far the kernel has a feature, counts as true."""
        if self.found is None:
            return False
        is_found = isinstance(self.found, bool)
        return (bool(self.declared) if is_found else self.declared) != self.found


@dataclass(frozen=True)
class PortCheck:
    case: Case
    obligations: tuple[Obligation, ...]
    features: tuple[Feature, ...]

    @property
    def kept(self) -> bool:
        broken = any(one.status is Status.FAIL for one in self.obligations)
        return not broken and not any(feature.otherwise for feature in self.features)


def check(
    lab: Environment,
    case: Case,
    conformance: Sequence[Scenario],
    seen_by: Sequence[Scenario],
    progress: Progress,
) -> PortCheck:
    """Checks the port for the kernel, configuration and board of `case`, whose scenario does not
    matter.

    A scenario that needs a feature also runs for a port that declares that it lacks the feature. If
    the scenario passes there, the declaration is wrong. If it fails, no obligation is broken."""
    cases = [replace(case, scenario=each) for each in (*conformance, *seen_by)]
    proofs = [each for each in cases if is_proof(each) or each.scenario in seen_by]
    tried = [replace(each, scenario=replace(each.scenario, features={})) for each in proofs]
    result = measure(lab, tried, progress, Cancel())
    answers = [
        (proof.scenario, Obligation(record.scenario, record.status, record.reason))
        for proof, record in zip(proofs, result.records, strict=True)
    ]
    return PortCheck(
        case,
        tuple(_obligations(proofs, answers, seen_by)),
        tuple(_features(case, answers, any(b.get("assertions") for b in result.builds.values()))),
    )


def _obligations(
    proofs: Sequence[Case],
    answers: Sequence[tuple[Scenario, Obligation]],
    seen_by: Sequence[Scenario],
) -> Iterator[Obligation]:
    for proof, (scenario, answer) in zip(proofs, answers, strict=True):
        if scenario in seen_by:
            continue
        lack = unsupported_reason(proof)
        yield replace(answer, status=Status.UNSUPPORTED, reason=lack) if lack else answer


def _features(
    case: Case, answers: Sequence[tuple[Scenario, Obligation]], has_assertions: bool
) -> Iterator[Feature]:
    services = case.variant.kernel.services - case.variant.config.without_services
    for name, declared in {**case.variant.kernel.features, **case.variant.config.features}.items():
        shown = {
            (scenario.features.get(name, declared or True), answer.status)
            for scenario, answer in answers
            if name in scenario.proves
        }
        if FEATURES[name].in_image and has_assertions:
            shown.add((True, Status.PASS))
        proofs = [
            scenario.services - services
            for scenario, _ in answers
            if name in scenario.proves and scenario.features.get(name, declared) == declared
        ]
        lacks = min(proofs, key=len, default=frozenset())
        yield Feature(name, declared, _found(FEATURES[name], shown, services), tuple(sorted(lacks)))


def _found(
    feature: features.Feature, shown: Set[tuple[Value, Status]], services: Set[str]
) -> Value | None:
    """Returns the value of a feature that the scenarios showed. `shown` has for each scenario the
    value that it needs, and the scenario's status."""
    seen = [value for value, status in shown if status is Status.PASS]
    if seen:
        return seen[0]
    if (True, Status.FAIL) in shown:
        return False
    return False if feature.requires and feature.requires not in services else None
