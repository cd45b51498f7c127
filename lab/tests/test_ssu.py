# SPDX-License-Identifier: MIT
"""Tests suite SSU: every scenario passes under a kernel that has its services, and a processor that
sleeps does not make the tick rate doubtful."""

from __future__ import annotations

from ticklab import building, paths
from ticklab.comparison import doubts
from ticklab.description import catalogue
from ticklab.description.model import Image, Status
from ticklab.measurement import cases, observation
from ticklab.targets.protocol import Cancel
from ticklab.targets.qemu import Qemu

CHOICE = cases.CaseChoice(
    kernels=["freertos", "bulkhead"],
    boards=["mps2-an386"],
    suites=["ssu"],
    configs=["default"],
    optimise="O2",
)


def test_both_kernels_do_the_work_at_the_declared_tick() -> None:
    found, toolchain = cases.expand(CHOICE), building.find_toolchain()
    of = {}
    for case, image in zip(found, building.build(found, toolchain), strict=True):
        if not isinstance(image, Image):
            continue  # a service that the kernel lacks
        profile = catalogue.find_profile(case.variant.board.profile or "")
        for one in observation.take(case, image, profile, Qemu(paths.plugin()), Cancel()).records:
            assert one.status == Status.PASS, one.reason
            assert doubts.find(case, image, one, None) == {}
            assert one.figures.instructions
            of[one.kernel, one.scenario, one.span] = one.figures.instructions.mean
    assert len(of) == 10 + 9
    for kernel in ("freertos", "bulkhead"):
        switches = (
            of[kernel, "context-switch", "to-higher"],
            of[kernel, "semaphore", "get-and-release"],
        )
        assert of[kernel, "shared-memory", "exchange"] > max(switches)
