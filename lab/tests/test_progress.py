# SPDX-License-Identifier: MIT
"""Tests the progress that a run shows, on a pipe and on terminals of any width."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from ticklab.measurement import progress
from ticklab.measurement.progress import Lines


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    clock = [0.0]
    monkeypatch.setattr("ticklab.measurement.progress.time.monotonic", lambda: clock[0])
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


def test_builds_between_other_items_leave_their_count_alone(now: list[float]) -> None:
    """`estimate --sets` builds images in batches, and runs each batch before the next build."""
    out = io.StringIO()
    lines = Lines(out)
    lines.begin("verifying", 4)
    for batch in (1, 2):
        for done in (10, 50, 100):
            now[0] += 1
            lines.building(done, 100)
        now[0] += 1
        lines.done(f"batch {batch}")
    assert out.getvalue().splitlines() == [
        "built 50/100 files (about 1 s left)",
        "built 100 files",
        "verifying 1/4: batch 1 (about 12 s left)",
        "built 50/100 files (about 1 s left)",
        "built 100 files",
        "verifying 2/4: batch 2 (about 8 s left)",
    ]


LABEL = "freertos-mpu no-access-control O2+lto mps2-an386 synchronization-notification waiters=50"


@pytest.mark.parametrize("width", [40, 41, 60, 79, 80, 81, 100, 240])
@pytest.mark.parametrize("done", [1, 5999])
def test_a_bar_fits_its_terminal_and_is_seen(
    width: int, done: int, now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress.shown(io.StringIO()) as bar:
        assert isinstance(bar, progress.Bar)
        bar.begin("checking conformance", 6000)
        for _ in range(done):
            now[0] += 3
            bar.done(LABEL)
        bar.building(3, 6000)
        lines = drawn(bar, width)
    assert len(lines) == 2
    assert all(len(line) <= width for line in lines)
    assert all(sum(map(line.count, "━╸╺")) >= 5 for line in lines)
    assert f"{done}/6000" in lines[0]
    assert ("freertos" in lines[0]) is (width >= 80)


def drawn(bar: progress.Bar, width: int) -> list[str]:
    """The lines of the terminal, without colours."""
    out = io.StringIO()
    terminal = Console(file=out, width=width, force_terminal=True, color_system="truecolor")
    terminal.print(bar._progress.get_renderable())
    return Text.from_ansi(out.getvalue().rstrip("\n")).plain.splitlines()
