# SPDX-License-Identifier: MIT
"""Tests that the tests exist which the table of threats to validity in docs/explanation/method.md
names."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from synthetic import record, run, unmeasured

from ticklab import paths
from ticklab.commands import run as command
from ticklab.comparison import compare
from ticklab.description.model import Case, Status
from ticklab.measurement import cases

THREATS = 12
_ROW = re.compile(r"^\| (\d+) [^|]+\|[^|]+\|(?P<tests>[^|]+)\|$", re.MULTILINE)
_TEST = re.compile(r"`(?P<file>test_\w+\.py|…)::(?P<name>test_\w+)`")


def test_every_row_names_tests_that_exist() -> None:
    rows = _ROW.findall((paths.CHECKOUT / "docs" / "explanation" / "method.md").read_text())
    assert [int(number) for number, _ in rows] == list(range(1, THREATS + 1))
    for number, cell in rows:
        named = list(_TEST.finditer(cell))
        assert named or "the same two" in cell, number
        file = ""
        for test in named:
            file = file if test["file"] == "…" else test["file"]
            code = (paths.CHECKOUT / "lab" / "tests" / file).read_text()
            assert f"def {test['name']}(" in code, f"row {number}: {file} has no {test['name']}"


@pytest.mark.parametrize(
    ("kernel", "config", "differences"),
    [
        ("freertos", "cubemx", {"feature checks", "feature time_slicing"}),
        ("freertos", "asserts", {"feature checks"}),
        ("freertos", "time-slicing", {"feature time_slicing"}),
        ("freertos-mpu", "default", {"feature checks", "feature isolation"}),
    ],
)
def test_configurations_that_were_compared_are_unlike(
    kernel: str, config: str, differences: set[str]
) -> None:
    one = run()
    usual, other = (
        replace(record(case.variant.kernel.name), features=case.features)
        for case in (_case("freertos", "default"), _case(kernel, config))
    )
    found = compare.differences(one, other, one, usual)
    assert {each.name for each in found if each.name.startswith("feature")} == differences


def _case(kernel: str, config: str) -> Case:
    (case,) = cases.expand(
        cases.CaseChoice(
            kernels=[kernel],
            boards=["mps2-an386"],
            suites=["thread-metric"],
            scenarios=["synchronization"],
            configs=[config],
            optimise="O2",
        )
    )
    return case


def test_a_guest_that_fails_is_exit_status_1() -> None:
    failed = unmeasured("rt", "synchronization", Status.FAIL, "ERROR: lost word 3")
    assert command.status([record(), failed]) == 1
    assert command.status([record()]) == 0
