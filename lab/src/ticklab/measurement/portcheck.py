# SPDX-License-Identifier: MIT
"""Checks the declarations of a port: each obligation of its services, and each declared feature
that can be seen from outside.

features.py lists the proof of each feature. A feature that nothing shows is reported as declared
and not proven.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from ticklab.description import features
from ticklab.description.features import FEATURES
from ticklab.description.model import Case, Scenario, Status
from ticklab.measurement.campaign import Progress, measure
from ticklab.measurement.environment import Environment
from ticklab.targets.protocol import Cancel


@dataclass(frozen=True)
class Obligation:
    name: str
    status: Status
    reason: str | None


@dataclass(frozen=True)
class Feature:
    name: str
    declared: bool | str
    found: bool | None  # None: nothing shows the feature

    @property
    def otherwise(self) -> bool:
        return self.found is not None and bool(self.declared) is not self.found


@dataclass(frozen=True)
class Answer:
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
) -> Answer:
    """Checks the kernel, configuration and board of `case`; its scenario does not matter."""
    wanted = [replace(case, scenario=each) for each in (*conformance, *seen_by)]
    result = measure(lab, wanted, progress, Cancel())
    records = result.records
    has_assertions = any(build.get("assertions") for build in result.builds.values())
    proofs = tuple(Obligation(r.scenario, r.status, r.reason) for r in records)
    declared = {**case.kernel.features, **case.config.features}
    shown = {proof.name: proof.status for proof in proofs}
    services = case.kernel.services - case.config.without_services
    return Answer(
        case,
        proofs[: len(conformance)],
        tuple(
            Feature(name, value, _found(FEATURES[name], shown, services, has_assertions))
            for name, value in declared.items()
        ),
    )


def _found(
    feature: features.Feature,
    shown: Mapping[str, Status],
    services: Set[str],
    has_assertions: bool,
) -> bool | None:
    seen = {shown[name] for name in feature.scenarios if name in shown}
    if Status.PASS in seen or (feature.in_image and has_assertions):
        return True
    if Status.FAIL in seen:
        return False
    return False if feature.service and feature.service not in services else None
