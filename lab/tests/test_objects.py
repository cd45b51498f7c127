# SPDX-License-Identifier: MIT
"""Tests that a source is compiled again exactly if its object would differ."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ticklab.building import objects

Compile = Callable[..., bool]


@pytest.fixture
def compiled(tmp_path: Path) -> Compile:
    """Compiles a.c for one image, and returns whether the compiler ran."""
    source, header = tmp_path / "tree" / "a.c", tmp_path / "tree" / "a.h"
    source.parent.mkdir()
    source.write_text('#include "a.h"\n#include "own.h"\nint a = A + USED;\n')

    times = itertools.count(1)

    def compile_(
        image: str,
        *words: str,
        text: str = "#define A 1\n",
        keeps: bool = True,
        edit: str = "",
    ) -> bool:
        header.write_text(text)
        built = tmp_path / image
        built.mkdir()
        (built / "own.h").write_text("")
        ran: list[bool] = []

        def make(command: Sequence[str | Path]) -> None:
            ran.append(True)
            subprocess.run([str(word) for word in command], check=True)
            if edit:
                header.write_text(edit)

        for file in (source, header, built / "own.h"):
            os.utime(file, ns=(0, next(times)))
        objects._identity.cache_clear()
        known = objects.Objects(tmp_path / "kept", {"built": built}, keeps)
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
    assert not compiled("word-of-the-link", "-Wl,--wrap=f")
    assert not compiled("folder-without-a-header", "-I", "/nowhere", "-isystem/nowhere")


@pytest.mark.parametrize("words", [["-O2"], ["-DUSED=2"], ["-Wa,--defsym,X=1"]])
def test_another_command_is_another_object(compiled: Compile, words: Sequence[str]) -> None:
    assert compiled("one")
    assert compiled("two", *words)


def test_a_changed_header_is_another_object(compiled: Compile) -> None:
    assert compiled("one")
    assert compiled("two", text="#define A 2\n")
    assert not compiled("three", text="#define A 1\n")


def test_a_header_that_is_edited_while_the_compiler_runs_is_no_input(compiled: Compile) -> None:
    assert compiled("one", edit="#define A 2\n")
    assert compiled("two", text="#define A 2\n")


@pytest.mark.parametrize("name", ["own.h", "asked.h", "sys/types.h"])
@pytest.mark.parametrize("how", ["-I{}", "-isystem {}", "CPATH"])
def test_a_file_in_an_earlier_folder_is_another_object(
    compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, how: str
) -> None:
    asks = "#include <sys/types.h>\n#define A 1\n#if __has_include(<asked.h>)\n#endif\n"
    folder = tmp_path / "earlier"
    (folder / "sys").mkdir(parents=True)
    monkeypatch.setenv("CPATH", str(folder))
    words = [] if how == "CPATH" else [each.format(folder) for each in how.split()]
    assert compiled("one", *words, text=asks)
    (folder / "other.h").write_text("")
    assert not compiled("two", *words, text=asks)
    (folder / name).write_text("")
    assert compiled("three", *words, text=asks)


def test_folders_in_another_order_are_another_object(compiled: Compile, tmp_path: Path) -> None:
    asks = "#define A 1\n#include <both.h>\n"
    left, right = tmp_path / "left", tmp_path / "right"
    for folder in (left, right):
        folder.mkdir()
        (folder / "both.h").write_text("")
    assert compiled("one", "-I", str(left), f"-I{right}", text=asks)
    assert not compiled("two", "-I", str(left), f"-I{right}", "-I/nowhere", text=asks)
    assert compiled("three", f"-I{right}", "-I", str(left), text=asks)
    assert compiled("four", f"-isystem{left}", f"-I{right}", text=asks)


@pytest.mark.parametrize("name", ["CPATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH"])
def test_another_environment_is_another_object(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert compiled("one")
    monkeypatch.setenv(name, "1")
    assert compiled("two")


def test_another_assembler_is_another_object(
    compiled: Compile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compiled("one")
    assembler = tmp_path / "as"
    assembler.write_text(f'#!/bin/sh\nexec {shutil.which("as")} "$@"\n')
    assembler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert compiled("two")


def test_a_macro_in_the_value_of_a_macro_is_compared(compiled: Compile) -> None:
    macros = ("-DUSED=FIRST", "-DFIRST=SECOND")
    assert compiled("one", *macros, "-DSECOND=1")
    assert compiled("two", *macros, "-DSECOND=2")
    assert not compiled("three", *macros, "-DSECOND=1", "-DOTHER=1")


def test_a_command_without_warnings_keeps_nothing(compiled: Compile) -> None:
    assert compiled("one", keeps=False)
    assert compiled("two")


def test_only_the_objects_that_were_used_last_are_kept(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(objects, "KEPT", 1)
    assert compiled("one", text="#define A 1\n")
    assert compiled("two", text="#define A 2\n")
    assert not compiled("three", text="#define A 2\n")
    assert compiled("four", text="#define A 1\n")


def test_a_makefile_starts_it_in_place_of_a_compiler(tmp_path: Path) -> None:
    compiler, log = tmp_path / "cc", tmp_path / "log"
    compiler.write_text(f'#!/bin/sh\necho "$*" >> {log}\nexec gcc "$@"\n')
    compiler.chmod(0o755)

    def status(root: str, text: str) -> int:
        source = tmp_path / root / "a.c"
        source.parent.mkdir()
        source.write_text(text)
        os.utime(source, ns=(0, 0))
        words: list[str | Path] = [sys.executable, objects.__file__, tmp_path / "kept"]
        words += [source.parent, compiler, "-MMD", f"-I{source.parent}", "-c", "-o", "a.o", source]
        return subprocess.run(words, cwd=source.parent, check=False).returncode

    assert status("one", "int a;\n") == status("two", "int a;\n") == 0
    assert log.read_text().count(" -c ") == 1
    assert (tmp_path / "one" / "a.o").read_bytes() == (tmp_path / "two" / "a.o").read_bytes()
    assert status("three", "int a\n") == 1
