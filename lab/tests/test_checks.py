# SPDX-License-Identifier: MIT
"""Tests the checks of a scenario's log: each fault of a kernel gets a reason that names it, and a
disturbance such as a tick is no fault."""

from __future__ import annotations

from collections.abc import Iterable

from logs import Writer

from ticklab.analysis import checks
from ticklab.analysis.samples import Samples, extract
from ticklab.description.model import End, Expectation, SamplePlan, Span
from ticklab.targets.eventlog import EventLog
from ticklab.targets.protocol import Ending

NAMES = ("t.0", "t.1", "t.2")
ORDER = Expectation(order=NAMES)
PLAN = SamplePlan(warm_up=0, samples=3, ticks=0)
DONE = Ending(End.MARKS, "")


def rounds(sequence: Iterable[int], ticks: Iterable[int] = ()) -> Writer:
    """Returns a log with passes of the marks t.N in this sequence, with a tick before each position
    in `ticks`."""
    writer, ticks = Writer(NAMES), set(ticks)
    for position, number in enumerate(sequence):
        writer.mark(NAMES[number], 10, systick=int(position in ticks))
    return writer


def split(log: EventLog, expect: Expectation, warm_up: int = 0) -> tuple[Samples, ...]:
    return (extract(log, Span("iteration", each=NAMES), expect.external, warm_up),)


def reason(
    writer: Writer, expect: Expectation = ORDER, ending: Ending = DONE, warm_up: int = 0
) -> str | None:
    log = writer.log()
    return checks.verdict(log, split(log, expect, warm_up), expect, PLAN, ending)


def test_the_right_order_passes() -> None:
    assert reason(rounds([0, 1, 2] * 4)) is None


def test_a_wrong_order_names_what_came() -> None:
    found = reason(rounds([0, 1, 2, 0, 1, 2, 1, 2, 0]))
    assert found == "order: after t.2 came t.1, expected t.0 (sample 6)"


def test_a_yield_that_does_not_switch_is_a_wrong_order() -> None:
    assert reason(rounds([0] * 8)) == "order: after t.0 came t.0, expected t.1 (sample 1)"


def test_order_is_not_judged_within_a_cycle_of_a_tick() -> None:
    """If a tick comes between a mark and the yield after it, the task loses its turn, which shows
    one cycle later: mark 1 follows mark 2."""
    assert reason(rounds([0, 1, 2, 0, 1, 2, 1, 2, 0, 1, 2, 0], ticks=[4])) is None
    late = reason(rounds([0, 1, 2, 0, 1, 2, 0, 1, 2, 1, 2, 0], ticks=[2]))
    assert late == "order: after t.2 came t.1, expected t.0 (sample 9)"


def test_order_is_not_judged_in_the_warm_up() -> None:
    assert reason(rounds([2, 1, 0, 1, 2, 0, 1, 2]), warm_up=2) is None


def test_an_interrupt_that_was_none_is_named() -> None:
    writer = Writer(NAMES)
    for external in (1, 1, 1, 0, 1):
        writer.mark("t.0", 10, external=external)
    found = reason(writer, Expectation(external=1))
    assert found is not None
    assert found.startswith("handler run as a plain call, or not at all: 0 external exceptions in ")
    assert found.endswith("in sample 3, expected 1")


def test_a_span_from_an_interrupts_entry_has_one_less_inside() -> None:
    writer = Writer(["request", "entry.external", "resumed"])
    for _ in range(5):
        writer.mark("request", 10).mark("entry.external", 5, external=1).mark("resumed", 20)
    log, expect = writer.log(), Expectation(external=1)
    spans = (Span("whole", start=start, end="resumed") for start in ("request", "entry.external"))
    samples = tuple(extract(log, span, expect.external, 0) for span in spans)
    assert checks.verdict(log, samples, expect, PLAN, DONE) is None


def test_foreign_interrupts_everywhere_leave_no_figure() -> None:
    writer = Writer(NAMES)
    for _ in range(5):
        writer.mark("t.0", 10, external=2)
    found = reason(writer, Expectation(external=1))
    assert found is not None
    assert "no undisturbed sample: every iteration had an unexpected external interrupt" in found


def test_the_guests_own_verdict_comes_first() -> None:
    ending = Ending(End.EXIT, "hello\nticklab: fail: word 3 of a message was lost\n")
    assert reason(rounds([0] * 8), ending=ending) == "word 3 of a message was lost"


def test_a_verdict_that_may_have_been_discarded_is_no_pass() -> None:
    flooded = Ending(End.MARKS, "x\n" * 9, flooded=True)
    found = reason(rounds([0, 1, 2] * 3), ending=flooded)
    assert found is not None
    assert "console" in found


def test_a_fault_is_named() -> None:
    writer = rounds([0, 1, 2, 0, 1]).fault(6)
    assert reason(writer) == "fault: the guest took a UsageFault"


def test_any_number_of_faults_may_come() -> None:
    expect = Expectation(order=NAMES, faults=None)
    assert reason(rounds([0, 1, 2, 0, 1]).fault(6), expect) is None
    assert reason(rounds([0, 1, 2, 0, 1]), expect) is None


def test_a_stall_says_where() -> None:
    ending = Ending(End.STALLED, "", pc=0x1234, symbol="idle_task")
    found = reason(rounds([0, 1]), ending=ending)
    assert found == "stalled: no mark was passed any more in idle_task (0x1234)"


def test_a_guest_that_waits_for_an_interrupt_that_never_came() -> None:
    found = reason(rounds([0]), Expectation(external=1), Ending(End.STALLED, ""))
    assert found is not None
    assert found.startswith("interrupt never taken: 0 external exceptions")


def test_too_few_samples_are_a_failure() -> None:
    assert reason(rounds([0, 1]), ending=Ending(End.EXIT, "")) is not None


def test_a_target_that_died_is_reported_in_its_own_words() -> None:
    ending = Ending(End.ABORTED, "", "Lockup: can't escalate 3 to HardFault")
    found = checks.verdict(None, (), ORDER, PLAN, ending)
    assert found == "the target died: Lockup: can't escalate 3 to HardFault"


def test_threads_are_counted_with_ticks_and_without_the_warm_up() -> None:
    log = rounds([0, 0, 0, 1, 2, 0, 1, 2, 0], ticks=[5]).log()
    counts = checks.per_thread(log, split(log, ORDER, warm_up=2), NAMES)
    assert counts == (2, 2, 2)


def test_fairness_is_the_articles_rule() -> None:
    assert checks.deterministic((5, 6, 5)) is True
    assert checks.deterministic((5, 7, 6)) is False
    assert checks.deterministic(None) is None
