# SPDX-License-Identifier: MIT
"""The reader of event logs: what it reads, and what it says about logs that are none."""

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
        (WRITER.data(version=3), "has version 3; this Ticklab reads version 2"),
        (WRITER.data().replace(b'"lanes"', b'"lames"'), "damaged"),
    ],
)
def test_a_foreign_log_is_named(data: bytes, words: str) -> None:
    with pytest.raises(TicklabError, match=words):
        eventlog.parse(data, "x")


def test_a_missing_log_is_named(tmp_path: Path) -> None:
    with pytest.raises(TicklabError, match=r"no\.log: No such file"):
        eventlog.read(tmp_path / "no.log")
