# SPDX-License-Identifier: MIT
"""What a run says of how far it is, on a pipe."""

from __future__ import annotations

import io

import pytest

from ticklab.progress import Lines


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    clock = [0.0]
    monkeypatch.setattr("ticklab.progress.time.monotonic", lambda: clock[0])
    return clock


def test_what_was_looked_up_does_not_shorten_the_estimate(now: list[float]) -> None:
    out = io.StringIO()
    lines = Lines(out)
    lines.begin("measuring", 100)
    for _ in range(49):
        lines.done("known", looked_up=True)
    now[0] = 2.0
    lines.done("new")
    assert out.getvalue() == "measuring 50/100: new (about 100 s left)\n"


def test_a_long_build_tells_each_tenth_how_far_it_is(now: list[float]) -> None:
    out = io.StringIO()
    lines = Lines(out)
    for done in range(1, 101):
        now[0] += 0.5
        lines.building(done, 100)
    said = out.getvalue().splitlines()
    assert len(said) == 10
    assert said[4] == "built 50/100 files (about 24 s left)"
    assert said[-1] == "built 100 files"
