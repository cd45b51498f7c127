# SPDX-License-Identifier: MIT
"""Growth with nodes: what selects a machine of up to 16 nodes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ticklab import paths, targets
from ticklab.building import flags
from ticklab.description import catalogue
from ticklab.description.model import Case, Variant
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
