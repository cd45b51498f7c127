# SPDX-License-Identifier: MIT
"""Tests marks at entries of exceptions, with the real compiler and QEMU. Under every kernel, each
entry of an exception of the mark's kind passes the mark, and the rest of the log is as without such
marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ticklab import building, paths
from ticklab.analysis.samples import extract, passes
from ticklab.building import elf
from ticklab.description import catalogue
from ticklab.description.model import Case, Image, Span, Variant, Watch
from ticklab.description.span import ENTRIES, ENTRY
from ticklab.measurement import campaign, cases, support
from ticklab.targets import mark_resolver
from ticklab.targets.eventlog import KIND_MARK, EventLog
from ticklab.targets.protocol import Cancel, ObservationPlan, until_instructions
from ticklab.targets.qemu import Qemu

BOARD = catalogue.find_board("mps2-an386")
INSTRUCTIONS = 600_000  # two ticks


def case_of(kernel: str, config: str, suite: str, name: str) -> Case:
    found = catalogue.find_kernel(kernel)
    scenario = next(s for s in catalogue.find_suite(suite).scenarios if s.name == name)
    return Case(Variant(found, found.configs[config], BOARD, "O2", BOARD.clock_hz), scenario)


def able() -> Iterator[Case]:
    """Yields cases with interrupts, system calls and ticks, under every kernel that serves
    interrupts."""
    for kernel in catalogue.kernels().values():
        for config in kernel.ranked if cases.runs_on(kernel, BOARD) else ():
            case = case_of(kernel.name, config, "thread-metric", "interrupt-processing")
            if support.unsupported_reason(case) is None:
                yield case


def built(case: Case) -> Path:
    (image,) = building.build([case], building.find_toolchain())
    assert isinstance(image, Image), image
    return image.path


PLAN = replace(
    until_instructions(BOARD, INSTRUCTIONS), profile=catalogue.find_profile("zero-wait").data
)


def observe(image: Path, plan: ObservationPlan) -> EventLog:
    log = Qemu(paths.plugin()).observe(image, plan, Cancel()).log
    assert log is not None
    return log


@pytest.mark.parametrize("case", list(able()), ids=campaign.label)
def test_every_entry_passes_its_mark_and_changes_nothing(case: Case) -> None:
    image = built(case)
    plain, log = observe(image, PLAN), observe(image, replace(PLAN, entries=ENTRIES))
    sums = np.cumsum(log.records["tally"], axis=0, dtype=np.int64)
    for kind in ENTRIES:
        entered = int(sums[-1, log.lane(kind)])
        assert len(passes(log, (ENTRY + kind,))) == entered, kind
    assert sums[-1, log.lane("external")] > 100
    assert sums[-1, log.lane("systick")] > 0
    ours = passes(log, plain.marks)
    assert [log.marks[i] for i in log.records["id"][ours]] == [
        plain.marks[i] for i in plain.records["id"]
    ]
    assert (plain.records["kind"] == KIND_MARK).all()
    expected = np.cumsum(plain.records["tally"], axis=0, dtype=np.int64)
    assert np.array_equal(sums[ours], expected), "the same run, in more parts"


def test_an_interrupts_entry_is_its_handlers_first_instruction() -> None:
    """Compares a span of a suite that begins at the entry with a span that begins at a mark at the
    handler."""
    case = case_of("bulkhead", "process-each", "isolation", "driver-interrupt")
    image, scenario = built(case), case.scenario
    handler = mark_resolver.resolve(
        Watch({"handler": "Interrupt0_Handler"}), elf.read(image)
    ).places
    plan = replace(PLAN, marks=handler, entries=scenario.entries)
    log = observe(image, plan)
    spans = {span.name: span for span in scenario.spans}
    ours = extract(log, spans["from-entry"], scenario.expect.external, warm_up=0)
    by_hand = extract(log, Span("by hand", start="handler", end="resumed"), 0, warm_up=0)
    whole = extract(log, spans["driver-interrupt"], scenario.expect.external, warm_up=0)
    assert len(ours) == len(by_hand) == len(whole) > 100
    assert np.array_equal(ours.tallies, by_hand.tallies)
    assert np.array_equal(ours.flags, by_hand.flags)
    assert np.array_equal(ours.last, whole.last)
    assert (ours.length < whole.length).all()
