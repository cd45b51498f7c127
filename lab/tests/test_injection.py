# SPDX-License-Identifier: MIT
"""Tests sweeps with invented logs: each missing position is named, and the curve agrees with the
samples."""

from __future__ import annotations

import io
from collections.abc import Sequence
from csv import DictReader
from dataclasses import replace
from pathlib import Path

import pytest
import synthetic
from cells import KERNEL
from logs import Writer
from rich.console import Console
from synthetic import LANES, record, run, with_figures

from ticklab.analysis import injection
from ticklab.analysis.samples import Samples, extract
from ticklab.building.elf import Elf, Symbol
from ticklab.comparison import compare
from ticklab.description.model import (
    Bound,
    Call,
    Curve,
    Interval,
    Record,
    Span,
    Stats,
    Sweep,
)
from ticklab.errors import TicklabError
from ticklab.storage import records
from ticklab.targets.eventlog import EventLog
from ticklab.views import csv, curves, figures, html, json, table

MARKS = ("calm.begin", "calm.end", "begin", "injected", "pended", "served.task")
SPAN = Span("pend-to-task", start="pended", end="served.task")
# An invented image, whose functions have 8 bytes, that is, 4 instructions each.
GUEST = Elf(
    Path("guest.elf"),
    (
        Symbol("caller", 0x100, 8),
        Symbol("lock", 0x108, 8),
        Symbol("unlock", 0x110, 8),
        Symbol("Interrupt0_Handler", 0x200, 8),
        Symbol("Interrupt1_Handler", 0x200, 8),
    ),
    has_marks=True,
)
# Latencies of a service that masks interrupts from the second position to the sixth.
LENGTHS = (10, 15, 14, 13, 12, 11, 10, 10)


def sweep(
    lengths: Sequence[int] = LENGTHS,
    positions: Sequence[int] | None = None,
    calm: Sequence[int] | None = None,
    refills: Sequence[int] | None = None,
) -> EventLog:
    """Returns the log of a sweep with these latencies. With `refills`, the log has a cycle model in
    which each refill takes 1 to 3 cycles."""
    writer = Writer(MARKS, modelled=refills is not None)
    for index, length in enumerate(lengths):
        writer.mark("calm.begin", 5).mark("calm.end", calm[index] if calm else 30)
        position = positions[index] if positions else index + 1
        writer.mark("begin", 9).mark("injected", position)
        modelled = {"cycles": length, "refill": refills[index]} if refills else {}
        served = {"external": 1, "entered": 1, **modelled}
        writer.mark("pended", 17).mark("served.task", length, **served)
    return writer.log("exit")


def console(positions: int = len(LENGTHS), end: str = "ticklab: finished") -> str:
    lines = [f"ticklab: pended {0x104 + 2 * index:08x}" for index in range(positions)]
    return "\n".join([*lines, end, ""])


def samples(log: EventLog) -> Samples:
    return extract(log, SPAN, external=1, warm_up=0)


def verdict(log: EventLog, said: str) -> str | None:
    return injection.verdict(log, (samples(log),), said)


def test_a_whole_sweep_has_no_fault() -> None:
    assert verdict(sweep(), console()) is None


@pytest.mark.parametrize(
    ("log", "said", "words"),
    [
        (sweep(), console(end=""), "did not come to its end"),
        (sweep(positions=[1, 2, 4, 5, 6, 7, 8, 9]), console(), "gap after position 2"),
        (sweep(), console(positions=9), "gap after position 8"),
        (sweep(calm=[30, 30, 30, 31, 30, 30, 30, 30]), console(), "differs at position 4"),
    ],
)
def test_what_makes_a_sweep_worthless_is_named(log: EventLog, said: str, words: str) -> None:
    assert words in (verdict(log, said) or "")


def test_an_interrupt_that_reached_nobody_is_missed() -> None:
    log = sweep()
    reason = injection.verdict(log, (replace_last(samples(log)),), console())
    assert reason == "8 interrupts were pended and 7 came to pend-to-task"


def replace_last(whole: Samples) -> Samples:
    """Returns the samples without the last one."""
    columns = ("node", "start", "tallies", "flags", "first", "last")
    return replace(whole, **{name: getattr(whole, name)[:-1] for name in columns})


def test_the_curve_names_the_worst_and_what_it_waited_for() -> None:
    found = injection.curve(samples(sweep()), console(), GUEST)
    assert found == Curve(
        instructions=LENGTHS,
        position=2,
        pended_before="caller+0x6",
        held_until="lock+0x6",
        functions={"caller": 1, "lock": 4},
    )
    assert (found.least, found.most, found.held) == (10, 15, 5 / 8)


REFILLS = (0, 0, 0, 0, 2, 0, 0, 0)  # position 5: 12 instructions, but 14 to 18 cycles


def test_the_worst_position_is_that_of_most_cycles_at_the_high_bound() -> None:
    found = injection.curve(samples(sweep(refills=REFILLS)), console(), GUEST)
    assert (found.position, found.worst, found.most) == (5, 12, 15)
    assert (found.chosen_by, found.cycles) == (Bound.HIGH, Interval(14, 18))
    assert found.pended_before == "lock+0x4"
    assert sum(found.functions.values()) == 2  # of positions 5 and 6, held until the same instant
    ranked = injection.worst(samples(sweep(refills=REFILLS)))
    assert (ranked["instructions"], ranked["refill"]) == (12, 2)
    assert injection.curve(samples(sweep()), console(), GUEST).chosen_by is Bound.COUNTED


def test_every_view_shows_the_same_position_of_a_sweep_and_counts_from_1() -> None:
    found = injection.curve(samples(sweep(refills=REFILLS)), console(), GUEST)
    one = synthetic.swept(swept("freertos", LENGTHS, 50), found)
    shown = replace(run(), records=(one,))
    out = Console(file=io.StringIO(), width=200)
    table.show(shown, out)
    assert isinstance(out.file, io.StringIO)
    texts = {
        "table": out.file.getvalue(),
        "report": " ".join(html.render([shown], NoSamples()).split()),
    }
    for text in texts.values():
        assert "position 5 of 8" in text
        assert "10 to 15 instructions; worst by the high bound of modelled cycles: 12" in text
        assert "~14.0–18.0" in text
        assert "(the most are at position 2)" in text
    known = json.record_object(one)["curve"]
    assert (known["position"], known["chosen_by"]) == (5, "cycles.high")
    assert known["cycles"] == {"low": 14, "high": 18}
    (row,) = DictReader(io.StringIO(csv.dumps(shown)))
    assert (row["curve.position"], row["curve.cycles.high"]) == ("5", "18.0")


def test_a_wait_ends_where_another_one_begins() -> None:
    lengths = (10, 18, 17, 16, 14, 13, 12, 10)  # from the fifth on, for an earlier instant
    found = injection.curve(samples(sweep(lengths)), console(), GUEST)
    assert (found.pended_before, found.held_until) == ("caller+0x6", "lock+0x2")
    assert found.functions == {"caller": 1, "lock": 2}


def test_the_worst_sample_is_what_ranks() -> None:
    assert injection.worst(samples(sweep()))["instructions"] == 15.0


def test_a_failure_names_the_instruction() -> None:
    reason = injection.located("interrupt lost", console(positions=3, end=""), GUEST)
    assert reason == "interrupt lost; pended before lock (0x108), position 3"
    assert injection.located("a fault", "", GUEST) == "a fault"


def test_handlers_are_marked_where_the_application_has_any() -> None:
    wanted = Sweep("Interrupt*_Handler")
    able = replace(KERNEL, services=frozenset({"interrupt-handler"}))
    assert [p.address for p in injection.places(wanted, GUEST, able)] == [0x200]
    assert injection.places(wanted, GUEST, KERNEL) == ()


# --- Records and views ------------------------------------------------------------------------


def swept(kernel: str, lengths: tuple[int, ...], cycles: float) -> Record:
    """Returns the record of a sweep whose worst cycles and mean instructions would rank two kernels
    in opposite orders."""
    spread = Stats(len(lengths), 1, 1, 1, max(lengths), max(lengths), max(lengths), 1)
    at, bounds = lengths.index(max(lengths)) + 1, Interval(cycles, cycles)
    curve = Curve(lengths, at, "lock+0x4", "unlock+0x2", {"lock": 3}, cycles=bounds)
    counted = with_figures(record(kernel, cycles=cycles, load=0), instructions=spread)
    return synthetic.swept(counted, curve)


def test_a_curve_survives_the_store() -> None:
    one = swept("freertos", LENGTHS, 50)
    assert records.decode(records.encode(one)) == one
    assert one.curve
    known = replace(one.curve, pended_at="lock.c:7", calls=(Call(0, "lock", 3, 3),))
    other = synthetic.swept(one, known)
    assert records.decode(records.encode(other)) == other


def test_sweeps_are_ranked_by_their_worst_case() -> None:
    one, other = swept("freertos", (1, 30, 29), 60), swept("rt", (9, 15, 9), 40)
    found = compare.compare(other, one, LANES)
    assert found is not None
    assert found.instructions == 0.5
    assert found.verdict is compare.Verdict.FASTER
    assert figures.counted(one) == "30"


def test_a_call_tree_in_a_line_leaves_out_what_only_handed_on() -> None:
    calls = (
        Call(0, "task", 0, 9),
        Call(1, "service", 0, 9),
        Call(2, "give", 3, 9),
        Call(3, "lock", 4, 4),
        Call(3, "wake", 0, 2),
        Call(4, "move", 2, 2),
        Call(0, "Handler", 0, 1),
        Call(1, "Handler", 1, 1),
    )
    assert curves.nested(calls) == "task → give 3 (lock 4, move 2); Handler 1"
    assert curves.nested(()) == ""


def test_a_narrow_peak_is_seen_in_a_narrow_sparkline() -> None:
    values = [1] * 510 + [9] + [1] * 489
    line = curves.sparkline(values, 20)
    assert len(line) == 20
    assert line.count("█") == 1
    assert curves.sparkline([7, 7], 20) == "▁▁"


def test_the_outline_reaches_the_top_at_the_worst_position() -> None:
    shape = curves.outline(swept("freertos", (5, 10), 1).curve or pytest.fail("no curve"))
    assert shape.points == "0.00,100.00 0.00,50.00 50.00,50.00 50.00,0.00 100.00,0.00 100.00,100.00"
    assert shape.worst == 75


def test_the_report_draws_the_curve_and_says_the_worst() -> None:
    one = swept("freertos", (1, 4, 3, 2, 1), 1)
    page = html.render([replace(run(), records=(one,))], NoSamples())
    assert '<polygon points="0.00,100.00' in page
    assert "1 to 4 instructions; worst by instructions: 4" in " ".join(page.split())
    assert "pended before lock+0x4" in page


class NoSamples:
    def samples(self, key: str, span: str, columns: Sequence[str] = ()) -> dict[str, list[int]]:
        if columns:
            raise TicklabError("no lanes were kept")
        return {"length": [1], "flags": [0]}


def test_the_terminal_shows_cause_and_leaves_flat_curves_out() -> None:
    shown = list(curves.lines("freertos", "give", swept("freertos", (1, 4, 3, 2, 1), 1), 60))
    assert shown[1] == "give, freertos: 1 to 4 instructions; worst by instructions:"
    assert "pended before lock+0x4, position 2 of 5" in " ".join(shown)
    assert not list(curves.lines("rt", "give", swept("rt", (1, 1), 1), 60))
    assert not list(curves.lines("rt", "give", record(), 60))
