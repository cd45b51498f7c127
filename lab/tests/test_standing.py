# SPDX-License-Identifier: MIT
"""Who is marked as fastest, and what isolation's price is a multiple of."""

from __future__ import annotations

from dataclasses import replace

from synthetic import FEATURES, LANES, record, unmeasured

from ticklab.model import Record, Status
from ticklab.views import standing
from ticklab.views.matrix import Matrix, Row, matrices


def table(*records: Record) -> tuple[Matrix, Row]:
    (matrix,) = matrices(records)
    return matrix, matrix.rows[0]


def best(*records: Record) -> set[str]:
    return {column.kernel for column in standing.best(*table(*records), LANES)}


def isolated(name: str, cycles: float) -> Record:
    return replace(record(name, cycles=cycles), features={**FEATURES, "isolation": "memory"})


def test_the_fastest_in_every_corner_is_marked_alone() -> None:
    assert best(record("a", cycles=200), record("b", cycles=250)) == {"a"}


def test_those_that_no_other_beats_are_marked_together() -> None:
    undecided = record("b", cycles=210, load=10)  # the corners disagree with a
    assert best(record("a", cycles=200), undecided, record("c", cycles=400)) == {"a", "b"}


def test_nobody_is_marked_where_nobody_is_beaten() -> None:
    assert best(record("a"), record("b")) == set()
    assert best(record("a")) == set()


def test_what_did_not_pass_is_neither_marked_nor_beaten() -> None:
    failed = unmeasured("b", "message-processing", Status.FAIL, "lost")
    assert best(record("a", cycles=200), failed) == set()
    assert best(record("a", cycles=200), failed, record("c", cycles=300)) == {"a"}


def test_isolation_is_priced_against_the_same_kernel_if_it_is_there() -> None:
    matrix, row = table(record("plain"), record("other", cycles=100), isolated("guard", 500))
    (price,) = standing.prices(matrix, row, LANES, {"guard": "plain"})
    assert (price.reference.kernel, price.is_same_kernel) == ("plain", True)
    assert price.comparison.cycles
    assert price.comparison.cycles.low > 1.8


def test_isolation_is_priced_against_the_fastest_without_it_otherwise() -> None:
    matrix, row = table(record("plain"), record("other", cycles=100), isolated("guard", 500))
    (price,) = standing.prices(matrix, row, LANES, {})
    assert (price.reference.kernel, price.is_same_kernel) == ("other", False)


def test_a_configuration_without_isolation_is_the_same_kernel() -> None:
    without = replace(record("guard", cycles=300), config="isolation-off")
    matrix, row = table(record("other", cycles=100), isolated("guard", 500), without)
    (price,) = standing.prices(matrix, row, LANES, {})
    assert (price.reference.config, price.is_same_kernel) == ("isolation-off", True)


def test_nothing_without_isolation_is_no_price() -> None:
    matrix, row = table(isolated("guard", 500))
    assert list(standing.prices(matrix, row, LANES, {})) == []
