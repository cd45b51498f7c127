# SPDX-License-Identifier: MIT
"""Tests the second clocked core: board `cv32e40s` runs the images of board `ibex`. Between any two
marks, up to the first tick, it must execute as many instructions as `virt` counts. The core has no
cycle model with which its cycles could be compared.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import short_runs
import test_ibex as clocked

from ticklab import building, paths, targets
from ticklab.description import catalogue
from ticklab.description.model import Case, Image
from ticklab.errors import TicklabError
from ticklab.targets.qemu import Qemu
from ticklab.targets.verilator import Verilator

SUITES = ("thread-metric", "isolation")


def test_the_board_selects_its_core_and_runs_the_images_of_ibex() -> None:
    board, ibex = catalogue.find_board("cv32e40s"), catalogue.find_board("ibex")
    assert targets.of(board, 1) == Verilator(1, core="cv32e40s")
    assert board.same_images_as is not None
    assert (board.same_images_as.name, board.memory) == ("ibex", ibex.memory)
    assert (board.core.name, board.core.flags) == ("cv32e40s", ibex.core.flags)


def test_a_core_that_is_not_in_the_hardware_is_refused_in_one_line() -> None:
    with pytest.raises(TicklabError, match=r"1 nodes of cortex-m3 .*ibex\|.*cv32e40s") as caught:
        _ = Verilator(1, core="cortex-m3").simulator
    assert "\n" not in str(caught.value)


def counted_otherwise(case: Case, image: Image | TicklabError) -> list[str]:
    """Returns the spans between marks in which the counts of the core and of `virt` differ."""
    assert isinstance(image, Image), image
    on_rtl = case.varied(board=catalogue.find_board("cv32e40s"))
    qemu, rtl = Qemu(paths.plugin()), Verilator(1, core="cv32e40s")
    for budget in clocked.BUDGETS:
        ours = list(clocked.spans_of(clocked.observe(qemu, case, image, budget)))
        truth = list(clocked.spans_of(clocked.observe(rtl, on_rtl, image, budget)))
        if ours and truth:
            break
    assert ours, f"{case.scenario.name}: nothing was passed before the first tick"
    assert truth, f"{case.scenario.name}: nothing was passed before the first tick"
    return [
        f"{case.scenario.name}: {one.names} {one.counts[lane]}, {other.names} {other.counts[lane]}"
        for one, other in zip(ours, truth, strict=False)
        for lane in clocked.COUNTED
        if (one.names, one.counts[lane]) != (other.names, other.counts[lane])
    ][:3]


@pytest.mark.long
@pytest.mark.parametrize("kernel", clocked.KERNELS)
def test_it_executes_what_is_counted(kernel: str) -> None:
    every = short_runs.chosen(kernel, "virt")
    chosen = [case for case in every if case.scenario.suite in SUITES]
    images = building.build(chosen, building.find_toolchain())
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(counted_otherwise, chosen, images)
        assert not [mistake for each in found for mistake in each]
