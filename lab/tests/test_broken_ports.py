# SPDX-License-Identifier: MIT
"""Ports that break one obligation each, with the real compiler and QEMU, or the simulated hardware.

Each port is a kernel's own, with some services replaced by faulty ones (mutants/ports). Conformance
must report the obligation that the port breaks, and block the figures that depend on it. Some
faults also break the work that a scenario measures. Without conformance, exactly the scenarios that
use the faulty service must fail: one that passed would have measured work that was not done, and
one that failed without using the service would have a wrong check.
"""

from __future__ import annotations

import io
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from ticklab import paths
from ticklab.description import catalogue
from ticklab.description.model import Board, Case, Kernel, Status, Variant
from ticklab.measurement import campaign, cases, environment
from ticklab.measurement.progress import Lines
from ticklab.storage.store import Store
from ticklab.targets.protocol import Cancel

FOLDER = Path(__file__).parent / "mutants" / "ports"
PORTS: list[dict[str, Any]] = [
    port
    for file in sorted(FOLDER.glob("*.toml"))
    for port in tomllib.loads(file.read_text())["mutant"]
]
BOARD = "mps2-an386"
SAMPLES = 50


def sabotaged(port: dict[str, Any], folder: Path) -> Kernel:
    """Returns the honest kernel with a faulty function in place of some of its port's functions,
    which are renamed."""
    code = folder / port["fault"] / "sabotage.c"
    code.parent.mkdir()
    undefines = "".join(f"#undef {name}\n" for name in port["replaces"])
    honest = _honest(port.get("of", "freertos"))
    interface = "thread_metric/tm_api.h" if honest.interface == "thread-metric" else "bench/port.h"
    headers = f"#include <bench/port.h>\n#include <{interface}>\n"
    code.write_text(f"{headers}{undefines}{port['code']}")
    return replace(
        honest,
        name=port["fault"],
        sources=(*honest.sources, str(code)),
        defines={**honest.defines, **{name: f"honest_{name}" for name in port["replaces"]}},
        services=frozenset(port["services"]),
        features={**honest.features, **port.get("declares", {})},
    )


def _level(kernel: Kernel) -> str:
    return "O2" if kernel.has_port_source else "O2+called"


def _honest(name: str) -> Kernel:
    return catalogue.find_kernel(str(paths.CHECKOUT / name) if "/" in name else name)


def board_of(port: dict[str, Any]) -> Board:
    return catalogue.find_board(port.get("board", BOARD))


def measured(
    ports: Sequence[dict[str, Any]], scenarios: Sequence[str], folder: Path, prove: bool
) -> campaign.CampaignResult:
    suite = {each.name: each for each in catalogue.find_suite("thread-metric").scenarios}
    plans = [replace(suite[name].plan, samples=SAMPLES) for name in scenarios]
    wanted = [
        Case(
            Variant(kernel, kernel.configs[config], board, _level(kernel), 10**7),
            replace(suite[name], plan=plan),
        )
        for kernel, config, board in (
            (sabotaged(port, folder), port.get("config", "default"), board_of(port))
            for port in ports
        )
        for name, plan in zip(scenarios, plans, strict=True)
    ]
    store = Store(folder / "store")
    store.open_for_writing()
    lab = environment.equip(
        store, {BOARD: None}, 2, Lines(io.StringIO()), lambda _: False, skip_conformance=not prove
    )
    return campaign.measure(lab, wanted, Lines(io.StringIO()), Cancel())


def named(ports: Iterable[dict[str, Any]]) -> list[ParameterSet]:
    return [pytest.param(port, id=port["fault"]) for port in ports]


@pytest.mark.mutant
@pytest.mark.parametrize("port", named(PORTS))
def test_conformance_catches_each_by_the_obligation_that_it_breaks(
    tmp_path: Path, port: dict[str, Any]
) -> None:
    result = measured([port], ["bare-increment"], tmp_path, prove=True)
    broken = {breach.case.scenario.name: breach.reason for breach in result.breaches}
    assert port["says"] in broken.get(port["caught_by"], ""), broken


def test_every_conformance_scenario_catches_a_port() -> None:
    """Requires that each conformance scenario finds the fault of at least one port, because a
    scenario that no port can fail proves nothing."""
    proofs = {scenario.name for scenario in cases.conformance()}
    assert proofs <= {port["caught_by"] for port in PORTS}


def test_a_broken_obligation_blocks_what_needs_it_and_nothing_else(tmp_path: Path) -> None:
    (port,) = (each for each in PORTS if each["fault"] == "queue-out-of-order")
    port = {**port, "services": ["queue", "semaphore"]}
    names = ["bare-increment", "message-processing", "synchronization"]
    result = measured([port], names, tmp_path, prove=True)
    assert {each.scenario: each.status for each in result.records} == {
        "bare-increment": Status.PASS,
        "message-processing": Status.BLOCKED,
        "synchronization": Status.PASS,
    }
    (blocked,) = (each for each in result.records if each.status is Status.BLOCKED)
    for broken in ("queue", "queue-copies"):  # both broken obligations, not only the first
        assert f"{broken}: queue: a message differs" in str(blocked.reason)


MEASURED = [port for port in PORTS if "measured" in port]


@pytest.mark.mutant
@pytest.mark.parametrize("port", named(MEASURED))
def test_without_conformance_exactly_the_scenarios_of_the_service_fail(
    tmp_path: Path, port: dict[str, Any]
) -> None:
    scenarios = sorted(
        {"basic-processing", *(name for each in MEASURED for name in each["measured"])}
    )
    records = measured([port], scenarios, tmp_path, prove=False).records
    failed = {each.scenario: str(each.reason) for each in records if each.status is Status.FAIL}
    assert set(failed) == set(port["measured"])
    for scenario, words in port["measured"].items():
        assert words in failed[scenario]
