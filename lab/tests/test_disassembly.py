# SPDX-License-Identifier: MIT
"""Tests the listing of an image: the output of objdump, and the error if objdump fails or is
missing."""

import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from ticklab.building import elf
from ticklab.errors import TicklabError
from ticklab.explain import disassembly

IMAGE = Path("x.elf")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a folder that is the only one in PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(elf, "read", lambda _: SimpleNamespace(machine="ARM"))
    return tmp_path


def objdump(folder: Path, text: str, status: int) -> None:
    program = folder / "arm-none-eabi-objdump"
    stream = ">&2" if status else ""
    program.write_text(f"#!/bin/sh\nprintf {shlex.quote(text)} {stream}\nexit {status}\n")
    program.chmod(0o755)


def test_comments_of_the_disassembler_are_left_out(programs: Path) -> None:
    objdump(programs, r"  10:\tmovs\tr0, #1\t@ one\n", 0)
    assert disassembly.read(IMAGE) == {0x10: "movs r0, #1"}


def test_without_objdump_the_listing_is_empty(programs: Path) -> None:
    assert disassembly.read(IMAGE) == {}


def test_a_failure_of_objdump_is_an_error(programs: Path) -> None:
    objdump(programs, r"warning\nfile truncated\n", 1)
    with pytest.raises(TicklabError, match=r"x\.elf: file truncated") as error:
        disassembly.read(IMAGE)
    assert "--disassemble" in str(error.value.hint)
