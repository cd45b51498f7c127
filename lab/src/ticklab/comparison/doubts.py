# SPDX-License-Identifier: MIT
"""Finds why a measured figure may not be ranked: conformance was not proven, or the image differs
from its description.

A record carries its doubts, each with its kind and an explanation. The views show them beside the
figure; `compare`, `gate` and `baseline` reject such a record without `--anyway`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ticklab.description.features import CHECKS
from ticklab.description.model import Case, Image, Record

CONFORMANCE, PREBUILT, TICK, STAND_IN = "conformance", "prebuilt", "tick", "stand-in"
# Tolerated difference between the observed tick rate and the declared one, as a share. The log
# shows only between which marks a tick came, so the observed rate is inexact. Nobody declares by
# mistake a rate so close to the real one.
_TICK_TOLERANCE = 0.2

# For each kind of doubt, the text that stands for a record without the doubt if the other record
# has it.
UNDOUBTED = {
    CONFORMANCE: "passed",
    CHECKS: "as declared",
    PREBUILT: "compiled here",
    TICK: "as declared",
    STAND_IN: "a board",
}


def find(case: Case, image: Image, record: Record, unproven: str | None) -> dict[str, str]:
    """Returns the doubts about a record, by kind. `unproven` says why the features of its kernel
    are not proven: conformance was skipped, or an obligation that proves them was broken."""
    found = {}
    if unproven:
        found[CONFORMANCE] = unproven
    if case.variant.board.machine.stand_in:
        found[STAND_IN] = f"no board, but {case.variant.board.machine.stand_in}"
    if case.variant.kernel.libraries:
        names = ", ".join(case.variant.kernel.libraries)
        found[PREBUILT] = f"{names}, of unknown compiler and flags"
    signs = image.provenance.get("assertions", ())
    if signs and not case.features.get(CHECKS):
        found[CHECKS] = f"declared no, but the image has {', '.join(signs)}"
    seen = record.sampled.ticks_seen_hz
    if seen is not None and _is_another_tick(case, seen):
        about = float(f"{seen:.2g}")
        found[TICK] = (
            f"declared {case.variant.tick_hz:,} a second, but the log shows about {about:,.0f}"
        )
    return found


def words(record: Record) -> str:
    """Returns why the record is not ranked; empty if there is no doubt."""
    return "; ".join(f"{kind}: {why}" for kind, why in record.doubts.items())


def _is_another_tick(case: Case, seen_hz: float) -> bool:
    """Returns whether the observed tick rate differs from the declared one. A kernel in which no
    task can sleep may run without a tick."""
    if seen_hz == 0 and not case.variant.kernel.services & {"delay", "delay-periodic"}:
        return False
    return abs(seen_hz / case.variant.tick_hz - 1) > _TICK_TOLERANCE


def between(subject: Record, reference: Record) -> Mapping[str, tuple[str, str]]:
    """Returns the doubts about two records, by kind, with the text for each record. Leaves out the
    doubt about a prebuilt kernel if both records are of the same kernel."""
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
