# SPDX-License-Identifier: MIT
"""Tests that output can be written in every locale, and that the numbers which users type are
read."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import guests
import pytest

from ticklab import options, paths, plain_text
from ticklab.building import ninja
from ticklab.measurement import progress

SOURCES = Path(__file__).parents[1] / "src" / "ticklab"


def ticklab(*words: str) -> subprocess.CompletedProcess[bytes]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCES.parent),
        "TICKLAB_HOME": str(paths.home()),
        "LC_ALL": "C",
        "PYTHONIOENCODING": "ascii",
    }
    command = [sys.executable, "-P", "-m", "ticklab", *words]
    return subprocess.run(command, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("words", [("list", "kernels"), ("list", "suites"), ("run", "--help")])
def test_an_ascii_terminal_gets_ascii(words: tuple[str, ...]) -> None:
    done = ticklab(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()


def test_an_ascii_terminal_gets_figures(tmp_path: Path) -> None:
    image = str(guests.build(tmp_path, guests.UNMARKED))
    words = ("--mark", "a=again", "--mark", "b=again+2", "--until", "marks=5")
    done = ticklab("observe", image, *words)
    assert done.returncode == 0, done.stderr
    assert b"a -> b" in done.stdout
    assert done.stdout.isascii()


def test_json_is_utf_8_whatever_the_locale() -> None:
    done = ticklab("list", "kernels", "--json", "-")
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout.decode("utf-8"))


@pytest.mark.parametrize("word", ["²", "٣", "+1", " 1", "1_000", "1e3", "", "-1", "9" * 19])
def test_what_is_no_number_is_refused_in_one_line(word: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="whole number of at least 0"):
        options.number(word)
    done = ticklab("observe", "x.elf", "--call", "f", "--until", f"instructions={word}")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_numbers_of_users_are_read_in_one_place() -> None:
    """All numbers of users are read in options.py, because int() and isdigit() disagree on which
    texts are numbers, and argparse's int accepts underscores."""
    for file in SOURCES.rglob("*.py"):
        if file.name != "options.py":
            found = re.search(r"\.is(digit|decimal|numeric)\(|type=(int|float)\b", file.read_text())
            assert not found, f"{file}: {found}"


def test_what_controls_is_shown_by_its_code() -> None:
    assert plain_text.shown("a\r\nb\tc\n") == "a\nb\tc\n"
    assert plain_text.shown("\x1b[2J\x9b1m\u202edas\0") == "\\x1b[2J\\x9b1m\\u202edas\\x00"


def test_a_long_wait_is_reported_where_there_is_no_terminal() -> None:
    class Stream(io.StringIO):
        told = threading.Event()

        def write(self, text: str) -> int:
            self.told.set()
            return super().write(text)

    stream = Stream()
    with progress.waiting("observing x.elf", stream, every_s=0.001):
        assert stream.told.wait(60)
    assert stream.getvalue().startswith("observing x.elf: 0 s")


@pytest.mark.parametrize(
    "reason",
    [
        "/usr/bin/ld: cannot find -lpart: No such file or directory",
        "/usr/bin/ld: b.o: multiple definition of `f'; a.o: first defined here",
        "/usr/bin/ld: error: a.o uses VFP register arguments, image.elf does not",
        "ld.lld: error: undefined symbol: f",
    ],
)
def test_a_linkers_reason_is_its_own(reason: str) -> None:
    output = (
        f"FAILED: image.elf\ngcc a.o\n/usr/bin/ld: warning: image.elf has a LOAD segment\n"
        f"/usr/bin/ld: a.o: in function `main':\n{reason}\n"
        "collect2: error: ld returned 1 exit status\nninja: build stopped.\n"
    )
    assert ninja.failures(output) == {"image.elf": reason}


def test_names_of_files_do_not_speak_to_the_terminal(tmp_path: Path) -> None:
    hostile = "\x1b]0;owned\x07\nline"
    for place in ("runs", "measurements", "images", "baselines"):
        (tmp_path / place / hostile).mkdir(parents=True)
    for words in (("list", "runs"), ("list", hostile), ("observe", hostile, "--call", "f")):
        store = ("--store", str(tmp_path)) if words[1] == "runs" else ()
        done = ticklab(*words, *store)
        assert b"\x1b" not in done.stderr + done.stdout
        assert b"\\x1b]0;owned\\x07" in done.stderr
        lines = done.stderr.decode().splitlines()
        assert all(line.startswith("ticklab: ") for line in lines), lines
