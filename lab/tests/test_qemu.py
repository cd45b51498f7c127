# SPDX-License-Identifier: MIT
"""Tests the QEMU target, with a real QEMU and the real observer, on guests whose counts are
known."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import guests
import pytest

from ticklab import paths
from ticklab.analysis.checks import guest_verdict
from ticklab.analysis.samples import extract, passes
from ticklab.building import program
from ticklab.description import catalogue
from ticklab.description.model import End, Span
from ticklab.errors import TicklabError
from ticklab.targets import qemu
from ticklab.targets.protocol import AddedMark, Cancel, Observation, ObservationPlan
from ticklab.targets.qemu import Qemu

BOARD = catalogue.find_board("mps2-an386")
PLAN = ObservationPlan(
    machine=BOARD.machine,
    core=BOARD.core,
    vectors=0,
    until_marks="tick",
    passes=10,
    instructions=1_000_000,
    stall_instructions=100_000,
)
TARGET = Qemu(paths.plugin(), idle_s=1.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "with spaces, and a comma"


def observe(
    folder: Path, guest: str, plan: ObservationPlan = PLAN, text: str = "hello\\n"
) -> Observation:
    return TARGET.observe(guests.build(folder, guest, text), plan, Cancel())


def test_counts_are_exact(folder: Path) -> None:
    seen = observe(folder, guests.LOOP)
    assert seen.ending.end is End.MARKS
    assert seen.log is not None
    samples = extract(seen.log, Span("tick", each=("tick",)), external=0, warm_up=0)
    assert samples.length.tolist() == [3] * 9
    assert samples.start[0] == 1


def test_a_mark_of_the_plan_needs_none_in_the_image(folder: Path) -> None:
    image = guests.build(folder, guests.UNMARKED)
    plan = replace(PLAN, marks=(AddedMark("again", 0x42),), until_marks="again")
    seen = TARGET.observe(image, plan, Cancel())
    assert seen.log is not None
    assert len(seen.log.records) == 10
    assert seen.log.records["tally"][1:, 0].tolist() == [3] * 9


def test_the_budget_ends_a_run(folder: Path) -> None:
    plan = replace(PLAN, until_marks=None, passes=0, instructions=50_000)
    seen = observe(folder, guests.LOOP, plan)
    assert seen.ending.end is End.INSTRUCTIONS


def test_a_guest_that_spins_has_stalled_and_says_where(folder: Path) -> None:
    ending = observe(folder, guests.STUCK).ending
    assert ending.end is End.STALLED
    assert ending.symbol is not None
    assert ending.symbol.startswith("spin")


def test_a_guest_that_sleeps_for_ever_is_found_and_says_where(folder: Path) -> None:
    seen = observe(folder, guests.ASLEEP)
    ending = seen.ending
    assert (ending.end, ending.detail) == (End.TIMED_OUT, "it sleeps and nothing will wake it")
    assert ending.symbol is not None
    assert ending.symbol.startswith("idle")
    assert seen.log
    assert len(passes(seen.log, ("tick",))) == 1, "what came before the hang is kept"


@pytest.mark.parametrize("handler", ["", "  la t0, handler\n  csrw mtvec, t0\n"])
def test_a_riscv_guest_that_traps_for_ever_has_locked_up(folder: Path, handler: str) -> None:
    """The trap handler lies at an address without memory, or begins with an illegal instruction."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "guest.S").write_text(
        f".globl _start\n_start:\n{handler}loop: nop\n .word 0\n.balign 4\nhandler: .word 0\n"
    )
    board = catalogue.find_board("virt")
    link = ["-Wl,-Ttext=0x80000000"]
    made = program.Program(program.guest(board.core), ["guest.S"], options=link)
    subprocess.run(made.command("guest.elf"), cwd=folder, check=True, capture_output=True)
    plan = replace(
        PLAN,
        machine=board.machine,
        core=board.core,
        marks=(AddedMark("loop", 0x8000_0000),),
        until_marks="loop",
    )
    # Each trap is an event of the log, so a short time is enough.
    target = replace(TARGET, start_s=0.5)
    seen = target.observe(folder / "guest.elf", replace(plan, instructions=100_000), Cancel())
    assert seen.ending.end is End.LOCKUP
    assert seen.ending.symbol == ("handler" if handler else None)
    assert seen.log


def test_a_flood_on_the_console_loses_no_figure(folder: Path) -> None:
    # 50,000 texts of 6 bytes are more than the console holds.
    source = guests.FLOOD.replace("again:\n", "again:\n  mark tick\n")
    seen = observe(folder, source, replace(PLAN, passes=50_000))
    assert seen.ending.end is End.MARKS
    assert seen.ending.flooded
    assert seen.ending.console.startswith("hello\nhello\n")
    assert seen.log
    assert len(passes(seen.log, ("tick",))) == 50_000


@pytest.mark.parametrize("passes_too", [False, True])
def test_a_flood_without_end_is_stopped_early(passes_too: bool, folder: Path) -> None:
    again = "again:\n  mark tick\n" if passes_too else "again:\n"
    source = guests.FLOOD.replace("again:\n", again)
    plan = replace(PLAN, passes=10**9, instructions=10**9, stall_instructions=10**9)
    seen = observe(folder, source, plan)
    assert seen.ending.end is End.FLOODED
    assert "more than 2 MB to its console" in seen.ending.detail
    assert seen.log, "what was observed before"


def test_a_flood_of_events_is_stopped_early(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qemu, "LOG_BYTES", 10**6)
    plan = replace(PLAN, passes=10**9, instructions=10**9)
    seen = observe(folder, guests.LOOP, plan)
    assert (seen.ending.end, seen.log) == (End.FLOODED, None)
    assert "mark a place that is passed less often" in seen.ending.detail


def test_a_guest_that_ends_by_itself_has_the_last_word(folder: Path) -> None:
    seen = observe(folder, guests.LEAVING, text="\\nticklab: fail: a word was lost\\n")
    assert seen.ending.end is End.EXIT
    assert guest_verdict(seen.ending.console) == "a word was lost"


def test_a_lockup_is_reported_in_qemus_words(folder: Path) -> None:
    ending = observe(folder, guests.LOCKUP).ending
    assert ending.end in (End.LOCKUP, End.ABORTED)
    assert "Lockup" in ending.detail or ending.end is End.LOCKUP
    assert ending.symbol is not None
    assert ending.symbol.startswith("handler")


def test_an_image_without_marks_is_refused(folder: Path) -> None:
    with pytest.raises(TicklabError, match=r"has no marks.*ticklab observe"):
        observe(folder, guests.UNMARKED)


def test_a_truncated_image_is_refused_wherever_it_was_cut(folder: Path) -> None:
    image = guests.build(folder, guests.LOOP)
    whole = image.read_bytes()
    for length in (0, 3, 20, 60, len(whole) // 2, len(whole) - 1):
        image.write_bytes(whole[:length])
        with pytest.raises(TicklabError, match="is truncated"):
            TARGET.observe(image, PLAN, Cancel())


def test_an_image_for_another_machine_is_refused(folder: Path) -> None:
    image = guests.build(folder, guests.LOOP)
    data = bytearray(image.read_bytes())
    data[18:20] = (243).to_bytes(2, "little")  # e_machine: RISC-V
    image.write_bytes(data)
    with pytest.raises(TicklabError, match=r"is for another machine \(RISCV\)"):
        TARGET.observe(image, PLAN, Cancel())


def test_a_missing_observer_is_named(folder: Path) -> None:
    with pytest.raises(TicklabError, match=r"observer .* is not built"):
        Qemu(folder / "none.so").identity()


def test_the_same_image_gives_the_same_log(folder: Path) -> None:
    one, other = observe(folder, guests.LOOP), observe(folder, guests.LOOP)
    assert one.log is not None
    assert other.log is not None
    assert one.log.records.tobytes() == other.log.records.tobytes()
