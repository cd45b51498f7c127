# SPDX-License-Identifier: MIT
"""Tests suite `multiprocessor`: the answer of its travelling salesman, and some of its scenarios on
each kernel."""

from __future__ import annotations

import re
import sys
from itertools import chain, combinations, product
from math import isqrt

import pytest

from ticklab import paths
from ticklab.description import catalogue
from ticklab.description.model import Case, Record, Status, Variant
from ticklab.measurement import campaign, cases, portcheck
from ticklab.measurement.environment import Environment
from ticklab.measurement.progress import Lines
from ticklab.targets.protocol import Cancel

CITIES_H = paths.CHECKOUT / "bench/suites/multiprocessor/cities.h"

KERNELS = ("bulkhead-central", "bulkhead-semi", "bulkhead-rtu")
SLICE: dict[tuple[str, ...], dict[str, list[str]]] = {
    ("create-task", "task-switch"): {
        "placement": ["slave"],
        "existing": ["1"],
        "active": ["2"],
    },
    ("latency", "bandwidth"): {
        "placement": ["slave-master"],
        "transport": ["raw", "bus"],
        "bytes": ["5"],
        "messages": ["80"],
    },
    ("share",): {"yielding": ["1"]},
}
SCENARIOS = tuple(chain.from_iterable(SLICE))


def choice(
    scenarios: tuple[str, ...],
    params: dict[str, list[str]],
    kernels: tuple[str, ...] = KERNELS,
) -> cases.CaseChoice:
    return cases.CaseChoice(
        kernels=kernels,
        boards=["ibex-multi"],
        suites=["multiprocessor"],
        scenarios=scenarios,
        configs=["default"],
        optimise="O2",
        params={"nodes": ["2"], "bus_latency": ["8"], **params},
        samples=1,
    )


def shortest_tour(cities: list[tuple[int, int]]) -> int:
    """Computes the length of the shortest tour by dynamic programming (Held and Karp): for each set
    of cities and each last city, the shortest path through the set."""
    squares = [[(a - c) ** 2 + (b - d) ** 2 for c, d in cities] for a, b in cities]
    length = [[isqrt(100 * square) for square in row] for row in squares]
    others = range(1, len(cities))
    best = {(frozenset([city]), city): length[0][city] for city in others}
    for size in range(2, len(cities)):
        for visited in map(frozenset, combinations(others, size)):
            for last in visited:
                rest = visited - {last}
                best[visited, last] = min(best[rest, at] + length[at][last] for at in rest)
    return min(best[frozenset(others), last] + length[last][0] for last in others)


def test_the_shortest_tour_is_the_shortest() -> None:
    text = CITIES_H.read_text()
    table = text[text.index("places[CITIES][2] = {") : text.index("};", text.index("places["))]
    cities = [(int(x), int(y)) for x, y in re.findall(r"\{(\d+), (\d+)\}", table)]
    stated = re.search(r"SHORTEST = (\d+)", text)
    assert stated
    assert len(cities) == 12
    assert shortest_tour(cities) == int(stated[1])


def test_three_points_on_a_line_make_a_tour_there_and_back() -> None:
    assert shortest_tour([(0, 0), (3, 0), (7, 0)]) == 140


@pytest.fixture(scope="module")
def records(lab: Environment) -> list[Record]:
    wanted = [case for some in SLICE for case in cases.expand(choice(some, SLICE[some]))]
    return measured(lab, wanted)


def measured(lab: Environment, wanted: list[Case]) -> list[Record]:
    return list(campaign.measure(lab, wanted, Lines(sys.stderr), Cancel()).records)


def test_every_kernel_does_the_work(records: list[Record]) -> None:
    assert [one.reason for one in records if one.status is not Status.PASS] == []
    assert {(one.kernel, one.scenario) for one in records} == set(product(KERNELS, SCENARIOS))


@pytest.mark.parametrize(
    "kernel",
    ["bulkhead-central", *(pytest.param(name, marks=pytest.mark.long) for name in KERNELS[1:])],
)
def test_the_kernel_finds_the_shortest_tour(lab: Environment, kernel: str) -> None:
    """Runs one case under each kernel, which takes seconds and uses all services of the travelling
    salesman."""
    wanted = cases.expand(choice(("tsp",), {"messages": ["11"]}, (kernel,)))
    assert [one.reason for one in measured(lab, wanted) if one.status is not Status.PASS] == []


def test_a_port_keeps_what_it_declares(lab: Environment) -> None:
    kernel = catalogue.find_kernel("bulkhead-rtu")
    board = catalogue.find_board("ibex-multi")
    proofs = cases.conformance()
    case = Case(Variant(kernel, kernel.configs["default"], board, "O2", board.clock_hz), proofs[0])
    answer = portcheck.check(lab, case, proofs, cases.features(), Lines(sys.stderr))
    proved = {one.name for one in answer.obligations if one.status is Status.PASS}
    assert answer.kept
    assert proved == {"yield", "nodes", "nodes-bus", "nodes-mutex"}
