# SPDX-License-Identifier: MIT
"""Whether a port keeps what it promises: each obligation of the services that it lists, and each
declared feature that can be seen from outside.

A feature is seen by a scenario of its own (bench/features), or by the obligation that only a kernel
with the feature can keep. What nothing shows, `checks` and `accounting` say, is taken on trust, and
the answer says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from ticklab.measure import Laboratory, Progress, measure
from ticklab.model import Case, Scenario, Status
from ticklab.targets.protocol import Cancel

# Feature → scenarios of which one that passes shows it, and a service without which a
# kernel is without the feature.
EVIDENCE: Mapping[str, tuple[tuple[str, ...], str | None]] = {
    "time_slicing": (("time-slicing",), None),
    "timeouts": (("semaphore", "mutex", "queue"), None),
    "inheritance": (("mutex-inheritance",), "mutex"),
    "isolation": (("unprivileged",), "unprivileged"),
}


@dataclass(frozen=True)
class Obligation:
    name: str
    status: Status
    reason: str | None


@dataclass(frozen=True)
class Feature:
    name: str
    declared: bool | str
    found: bool | None  # None: nothing shows it

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
    lab: Laboratory,
    case: Case,
    conformance: Sequence[Scenario],
    features: Sequence[Scenario],
    progress: Progress,
) -> Answer:
    """`case` says kernel, configuration and board; its scenario does not matter."""
    wanted = [replace(case, scenario=each) for each in (*conformance, *features)]
    records = measure(lab, wanted, progress, Cancel()).records
    proofs = tuple(Obligation(r.scenario, r.status, r.reason) for r in records)
    declared = {**case.kernel.features, **case.config.features}
    shown = {proof.name: proof.status for proof in proofs}
    services = case.kernel.services - case.config.lacks
    return Answer(
        case,
        proofs[: len(conformance)],
        tuple(
            Feature(name, value, _found(name, shown, services)) for name, value in declared.items()
        ),
    )


def _found(feature: str, shown: Mapping[str, Status], services: Set[str]) -> bool | None:
    scenarios, needed = EVIDENCE.get(feature, ((), None))
    seen = {shown[name] for name in scenarios if name in shown}
    if Status.PASS in seen:
        return True
    if Status.FAIL in seen:
        return False
    return False if needed is not None and needed not in services else None
