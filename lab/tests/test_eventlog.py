# SPDX-License-Identifier: MIT
"""Tests the reader of event logs: what it reads, and its errors for files that are no event
logs."""

from __future__ import annotations

from pathlib import Path

import pytest
from logs import Writer

from ticklab.description.model import End
from ticklab.errors import TicklabError
from ticklab.targets import eventlog

WRITER = Writer(["a", "b"], modelled=True).mark("a", 10).mark("b", 7, systick=1, refill=2)


def test_every_field_of_a_log_is_read() -> None:
    log = eventlog.parse(WRITER.data("stalled", pc=0x42, symbol="idle", detail="why"), "x")
    assert (log.observer, log.core, log.marks) == ("0.1.0", "cortex-m4f", ("a", "b"))
    assert (log.end, log.pc, log.symbol, log.detail) == (End.STALLED, 0x42, "idle", "why")
    assert log.records["id"].tolist() == [0, 1]
    assert log.records["tally"][:, log.lane("refill")].tolist() == [0, 2]
    assert (log.lanes[-1].low, log.lanes[-1].high) == (1.0, 3.0)


def test_a_log_in_parts_with_equal_lines_is_read_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Writer(["a", "b"])
    for step in (10, 7, 10, 10, 3):
        writer.mark("a", step).fault(3)
    for chunk_bytes in (1, 300, 1 << 20):
        monkeypatch.setattr(eventlog, "_CHUNK_BYTES", chunk_bytes)
        log = eventlog.parse(writer.data(), "x")
        assert log.records["tally"][:, 0].tolist() == [10, 1, 7, 1, 10, 1, 10, 1, 3, 1]
        assert log.records["kind"].tolist() == [eventlog.KIND_MARK, eventlog.KIND_FAULT] * 5


def test_a_log_cut_anywhere_is_called_damaged(tmp_path: Path) -> None:
    whole = WRITER.data()
    for length in range(1, len(whole)):
        with pytest.raises(TicklabError, match="damaged"):
            eventlog.parse(whole[:length], "x")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x7fELF" + bytes(100), "not an event log"),
        (b"", "not an event log"),
        (WRITER.data(version=4), "has version 4; this Ticklab reads version 3"),
        (WRITER.data().replace(b'"lanes"', b'"lames"'), "damaged"),
        (WRITER.data().replace(b"[7, 0", b"[-7, 0"), "damaged"),
        (WRITER.data().replace(b"[7, 0", b"[7"), "damaged"),
        (WRITER.data().replace(b'"id": 1', b'"id": 2'), "passes mark 2 of 2"),
        (WRITER.data().replace(b'"svcall"', b'"calls"'), "its lanes do not begin with"),
    ],
)
def test_a_foreign_log_is_named(data: bytes, words: str) -> None:
    with pytest.raises(TicklabError, match=words):
        eventlog.parse(data, "x")


def test_a_missing_log_is_named(tmp_path: Path) -> None:
    with pytest.raises(TicklabError, match=r"no\.log: No such file"):
        eventlog.read(tmp_path / "no.log")
