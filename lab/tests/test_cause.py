# SPDX-License-Identifier: MIT
"""Tests the one-line cause of a figure: its parts, its words, and where each view shows it."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import explanation_fixture
import pytest
from synthetic import record, run

from ticklab.description.model import CategoryRule, Record, Run, Work
from ticklab.explain import answer, work
from ticklab.storage import records
from ticklab.storage.sealed import DamagedError
from ticklab.storage.store import Store
from ticklab.summary import cause
from ticklab.summary.answer import Unit, answers
from ticklab.summary.cause import Part
from ticklab.summary.matrix import matrices
from ticklab.views import cause_line, table
from ticklab.views.panels import panels

BASE: Work = {"critical-sections": {"enter": 10, "leave": 12}, "checks": {"assert": 4}}
DEARER: Work = {"critical-sections": {"enter": 30, "leave": 32}, "checks": {"assert": 26}}


def with_work(work: Work | None, kernel: str = "rt", entry: float = 0) -> Record:
    total = sum(count for each in (work or {}).values() for count in each.values())
    return replace(record(kernel, instructions=total, entry=entry), work=work)


def line(subject: Work | None, base: Work | None = BASE, entry: float = 0) -> str:
    pair = with_work(subject, entry=entry), with_work(base, "freertos")
    return cause_line.text(cause.against(*pair))


def test_the_parts_add_up_to_the_difference_the_greatest_first() -> None:
    found = cause.against(with_work(DEARER), with_work(BASE))
    assert found
    assert found.instructions == 62
    assert found.parts == (Part("critical-sections", "", 40), Part("checks", "", 22))


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (DEARER, "+62: 40 in critical sections, 22 in argument checks"),
        (BASE, "no difference"),
        ({}, "-26: 22 in critical sections, 4 in argument checks"),
        # If parts of the difference have both signs, or cancel out, each part is shown with its
        # sign.
        ({**BASE, "checks": {}, "api": {"f": 10}}, "+6: +10 in the port, -4 in argument checks"),
        ({**BASE, "checks": {}, "api": {"f": 4}}, "0: +4 in the port, -4 in argument checks"),
        # A small part is not named, and a fraction has one digit.
        ({**BASE, "ready-list": {"f": 90.25}, "api": {"f": 9}}, "+99.2: 90.2 in the ready list"),
        # If no rule says what kind of work a function does, the function's name is the reason.
        ({**BASE, "unassigned": {"f": 3, "g": 2}}, "+5: 3 in f, 2 in g"),
        (None, ""),
    ],
)
def test_the_line(subject: Work | None, words: str) -> None:
    assert line(subject) == words


def test_exceptions_stand_beside_instructions_because_hardware_does_their_work() -> None:
    assert line(BASE, entry=2.0) == "0, +2 exc."
    assert line(DEARER, entry=1.0).startswith("+62, +1 exc.: 40 in")


def test_the_reference_says_what_its_own_cost_is() -> None:
    both = (with_work(BASE, "freertos"), with_work(DEARER))
    (found,) = answers(replace(run(), records=both))
    texts = [cause_line.text(found.cause(found.tests[0], e.column)) for e in found.entries]
    assert texts == ["26: 22 in critical sections, 4 in argument checks", line(DEARER)]


def test_each_test_counts_as_much_in_the_mean_as_in_that_of_cycles() -> None:
    """One test of many instructions takes more, and two short tests take half as many; each test
    counts equally in the mean."""
    long, dear = ({"ready-list": {"f": count}} for count in (1000.0, 1100.0))
    short, cheap = ({"checks": {"f": count}, "api": {"g": 10.0}} for count in (30.0, 10.0))
    pairs = [(dear, long), (cheap, short), (cheap, short)]
    found = cause.mean((with_work(one), with_work(base, "freertos")) for one, base in pairs)
    assert found
    assert found.instructions == -30
    words = "-30 % of instructions, mean of 3 tests: 33 % in argument checks"
    assert cause_line.of_tests(found, 3) == words
    assert cause_line.greatest(found) == "-33 % in argument checks"


def test_the_greatest_part_changes_the_figure_as_the_whole_does() -> None:
    """The line names the greatest part that has the sign of the whole difference. Here rt is
    faster, so the ready list, in which it executes more instructions, cannot be the reason."""
    base = {"ready-list": {"f": 100.0}, "checks": {"g": 60.0}, "api": {"h": 60.0}}
    other = {"ready-list": {"f": 180.0}, "checks": {"g": 5.0}, "api": {"h": 0.0}}
    found = cause.mean([(with_work(other), with_work(base, "freertos"))])
    assert found
    assert found.parts[0].kind == "ready-list"
    assert cause_line.greatest(found) == "-27 % in the port"


def test_a_mean_is_in_per_cent_of_the_reference() -> None:
    tests = ("a", "b")
    pairs = [
        replace(with_work(each, kernel), scenario=test)
        for test in tests
        for kernel, each in (("freertos", BASE), ("rt", DEARER))
    ]
    shown = replace(run(), records=tuple(pairs))
    found = panels(shown, matrices(shown.records)[0], None, Unit.CYCLES)
    assert found
    head = "% of instructions, mean of 2 tests:"
    dearer = f"+238 {head} 154 % in critical sections, 85 % in argument checks"
    cheaper = f"-70 {head} 45 % in critical sections, 25 % in argument checks"
    assert found.mean_causes[0] == ("", dearer)
    assert found.mean_causes[1] == (cheaper, "")
    assert found.causes[1][0][0] == line(BASE, DEARER)
    assert json.loads(found.data)["causes"]["1"][0][0] == line(BASE, DEARER)


def test_tables_have_a_line_for_each_figure() -> None:
    shown = replace(run(), records=(with_work(BASE, "freertos"), with_work(DEARER)))
    assert f"  rt        {line(DEARER)}" in text_of(shown)
    assert "WHY" not in text_of(run())


def text_of(shown: Run) -> str:
    out = table.console(io.StringIO())
    table.show(shown, out)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


# --- From which data the cause is computed --------------------------------------------------------


def test_work_is_the_mean_sample_by_kind_and_function() -> None:
    found = answer.parse(explanation_fixture.document())
    rules = (CategoryRule("critical-sections", None, "enter"),)
    assert work.of_span(found, found.spans[0], rules) == {
        "benchmark": {"task": 2},
        "api": {"bench_give": 3},
        "critical-sections": {"enter": 4},
        "unassigned": {"ready": 5, "PendSV_Handler": 6},
    }


def test_work_survives_the_store_and_a_run_without_it_is_as_before() -> None:
    with_it = with_work(DEARER)
    assert records.decode(json.loads(json.dumps(records.encode(with_it)))) == with_it
    assert "work" not in records.encode(replace(with_it, work=None))


def test_the_store_keeps_work_by_its_rules(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.keep_work("key", "rules", {"span": BASE})
    assert store.work("key", "rules") == {"span": BASE}
    assert store.work("key", "others") is None
    (tmp_path / "work" / "key-rules" / "work.json").write_text("{}")
    with pytest.raises(DamagedError):
        store.work("key", "rules")
    store.drop_work("key", "rules")
    assert store.work("key", "rules") is None


def test_other_rules_have_another_digest() -> None:
    rule = CategoryRule("checks", None, "assert")
    digests = {work.rules_digest(rules) for rules in ((), (rule,), (replace(rule, file="f"),))}
    assert len(digests) == 3


def test_an_unknown_kind_of_value_is_refused() -> None:
    encoded = records.encode(with_work(BASE))
    with pytest.raises(ValueError, match="work as Ticklab writes it"):
        records.decode({**encoded, "work": {"checks": 3}})


def test_a_cell_without_work_has_no_cause() -> None:
    assert cause.of(record()) is None
    assert cause.mean([]) is None
    assert cause.mean([(record(), record())]) is None
    assert cause_line.of_tests(None, 3) == ""
