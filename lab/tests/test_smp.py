# SPDX-License-Identifier: MIT
"""Tests FreeRTOS on several cores, and suite `smp`: the port has the features that it declares, its
scenarios pass, and a lock that excludes no task is found."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from ticklab import paths
from ticklab.description import catalogue
from ticklab.description.model import Case, Record, Status, Variant
from ticklab.measurement import campaign, cases, portcheck
from ticklab.measurement.environment import Environment
from ticklab.measurement.progress import Lines
from ticklab.targets.protocol import Cancel

SMP = "freertos-smp"
CONFIG = "shared-stacks"


def checked(lab: Environment, kernel: str) -> portcheck.PortCheck:
    found, board = catalogue.find_kernel(kernel), catalogue.find_board("ibex-multi")
    proofs = [one for one in cases.conformance() if one.name.startswith("nodes")]
    case = Case(
        Variant(found, found.configs[CONFIG], board, "O2+called", board.clock_hz), proofs[0]
    )
    return portcheck.check(lab, case, proofs, cases.features(), Lines(sys.stderr))


def of_status(answer: portcheck.PortCheck, status: Status) -> set[str]:
    return {one.name for one in answer.obligations if one.status is status}


def test_the_port_keeps_what_it_declares(lab: Environment) -> None:
    answer = checked(lab, SMP)
    assert of_status(answer, Status.PASS) == {
        "nodes",
        "nodes-mutex",
        "nodes-migrate",
        "nodes-interrupt",
    }
    assert not of_status(answer, Status.FAIL)


@pytest.mark.long  # the guest hangs until its limit
def test_a_lock_that_excludes_nobody_is_found(lab: Environment, tmp_path: Path) -> None:
    for name in ("freertos", SMP):
        shutil.copytree(paths.CHECKOUT / "kernels" / name, tmp_path / name)
    file = tmp_path / SMP / "rv32/portmacro.h"
    honest = "while (SMP_LOCK(lock) != 0) {"
    text = file.read_text()
    assert honest in text
    file.write_text(text.replace(honest, "while (0) {"))
    assert "nodes-mutex" in of_status(checked(lab, str(tmp_path / SMP)), Status.FAIL)


def measured(lab: Environment) -> list[Record]:
    choice = cases.CaseChoice(
        kernels=(f"{SMP}/{CONFIG}", "bulkhead-semi/interrupts"),
        boards=["ibex-multi"],
        suites=["smp"],
        optimise="O2+called",
        params={
            "nodes": ["2"],
            "bus_latency": ["8"],
            "placement": ["slave-master"],
            "bytes": ["16"],
        },
        samples=1,
    )
    wanted = cases.expand(choice)
    return list(campaign.measure(lab, wanted, Lines(sys.stderr), Cancel()).records)


def test_cores_wake_exclude_and_pass_messages_and_tasks_move(lab: Environment) -> None:
    found = {(one.kernel, one.scenario): one.status for one in measured(lab)}
    both = {"semaphore-between", "message-between", "interrupt-between"}
    alone = {"mutex-together", "migrate"}
    assert {one for one in found if found[one] is Status.PASS} == {
        *((SMP, name) for name in both | alone),
        *(("bulkhead-semi", name) for name in both),
    }
    assert {one for one in found if found[one] is Status.UNSUPPORTED} == {
        ("bulkhead-semi", name) for name in alone
    }
