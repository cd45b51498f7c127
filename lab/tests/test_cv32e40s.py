# SPDX-License-Identifier: MIT
"""The second clocked core: board `cv32e40s` runs the images of board `ibex`. Between any two marks,
up to the first tick, it executes what `virt-cv32e40s` counts, in as many cycles as the model says.
"""

from __future__ import annotations

import pytest
import short_runs
import test_ibex as clocked

from ticklab import targets
from ticklab.description import catalogue
from ticklab.errors import TicklabError
from ticklab.targets.verilator import Verilator

BOARDS = ("virt-cv32e40s", "cv32e40s")
# In many scenarios of the long test, each sample has a division, whose cycles are open.
WIDEST = 0.06


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


@pytest.mark.parametrize(
    ("kernel", "config", "scenario"),
    [
        ("freertos", "default", "interrupt-preemption"),
        ("bulkhead", "process-each", "message-processing"),
    ],
)
def test_a_scenario_is_counted_exactly_and_modelled_rightly(
    kernel: str, config: str, scenario: str
) -> None:
    """One scenario has interrupts, the other memory protection; the long test has all scenarios."""
    wanted = (config, scenario)
    found = short_runs.chosen(kernel, "virt")
    chosen = [case for case in found if (case.variant.config.name, case.scenario.name) == wanted]
    assert len(chosen) == 1
    clocked.verify(chosen, BOARDS)


@pytest.mark.long
@pytest.mark.parametrize("kernel", clocked.KERNELS)
def test_everything_is_counted_exactly_and_modelled_rightly(kernel: str) -> None:
    clocked.verify(short_runs.chosen(kernel, "virt"), BOARDS, WIDEST)
