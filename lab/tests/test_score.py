# SPDX-License-Identifier: MIT
"""Tests the score that a short run gives against the true count of a run of 30 s of guest time. In
QEMU's time an instruction takes one clock cycle, so 30 s are 30 * clock instructions, with 3000
ticks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ticklab import building, paths
from ticklab.analysis import statistics
from ticklab.analysis.samples import extract, passes
from ticklab.description.model import Case, Image
from ticklab.measurement import cases
from ticklab.targets.protocol import Cancel, until_instructions
from ticklab.targets.qemu import Qemu

CHOICE = cases.CaseChoice(
    kernels=["freertos"],
    boards=["mps2-an386"],
    suites=["thread-metric"],
    optimise="O2",
)


@pytest.mark.long
@pytest.mark.parametrize("scenario", ["preemptive-scheduling", "interrupt-preemption"])
@pytest.mark.parametrize("config", ["default", "tick-1khz"])
def test_the_score_is_what_30_s_count(scenario: str, config: str) -> None:
    (case,) = cases.expand(replace(CHOICE, scenarios=[scenario], configs=[config]))
    (image,) = building.build([case], building.find_toolchain())
    assert isinstance(image, Image)
    assert short_score(case, image) == pytest.approx(true_count(case, image), rel=1e-3)


def short_score(case: Case, image: Image) -> float | None:
    seen = Qemu(paths.plugin()).observe(
        image.path, until_instructions(case.variant.board, 2_000_000), Cancel()
    )
    assert seen.log is not None
    samples = extract(seen.log, case.scenario.spans[0], case.scenario.expect.external, warm_up=50)
    return statistics.instruction_score(samples, case.variant.clock_hz, case.variant.tick_hz)


def true_count(case: Case, image: Image) -> int:
    """Returns the number of passes within 30 s of the first pass."""
    length = statistics.THREAD_METRIC_SECONDS * case.variant.clock_hz
    seen = Qemu(paths.plugin()).observe(
        image.path, until_instructions(case.variant.board, length + 2_000_000), Cancel()
    )
    assert seen.log is not None
    done = np.cumsum(seen.log.records["tally"][:, 0], dtype=np.int64)
    at = done[passes(seen.log, case.scenario.spans[0].each)]
    assert at[-1] - at[0] >= length * 0.999
    return int((at <= at[0] + length).sum()) - 1
