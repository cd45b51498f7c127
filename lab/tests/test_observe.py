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


def observe(folder: Path, *words: str) -> tuple[int, str, str]:
    image = guests.build(folder / "somebody else's", GUEST)
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
    assert "mark 'b' (0x" in err
    assert "was never passed; the run ended by 'instructions' in work" in err


def test_marks_that_are_never_passed_one_after_the_other_are_an_error(tmp_path: Path) -> None:
    words = ("--mark", "a=work", "--mark", "b=reset", "--until", "instructions=1000")
    status, out, err = observe(tmp_path, *words)
    assert (status, out) == (1, "")
    assert "'a → b' was never passed from end to end; give the marks in the order" in err


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
