# SPDX-License-Identifier: MIT
"""Tests the growth with the number of nodes: how a machine of up to 16 nodes is selected, and the
model with which docs/explanation/multicore/growth.md extrapolates, compared with measured
figures."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ticklab import paths, targets
from ticklab.building import flags
from ticklab.description import catalogue
from ticklab.description.model import Case, Variant
from ticklab.documents import baseline
from ticklab.documents.by_parameter import Query
from ticklab.errors import TicklabError
from ticklab.targets.verilator import Verilator, _by_node


def case(board: str, nodes: int) -> Case:
    kernel = catalogue.find_kernel("bulkhead-semi")
    found = catalogue.find_board(board)
    scenario = catalogue.find_suite("growth").scenarios[0]
    variant = Variant(kernel, kernel.configs["default"], found, "O2", found.clock_hz)
    return Case(variant, replace(scenario, params={**scenario.params, "nodes": str(nodes)}))


def test_a_board_of_sixteen_nodes_selects_one_simulator_for_any_number() -> None:
    for board, network in (("ibex-16", "bus"), ("ibex-16-tree", "tree")):
        target = targets.of(catalogue.find_board(board), nodes=3)
        assert target == Verilator(3, 16, network)
    assert targets.of(catalogue.find_board("ibex-multi"), nodes=3) == Verilator(3)


def test_the_network_is_a_part_of_what_determines_a_figure() -> None:
    machines = [catalogue.find_board(name).machine for name in ("ibex-16", "ibex-16-tree")]
    assert len({machine.identity(8, 33) for machine in machines}) == 2


def test_images_of_more_places_are_built_for_them_and_others_as_before() -> None:
    assert "-DBENCH_NODES=16" in flags._defines(case("ibex-16", 2))
    assert not any("BENCH_NODES" in each for each in flags._defines(case("ibex-multi", 2)))


def test_nodes_of_two_digits_are_named_in_the_console() -> None:
    assert _by_node("ticklab\n[12] late\n") == "[0] ticklab\n[12] late\n"


def test_an_unknown_network_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "ring"
    shutil.copytree(paths.CHECKOUT / "platform/boards/ibex-16", folder)
    text = (folder / "board.toml").read_text()
    (folder / "board.toml").write_text(text.replace('"bus"', '"ring"').replace("ibex-16", "ring"))
    with pytest.raises(TicklabError, match=r"network|ring"):
        catalogue.find_board(str(folder))


# --- The model for more than 16 nodes -------------------------------------------------------------

DOCUMENT = paths.CHECKOUT / "docs/explanation/multicore/growth.md"
MEASURED, TESTED, FURTHER = (2, 4, 8, 16), (4, 8), (32, 64)
TOLERANCE = 0.15  # of the model at the points that test it; beyond, it extrapolates nothing
SATURATED = 1.5  # times the time of one slave: below, 16 nodes do not show the bottleneck
ROW = re.compile(r"^\| ([\w-]+), (central|semi|rtu) <!-- (\S+) --> \|")
Figures = dict[int, float]


def measured(board: str, scenario: str, kernel: str) -> Figures:
    """Returns the mean cycles of an operation by the number of nodes."""
    records = baseline.read()
    query = Query("nodes", (f"bulkhead-{kernel}/machine-mode",), "growth", board, "O2+called")
    names = {n: query.name(query.kernels[0], scenario, [f"nodes={n}"]) for n in MEASURED}
    return {n: records[name].high or 0 for n, name in names.items() if name in records}


def by_model(figures: Figures, nodes: int) -> float:
    """Returns the cycles of an operation by the document's model: the greater of *alone*, and
    *bottleneck* times the number of slaves."""
    return max(figures[2], figures[16] / 15 * (nodes - 1))


def errors(figures: Figures) -> list[float]:
    """Returns by how much the model exceeds each measured figure that it does not use."""
    return [by_model(figures, n) / figures[n] - 1 for n in TESTED]


def is_saturated(figures: Figures) -> bool:
    return figures[16] >= SATURATED * figures[2]


def further(figures: Figures) -> list[str]:
    if not is_saturated(figures):
        return ["not saturated"] * 2
    if max(map(abs, errors(figures))) > TOLERANCE:
        return ["·"] * 2
    return [f"≈ {round(by_model(figures, n), -1):,.0f}" for n in FURTHER]


def filled(line: str) -> str:
    """Returns a row of the document's table, filled from the baseline."""
    found = ROW.match(line)
    assert found
    figures = measured(found[3], found[1], found[2])
    tested = [f"{round(100 * error):+d} %" for error in errors(figures)]
    each = f"{figures[16] / 15:,.1f}" if is_saturated(figures) else "·"
    cells = [f"{figures[2]:,.0f}", each, *tested, *further(figures)]
    return f"{found[0]} {' | '.join(cells)} |"


def rows() -> list[str]:
    return [line for line in DOCUMENT.read_text().splitlines() if ROW.match(line)]


def test_the_document_has_the_model_of_the_baseline() -> None:
    assert len(rows()) == 9
    assert [filled(line) for line in rows()] == rows()


def test_the_model_extrapolates_only_what_the_other_points_confirm() -> None:
    assert further({2: 200, 4: 300, 8: 700, 16: 1500}) == ["≈ 3,100", "≈ 6,300"]
    assert further({2: 200, 4: 300, 8: 600, 16: 1500}) == ["·", "·"]
    assert further({2: 200, 4: 200, 8: 205, 16: 299}) == ["not saturated"] * 2
