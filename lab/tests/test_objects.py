# SPDX-License-Identifier: MIT
"""Bulkhead's tests compile a source again exactly if its object would differ."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from objects import Objects, _contents, _words

Compile = Callable[..., bool]


@pytest.fixture
def compiled(tmp_path: Path) -> Compile:
    """Compiles a.c for one image, and returns whether the compiler ran."""
    source, header = tmp_path / "tree" / "a.c", tmp_path / "tree" / "a.h"
    source.parent.mkdir()
    source.write_text('#include "a.h"\n#include "own.h"\nint a = A + USED;\n')

    def compile_(image: str, *words: str, text: str = "#define A 1\n", keeps: bool = True) -> bool:
        header.write_text(text)
        built = tmp_path / image
        built.mkdir()
        (built / "own.h").write_text("")
        ran: list[bool] = []

        def make(command: Sequence[str | Path]) -> None:
            ran.append(True)
            subprocess.run([str(word) for word in command], check=True)

        _contents.cache_clear()
        _words.cache_clear()
        known = Objects(tmp_path / "kept", {"built": built}, keeps)
        macros = [] if any("USED" in word for word in words) else ["-DUSED=1"]
        command = ["gcc", *macros, *words, f"-I{built}"]
        known.compile(make, command, source, built / "a.o")
        assert (built / "a.o").exists()
        return bool(ran)

    return compile_


def test_an_object_is_used_again(compiled: Compile) -> None:
    assert compiled("one")
    assert not compiled("two")
    assert not compiled("warnings", "-Wall")
    assert not compiled("macro-that-is-not-used", "-DOTHER=1")


@pytest.mark.parametrize("words", [["-O2"], ["-DUSED=2"]])
def test_another_command_is_another_object(compiled: Compile, words: Sequence[str]) -> None:
    assert compiled("one")
    assert compiled("two", *words)


def test_a_changed_header_is_another_object(compiled: Compile) -> None:
    assert compiled("one")
    assert compiled("two", text="#define A 2\n")
    assert not compiled("three", text="#define A 1\n")


def test_a_command_without_warnings_keeps_nothing(compiled: Compile) -> None:
    assert compiled("one", keeps=False)
    assert compiled("two")
