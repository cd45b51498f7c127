# SPDX-License-Identifier: MIT
"""Tests samples: every execution of a span becomes a sample, with the counts of what happened in it
and the right label."""

from __future__ import annotations

from logs import Writer

from ticklab.analysis.samples import Flag, extract
from ticklab.description.model import Span

EACH = Span("iteration", each=("iteration.*",))
PAIR = Span("call", start="from", end="to")
HANDLED = Span("handled", start="entry.external", end="to")


def test_each_pass_ends_a_sample_and_begins_the_next() -> None:
    writer = Writer(["iteration.0", "iteration.1"])
    writer.mark("iteration.0", 100).mark("iteration.1", 7, reads=2).mark("iteration.0", 9)
    samples = extract(writer.log(), EACH, external=0, warm_up=0)
    assert samples.length.tolist() == [7, 9]
    assert samples.start.tolist() == [100, 107]
    assert samples.lane("reads").tolist() == [2, 0]


def test_what_other_records_saw_belongs_to_the_sample_they_are_in() -> None:
    writer = Writer(["iteration.0", "other"])
    writer.mark("iteration.0", 5).mark("other", 3, writes=1).fault(4, 2).mark("iteration.0", 4)
    samples = extract(writer.log(), EACH, external=0, warm_up=0)
    assert samples.length.tolist() == [9]
    assert samples.lane("writes").tolist() == [1]


def test_a_pair_runs_to_the_next_pass_of_its_end() -> None:
    writer = Writer(["from", "to"])
    for name, instructions in (("to", 1), ("from", 2), ("to", 30), ("to", 4), ("from", 5)):
        writer.mark(name, instructions)
    samples = extract(writer.log(), PAIR, external=0, warm_up=0)
    assert samples.length.tolist() == [30], "a `to` before, and a `from` without its `to`, are none"


def test_a_pair_of_one_mark_runs_to_its_next_pass() -> None:
    writer = Writer(["from"]).mark("from", 1).mark("from", 2).mark("from", 3)
    samples = extract(writer.log(), Span("loop", start="from", end="from"), external=0, warm_up=0)
    assert samples.length.tolist() == [2, 3]


def test_interrupted_samples_are_labelled_and_kept() -> None:
    writer = Writer(["iteration.0"]).mark("iteration.0", 1)
    for systick, external in ((0, 1), (1, 1), (0, 2), (1, 2), (0, 0)):
        writer.mark("iteration.0", 10, systick=systick, external=external)
    samples = extract(writer.log(), EACH, external=1, warm_up=0)
    assert samples.flags.tolist() == [0, Flag.TICK, Flag.FOREIGN, Flag.TICK | Flag.FOREIGN, 0]


def test_the_interrupt_whose_entry_begins_a_sample_has_come_before_it() -> None:
    writer = Writer(["from", "entry.external", "to"])
    for inside in (0, 1):
        writer.mark("from", 1).mark("entry.external", 17, external=1)
        writer.mark("to", 10, external=inside)
    samples = extract(writer.log(), HANDLED, external=1, warm_up=0)
    assert samples.length.tolist() == [10, 10]
    assert samples.flags.tolist() == [0, Flag.FOREIGN]
    assert extract(writer.log(), HANDLED, external=None, warm_up=0).clean.all(), "as many as come"


def test_the_warm_up_is_labelled_and_kept() -> None:
    writer = Writer(["iteration.0"])
    for _ in range(5):
        writer.mark("iteration.0", 10)
    samples = extract(writer.log(), EACH, external=0, warm_up=3)
    assert samples.flags.tolist() == [Flag.WARM_UP] * 3 + [0]


def test_nodes_are_timed_apart() -> None:
    writer = Writer(["iteration.0"])
    for node, instructions in ((0, 10), (1, 1000), (0, 5), (1, 2)):
        writer.mark("iteration.0", instructions, node=node)
    samples = extract(writer.log(), EACH, external=0, warm_up=0)
    assert samples.node.tolist() == [0, 1]
    assert samples.length.tolist() == [5, 2]


def test_a_log_without_the_span_has_no_samples() -> None:
    assert len(extract(Writer(["x"]).log(), EACH, external=0, warm_up=0)) == 0
    assert len(extract(Writer(["x"]).mark("x", 1).log(), PAIR, external=0, warm_up=0)) == 0
