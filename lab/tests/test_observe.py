# SPDX-License-Identifier: MIT
"""`observe`: an image that Ticklab did not build, between two of its addresses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import guests
import pytest

from ticklab import paths, places
from ticklab.elf import Elf, Symbol
from ticklab.errors import TicklabError, UsageError
from ticklab.explain import recordings, replay

# 4 instructions from `work` to `done`, 2 more to the next `work`.
GUEST = (
    "function reset\n  movs r2, #0\nfunction work\n  adds r2, #1\n  nop\n  nop\n  nop\n"
    "function done\n  nop\n  b work\nfunction never\n  nop\n"
) + guests.UNMARKED[guests.UNMARKED.index("function handler") :]

IMAGE = Elf(
    Path("x.elf"),
    (Symbol("twice", 0x10, 4), Symbol("twice", 0x20, 4), Symbol("vTaskDelay", 0x30, 8)),
    has_marks=False,
)


# The function calls itself once, from its middle; both calls pass its last instruction.
NESTED = (
    "function reset\n  movs r4, #0\nagain:\n  movs r0, #1\n  bl outer\n  b again\n"
    "function outer\n  push {r4, lr}\n  cbz r0, 1f\n  subs r0, #1\n  bl outer\n  nop\n"
    "1:\n  pop {r4, pc}\nfunction done\n"
) + guests.UNMARKED[guests.UNMARKED.index("function handler") :]

# One call in 1,000 reaches the end of the function, all others return from its middle.
RARELY = (
    "function reset\n  movs r4, #0\nagain:\n  adds r4, #1\n  bl work\n  b again\n"
    "function work\n  cmp r4, #1000\n  beq 1f\n  bx lr\n1:\n  movs r4, #0\n  bx lr\n"
) + guests.UNMARKED[guests.UNMARKED.index("function handler") :]

# SVC's handler calls the function that was interrupted by it.
HANDLED = (
    "function reset\n  nop\nagain:\n  movs r0, #0\n  bl work\n  b again\n"
    "function work\n  push {r4, lr}\n  cbnz r0, 1f\n  svc 0\n1:\n  nop\n  pop {r4, pc}\n"
    "function handler\n  push {r4, lr}\n  movs r0, #1\n  bl work\n  pop {r4, pc}\n"
)


def observe(folder: Path, *words: str, source: str = GUEST) -> tuple[int, str, str]:
    image = guests.build(folder / "somebody else's", source)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "ticklab", "observe", str(image), *words],
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[1] / "src"),
            "TICKLAB_HOME": str(paths.home()),
        },
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout, done.stderr


def test_the_count_between_two_symbols(tmp_path: Path) -> None:
    marks = ("--mark", "a=work", "--mark", "b=done", "--until", "marks=20")
    status, out, err = observe(tmp_path, *marks, "--json", "-")
    assert status == 0, err
    found = json.loads(out)
    (record,) = found["records"]
    assert record["span"] == "a → b"
    assert (record["instructions"]["n"], record["instructions"]["min"]) == (20, 4)
    assert record["instructions"]["max"] == 4
    assert record["cycles"]["profile"] == "zero-wait"
    assert [mark["passes"] for mark in found["marks"]] == [20, 20]


def lengths(out: str) -> list[tuple[int, int, int]]:
    """Number, least and most of the samples of each span."""
    stats = [record["instructions"] for record in json.loads(out)["records"]]
    return [(each["n"], each["min"], each["max"]) for each in stats]


QUIET = ("--until", "instructions=3000", "--no-model", "--json", "-")


def test_a_function_that_calls_itself_ends_its_own_samples(tmp_path: Path) -> None:
    marks = ("--mark", "a=outer", "--mark", "b=outer+12")
    status, out, err = observe(tmp_path, *marks, *QUIET, source=NESTED)
    assert status == 0, err
    ((count, least, most),) = lengths(out)
    # To its last instruction 2 for the inner call; 4, the inner one's 3, and 1 for the outer one.
    assert (least, most) == (2, 8)
    assert count in (499, 500)
    (record,) = json.loads(out)["records"]
    assert record["pairing"]["scope"] == "call"
    assert record["pairing"]["begins_without_end"] <= 2


def test_a_call_lasts_until_it_returns(tmp_path: Path) -> None:
    status, out, err = observe(tmp_path, "--call", "outer", *QUIET, source=NESTED)
    assert status == 0, err
    assert [(least, most) for _, least, most in lengths(out)] == [(3, 9)]
    status, out, err = observe(tmp_path, "--call", "w=work", *QUIET, source=RARELY)
    assert [(least, most) for _, least, most in lengths(out)] == [(3, 3)]


def test_a_call_of_a_handler_ends_inside_the_call_that_it_interrupted(tmp_path: Path) -> None:
    status, out, err = observe(tmp_path, "--call", "work", *QUIET, source=HANDLED)
    assert status == 0, err
    # In the handler 4; around it 3, the handler's 4 with the call's 4, and 2.
    assert [(least, most) for _, least, most in lengths(out)] == [(4, 13)]


def test_what_is_paired_with_nothing_is_no_figure(tmp_path: Path) -> None:
    marks = ("--mark", "a=work", "--mark", "b=work+8", "--until", "instructions=8000")
    status, out, err = observe(tmp_path, *marks, "--json", "-", source=RARELY)
    assert (status, out) == (1, "")
    assert "1 of 1,333 passes of 'a' have an end of their own among 1 passes of 'b'" in err
    assert "measure whole calls with --call FUNCTION" in err


def test_passes_without_a_partner_are_counted_beside_the_figures(tmp_path: Path) -> None:
    words = ("--mark", "a=outer", "--mark", "b=outer+12", "--until", "marks=21")
    status, out, err = observe(tmp_path, *words, source=NESTED)
    assert status == 0, err
    assert "each sample lies in one call; not paired: 1 of 22 begins." in out


def test_a_recording_has_the_samples_that_were_paired(tmp_path: Path) -> None:
    folder = tmp_path / "recording"
    words = ("--call", "outer", "--record", str(folder), "--no-model")
    status, _, err = observe(tmp_path, *words, "--until", "marks=100", source=NESTED)
    assert status == 0, err
    recording = recordings.read(folder)
    (span,) = recording.about.spans
    answer = replay.explain(recording, [span], sample="worst")
    assert answer.spans[0].samples == 100


def test_one_mark_is_timed_from_pass_to_pass(tmp_path: Path) -> None:
    words = ("--mark", "a=work+2", "--until", "instructions=6000", "--no-model", "--json", "-")
    status, out, err = observe(tmp_path, *words)
    assert status == 0, err
    (record,) = json.loads(out)["records"]
    assert (record["instructions"]["mean"], record["instructions"]["n"]) == (6, 999)
    assert record["cycles"] is None


def test_a_mark_that_is_never_passed_is_an_error(tmp_path: Path) -> None:
    words = ("--mark", "a=work", "--mark", "b=never", "--until", "instructions=1000")
    status, out, err = observe(tmp_path, *words)
    assert (status, out) == (1, "")
    assert "mark 'b' was never passed" in err
    assert "was never passed; the run ended: the budget of instructions was spent in work" in err


def test_marks_that_are_never_passed_one_after_the_other_are_an_error(tmp_path: Path) -> None:
    words = ("--mark", "a=work", "--mark", "b=reset", "--until", "instructions=1000")
    status, out, err = observe(tmp_path, *words)
    assert (status, out) == (1, "")
    assert "0 of 167 passes of 'a' have an end of their own among 1 passes of 'b'" in err
    assert "give the marks in the order in which they are passed" in err


def test_a_missing_symbol_is_named_with_its_like(tmp_path: Path) -> None:
    status, _, err = observe(tmp_path, "--mark", "a=wrk")
    assert status == 1
    assert "no symbol 'wrk' in" in err
    assert "did you mean work?" in err


def test_an_ambiguous_symbol_lists_its_addresses() -> None:
    with pytest.raises(TicklabError, match=r"'twice' is ambiguous in x\.elf: 0x10, 0x20"):
        places.resolve([places.parse("a=twice")], IMAGE)
    (place,) = places.resolve([places.parse("a=0x20+4")], IMAGE)
    assert place.address == 0x24


@pytest.mark.parametrize("word", ["a", "a=", "=main", "a=main+", "a=main+x", "a b=main"])
def test_what_is_no_mark_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="is no mark; write NAME=SYMBOL"):
        places.parse(word)


def test_two_marks_of_one_name_are_refused() -> None:
    requests = [places.parse("a=vTaskDelay"), places.parse("a=0x10")]
    with pytest.raises(UsageError, match="two marks are called 'a'"):
        places.resolve(requests, IMAGE)


def test_an_image_without_symbols_takes_addresses() -> None:
    stripped = Elf(Path("x.elf"), (), has_marks=False)
    with pytest.raises(TicklabError, match=r"no symbols; give addresses"):
        places.resolve([places.parse("a=main")], stripped)
    assert places.resolve([places.parse("a=0x10")], stripped)[0].address == 0x10


def test_an_odd_address_is_refused() -> None:
    with pytest.raises(UsageError, match="odd address 0x31"):
        places.resolve([places.parse("a=vTaskDelay+1")], IMAGE)
