# SPDX-License-Identifier: MIT
"""Tests Dhrystone beside a service: the genuine program runs, its own values show that its results
are right, and the cost of the service is computed from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ticklab import building, paths
from ticklab.comparison import means
from ticklab.description import catalogue
from ticklab.description.model import Case, Image, Lane, Record, Status
from ticklab.measurement import cases, observation
from ticklab.targets.protocol import Cancel
from ticklab.targets.qemu import Qemu

CHOICE = cases.CaseChoice(
    kernels=["freertos"],
    boards=["mps2-an386"],
    suites=["dhrystone"],
    scenarios=["alone", "wake-up", "semaphore"],
    optimise="O2",
)

USES = 10  # of a service at each tick: background.h


def measured(found: list[Case]) -> tuple[list[Record], tuple[Lane, ...]]:
    records: list[Record] = []
    lanes: tuple[Lane, ...] = ()
    profile = catalogue.find_profile(found[0].variant.board.profile or "")
    for case, image in zip(found, building.build(found, building.find_toolchain()), strict=True):
        assert isinstance(image, Image), image
        taken = observation.take(case, image, profile, Qemu(paths.plugin()), Cancel())
        records += taken.records
        lanes = taken.lanes
    return records, lanes


def test_what_is_lost_is_what_a_second_without_the_service_has_more() -> None:
    """Computes the loss in instructions a second: the passes of each scenario follow from the
    clock, the loop of Dhrystone and the work at a tick."""
    found = cases.expand(CHOICE)
    records, lanes = measured(found)
    alone, wake_up, semaphore = map(_instructions, records)
    lost = _lost_to_semaphore(records, lanes)

    def rate(tick: float) -> float:
        return (found[0].variant.clock_hz - found[0].variant.tick_hz * tick) / alone

    assert found[0].variant.tick_hz * USES == 1000
    assert _instructions(lost) / alone == pytest.approx(rate(wake_up) - rate(semaphore))
    whole = records[0].figures.per_second
    assert whole
    assert lost.figures.per_second
    assert 0 < lost.figures.per_second.low <= lost.figures.per_second.high < 0.05 * whole.low
    assert (whole.unit, lost.figures.per_second.unit) == ("Dhrystones", "Dhrystones lost")


def _instructions(record: Record) -> float:
    assert record.figures.instructions, record.reason
    return record.figures.instructions.mean


def _lost_to_semaphore(records: list[Record], lanes: tuple[Lane, ...]) -> Record:
    suite = catalogue.find_suite("dhrystone")
    (loss,) = (each for each in suite.losses if each.name == "lost-to-semaphore")
    found = means.records(records, [replace(suite, losses=(loss,))], {records[0].board: lanes})
    return found[0]


SPOILT = """
#include "background.h"

static void spoil(void) {
    uint32_t wake = bench_ticks();
    wait_for_tick(&wake);
    Arr_2_Glob[8][7]++;
    for (;;) {
        wait_for_tick(&wake);
    }
}

static const struct bench_task_declaration tasks[] = {TASK(spoil, LOW_PRIORITY), DHRYSTONE};

const struct bench_scenario bench_scenario = {.name = "wake-up", BENCH_TASKS(tasks)};
"""


def test_a_dhrystone_with_a_wrong_result_is_not_measured(tmp_path: Path) -> None:
    """The test simulates a kernel that damages the program's memory."""
    (case,) = cases.expand(replace(CHOICE, scenarios=["wake-up"]))
    spoilt = tmp_path / "spoilt.c"
    spoilt.write_text(
        SPOILT.replace("background.h", str(case.scenario.file.parent / "background.h"))
    )
    records, _ = measured([replace(case, scenario=replace(case.scenario, file=spoilt))])
    assert [record.status for record in records] == [Status.FAIL]
    assert str(records[0].reason).startswith("Dhrystone: a final value")


def test_the_program_is_of_the_package_that_is_pinned() -> None:
    pins = (paths.CHECKOUT / "rtl" / "requirements.txt").read_text()
    for suite in catalogue.suites().values():
        for workload in {id(s.workload): s.workload for s in suite.scenarios}.values():
            if workload:
                assert f"{workload.source.package}=={workload.source.version} " in pins
