# SPDX-License-Identifier: MIT
"""Why a figure may not be ranked, though it was measured: nobody proved that the kernel does the
work, or the image is not what the description says.

A record carries its doubts, by kind and in words. The views show them beside the figure; `compare`,
`gate` and `baseline` refuse such a record unless told to go on.
"""

from __future__ import annotations

from collections.abc import Mapping

from ticklab.features import CHECKS
from ticklab.model import Case, Image, Record

CONFORMANCE, PREBUILT, TICK = "conformance", "prebuilt", "tick"
# A tick comes between two marks, so what is seen is not exact; nobody declares a tick so close to
# the one that he has.
_TICK_TOLERANCE = 0.2

# What is said in the place of a doubt of a record that does not have it.
UNDOUBTED = {
    CONFORMANCE: "passed",
    CHECKS: "as declared",
    PREBUILT: "compiled here",
    TICK: "as declared",
}


def find(case: Case, image: Image, record: Record, is_proven: bool) -> dict[str, str]:
    """`is_proven`: whether the kernel had to pass the conformance scenarios."""
    found = {}
    if not is_proven:
        found[CONFORMANCE] = "skipped"
    if case.kernel.libraries:
        names = ", ".join(case.kernel.libraries)
        found[PREBUILT] = f"{names}, of unknown compiler and flags"
    signs = image.provenance.get("assertions", ())
    if signs and not case.features.get(CHECKS):
        found[CHECKS] = f"declared no, but the image has {', '.join(signs)}"
    seen = record.ticks_seen_hz
    if seen is not None and _is_another_tick(case, seen):
        about = float(f"{seen:.2g}")
        found[TICK] = f"declared {case.tick_hz:,} a second, but the log shows about {about:,.0f}"
    return found


def words(record: Record) -> str:
    """Why the record is not ranked; empty if nothing is doubted."""
    return "; ".join(f"{kind}: {why}" for kind, why in record.doubts.items())


def _is_another_tick(case: Case, seen_hz: float) -> bool:
    """A kernel that declares no timeouts may do without a tick."""
    if seen_hz == 0 and not case.features.get("timeouts"):
        return False
    return abs(seen_hz / case.tick_hz - 1) > _TICK_TOLERANCE


def between(subject: Record, reference: Record) -> Mapping[str, tuple[str, str]]:
    """The doubts of both, by kind. A prebuilt kernel may be compared with itself."""
    kinds = sorted({*subject.doubts, *reference.doubts})
    pairs = {
        kind: tuple(one.doubts.get(kind, UNDOUBTED[kind]) for one in (subject, reference))
        for kind in kinds
    }
    is_itself = subject.kernel == reference.kernel and len(set(pairs.get(PREBUILT, ()))) == 1
    return {
        kind: (one, other)
        for kind, (one, other) in pairs.items()
        if not (kind == PREBUILT and is_itself)
    }
