# SPDX-License-Identifier: MIT
"""Tests boards on the desk: the GDB protocol, the ring of marks, the log, and a board with faults.
QEMU's GDB server takes the place of a board. desk_proxy.py, between it and Ticklab, simulates what
happens to real boards: a board is unplugged, is reset, hangs, or is another one than described.
"""

from __future__ import annotations

import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import guests
import msgspec
import pytest

from ticklab.description import catalogue
from ticklab.description.machine import Debugged
from ticklab.description.model import Board, End
from ticklab.targets import eventlog, schema
from ticklab.targets.desk import ring, rsp
from ticklab.targets.desk.log import Log
from ticklab.targets.desk.ring import Decoder, Entry, Passed
from ticklab.targets.desk.rsp import DeskError, Server
from ticklab.targets.gdb import Gdb
from ticklab.targets.protocol import Cancel, Observation, until_instructions

PROXY = Path(__file__).with_name("desk_proxy.py")
# A guest that passes more marks than the ring has entries, so that the board stops and continues
# several times.
BUSY = 'for (;;) { BENCH_MARK("tick"); BENCH_MARK("tock"); }'
PASSES = 1300  # passes of `tick` that fill the ring more than twice


# --- Faults of a board ----------------------------------------------------------------------------


def stand_in() -> Board:
    return catalogue.find_board("stand-in")


def with_machine(board: Board, **changes: object) -> Board:
    assert isinstance(board.machine, Debugged)
    return replace(board, machine=msgspec.structs.replace(board.machine, **changes))


def behind_proxy(fault: str) -> Board:
    return with_machine(stand_in(), server=(sys.executable, "-P", str(PROXY), fault, "{port}"))


def observe(board: Board, image: Path) -> Observation:
    plan = until_instructions(board, 100_000_000)
    plan = replace(plan, until_marks="tick", passes=PASSES, stall_instructions=20_000_000)
    return Gdb(board).observe(image, plan, Cancel())


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return guests.build_with_ring(tmp_path_factory.mktemp("busy"), BUSY)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("unplugged", "closed the connection: is the board unplugged?; it says: libusb: device"),
        ("hung", "the board hangs: it does not stop within 5 s"),
        ("wrong-chip", "wrong chip: CPUID, a Cortex-M4 is 0x410fc230, and board.toml says"),
        ("flash", "memory at 0x0 is 0xff after it was written with 0x00"),
        ("short", "of 4 bytes at 0x"),
        ("half-record", "half a record"),
    ],
)
def test_a_fault_of_a_board_is_one_line_and_no_figure(fault: str, said: str, image: Path) -> None:
    seen = observe(behind_proxy(fault), image)
    assert seen.log is None
    assert seen.ending.end is End.ABORTED
    assert said in seen.ending.detail
    assert "\n" not in seen.ending.detail


def test_a_board_that_is_reset_is_seen(tmp_path: Path) -> None:
    """Simulates a reset by a watchdog: the image starts again."""
    body = 'for (int i = 0; i < 700; i++) { BENCH_MARK("tick"); BENCH_MARK("tock"); } reset();'
    said = observe(stand_in(), guests.build_with_ring(tmp_path, body)).ending.detail
    assert "the board was reset while it ran: its marks begin again" in said


@pytest.mark.parametrize("fault", ["none", "noise"])
def test_a_good_board_behind_the_proxy_is_measured(fault: str, image: Path) -> None:
    log = observe(behind_proxy(fault), image).log
    assert log is not None
    assert log.end is End.MARKS
    assert len(log.records) == 2 * PASSES - 1
    assert int(log.records["tally"][:, log.lane("stops")].sum()) == len(log.records) // 1024


def test_a_server_that_is_not_there(image: Path) -> None:
    gone = with_machine(stand_in(), server=(), address="127.0.0.1:1")
    assert "no GDB server at 127.0.0.1:1" in observe(gone, image).ending.detail
    missing = with_machine(stand_in(), server=("no-such-server", "{port}"))
    assert "no-such-server cannot be started" in observe(missing, image).ending.detail


def test_a_counter_that_stands_still_is_named(tmp_path: Path) -> None:
    """QEMU has no cycle counter: a read of the counter's address returns 0."""
    spinning = guests.build_with_ring(tmp_path, 'BENCH_MARK("tick");', counter=0xE000_1004)
    board = with_machine(stand_in(), counter=0xE000_1004)
    said = observe(board, spinning).ending.detail
    assert "the counter at 0xe0001004 does not count" in said


def test_an_image_for_another_board_is_refused(tmp_path: Path) -> None:
    said = observe(stand_in(), guests.build(tmp_path, guests.LOOP)).ending.detail
    assert "has no ring of marks: build it for this board" in said


# --- The protocol ---------------------------------------------------------------------------------


@pytest.fixture
def served() -> Iterator[Callable[[list[bytes]], Server]]:
    """Yields a function that starts a server with prepared answers, and returns the connection to
    it."""
    ours, theirs = socket.socketpair()
    threads = []

    def serve(answers: list[bytes]) -> Server:
        def answer() -> None:
            for each in answers:
                while b"#" not in theirs.recv(4096):
                    pass
                theirs.sendall(each)

        threads.append(threading.Thread(target=answer, daemon=True))
        threads[-1].start()
        return Server(ours)

    with ours, theirs:
        yield serve


def test_binary_data_is_escaped_and_read_again() -> None:
    every = bytes(range(256))
    sent = rsp.escaped(every)
    assert not set(b"#$*") & set(sent)
    assert rsp.unescaped(sent) == every
    assert rsp.unescaped(b"0* 1") == b"00001"  # a run: the space is 32 - 29 more


def test_a_packet_with_a_wrong_sum_is_asked_for_again(
    served: Callable[[list[bytes]], Server],
) -> None:
    whole = rsp.framed(b"0d000000")
    server = served([b"+$0d000001" + whole[-3:] + whole])
    assert server.word(0x2000_0000) == 13


def test_memory_is_read_in_pieces_of_a_packet(served: Callable[[list[bytes]], Server]) -> None:
    first, rest = b"ab" * 124, b"cd" * 6
    assert served([rsp.framed(first), rsp.framed(rest)]).read(0, 130) == b"\xab" * 124 + b"\xcd" * 6


@pytest.mark.parametrize(
    ("answer", "said"),
    [(b"", "it does not know the request"), (b"E01", "error 01"), (b"zz", "zz")],
)
def test_what_a_server_cannot_read_is_named(
    answer: bytes, said: str, served: Callable[[list[bytes]], Server]
) -> None:
    with pytest.raises(DeskError, match=f"0 of 4 bytes at 0x10: {said}"):
        served([rsp.framed(answer)]).word(16)


def test_flash_memory_is_what_the_server_says(served: Callable[[list[bytes]], Server]) -> None:
    document = b'<memory-map><memory type="ram" start="0x20000000" length="0x100"/>'
    document += b'<memory type="flash" start="0x08000000" length="0x100000"></memory>'
    answers = [b"PacketSize=400;qXfer:memory-map:read+", b"m" + document[:50], b"l" + document[50:]]
    server = served([rsp.framed(each) for each in answers])
    server.greet()
    assert server.flash_regions() == [(0x0800_0000, 0x10_0000)]


# --- The ring -------------------------------------------------------------------------------------

NAMES = {0x10: [ring.COST], 0x20: ["begin"], 0x30: ["end"]}


def decoded(*entries: Entry, period: int = 1000) -> list[Passed]:
    return list(Decoder(NAMES).passes(entries, period))


def test_entries_are_three_words() -> None:
    data = struct.pack("<6I", 0x20, 7, 8, 0x30, 9, 10)
    assert ring.entries(data, True) == [Entry(0x20, 7, 8, True), Entry(0x30, 9, 10)]
    with pytest.raises(DeskError, match="half a record: 4 bytes of 12"):
        ring.entries(data[:16], False)


def test_a_counter_may_wrap() -> None:
    assert decoded(Entry(0x20, 0xFFFF_FFF0, 0), Entry(0x30, 0x10, 0))[1].cycles == 0x20


@pytest.mark.parametrize(
    ("cycles", "tick", "ticks"),
    [
        (100, 400, 0),  # 500 before: SysTick counts down
        (500, 0, 0),
        (501, 999, 1),
        (505, 990, 1),  # SysTick is read some cycles late
        (1501, 999, 2),
        (2600, 900, 3),
        (100, 990, 1),  # the counter stood still for 410 cycles, as in sleep
    ],
)
def test_a_tick_is_where_systick_reached_zero(cycles: int, tick: int, ticks: int) -> None:
    begin = (Entry(0x10, 0, 500), Entry(0x20, 10, 500))
    assert decoded(*begin, Entry(0x30, 10 + cycles, tick))[-1].ticks == ticks


def test_without_a_tick_there_are_none() -> None:
    assert decoded(Entry(0x20, 0, 0), Entry(0x30, 9000, 0), period=0)[-1].ticks == 0


def test_the_cost_of_a_mark_is_the_median_of_the_image_s_own() -> None:
    decoder = Decoder(NAMES)
    counts = (0, 90, 110, 130, 151, 171)
    entries = [Entry(0x10, count, 0) for count in counts]
    found = list(decoder.passes([*entries, Entry(0x20, 200, 0), Entry(0x30, 230, 0)], 0))
    assert decoder.mark_cycles == 20
    assert [(each.address, each.cycles) for each in found] == [(0x20, 29), (0x30, 30)]


def test_marks_that_begin_again_are_a_reset() -> None:
    with pytest.raises(DeskError, match="the board was reset while it ran"):
        decoded(Entry(0x10, 0, 0), Entry(0x20, 5, 0), Entry(0x10, 9, 0))


def test_an_entry_of_no_mark_is_half_a_record() -> None:
    with pytest.raises(DeskError, match="names 0x31, which is no mark"):
        decoded(Entry(0x31, 0, 0))


# --- The log --------------------------------------------------------------------------------------


def log_of(passes: list[Passed], **changes: object) -> eventlog.EventLog:
    marks = [
        schema.PlannedMark(name=name, address=address)
        for address, names in NAMES.items()
        for name in names
    ]
    plan = schema.PlanFile(
        version=schema.VERSION,
        image="image.elf",
        log="events.log",
        marks=tuple(marks),
        entries={},
        port=(),
        calls=None,
        until=schema.EndConditions(marks=None, instructions=1000),
        stall_instructions=900,
        core="cortex-m4f",
        vectors=0,
        exit_register=None,
        bus_latency=0,
        model=None,
    )
    log = Log(msgspec.structs.replace(plan, **changes), "gdb-0")
    log.add(passes)
    if log.end is None:
        log.stop("exit")
    data = b"".join(line + b"\n" for line in log.lines(20, None))
    return eventlog.parse(data, "a log")


def test_a_row_has_ticks_marks_stops_and_cycles() -> None:
    log = log_of([Passed(0x20, 0, 0, 0), Passed(0x30, 1, 0, 50), Passed(0x20, 0, 1, 60)])
    assert log.marks == ("begin", "end")
    assert log.records["tally"].tolist() == [[0, 0, 0, 0], [1, 20, 0, 50], [0, 20, 1, 60]]


def test_a_log_ends_at_the_budget_and_not_after_it() -> None:
    log = log_of([Passed(0x20, 0, 0, 600), Passed(0x30, 0, 0, 500), Passed(0x20, 0, 0, 1)])
    assert log.end is End.INSTRUCTIONS
    assert [log.marks[number] for number in log.records["id"]] == ["begin"]


def test_a_gap_longer_than_a_stall_ends_the_log() -> None:
    passes = [Passed(0x20, 0, 0, 10), Passed(0x30, 0, 0, 401)]
    assert log_of(passes, stall_instructions=400).end is End.STALLED
    assert log_of(passes, stall_instructions=401).end is End.EXIT
