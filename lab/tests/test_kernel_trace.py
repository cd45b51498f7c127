# SPDX-License-Identifier: MIT
"""Tests the trace of a Linux kernel: it is read from the memory of a machine, put on the observer's
clock beside the observer's events, and read back by babeltrace2."""

from __future__ import annotations

import re
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ticklab import cli
from ticklab.description import catalogue
from ticklab.errors import TicklabError
from ticklab.explain import kernel_trace, ring_buffer
from ticklab.explain.ring_buffer import KernelEvent
from ticklab.explain.timeline import Clock, Event, EventKind, Timeline, changes
from ticklab.traces import ctf

KERNEL = catalogue.find_kernel("linux").boot
boots = pytest.mark.skipif(
    KERNEL is None or not KERNEL.kernel.path.exists(), reason="no packages of Linux"
)

# --- The buffer in the memory ---------------------------------------------------------------------

LAYOUT = """\
\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:12;\tsize:4084;\tsigned:0;
name: woke
ID: 7
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;
\tfield:int prio;\toffset:16;\tsize:4;\tsigned:1;

print fmt: "%s", REC->comm
name: named
ID: 300
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;
\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:0;
"""


def woke(comm: bytes, prio: int) -> bytes:
    return struct.pack("<HHi8si", 7, 0, 1, comm, prio)


def named(irq: int, name: bytes) -> bytes:
    text = name + b"\0"
    record = struct.pack("<HHiiI", 300, 0, 1, irq, len(text) << 16 | 16) + text
    return record + bytes(-len(record) % 4)


def record(delta: int, data: bytes) -> bytes:
    return struct.pack("<I", len(data) // 4 | delta << 5) + data


def long_record(delta: int, data: bytes) -> bytes:
    return struct.pack("<II", delta << 5, 4 + len(data)) + data


def extended(kind: int, time: int) -> bytes:
    return struct.pack("<II", kind | (time & (1 << 27) - 1) << 5, time >> 27)


def page(at: int, *records: bytes) -> bytes:
    data = b"".join(records)
    return (struct.pack("<QI", at, len(data)) + data).ljust(4096, b"\x5a")


def events(tmp_path: Path, *pages: bytes) -> list[KernelEvent]:
    memory = tmp_path / "memory"
    memory.write_bytes(b"".join(pages))
    return ring_buffer.read(memory, ring_buffer.parse_layout(LAYOUT))


def test_events_are_read_in_order_of_time_with_every_kind_of_record(tmp_path: Path) -> None:
    later = page(
        1 << 30,
        record(0, woke(b"a\0rest", -1)),
        extended(30, 1 << 28),
        record(5, named(26, b"arch_timer")),
        extended(31, 3 << 30),
        long_record(2, woke(b"eight888", 9)),
        struct.pack("<II", 29 | 1 << 5, 12) + bytes(8),  # a discarded event
        struct.pack("<I", 29) + bytes(20),  # nothing up to the end of the page
    )
    first = page(1000, record(24, woke(b"b", 3)))
    empty = page(5)
    assert events(tmp_path, bytes(4096), later, empty, first) == [
        KernelEvent("woke", {"comm": "b", "prio": 3}, 1024),
        KernelEvent("woke", {"comm": "a", "prio": -1}, 1 << 30),
        KernelEvent("named", {"irq": 26, "name": "arch_timer"}, (1 << 30) + (1 << 28) + 5),
        KernelEvent("woke", {"comm": "eight888", "prio": 9}, (3 << 30) + 2),
    ]


@pytest.mark.parametrize(
    "foreign",
    [
        page(1, record(0, woke(b"x", 1)), record(0, struct.pack("<HHi", 8, 0, 1))),  # no event 8
        page(1, record(0, woke(b"x", 1)[:16])),  # too short
        page(1, struct.pack("<I", 28) + woke(b"x", 1)),  # goes beyond the page's length
        page(1 << 60, record(0, woke(b"x", 1))),
        struct.pack("<QI", 1, 4085).ljust(4096, b"\0"),
        bytes(range(256)) * 16,
        b"\xff" * 4096,
    ],
)
def test_a_page_that_only_looks_like_one_of_the_buffer_is_left_out(
    tmp_path: Path, foreign: bytes
) -> None:
    assert events(tmp_path, foreign, page(9, record(0, woke(b"y", 1)))) == [
        KernelEvent("woke", {"comm": "y", "prio": 1}, 9)
    ]


def test_pages_that_overlap_in_time_are_refused_in_one_line(tmp_path: Path) -> None:
    stale = page(10, record(0, woke(b"x", 1)), record(100, woke(b"x", 1)))
    with pytest.raises(TicklabError, match="two pages of its buffer overlap") as said:
        events(tmp_path, stale, page(50, record(0, woke(b"y", 1))))
    assert len(str(said.value).splitlines()) == 1


def test_a_kernel_that_traces_nothing_is_refused_with_the_way_out() -> None:
    with pytest.raises(TicklabError, match="linux/traced"):
        ring_buffer.parse_layout(LAYOUT.partition("name:")[0])


# --- One clock ------------------------------------------------------------------------------------

A, B, IDLE = ("a", 1), ("b", 2), ("swapper/0", 0)
Thread = tuple[str, int]


def switch(at: int, before: Thread, after: Thread) -> KernelEvent:
    fields: dict[str, int | str] = {}
    for side, (comm, pid) in (("prev", before), ("next", after)):
        fields |= {f"{side}_comm": comm, f"{side}_pid": pid}
    return KernelEvent("sched_switch", fields, at)


def observed(*calls: int, others: Sequence[Event] = ()) -> Timeline:
    mark = Event(EventKind.MARK, "ticklab.kernel-event", "?", 0, 0, 0)
    made = [*others, *(replace(mark, instructions=at) for at in calls)]
    return Timeline(tuple(sorted(made, key=lambda e: e.instructions)), Clock.INSTRUCTIONS, 1)


def seen(made: Timeline) -> list[tuple[int, str, str]]:
    return [(event.instructions, event.name, event.task) for event in made.events]


def test_events_get_the_observer_s_time_and_other_events_the_kernel_s_names() -> None:
    others = [
        Event(EventKind.MARK, "m", "wrong", 90, 0, 0),
        Event(EventKind.SWITCH, "wrong#1", "wrong", 95, 0, 0),  # a returns to itself
        Event(EventKind.SWITCH, "wrong#2", "wrong#1", 150, 0, 0),
        Event(EventKind.MARK, "n", "wrong#2", 160, 0, 0),
    ]
    traced = [switch(1_000_116, A, B), switch(1_000_216, B, A)]
    made = kernel_trace.merged(observed(100, 200, others=others), traced)
    assert seen(made) == [
        (90, "m", "a 1"), (100, "sched_switch", "a 1"), (150, "b 2", "a 1"), (160, "n", "b 2"),
        (200, "sched_switch", "b 2"),
    ]  # fmt: skip
    assert made.events[1].fields["guest_ns"] == 1_000_116


def test_the_first_events_may_be_overwritten_and_the_last_one_unfinished() -> None:
    traced = [switch(5_000, A, B), switch(8_000, B, A)]
    assert [at for at, *_ in seen(kernel_trace.merged(observed(1_000, 4_000, 7_000), traced))] == [
        4_000, 7_000,
    ]  # fmt: skip
    made = kernel_trace.merged(observed(4_000, 7_000, 9_000), traced)
    assert [at for at, *_ in seen(made)] == [4_000, 7_000]


def test_the_clocks_may_part_while_the_processor_is_idle_and_never_otherwise() -> None:
    calls, slept = observed(1_000, 9_000, 12_000), 4_000_000
    idle = [switch(1_000, A, IDLE), switch(9_000 + slept, IDLE, A), switch(12_000 + slept, A, B)]
    assert len(kernel_trace.merged(calls, idle).events) == 3
    for wrong in (
        [switch(1_000, A, B), switch(9_000 + slept, B, A), switch(12_000 + slept, A, B)],
        [switch(1_000, A, B), switch(8_000, B, A), switch(12_000, A, B)],
        [idle[0], switch(8_000, IDLE, A), switch(12_000, A, B)],
    ):
        with pytest.raises(TicklabError, match="does not belong to this run") as said:
            kernel_trace.merged(calls, wrong)
        assert len(str(said.value).splitlines()) == 1


def test_a_run_without_kernel_events_stays_as_it_is() -> None:
    other = Event(EventKind.MARK, "m", "", 1, 0, 0)
    assert kernel_trace.merged(observed(others=[other]), []).events == (other,)


def test_viewers_of_slices_show_threads_and_interrupts_of_the_kernel() -> None:
    def kernel(at: int, event: str, **fields: int | str) -> Event:
        return Event(EventKind.KERNEL, event, "a 1", at, 0, 0, fields)

    made = Timeline(
        (
            kernel(1, "irq_handler_entry", irq=26, name="arch_timer"),
            kernel(2, "sched_wakeup", comm="b", pid=2),
            kernel(3, "irq_handler_exit", irq=26, ret=1),
            kernel(4, "sched_switch", next_comm="b", next_pid=2),
            kernel(5, "sched_switch", next_comm="a", next_pid=1),
        ),
        Clock.INSTRUCTIONS,
        1,
    )
    shown = [(c.event.instructions, c.track, c.step.value, c.name) for c in changes(made)]
    threads, interrupts = "threads of the kernel", "interrupts of the kernel"
    assert shown == [
        (1, interrupts, "begin", "arch_timer"), (2, "wake-ups", "instant", "b 2"),
        (3, interrupts, "end", "arch_timer"), (4, threads, "begin", "b 2"),
        (5, threads, "end", "b 2"), (5, threads, "begin", "a 1"), (5, threads, "end", "a 1"),
    ]  # fmt: skip


# --- The file in the Common Trace Format ----------------------------------------------------------


def babeltrace(folder: Path) -> list[str]:
    options = ["--clock-cycles", "--color", "never"]
    said = subprocess.run(
        ["babeltrace2", *options, folder], capture_output=True, text=True, check=True
    )
    assert said.stderr == ""
    return said.stdout.splitlines()


def test_babeltrace_reads_the_kernel_s_own_fields(tmp_path: Path) -> None:
    fields: dict[str, int | str] = {"comm": 'a "b"', "pid": -1, "guest_ns": 1 << 40, "event": 3}
    kernel = Event(EventKind.KERNEL, "sched_wakeup", "a 1", 7, 0, 0, fields)
    mark = Event(EventKind.MARK, "m", "a 1", 9, 0, 0)
    ctf.write(Timeline((kernel, mark), Clock.INSTRUCTIONS, 1), tmp_path / "trace")
    first, second = babeltrace(tmp_path / "trace")
    said = r'sched_wakeup: { comm = "a \"b\"", pid = -1, guest_ns = 1099511627776, event = 3, '
    assert first.endswith(f"{said}instructions = 7 }}")
    assert "mark: { name" in second


@boots
@pytest.mark.parametrize(
    ("kernel", "switches"), [("linux-rt", 3), pytest.param("linux", 1, marks=pytest.mark.long)]
)
def test_the_trace_of_a_run_has_the_kernel_s_events_and_ours(
    kernel: str, switches: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a notification the processor switches once, and three times under PREEMPT_RT: the kernel
    says so in its trace, and `explain` counts the same calls (test_linux.py)."""
    name, store = f"{kernel}/traced", ("--store", str(tmp_path / "store"))
    scenario = ("--scenario", "notification-notify-unblock")
    words = ["run", "--board", "virt-linux", "--suite", "services", "--kernel", name, *scenario]
    assert cli.main([*words, "--skip-conformance", *store]) == 0
    assert cli.main(["trace", name, *scenario, *store, "--ctf", str(tmp_path / "trace")]) == 0
    lines = babeltrace(tmp_path / "trace")
    assert capsys.readouterr().out.endswith(f"trace: {len(lines)} events\n")
    spans = re.findall(r"span_begin: .*?span_end: ", "\n".join(lines), re.DOTALL)
    plain = [span for span in spans if "irq_handler_entry: " not in span]
    assert len(plain) > 100
    assert {span.count("sched_switch: ") for span in plain} == {switches}
    assert {span.count("task_switch: ") for span in plain} == {1}
    assert all("irq_handler_exit: " in span for span in spans if span not in plain)
    assert any('irq_handler_entry: { irq = 26, name = "arch_timer"' in line for line in lines)
