# SPDX-License-Identifier: MIT
"""Tests the key `priorities` of scenarios. A scenario whose tasks have more than a few different
priorities declares how many, because a kernel with fewer cannot run it. The declared number must be
that of the table in the scenario's object file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import scenario_table

from ticklab import building, paths
from ticklab.building import ninja, plan
from ticklab.building.edge import Edge
from ticklab.description import catalogue
from ticklab.description.model import Case
from ticklab.measurement import cases, support

USUAL = 4  # priorities that need no declaration (suite_tables.py)
KERNELS = ("bulkhead", "freertos", "rt")  # one of them can run each scenario of the board


def each_scenario() -> list[Case]:
    """Returns each scenario in C, with the first kernel that can run it."""
    choice = cases.CaseChoice(
        kernels=KERNELS,
        boards=["mps2-an386"],
        suites=list(catalogue.suites()),
        configs=["default"],
        optimise="O2+called",
    )
    measured = cases.expand(choice)
    proofs = [replace(measured[0], scenario=proof) for proof in cases.conformance()]
    found: dict[Path, Case] = {}
    for case in (*measured, *proofs):
        others = case.scenario.workload or case.scenario.program  # sources that set-up downloads
        if not others and support.unsupported_reason(case) is None:
            found.setdefault(case.scenario.file, case)
    return list(found.values())


def object_of(case: Case, edges: tuple[Edge, ...]) -> Edge:
    return next(edge for edge in edges if edge.inputs == (case.scenario.file,))


@pytest.mark.usefixtures("home")
def test_more_priorities_than_usual_are_declared() -> None:
    found = each_scenario()
    assert len(found) > 100
    toolchain = building.find_toolchain()
    plans = plan.plans(found, toolchain)
    edges = [object_of(case, each.edges) for case, each in zip(found, plans, strict=True)]
    text = ninja.manifest(edges, toolchain, "priorities")
    assert ninja.run("priorities", text, toolchain, lambda *_: None, 1) == {}
    uses = {
        case.scenario.name: (max(USUAL, case.scenario.priorities), used(edge))
        for case, edge in zip(found, edges, strict=True)
    }
    assert {name: pair for name, pair in uses.items() if pair[0] < pair[1]} == {}
    assert uses["preemptive-scheduling"] == (5, 5)


def used(edge: Edge) -> int:
    """Returns how many different priorities the tasks of a scenario have."""
    table = scenario_table.read(paths.builds() / edge.output)
    return len({task.priority for task in table.tasks})
