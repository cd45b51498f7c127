# SPDX-License-Identifier: MIT
"""Tests `ticklab bulkhead log`: it reads any memory without a crash, and writes traces.
bulkhead/test/events.py tests the same on the memory of systems that ran."""

from __future__ import annotations

import json
import random
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from documents import fits
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace

from ticklab import bulkhead_tools, cli
from ticklab.errors import TicklabError
from ticklab.explain import target_events
from ticklab.targets.desk.memory import memory
from ticklab.targets.desk.rsp import checksum, framed
from ticklab.traces import ctf, perfetto

rings = bulkhead_tools.load("bulkhead_log.rings")
image = bulkhead_tools.load("bulkhead_log.image")
reading = bulkhead_tools.load("bulkhead_log.reading")
text = bulkhead_tools.load("bulkhead_log.text")

PAGE, LOG, TRACE = 0x2000_0400, 0x2000_1000, 0x2000_2000
EVENTS, COUNTS = 8, 100
WRITER, OTHER = 0x2000_0500, 0x2000_0600  # identities
IMAGE = image.Image(
    processes=("told", "hidden"),
    threads=(("writer", 0), ("other", 1)),
    handles=(("semaphore", "door"), ("flags", "lamp")),
    logs=((0, image.Place(LOG, EVENTS)),),
    trace=image.Place(TRACE, EVENTS),
    data=(0x2000_0000, 0x1_0000),
    page=PAGE,
    texts=b"late by %u of %d\0\0\0%x%c%c%%%u%u\0end",
    identities=(WRITER, OTHER),
)


def ring(events: Sequence[tuple[int, ...]], first: int = 0) -> bytes:
    """Returns the memory of a ring with these events; `first` is the number of the first one."""
    made = bytearray(rings.size(EVENTS))
    struct.pack_into("<2I", made, 0, (first + len(events)) % (1 << 32), COUNTS)
    for index, words in enumerate(events):
        number = (first + index) % (1 << 32)
        whole = (*words, *(0,) * (7 - len(words)))
        at = rings.HEADER_BYTES + number % EVENTS * rings.EVENT_BYTES
        struct.pack_into("<8I", made, at, rings.check(number, whole), *whole)
    return bytes(made)


def read(log: bytes = ring([]), trace: bytes = ring([]), now: int = 50) -> Any:
    places = {PAGE + 4: struct.pack("<I", now), LOG: log, TRACE: trace}
    return reading.read(IMAGE, lambda address, count: places[address][:count])


def entries(log: bytes, now: int = 50) -> list[tuple[int, str, str, bool]]:
    found = read(log, now=now).logs[0].entries
    return [(each.ticks, each.thread, each.text, each.is_current) for each in found]


# --- Logs of processes ----------------------------------------------------------------------------


def test_an_entry_has_its_thread_its_text_and_its_values() -> None:
    assert entries(ring([(7, WRITER, 0, 3, 0xFFFF_FFFF)])) == [
        (7, "writer", "late by 3 of -1", True)
    ]


def test_any_memory_is_read_and_shows_nothing_that_was_not_written() -> None:
    chance = random.Random(1)
    for _ in range(2000):
        found = read(chance.randbytes(rings.size(EVENTS)), chance.randbytes(rings.size(EVENTS)))
        assert found.logs[0].entries == () == found.trace.events
    assert read(bytes(rings.size(EVENTS)), b"\xff" * rings.size(EVENTS)).logs[0].entries == ()


def test_a_changed_bit_removes_its_entry_alone() -> None:
    whole = ring([(tick, WRITER, 0, tick) for tick in range(5)])
    for bit in range(8 * rings.HEADER_BYTES, 8 * (rings.HEADER_BYTES + 5 * rings.EVENT_BYTES), 7):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        assert len(entries(bytes(changed))) == 4
        is_oldest = bit // 8 < rings.HEADER_BYTES + rings.EVENT_BYTES
        assert read(bytes(changed)).logs[0].lost == (0 if is_oldest else 1)  # or none was there


def test_no_loss_is_said_that_nothing_proves() -> None:
    powered_on = ring([(1, WRITER, 0), (2, WRITER, 0)], first=0xDEAD_BEEF)
    for whole in (powered_on, ring([(1, WRITER, 0)] * EVENTS, first=(1 << 32) - 3), b"\xa5" * 288):
        assert read(whole).logs[0].lost == 0


def test_the_number_wraps() -> None:
    found = entries(ring([(tick, WRITER, 0) for tick in range(EVENTS)], first=(1 << 32) - 3))
    assert [each[0] for each in found] == list(range(EVENTS))


def test_the_ticks_wrap() -> None:
    log = ring([((1 << 32) - 2, WRITER, 0), (1, WRITER, 0), (2, WRITER, 0)])
    assert [current for _, _, _, current in entries(log, now=2)] == [True] * 3
    assert [current for _, _, _, current in entries(log, now=1)] == [True, True, False]


def test_entries_of_an_earlier_start_and_of_the_future_are_said_to_be_so() -> None:
    found = entries(ring([(40, WRITER, 0), (3, WRITER, 0), (51, WRITER, 0)]), now=50)
    assert [(tick, current) for tick, _, _, current in found] == [
        (40, False), (3, True), (51, False)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "thread", "said"),
    [
        ((1, OTHER, 0, 1, 2), "?", "late by 1 of 2"),  # a thread of another process
        ((1, 0xFFFF_FFFF, 1), "?", "no text is at 0x1: 0x0 0x0 0x0 0x0"),
        ((1, 0, 17), "?", "no text is at 0x11: 0x0 0x0 0x0 0x0"),  # between two texts
        ((1, 0, 0x7FFF_FFFF), "?", "no text is at 0x7fffffff: 0x0 0x0 0x0 0x0"),
        ((1, WRITER, len(IMAGE.texts) - 3), "writer", "no text is at 0x20: 0x0 0x0 0x0 0x0"),
        ((1, WRITER, 19, 0xFF, 27, 10, 9), "writer", "ff??%9%u"),  # escapes of a terminal
        ((1, WRITER, 19, 0, 0x1_0FFF, 0xD800, 1), "writer", "0??%1%u"),  # no characters
    ],
)
def test_hostile_entries_are_shown_as_what_they_are(
    words: tuple[int, ...], thread: str, said: str
) -> None:
    assert entries(ring([words])) == [(1, thread, said, True)]


# --- The trace of the kernel ----------------------------------------------------------------------

TRACED = [
    (0, 0xFFFF_FFFF, 1),
    (0, 0xFFFF_FFFF, 2, 30, 0),
    (2, 0, 3, 250, 1 + 4, 1),  # a handle is masked
    (3, 0, 2, 310, 2),
    (3, 2, 3, 320, 0, 1),
    (4, 2, 2, 430, 1),
    (4, 1, 4, 440, 1, 0x1000, 0x800),
]


def test_events_have_names_and_times() -> None:
    lines = text.text(read(trace=ring(TRACED))).splitlines()
    assert lines[1:] == [
        "trace: 7 events",
        "  tick 0  count 0  the kernel: start",
        "  tick 0  count 30  none: switch to writer",
        "  tick 2  count 250  writer: call semaphore door give",
        "  tick 3  count 310  writer: switch to idle",
        "  tick 3  count 320  idle: call idle work",
        "  tick 4  count 430  idle: switch to other",
        "  tick 4  count 440  other: fault of data at 0x1000, pc 0x800",
    ]


def test_the_clock_may_have_begun_before_the_kernel_and_wraps() -> None:
    base = (1 << 32) - 120
    found = [
        (tick, 0, 2, (base + tick * COUNTS + part) % (1 << 32), 1)
        for tick, part in ((1, 0), (1, 50), (2, 10), (900, 99))
    ]
    counts = [each.counts for each in read(trace=ring(found)).trace.events]
    assert counts == [100, 150, 210, 90099]


def test_events_before_a_start_are_of_an_earlier_one() -> None:
    found = read(trace=ring([(9, 0, 2, 900, 1), (0, 0xFFFF_FFFF, 1), (1, 1, 2, 110, 0)])).trace
    assert [(each.start, each.counts) for each in found.events] == [(-1, 900), (0, 0), (0, 110)]


def test_the_json_fits() -> None:
    found = read(ring([(1, WRITER, 0)]), ring(TRACED))
    assert fits("events", json.loads(text.FORMATS["json"](found))) == json.loads(
        json.dumps(asdict(found))
    )
    fits("events", json.loads(text.FORMATS["json"](replace(found, trace=None, ticks=None))))


# --- Traces for viewers ---------------------------------------------------------------------------


def test_babeltrace_reads_the_log_and_the_trace(tmp_path: Path) -> None:
    made = target_events.timeline(read(ring([(4, WRITER, 0, 1, 2)]), ring(TRACED)), tick_hz=1000)
    ctf.write(made, tmp_path / "trace")
    program = shutil.which("babeltrace2")
    assert program, "install babeltrace2; './ticklab test' does"
    said = subprocess.run(
        [program, "--clock-cycles", str(tmp_path / "trace")], capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert said.stderr == ""
    lines = said.stdout.splitlines()
    assert len(lines) == len(TRACED) + 1
    assert (
        'log: { process = "told", thread = "writer", text = "late by 1 of 2", counts = 400 }'
        in (lines[-3])
    )
    assert 'sched_switch: { prev_comm = "idle", next_comm = "other"' in lines[-2]


def test_perfetto_has_a_track_for_each_log_and_for_the_threads() -> None:
    made = target_events.timeline(read(ring([(4, WRITER, 0, 1, 2)]), ring(TRACED)), tick_hz=1000)
    found = Trace.FromString(perfetto.encode(made)).packet
    tracks = {each.track_descriptor.name for each in found}
    assert {"log of told", "threads of the kernel", "calls of writer", "faults"} <= tracks
    stamps = {each.track_event.name: each.timestamp for each in found}
    assert stamps["late by 1 of 2"] == 4_000_000  # tick 4, of a millisecond
    assert stamps["semaphore door give"] == 2_500_000


def test_no_entry_stretches_the_timeline() -> None:
    log = ring([(9, WRITER, 0), (2, WRITER, 0), (0x7FFF_FFFF, WRITER, 0)])
    made = target_events.timeline(read(log, ring(TRACED)), tick_hz=1000)
    assert [event.instructions for event in made.events if event.name == "log"] == [2 * COUNTS]
    before_the_wrap = read(ring([(0xFFFF_FFFF, WRITER, 0), (2, WRITER, 0)]), ring(TRACED))
    made = target_events.timeline(before_the_wrap, tick_hz=1000)
    assert [e.instructions // COUNTS for e in made.events if e.name == "log"] == [2, 50]


def test_an_entry_after_the_trace_is_kept_if_the_present_is_unknown() -> None:
    places = {LOG: ring([(6, WRITER, 3 + 14), (0x7FFF_FFFF, WRITER, 0)]), TRACE: ring(TRACED)}

    def saved(address: int, count: int) -> bytes:
        if address not in places:
            raise image.LogError("the page is not in the file")
        return places[address][:count]

    made = target_events.timeline(reading.read(IMAGE, saved), 1000)
    logged = [event for event in made.events if event.name == "log"]
    assert [event.instructions for event in logged] == [4 * COUNTS] * 2  # the trace ends there
    assert [str(event.fields["text"]).rpartition(" [")[2] for event in logged] == [
        "tick 6]", f"tick {0x7FFF_FFFF}]"
    ]  # fmt: skip


def test_nothing_written_is_an_error() -> None:
    with pytest.raises(TicklabError, match="nothing was written"):
        target_events.timeline(read(), 1000)


# --- Where the memory comes from ------------------------------------------------------------------


def answers(server: socket.socket, memory: bytes, asked: list[bytes]) -> None:
    """Answers as a GDB server whose only memory begins at 0x1000, until the client lets the target
    continue."""
    link, _ = server.accept()
    with link:
        received = b""
        while not received.endswith(framed(b"D")) and (received := link.recv(4096)):
            packet = received[received.find(b"$") + 1 : received.find(b"#")]
            answer = b""
            if packet.startswith(b"m"):
                at, count = (int(word, 16) for word in packet[1:].split(b","))
                answer = memory[at - 0x1000 : at - 0x1000 + count].hex().encode() or b"E14"
            if packet:
                asked.append(packet)
                link.sendall(b"+$" + answer + b"#" + checksum(answer))


@contextmanager
def served() -> Iterator[str]:
    """Yields the address of a GDB server, and requires that the client lets the target continue
    where it stopped."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        thread = threading.Thread(target=answers, args=(server, b"abcdefgh", asked))
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join(60)
        assert not thread.is_alive()
    assert asked[-2:] == [b"Qqemu.PhyMemMode:0", b"D"]


def test_a_gdb_server_gives_the_memory_and_the_target_goes_on() -> None:
    with served() as address, memory(address) as found:
        assert found(0x1002, 3) == b"cde"


def interrupted(address: int, count: int) -> bytes:
    raise KeyboardInterrupt


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_the_target_goes_on_after_an_error(is_interrupted: bool) -> None:
    error = KeyboardInterrupt if is_interrupted else TicklabError
    with served() as address, pytest.raises(error), memory(address) as found:
        (interrupted if is_interrupted else found)(0x2000, 4)


@pytest.mark.parametrize(
    ("words", "status", "named"),
    [
        (("nothing.elf", "--memory", "ram.bin"), 2, "nothing.elf"),
        ((__file__, "--memory", "ram.bin"), 2, "no 32-bit little-endian ELF file"),
        ((__file__,), 2, "--memory --gdb is required"),
        ((__file__, "--memory", "a", "--gdb", "b"), 2, "not allowed with"),
        ((__file__, "--memory", "a", "--tick-hz", "0"), 2, "--tick-hz"),
    ],
)
def test_wrong_use_is_one_line(
    words: tuple[str, ...], status: int, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bulkhead", "log", *words]) == status
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert named in said


def test_a_memory_that_is_too_short_is_named() -> None:
    with pytest.raises(image.LogError, match="0x20001000 is not in the file, which has 8 bytes"):
        reading.dump(0x2000_0000, bytes(8))(0x2000_1000, 4)


def test_no_gdb_server_is_one_line() -> None:
    for address in ("127.0.0.1:1", "nowhere", "127.0.0.1:99999999"):
        with pytest.raises(TicklabError, match="no GDB server answers at"), memory(address):
            pass
