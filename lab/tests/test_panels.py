# SPDX-License-Identifier: MIT
"""Tests the panels of an answer in the report: how a cell is drawn, and the data for the page's
script."""

from __future__ import annotations

import json
from dataclasses import replace

from synthetic import record, run, unmeasured
from test_views import Samples

from ticklab.description.model import Record, Status
from ticklab.summary.answer import Unit
from ticklab.summary.matrix import matrices
from ticklab.views import html
from ticklab.views.panels import Panels, panels


def of(*records: Record, unit: Unit = Unit.CYCLES) -> Panels:
    shown = replace(run(), records=records)
    found = panels(shown, matrices(records)[0], None, unit)
    assert found
    return found


def kinds(*records: Record) -> list[str]:
    return [cell.kind for cell in of(*records).first.cells[0]]


def test_a_cell_is_drawn_as_its_verdict_and_shaded_by_its_distance() -> None:
    reference = record("freertos", cycles=200, load=0)
    assert kinds(reference, record("rt", cycles=190, load=0)) == ["reference", "faster s0"]
    assert kinds(reference, record("rt", cycles=300, load=0)) == ["reference", "slower s1"]
    assert kinds(reference, record("rt", cycles=50, load=0)) == ["reference", "faster s2"]
    assert kinds(reference, record("rt", cycles=190, load=30)) == ["reference", "undecided"]
    assert kinds(reference, record("rt", cycles=200, load=0)) == ["reference", "equal"]


def test_a_cell_without_a_ratio_says_why() -> None:
    tests = (record("freertos", "a"), record("freertos", "b"), record("rt", "a"))
    failed = unmeasured("rt", "b", Status.FAIL, "lost")
    assert [cell.kind for cell in of(*tests, failed).first.cells[1]] == ["reference", "fail"]


def test_every_kernel_is_a_reference_once_in_each_unit_of_a_ratio() -> None:
    found = of(record("freertos"), record("rt"), unit=Unit.INSTRUCTIONS)
    references = [(panel.reference, panel.unit) for panel in found.every]
    assert references == [(0, "instructions"), (0, "cycles"), (1, "instructions"), (1, "cycles")]
    assert found.unit == "instructions"
    assert set(found.absolute) == {"instructions", "cycles", "us"}


def test_the_suite_that_tells_kernels_apart_the_most_comes_first() -> None:
    def suite(name: str, *kernels: str, cycles: float) -> list[Record]:
        others = [replace(record(k, cycles=cycles, load=0), suite=name) for k in kernels]
        return [replace(record(cycles=200, load=0), suite=name), *others]

    records = (
        replace(record(), suite="alone"),
        *suite("near", "rt", cycles=190),
        *suite("far", "rt", cycles=50),
        *suite("many", "rt", "bulkhead", cycles=199),
    )
    page = html.render([replace(run(), records=records)], Samples())
    order = [page.index(f"{name} on ") for name in ("many", "far", "near", "alone")]
    assert order == sorted(order)


def test_means_over_other_tests_are_not_compared_with_each_other() -> None:
    def page(*records: Record) -> str:
        return html.render([replace(run(), records=records)], Samples())

    alike = (record(), record("rt"))
    assert "A mean over fewer tests" not in page(*alike)
    assert "A mean over fewer tests" in page(*alike, record(scenario="b"))


def test_the_data_cannot_end_its_element() -> None:
    found = of(record("</script>"), record("freertos"))
    assert "<" not in found.data
    assert "</script>" in json.loads(found.data)["labels"]
