# SPDX-License-Identifier: MIT
"""Means, categories, differences and views that are made from an answer of the observer."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import explanation_fixture
import pytest
from documents import fits
from msgspec import to_builtins
from rich.console import Console

from ticklab.description.model import CategoryRule
from ticklab.errors import TicklabError
from ticklab.explain import answer, categories, difference
from ticklab.explain.answer import Cost
from ticklab.explain.difference import Side
from ticklab.views import difference as difference_view
from ticklab.views import explanation

RULES = (
    CategoryRule("critical-sections", "change-state.*", None),
    CategoryRule("registers", "(load|store)-multiple.*", "PendSV_Handler"),
    CategoryRule("critical-sections", None, "enter"),
    CategoryRule("ready-list", None, "ready"),
    CategoryRule("bookkeeping", None, "PendSV_Handler"),
)
ANSWER = answer.parse(explanation_fixture.document(listing=True))
(SPAN,) = ANSWER.spans
SIDE = Side("ours", ANSWER, SPAN, RULES, 1000)


def printed(show: Callable[[Console], None]) -> str:
    text = io.StringIO()
    show(Console(file=text, width=120))
    return text.getvalue()


def test_sums_become_means_of_a_sample_and_tallies_bounds() -> None:
    assert SPAN.total == Cost(20, 37, 47)
    assert sum((node.own for node in SPAN.nodes), Cost()) == SPAN.total
    assert SPAN.masked.instructions == 9
    assert SPAN.masked.longest is not None
    assert SPAN.masked.longest.longest == 9  # in one sample, no mean


def test_the_json_is_what_was_promised_and_adds_up() -> None:
    found = fits("explanation", to_builtins(explanation.document(ANSWER)))
    assert "sample" not in found
    assert found["span"] == "iteration"
    assert found["cycles"] == {"low": 37, "high": 47}
    assert found["functions"][0] == {"name": "PendSV_Handler", "calls": 1, "instructions": 6}
    assert sum(one["instructions"] for one in found["functions"]) == found["instructions"] == 20


def test_a_sample_stands_beside_the_mean_with_its_calls() -> None:
    document = explanation_fixture.document(listing=True)
    document["spans"][0] |= {"alone": True, "summed": 1}
    one = answer.parse(document)
    found = fits("explanation", to_builtins(explanation.document(ANSWER, one)))
    assert found["instructions"] == 20
    sample = found["sample"]
    assert (sample["number"], sample["instructions"]) == (1, 40)
    assert sum(call["own"] for call in sample["calls"]) == 40
    assert [call["name"] for call in sample["calls"]][:3] == ["task", "task", "bench_give"]
    assert "sample 1 of 3: 40 instructions" in printed(partial(explanation.show, one))


def test_every_instruction_and_every_exception_has_a_category() -> None:
    found = categories.costs(ANSWER, SPAN, RULES)
    assert {name: cost for name, cost in found.items() if cost != Cost()} == {
        "exceptions": Cost(0, 12, 12),
        "registers": Cost(2, 2, 2),
        "ready-list": Cost(5, 5, 5),
        "bookkeeping": Cost(4, 6, 10),
        "critical-sections": Cost(4, 5, 7),
        "api": Cost(3, 4, 6),
        "benchmark": Cost(2, 3, 5),
    }
    assert sum(found.values(), Cost()) == SPAN.total


def test_the_first_rule_that_matches_holds() -> None:
    everything = CategoryRule("checks", None, ".*")
    assert categories.costs(ANSWER, SPAN, (everything, *RULES))["checks"] == Cost(17, 21, 29)
    assert categories.costs(ANSWER, SPAN, (*RULES, everything))["checks"] == Cost(2, 3, 5)


def test_a_rule_may_be_of_a_source_file() -> None:
    kernel = CategoryRule("protection", None, None, r"kernel\.S")
    assert categories.costs(ANSWER, SPAN, (kernel,))["protection"] == Cost(6, 8, 12)
    both = CategoryRule("protection", "branch.*", None, r"kernel\.[cS]")
    assert categories.costs(ANSWER, SPAN, (both,))["protection"].instructions == 7


def test_more_than_a_hundredth_without_a_category_is_a_failure_that_names_it() -> None:
    short = replace(SIDE, rules=RULES[:1])
    with pytest.raises(TicklabError, match=r"70.0 % .* \(PendSV_Handler, ready, enter\)") as raised:
        difference.compare(SIDE, short)
    assert "[[category]]" in raised.value.hint


def test_what_changed_most_comes_first_and_what_one_lacks_costs_it_nothing() -> None:
    document = explanation_fixture.document()
    document["functions"][3]["name"] = "choose"
    document["spans"][0]["nodes"][7]["self"] = [14, 14, 4]
    document["spans"][0]["nodes"][7]["total"] = [14, 14, 4]
    changed = answer.parse(document)
    rules = (*RULES, CategoryRule("ready-list", None, "choose"))
    found = difference.compare(SIDE, Side("theirs", changed, changed.spans[0], rules, 1200))
    assert [(line.name, line.change.instructions) for line in found.functions[:3]] == [
        ("choose", 5), ("ready", -5), ("PendSV_Handler", 1)
    ]  # fmt: skip
    text = printed(partial(difference_view.show, SIDE, replace(SIDE, title="theirs"), found))
    assert "ready list and choice" in text
    assert "A: ours" in text
    assert "-5" in text


def test_the_tree_shows_callers_before_callees_and_sums_up_what_is_small() -> None:
    text = printed(partial(explanation.show, ANSWER))
    lines = [line.strip() for line in text.splitlines()]
    tree = next(i for i, line in enumerate(lines) if line.endswith("task task"))
    assert lines[tree + 2].endswith("bench_give")
    assert "1 critical sections a sample, 9 instructions, 45.0 %" in text.replace("\n", " ")
    assert "enter … bench_give, bench_give" in text
    small = replace(SPAN, total=Cost(10_000, 10_000, 10_000))
    assert [line.name for line in explanation.lines(small)] == ["… 2 smaller"]


def test_without_a_cycle_model_no_cycles_are_shown() -> None:
    """A cost of 0 cycles would be a figure that nobody modelled."""

    def counted(cost: Cost) -> Cost:
        return Cost(cost.instructions)

    nodes = tuple(
        replace(node, own=counted(node.own), total=counted(node.total)) for node in SPAN.nodes
    )
    bare = replace(ANSWER, spans=(replace(SPAN, total=counted(SPAN.total), nodes=nodes),))
    assert "~0" not in printed(partial(explanation.show, bare))
    assert "20 instructions, counted; without a cycle model" in explanation.summary(bare.spans[0])
    assert fits("explanation", to_builtins(explanation.document(bare)))["cycles"] is None


def test_the_listing_shows_masks_what_was_skipped_and_its_source() -> None:
    text = printed(partial(explanation.show_listing, ANSWER, {0x30: "cpsid i"}))
    assert "|       30  cpsid i" in text
    assert "(load 4770)" in text
    assert "kernel.c:7" in text
    assert "— task" in text
