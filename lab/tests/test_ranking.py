# SPDX-License-Identifier: MIT
"""Tests which kernels are unbeaten, tied or undecided, and which kernel the price of isolation is
relative to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from synthetic import FEATURES, LANES, record, run, unmeasured

from ticklab.description.model import Record, Status
from ticklab.summary import ranking
from ticklab.summary.matrix import Matrix, Row, matrices
from ticklab.views import html


def table(*records: Record) -> tuple[Matrix, Row]:
    (matrix,) = matrices(records)
    return matrix, matrix.rows[0]


def standings(*records: Record) -> dict[str, str]:
    found = ranking.standings(*table(*records), LANES)
    return {column.kernel: str(each) for column, each in found.items()}


def isolated(name: str, cycles: float) -> Record:
    return replace(record(name, cycles=cycles), features={**FEATURES, "isolation": "memory"})


def test_a_kernel_that_beats_all_others_is_unbeaten_alone() -> None:
    found = standings(record("a", cycles=200), record("b", cycles=250))
    assert found == {"a": "unbeaten"}


def test_kernels_between_which_the_corners_disagree_are_undecided() -> None:
    undecided = record("b", cycles=210, load=10)  # the corners disagree with a
    found = standings(record("a", cycles=200), undecided, record("c", cycles=400))
    assert found == {"a": "undecided", "b": "undecided"}


def test_kernels_that_take_the_same_in_every_corner_are_tied() -> None:
    found = standings(record("a", cycles=200), record("b", cycles=200), record("c", cycles=400))
    assert found == {"a": "tied", "b": "tied"}


def test_a_kernel_that_ties_with_one_and_is_undecided_against_another_is_undecided() -> None:
    third = record("c", cycles=210, load=10)
    alike = (record("a", cycles=200), record("b", cycles=200))
    found = standings(*alike, third, record("d", cycles=400))
    assert found == {"a": "undecided", "b": "undecided", "c": "undecided"}


def test_nothing_is_marked_where_no_kernel_beats_another() -> None:
    assert standings(record("a"), record("b")) == {}
    assert standings(record("a")) == {}


def test_a_row_without_a_kernel_ranks_none() -> None:
    rows = (record("a", cycles=200), record("b", cycles=250))
    assert standings(*(replace(one, exercises_kernel=False) for one in rows)) == {}


def test_what_did_not_pass_is_neither_marked_nor_beaten() -> None:
    failed = unmeasured("b", "message-processing", Status.FAIL, "lost")
    assert standings(record("a", cycles=200), failed) == {}
    found = standings(record("a", cycles=200), failed, record("c", cycles=300))
    assert found == {"a": "unbeaten"}


def test_each_standing_is_defined_and_the_report_shows_the_definitions() -> None:
    page = html.render([run()], NoSamples())
    assert set(ranking.DEFINITIONS) == set(ranking.Standing)
    assert all(escape(text) in page for text in ranking.DEFINITIONS.values())
    assert "fastest" not in page


class NoSamples:
    def samples(self, key: str, span: str, columns: Sequence[str] = ()) -> dict[str, list[int]]:
        return {"length": [1], "flags": [0]}


def test_isolation_is_priced_against_the_same_kernel_if_it_is_there() -> None:
    matrix, row = table(record("plain"), record("other", cycles=100), isolated("guard", 500))
    (price,) = ranking.prices(matrix, row, LANES, {"guard": "plain"})
    assert price.reference.kernel == "plain"
    assert price.comparison.cycles
    assert price.comparison.cycles.low > 1.8


def test_another_kernel_is_no_price_of_isolation() -> None:
    matrix, row = table(record("plain"), record("other", cycles=100), isolated("guard", 500))
    assert list(ranking.prices(matrix, row, LANES, {})) == []


def test_a_configuration_without_isolation_is_the_same_kernel() -> None:
    without = replace(record("guard", cycles=300), config="isolation-off")
    matrix, row = table(record("other", cycles=100), isolated("guard", 500), without)
    (price,) = ranking.prices(matrix, row, LANES, {})
    assert price.reference.config == "isolation-off"


def test_nothing_without_isolation_is_no_price() -> None:
    matrix, row = table(isolated("guard", 500))
    assert list(ranking.prices(matrix, row, LANES, {})) == []
