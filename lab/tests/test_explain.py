# SPDX-License-Identifier: MIT
"""Tests means, categories, differences and views that are made from an answer of the observer."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import explanation_fixture
import pytest
from documents import fits
from msgspec import to_builtins
from rich.console import Console

from ticklab.description import catalogue
from ticklab.description.model import CategoryRule
from ticklab.errors import TicklabError
from ticklab.explain import answer, categories, difference, source_text
from ticklab.explain.answer import Cost
from ticklab.explain.difference import Side
from ticklab.views import difference as difference_view
from ticklab.views import explained, explanation, flame

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
    """Without a cycle model the cost must not be shown as 0 cycles."""

    def counted(cost: Cost) -> Cost:
        return Cost(cost.instructions)

    nodes = tuple(
        replace(node, own=counted(node.own), total=counted(node.total)) for node in SPAN.nodes
    )
    bare = replace(ANSWER, spans=(replace(SPAN, total=counted(SPAN.total), nodes=nodes),))
    assert "~0" not in printed(partial(explanation.show, bare))
    assert "20 instructions, counted; without a cycle model" in explanation.summary(bare.spans[0])
    assert fits("explanation", to_builtins(explanation.document(bare)))["cycles"] is None


def test_the_report_lists_source_text_before_its_instructions_and_draws_the_sample() -> None:
    texts = {"kernel.c:7": "if (ready) {"}
    document = explanation_fixture.document(listing=True)
    document["spans"][0]["listing"]["rows"][1][4] = 0  # not masked
    listed = answer.parse(document)
    found = explained.Explained(listed, listed.spans[0], {0x30: "cpsid i"}, sources=texts)
    before = found.worst.index(f"{'':12}if (ready) {{")
    assert "cpsid i" in found.worst[before + 1]
    assert sum("if (ready) {" in line for line in found.worst) == 1
    assert [(track.name, track.stretches) for track in found.tracks] == [
        ("task", ((0.0, 100.0),)),
        ("interrupts masked", ((0.0, 50.0),)),
    ]
    assert found.tracks[1].is_mask


def test_a_differential_flame_graph_compares_paths_of_calls() -> None:
    document = explanation_fixture.document()
    nodes = document["spans"][0]["nodes"]
    nodes[4] |= {"self": [16, 16, 0], "total": [16, 16, 0]}  # `ready` takes 3 more a sample
    other = answer.parse(document).spans[0]
    changes = {box.name: box.change for box in flame.boxes(ANSWER.spans[0], other)}
    assert changes == {**dict.fromkeys(changes, 0), "ready": -3}
    assert all(box.change is None for box in flame.boxes(ANSWER.spans[0]))
    shown = flame.differential(ANSWER.spans[0], other, ("<new>", "old"))
    assert "ready: 5 instructions, 1 calls, -3 against the other side" in shown
    assert shown.count('fill="#9ccaa9"') == 1
    assert "&lt;new&gt;" in shown
    found = explained.Explained(ANSWER, ANSWER.spans[0], {})
    compared = replace(found, against=explained.Against("old", other))
    assert [box.change for box in compared.boxes].count(-3) == 1


def test_source_text_is_that_of_the_one_file_of_a_name(tmp_path: Path) -> None:
    kernel = replace(catalogue.find_kernel("bulkhead"), folder=tmp_path, sources=("*.c", "b/*.c"))
    core = catalogue.find_board("mps2-an386").core
    (tmp_path / "b").mkdir()
    for name in ("one.c", "two.c", "b/two.c", "late.c"):
        (tmp_path / name).write_text("first\n  second   line\n")
    image = tmp_path / "image.elf"
    image.touch()
    later = image.stat().st_mtime + 10
    os.utime(tmp_path / "late.c", (later, later))
    wanted = [f"{name}:2" for name in ("one.c", "two.c", "late.c", "none.c")]
    found = source_text.of_lines([*wanted, "one.c:9"], image, kernel, core)
    assert found == {"one.c:2": "second line"}


def test_the_listing_shows_masks_what_was_skipped_and_its_source() -> None:
    text = printed(partial(explanation.show_listing, ANSWER, {0x30: "cpsid i"}))
    assert "|       30  cpsid i" in text
    assert "(load 4770)" in text
    assert "kernel.c:7" in text
    assert "— task" in text
